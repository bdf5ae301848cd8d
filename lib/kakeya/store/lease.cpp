// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/lease.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <utility>

#include "kakeya/core/clock.h"
#include "kakeya/store/arrays.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;
using std::chrono::duration;
using std::chrono::milliseconds;

constexpr std::size_t kRecordBytes = 1024;  // always written whole and in place
constexpr milliseconds kSettle{100}, kPoll{50};

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// When a process started, in the kernel's ticks since boot; nothing where there is none.
std::optional<std::uint64_t> start_of(std::int64_t pid) {
  const std::string stat = first_line(("/proc/" + std::to_string(pid) + "/stat").c_str());
  const std::size_t name_end = stat.rfind(')');  // a name may hold blanks and brackets
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string state, skipped;
  fields >> state;
  if (state == "Z" || state == "X") return std::nullopt;  // ended, not yet waited for
  for (int field = 4; field < 22; ++field) fields >> skipped;
  std::uint64_t started = 0;
  return fields >> started ? std::optional(started) : std::nullopt;
}

/// Within it a process number means one process: the boot, and the space of process numbers.
std::string this_machine() {
  std::error_code none;
  return first_line("/proc/sys/kernel/random/boot_id") + " " +
         std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
}

std::string host_name() {
  char name[256] = "unknown";
  ::gethostname(name, sizeof name - 1);
  return name;
}

LeaseOwner this_process(double seconds) {
  std::random_device random;
  char token[33];
  std::snprintf(token, sizeof token, "%08x%08x%08x%08x", random(), random(), random(), random());
  LeaseOwner self;
  self.token = token;
  self.host = host_name();
  self.machine = this_machine();
  self.pid = ::getpid();
  self.pid_started = start_of(self.pid).value_or(0);
  self.seconds = seconds;
  return self;
}

/// kRecordBytes of text, the last of them a line end.
std::string record_of(const LeaseOwner& owner) {
  std::string now = owner.now;
  for (;;) {
    const Json json = {{"token", owner.token},
                       {"host", owner.host},
                       {"machine", owner.machine},
                       {"pid", owner.pid},
                       {"pid_started", owner.pid_started},
                       {"seconds", owner.seconds},
                       {"beat", owner.beat},
                       {"done", owner.done},
                       {"total", owner.total},
                       {"now", now}};
    std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() < kRecordBytes) {
      text.resize(kRecordBytes - 1, ' ');
      return text + '\n';
    }
    if (now.empty()) {
      throw IoError("lock of " + owner.who() + ": " + std::to_string(text.size()) +
                    " bytes, expected less than " + std::to_string(kRecordBytes));
    }
    now.resize(now.size() / 2);
  }
}

LeaseOwner owner_from(const std::string& text) {
  LeaseOwner owner;
  const Json json = parse_ordered_json(text, "lock");
  json.at("token").get_to(owner.token);
  json.at("host").get_to(owner.host);
  json.at("machine").get_to(owner.machine);
  json.at("pid").get_to(owner.pid);
  json.at("pid_started").get_to(owner.pid_started);
  json.at("seconds").get_to(owner.seconds);
  json.at("beat").get_to(owner.beat);
  json.at("done").get_to(owner.done);
  json.at("total").get_to(owner.total);
  json.at("now").get_to(owner.now);
  return owner;
}

void write_record(int file, const LeaseOwner& owner, const std::string& path) {
  const std::string text = record_of(owner);
  const ssize_t written = ::pwrite(file, text.data(), text.size(), 0);
  if (written != static_cast<ssize_t>(text.size()) || ::fsync(file) != 0)
    throw IoError(path + ": " + std::strerror(written < 0 ? errno : EIO));
}

void wait_a_moment(const LeaseWait& how, const std::string& path) {
  if (how.stopped && how.stopped()) throw StoppedWaiting(path + ": asked to stop while waiting");
  std::this_thread::sleep_for(kPoll);
}

enum class Judgement { living, stale, changed };

/// Of a lock that said `seen`. Changed: gone, or another's.
Judgement judge(const std::string& path, const LeaseOwner& seen, const LeaseWait& how) {
  switch (seen.token.empty() ? Alive::elsewhere : alive(seen)) {
    case Alive::yes:
      return Judgement::living;
    case Alive::no:
      return Judgement::stale;
    case Alive::elsewhere:
      break;
  }
  // One that cannot be read was made by somebody who is still writing it, or died over it.
  const double seconds = seen.token.empty() ? how.seconds : seen.seconds;
  for (const auto started = Clock::now(); seconds_since(started) < seconds;) {
    wait_a_moment(how, path);
    const std::optional<LeaseOwner> now = Lease::read(path);
    if (!now || now->token != seen.token) return Judgement::changed;
    if (now->beat != seen.beat) return Judgement::living;
  }
  return Judgement::stale;
}

bool still_says(const std::string& path, const std::string& token) {
  const std::optional<LeaseOwner> now = Lease::read(path);
  return now && now->token == token;
}

}  // namespace

