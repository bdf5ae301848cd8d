// SPDX-License-Identifier: Apache-2.0
#include "kakeya/host/host_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr int kPatience = 10000, kMoment = 1000;  // milliseconds

/// A descriptor that is closed unless somebody takes it.
class Descriptor {
 public:
  Descriptor(int number, const char* what) : number_(number) {
    if (number < 0) throw IoError(std::string("host: no ") + what + ": " + std::strerror(errno));
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  int get() const { return number_; }
  int take() { return std::exchange(number_, -1); }

 private:
  int number_;
};

std::pair<Descriptor, Descriptor> socket_pair() {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) ends[0] = ends[1] = -1;
  return {Descriptor(ends[0], "socket"), Descriptor(ends[1], "socket")};
}

std::pair<Descriptor, Descriptor> pipe_pair() {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  return {Descriptor(ends[0], "pipe"), Descriptor(ends[1], "pipe")};
}

/// This program's environment, in which OpenMP's threads sleep while they wait unless it says otherwise:
/// on a machine where others work too, a forward of LibTorch's spinning threads takes ten times as long.
std::vector<char*> environment_of_host() {
  static char passive[] = "OMP_WAIT_POLICY=passive";
  std::vector<char*> all;
  for (char** variable = environ; *variable != nullptr; ++variable) all.push_back(*variable);
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) all.push_back(passive);
  all.push_back(nullptr);
  return all;
}

// In the child, which shares nothing but these descriptors: only what a signal handler may do.
[[noreturn]] void become(char* const* arguments, char* const* environment, int socket, int memory,
                         int failed) {
  fcntl(socket, F_SETFD, 0);
  fcntl(memory, F_SETFD, 0);
  // A terminal or Slurm tells all processes of a job; the program decides when it ends its host.
  for (const int asks : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2}) std::signal(asks, SIG_IGN);
  std::signal(SIGPIPE, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);  // the program's output is the program's
  execvpe(arguments[0], arguments, environment);
  const int why = errno;
  if (write(failed, &why, sizeof why) < 0) _exit(126);
  _exit(127);
}

}  // namespace

HostProcess::HostProcess(std::vector<std::string> command) {
  auto [ours, theirs] = socket_pair();
  auto [told, failed] = pipe_pair();
  Descriptor memory(memfd_create("kakeya-host", MFD_CLOEXEC | MFD_ALLOW_SEALING), "memory");
  Descriptor shared(fcntl(memory.get(), F_DUPFD_CLOEXEC, 0), "memory");
  command.push_back(std::to_string(theirs.get()));
  command.push_back(std::to_string(shared.get()));
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::vector<char*> environment = environment_of_host();
  pid_ = fork();
  if (pid_ == 0)
    become(arguments.data(), environment.data(), theirs.get(), shared.get(), failed.get());
  if (pid_ < 0) throw IoError(command.front() + ": cannot be started: " + std::strerror(errno));
  ::close(failed.take());
  ::close(theirs.take());
  int why = 0;
  if (read(told.get(), &why, sizeof why) == static_cast<ssize_t>(sizeof why)) {
    wait(kPatience);
    throw IoError(command.front() + ": cannot be started: " + std::strerror(why) +
                  ": expected a Python with the package kakeya, which KAKEYA_PYTHON names");
  }
  const int socket = ours.take();
  channel_ = std::make_unique<Channel>(socket, memory.take());
}

HostProcess::~HostProcess() {
  channel_.reset();
  if (wait(kPatience)) return;
  kill(pid_, SIGKILL);
  wait(kPatience);
}

// Whether it has ended, at the latest after so long.
bool HostProcess::wait(int milliseconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (pid_ > 0) {
    const int found = waitpid(pid_, &status_, WNOHANG);
    if (found == pid_ || (found < 0 && errno != EINTR)) {
      pid_ = -1;
    } else if (std::chrono::steady_clock::now() >= until) {
      return false;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  return true;
}

std::string HostProcess::end() {
  if (!wait(kMoment)) return "";
  if (WIFSIGNALED(status_)) return "by signal " + std::to_string(WTERMSIG(status_));
  return "with exit status " + std::to_string(WEXITSTATUS(status_));
}

}  // namespace kakeya
