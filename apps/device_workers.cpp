// SPDX-License-Identifier: Apache-2.0
#include "device_workers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/core/pipe.h"
#include "kakeya/store/lease.h"
#include "kakeya/store/result_files.h"
#include "program.h"
#include "progress.h"
#include "stop_signals.h"

namespace kakeya {
namespace {

using SortedJson = nlohmann::json;

constexpr int kRound = 200, kSoon = 10;  // milliseconds

/// Calls `visit` with the name and the place of every number of an outcome.
template <typename Visit>
void visit_numbers(const Visit& visit) {
  visit("total", &SweepOutcome::total);
  visit("already", &SweepOutcome::already);
  visit("finished", &SweepOutcome::finished);
  visit("cell_seconds", &SweepOutcome::cell_seconds);
  visit("forward_seconds", &SweepOutcome::forward_seconds);
  visit("reference_seconds", &SweepOutcome::reference_seconds);
  visit("references_computed", &SweepOutcome::references_computed);
  visit("references_read", &SweepOutcome::references_read);
}

SortedJson outcome_json(const SweepOutcome& outcome) {
  SortedJson json = {{"stopped", outcome.stopped}, {"failed", SortedJson::array()}};
  visit_numbers([&](const char* name, auto number) { json[name] = outcome.*number; });
  for (const Failure& each : outcome.failed) {
    json["failed"].push_back({each.key.codec_k, each.key.codec_v, each.key.passage, each.key.mode,
                              error_line(each.reason)});
  }
  return json;
}

SweepOutcome outcome_of(const SortedJson& json) {
  SweepOutcome outcome;
  outcome.stopped = json.at("stopped").get<bool>();
  visit_numbers([&](const char* name, auto number) { json.at(name).get_to(outcome.*number); });
  for (const SortedJson& each : json.at("failed"))
    outcome.failed.push_back({{each[0], each[1], each[2].get<int>(), each[3]}, each[4]});
  return outcome;
}

void add_outcome(SweepOutcome& sum, const SweepOutcome& part) {
  visit_numbers([&](const char*, auto number) { sum.*number += part.*number; });
  sum.stopped = sum.stopped || part.stopped;
  sum.failed.insert(sum.failed.end(), part.failed.begin(), part.failed.end());
}

void write_all(int file, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t wrote = ::write(file, text.data() + at, text.size() - at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return;  // the parent is gone
    at += static_cast<std::size_t>(wrote);
  }
}

/// While it lives the ends of children are kept for waitpid(), and in them those of theirs.
class KeptEnds {
 public:
  KeptEnds() {
    struct sigaction keep {};
    keep.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &keep, &before_);
  }
  ~KeptEnds() { ::sigaction(SIGCHLD, &before_, nullptr); }
  KeptEnds(const KeptEnds&) = delete;
  KeptEnds& operator=(const KeptEnds&) = delete;

