// SPDX-License-Identifier: Apache-2.0
#include "device_workers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/store/lease.h"
#include "kakeya/store/result_files.h"
#include "program.h"
#include "progress.h"
#include "stop_signals.h"

namespace kakeya {
namespace {

using Json = nlohmann::json;

Json json_of(const SweepOutcome& outcome) {
  Json failed = Json::array();
  for (const Failure& each : outcome.failed) {
    failed.push_back({each.key.codec_k, each.key.codec_v, each.key.passage, each.key.mode,
                      error_line(each.reason)});
  }
  return {{"total", outcome.total},
          {"already", outcome.already},
          {"finished", outcome.finished},
          {"cell_seconds", outcome.cell_seconds},
          {"forward_seconds", outcome.forward_seconds},
          {"reference_seconds", outcome.reference_seconds},
          {"references_computed", outcome.references_computed},
          {"references_read", outcome.references_read},
          {"stopped", outcome.stopped},
          {"failed", failed}};
}

void add(SweepOutcome& sum, const Json& json) {
  const auto count = [&](const char* name) { return json.at(name).get<std::size_t>(); };
  sum.total += count("total");
  sum.already += count("already");
  sum.finished += count("finished");
  sum.cell_seconds += json.at("cell_seconds").get<double>();
  sum.forward_seconds += json.at("forward_seconds").get<double>();
  sum.reference_seconds += json.at("reference_seconds").get<double>();
  sum.references_computed += count("references_computed");
  sum.references_read += count("references_read");
  sum.stopped = sum.stopped || json.at("stopped").get<bool>();
  for (const Json& each : json.at("failed")) {
    sum.failed.push_back({{each[0], each[1], each[2].get<int>(), each[3]}, each[4]});
  }
}

void write_all(int file, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t wrote = ::write(file, text.data() + at, text.size() - at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return;  // the parent is gone
    at += static_cast<std::size_t>(wrote);
  }
}

/// A pipe, whose ends programs that are started do not inherit.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw IoError(std::string("pipe: ") + std::strerror(errno));
  }
  Pipe(Pipe&& other) noexcept : ends_(std::exchange(other.ends_, {-1, -1})) {}
  Pipe& operator=(Pipe&&) = delete;
  ~Pipe() {
    close_reader();
    close_writer();
  }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_reader() { close_end(0); }
  void close_writer() { close_end(1); }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) ::close(std::exchange(ends_[end], -1));
  }
  std::array<int, 2> ends_{-1, -1};
};

/// A worker as its parent sees it.
struct Running {
  DeviceWorker worker;
  pid_t pid = -1;
  std::optional<Pipe> said, told;  // what it writes to stderr; its outcome
  std::string line, told_text;
  std::optional<int> state;  // of waitpid()
};

/// What a worker does from its first step to its last.
[[noreturn]] void be_worker(Running& self, pid_t parent,
                            const std::function<SweepOutcome(const DeviceWorker&)>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::raise(SIGTERM);
  ::dup2(self.said->writer(), STDERR_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDOUT_FILENO);
  int code = 0;
  Json told;
  try {
    const SweepOutcome outcome = work(self.worker);
    told["outcome"] = json_of(outcome);
    if (outcome.stopped) code = kStoppedCode;
  } catch (const Stopped&) {
    code = kStoppedCode;
  } catch (const SpecError& error) {
    code = 2;
    told["error"] = error_line(error.what());
  } catch (const std::bad_alloc&) {
    code = 1;
    told["error"] = "out of memory";
  } catch (const std::exception& error) {
    code = 1;
    told["error"] = error_line(error.what());
  }
  write_all(self.told->writer(), told.dump());
  std::fflush(nullptr);
  ::_exit(code);  // no destructors of what the parent made
}

class Workers {
 public:
  Workers(const std::vector<DeviceWorker>& workers, std::string folder)
      : folder_(std::move(folder)) {
    for (const DeviceWorker& worker : workers) running_.push_back({worker, -1, {}, {}, {}, {}, {}});
  }

  /// Kills who is left where something was thrown.
  ~Workers() {
    for (Running& each : running_) {
      if (each.pid <= 0 || each.state) continue;
      ::kill(each.pid, SIGKILL);
      ::waitpid(each.pid, nullptr, 0);
    }
  }

  void start(const std::function<SweepOutcome(const DeviceWorker&)>& work) {
    std::fflush(nullptr);
    const pid_t parent = ::getpid();
    for (Running& each : running_) {
      each.said.emplace();
      each.told.emplace();
      each.pid = ::fork();
      if (each.pid < 0) throw IoError(std::string("fork: ") + std::strerror(errno));
      if (each.pid == 0) be_worker(each, parent, work);
      each.said->close_writer();
      each.told->close_writer();
    }
  }

  void wait() {
    std::optional<Progress> progress;
    while (std::any_of(running_.begin(), running_.end(), [](const auto& r) { return !r.state; })) {
      read_some();
      if (stop_asked() && !std::exchange(handed_on_, true)) {
        for (const Running& each : running_) {
          if (!each.state) ::kill(each.pid, SIGTERM);
        }
      }
      if (::isatty(STDERR_FILENO) != 0) show(progress);
    }
  }