Alive alive(const LeaseOwner& owner) {
  if (owner.machine != this_machine() || owner.host != host_name()) return Alive::elsewhere;
  const std::optional<std::uint64_t> started = start_of(owner.pid);
  return started && *started == owner.pid_started ? Alive::yes : Alive::no;
}

std::string LeaseOwner::who() const {
  if (token.empty()) return "somebody whose lock cannot be read";
  return host + ", process " + std::to_string(pid);
}

std::optional<LeaseOwner> Lease::read(const std::string& path) {
  for (int attempt = 0;; ++attempt) {  // one that is just being written may be torn
    const auto is_gone = [&] { return ::access(path.c_str(), F_OK) != 0 && errno == ENOENT; };
    if (is_gone()) return std::nullopt;
    try {
      return owner_from(read_text_file(path));
    } catch (const IoError&) {  // just removed, or an NFS handle that is stale
      if (is_gone()) return std::nullopt;
      if (attempt == 3) throw;
    } catch (const Error&) {            // no JSON
    } catch (const Json::exception&) {  // other JSON
    }
    if (attempt == 3) return LeaseOwner{};
    std::this_thread::sleep_for(milliseconds(5));
  }
}

std::unique_ptr<Lease> Lease::try_take(const std::string& path, const LeaseWait& how,
                                       LeaseOwner* holder) {
  const LeaseOwner self = this_process(how.seconds);
  for (;;) {
    const int made = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (made >= 0) return std::unique_ptr<Lease>(new Lease(path, made, self));
    if (errno != EEXIST) throw IoError(path + ": " + std::strerror(errno));
    const std::optional<LeaseOwner> seen = read(path);
    if (!seen) continue;
    const Judgement judged = judge(path, *seen, how);
    if (judged == Judgement::changed) continue;
    if (judged == Judgement::living) {
      if (holder) *holder = *seen;
      return nullptr;
    }
    // Stale: ours replaces it in one step. Of two who do so, the second has it.
    const std::string mine = path + "." + self.token;
    const int file = ::open(mine.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) throw IoError(mine + ": " + std::strerror(errno));
    try {
      write_record(file, self, mine);
    } catch (...) {
      ::close(file);
      ::unlink(mine.c_str());
      throw;
    }
    if (!still_says(path, seen->token) || ::rename(mine.c_str(), path.c_str()) != 0) {
      ::close(file);
      ::unlink(mine.c_str());
      continue;
    }
    std::this_thread::sleep_for(kSettle);
    if (still_says(path, self.token)) return std::unique_ptr<Lease>(new Lease(path, file, self));
    ::close(file);
  }
}

std::unique_ptr<Lease> Lease::take(const std::string& path, const LeaseWait& how) {
  for (;;) {
    if (std::unique_ptr<Lease> lease = try_take(path, how)) return lease;
    wait_a_moment(how, path);
  }
}

std::optional<LeaseOwner> Lease::holder_of(const std::string& path, const LeaseWait& how) {
  for (;;) {
    std::optional<LeaseOwner> seen = read(path);
    if (!seen) return std::nullopt;
    const Judgement judged = judge(path, *seen, how);
    if (judged == Judgement::living) return seen;
    if (judged == Judgement::stale && still_says(path, seen->token)) ::unlink(path.c_str());
  }
}

Lease::Lease(std::string path, int file, LeaseOwner self)
    : path_(std::move(path)), file_(file), self_(std::move(self)) {
  try {
    write();
  } catch (...) {
    ::close(file_);
    ::unlink(path_.c_str());
    throw;
  }
  heart_ = std::jthread([this](const std::stop_token& stop) {
    std::mutex sleeping;
    std::condition_variable_any bell;
    std::unique_lock lock(sleeping);
    while (!bell.wait_for(lock, stop, duration<double>(self_.seconds / 6), [] { return false; }) &&
           !stop.stop_requested()) {
      beat();
    }
  });
}

Lease::~Lease() {
  heart_.request_stop();
  heart_.join();
  ::close(file_);
  try {
    if (still_says(path_, self_.token)) ::unlink(path_.c_str());
  } catch (const IoError&) {  // it cannot be read: its time runs out
  }
}

void Lease::write() { write_record(file_, self_, path_); }

// A beat that cannot be written is a sign of life that others miss: require_held() will tell.
void Lease::beat() {
  const std::scoped_lock lock(mutex_);
  ++self_.beat;
  try {
    write();
  } catch (const IoError&) {
  }
}

void Lease::require_held() const {
  const std::optional<LeaseOwner> now = read(path_);
  if (now && now->token == self_.token) return;
  throw IoError(path_ + ": this process was silent for so long that " +
                (now ? now->who() + " took its place" : "its lock was removed") +
                ": expected a sign of life every " + std::to_string(self_.seconds) +
                " s; run the same command to go on");
}

void Lease::tell(const std::string& now, std::size_t done, std::size_t total) {
  const std::scoped_lock lock(mutex_);
  self_.now = now;
  self_.done = done;
  self_.total = total;
  ++self_.beat;
  write();
}

}  // namespace kakeya