 private:
  struct sigaction before_ {};
};

/// A worker as its parent sees it.
struct Running {
  DeviceWorker worker;
  pid_t pid = -1;
  std::optional<Pipe> said, told;  // what it writes to stderr; its outcome
  std::string line, told_text;
  std::size_t done = 0, total = 0;  // cells, of its lock; 0: it has not counted them
  std::optional<int> state;         // of waitpid()
  // Once it has ended:
  std::optional<SweepOutcome> outcome;
  std::string signal, error;
};

/// What a worker does from its first step to its last.
[[noreturn]] void be_worker(std::vector<Running>& all, Running& self, pid_t parent,
                            const std::function<SweepOutcome(const DeviceWorker&)>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::raise(SIGTERM);
  std::signal(SIGPIPE, SIG_IGN);  // of a parent that was killed: the cell in flight is still kept
  ::dup2(self.said->writer(), STDERR_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDOUT_FILENO);
  self.said->close_writer();
  for (Running& each : all) {
    if (each.said) each.said->close_reader();
    if (each.told) each.told->close_reader();
  }
  int code = 0;
  SortedJson told;
  try {
    const SweepOutcome outcome = work(self.worker);
    told["outcome"] = outcome_json(outcome);
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
  told["signal"] = stop_signal();
  write_all(self.told->writer(), told.dump());
  std::fflush(nullptr);
  ::_exit(code);  // no destructors of what the parent made
}

class Workers {
 public:
  Workers(const std::vector<DeviceWorker>& workers, std::string folder)
      : folder_(std::move(folder)), running_(workers.size()) {
    for (std::size_t i = 0; i < workers.size(); ++i) running_[i].worker = workers[i];
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
      if (each.pid == 0) be_worker(running_, each, parent, work);
      each.said->close_writer();
      each.told->close_writer();
      ::fcntl(each.said->reader(), F_SETFL, O_NONBLOCK);
      ::fcntl(each.told->reader(), F_SETFL, O_NONBLOCK);
    }
  }

  void wait() {
    std::optional<Progress> progress;
    while (std::any_of(running_.begin(), running_.end(), [](const auto& r) { return !r.state; })) {
      read_some();
      for (Running& each : running_) see_end(each);
      if (stop_asked() && !std::exchange(handed_on_, true)) {
        for (const Running& each : running_) {
          if (!each.state) ::kill(each.pid, SIGTERM);
        }
      }
      if (::isatty(STDERR_FILENO) != 0) show(progress);
    }
  }

  WorkersOutcome outcome() const {
    WorkersOutcome all;
    all.stop_signal = stop_signal();
    std::vector<std::string> where, why;
    bool usage = true;
    for (const Running& each : running_) {
      if (each.outcome) add_outcome(all.sum, *each.outcome);
      if (all.stop_signal.empty()) all.stop_signal = each.signal;
      const int code = WIFEXITED(*each.state) ? WEXITSTATUS(*each.state) : -1;
      if (code == 0 && each.outcome) continue;
      if (code == kStoppedCode) {
        all.sum.stopped = true;
        all.counted = all.counted && each.outcome;
        continue;
      }
      usage = usage && code == 2;
      where.push_back(each.worker.device);
      why.push_back(code < 0 ? "ended by signal " + std::to_string(WTERMSIG(*each.state))
                    : each.error.empty() ? "ended with code " + std::to_string(code)
                                         : each.error);
    }
    if (why.empty()) return all;
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
  /// Takes what is there; closes the pipe at its end.
  static void drain(Pipe& pipe, std::string& to) {
    while (pipe.reader() >= 0) {
      char part[4096];
      const ssize_t count = ::read(pipe.reader(), part, sizeof part);
      if (count > 0) {
        to.append(part, static_cast<std::size_t>(count));
      } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
        pipe.close_reader();
      } else if (errno == EAGAIN) {
        return;
      }
    }
  }

  /// Waits a while for lines, outcomes and ends.
  void read_some() {
    std::vector<pollfd> open;
    int most = kRound;
    for (const Running& each : running_) {
      for (const auto* pipe : {&each.said, &each.told}) {
        if ((*pipe)->reader() >= 0) open.push_back({(*pipe)->reader(), POLLIN, 0});
      }
      if (!each.state && each.told->reader() < 0) most = kSoon;  // it is about to end
    }
    if (::poll(open.data(), open.size(), most) < 0 && errno != EINTR)
      throw IoError(std::string("poll: ") + std::strerror(errno));
    for (Running& each : running_) {
      drain(*each.said, each.line);
      drain(*each.told, each.told_text);
      pass_lines_on(each);
    }
  }

  /// Takes over what a worker that has ended leaves.
  void see_end(Running& of) {
    if (of.state) return;
    int state = 0;
    const pid_t ended = ::waitpid(of.pid, &state, WNOHANG);
    if (ended < 0 && errno != EINTR) {
      of.pid = -1;  // somebody else's by now
      throw IoError(fmt::format("worker on {}: its end cannot be waited for: {}", of.worker.device,
                                std::strerror(errno)));
    }
    if (ended != of.pid) return;
    of.state = state;
    drain(*of.said, of.line);
    drain(*of.told, of.told_text);
    of.said->close_reader();  // a program that it started may have it still
    of.told->close_reader();
    if (!of.line.empty()) of.line += '\n';
    pass_lines_on(of);
    const SortedJson told = SortedJson::parse(of.told_text, nullptr, false);
    if (!told.is_object()) return;  // it was killed
    of.signal = told.value("signal", "");
    of.error = told.value("error", "");
    if (!told.contains("outcome")) return;
    of.outcome = outcome_of(told["outcome"]);
    of.total = of.outcome->total;
    of.done = of.outcome->already + of.outcome->finished + of.outcome->failed.size();
  }

  void pass_lines_on(Running& from) {
    for (std::size_t end = 0; (end = from.line.find('\n')) != std::string::npos;) {
      const std::string line = from.line.substr(0, end);
      from.line.erase(0, end + 1);
      if (!seen_.insert(line).second) continue;
      fmt::print(stderr, "{}{}\n", ::isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "", line);
    }
  }

  /// Draws the bar, once all that live have counted their cells.
  void show(std::optional<Progress>& progress) {
    std::size_t done = 0, total = 0;
    std::string now;
    for (Running& each : running_) {
      if (!each.state) {
        const auto lock = Lease::read(ResultFiles{folder_, each.worker.shard}.lock());
        if (lock && lock->pid == each.pid && lock->total > 0) {
          each.done = lock->done;
          each.total = lock->total;
          now += (now.empty() ? "" : "; ") + lock->now;
        }
        if (each.total == 0) return;
      }
      done += each.done;
      total += each.total;
    }
    if (total == 0) return;
    if (!progress) {
      progress.emplace(fmt::format("{} devices", running_.size()), total);
      progress->skip(done);
    }
    progress->update(done, now);
  }

  KeptEnds kept_;
  std::string folder_;
  std::vector<Running> running_;
  std::set<std::string> seen_;
  bool handed_on_ = false;
};

}  // namespace

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

WorkersOutcome run_workers(const std::vector<DeviceWorker>& workers, const std::string& folder,
                           const std::function<SweepOutcome(const DeviceWorker&)>& work) {
  Workers all(workers, folder);
  all.start(work);
  all.wait();
  return all.outcome();
}

}  // namespace kakeya