  SweepOutcome outcome() const {
    SweepOutcome sum;
    std::vector<std::string> where, why;
    bool usage = true;
    for (const Running& each : running_) {
      const Json told = each.told_text.empty() ? Json::object() : Json::parse(each.told_text);
      if (told.contains("outcome")) add(sum, told["outcome"]);
      const int code = WIFEXITED(*each.state) ? WEXITSTATUS(*each.state) : -1;
      sum.stopped = sum.stopped || code == kStoppedCode;
      if (code == 0 || code == kStoppedCode) continue;
      usage = usage && code == 2;
      where.push_back(each.worker.device);
      why.push_back(code < 0 ? "ended by signal " + std::to_string(WTERMSIG(*each.state))
                             : told.value("error", "ended with code " + std::to_string(code)));
    }
    if (why.empty()) return sum;
    std::string text = why.front();
    if (why != std::vector<std::string>(running_.size(), text)) {
      text.clear();
      for (std::size_t i = 0; i < why.size(); ++i)
        text += fmt::format("{}worker on {}: {}", i == 0 ? "" : "; ", where[i], why[i]);
    }
    if (usage) throw SpecError(text);
    throw Error(text);
  }

 private:
  static bool drain(const Pipe& pipe, std::string& to) {
    char part[4096];
    const ssize_t count = ::read(pipe.reader(), part, sizeof part);
    if (count > 0) to.append(part, static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && errno == EINTR);
  }

  /// Waits a while for lines, outcomes and ends.
  void read_some() {
    std::vector<pollfd> open;
    std::vector<std::pair<Running*, Pipe*>> whose;
    for (Running& each : running_) {
      for (Pipe* const pipe : {&*each.said, &*each.told}) {
        if (pipe->reader() < 0) continue;
        open.push_back({pipe->reader(), POLLIN, 0});
        whose.emplace_back(&each, pipe);
      }
    }
    ::poll(open.data(), open.size(), 200);
    for (std::size_t i = 0; i < open.size(); ++i) {
      auto& [each, pipe] = whose[i];
      if (open[i].revents == 0) continue;
      const bool said = pipe == &*each->said;
      if (!drain(*pipe, said ? each->line : each->told_text)) pipe->close_reader();
      if (said) pass_lines_on(*each);
    }
    for (Running& each : running_) {
      int state = 0;
      if (each.state || each.said->reader() >= 0 || each.told->reader() >= 0) continue;
      if (::waitpid(each.pid, &state, 0) == each.pid) each.state = state;
    }
  }

  void pass_lines_on(Running& from) {
    for (std::size_t end = 0; (end = from.line.find('\n')) != std::string::npos;) {
      const std::string line = from.line.substr(0, end);
      from.line.erase(0, end + 1);
      if (!seen_.insert(line).second) continue;
      fmt::print(stderr, "{}{}\n", ::isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "", line);
    }
  }

  void show(std::optional<Progress>& progress) {
    std::size_t done = 0, total = 0;
    std::string now;
    for (const Running& each : running_) {
      const auto lock = Lease::read(ResultFiles{folder_, each.worker.shard}.lock());
      if (lock && lock->total > 0) last_[each.pid] = {lock->done, lock->total};
      done += last_[each.pid].first;
      total += last_[each.pid].second;
      if (lock && !each.state) now += (now.empty() ? "" : "; ") + lock->now;
    }
    if (last_.size() < running_.size() || total == 0) return;
    if (!progress) {
      progress.emplace(fmt::format("{} devices", running_.size()), total);
      progress->skip(done);
    }
    progress->update(done, now);
  }

  std::string folder_;
  std::vector<Running> running_;
  std::set<std::string> seen_;
  std::map<pid_t, std::pair<std::size_t, std::size_t>> last_;  // done, total
  bool handed_on_ = false;
};

}  // namespace

std::vector<std::string> parse_device_list(const std::string& text) {
  std::vector<std::string> devices;
  std::istringstream names(text + ",");
  for (std::string name; std::getline(names, name, ',');) {
    if (name.empty())
      throw SpecError("--devices " + text + ": expected devices with commas between, as 0,1");
    const bool number = name.find_first_not_of("0123456789") == std::string::npos;
    devices.push_back(number ? "cuda:" + name : name);
  }
  return devices;
}

std::vector<DeviceWorker> workers_of(const std::vector<std::string>& devices, const Shard& shard) {
  const auto count = static_cast<int>(devices.size());
  std::vector<DeviceWorker> workers;
  for (int d = 0; d < count; ++d) {
    // Divided by N * count, cell number (hash + passage) of part I of N falls to one of these.
    const Shard part{shard.index + d * shard.count, shard.count * count};
    workers.push_back({devices[static_cast<std::size_t>(d)], part});
  }
  return workers;
}

SweepOutcome run_workers(const std::vector<DeviceWorker>& workers, const std::string& folder,
                         const std::function<SweepOutcome(const DeviceWorker&)>& work) {
  Workers all(workers, folder);
  all.start(work);
  all.wait();
  return all.outcome();
}

}  // namespace kakeya
