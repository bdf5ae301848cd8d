// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "kakeya/core/error.h"
#include "kakeya/report/figure.h"

namespace kakeya {
namespace {

constexpr int kCannotEnter = 126,
              kNotInstalled = 127;  // exit codes of a child that never became gnuplot

struct Outcome {
  int status = 0;
  std::string message;
};

Outcome run_gnuplot(const std::string& folder, const std::string& script) {
  std::array<int, 2> pipe_ends{};
  if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0)
    throw IoError(fmt::format("gnuplot: {}", std::strerror(errno)));
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(pipe_ends[0]);
    ::close(pipe_ends[1]);
    throw IoError(fmt::format("gnuplot: cannot start: {}", std::strerror(errno)));
  }
  if (child == 0) {  // only async-signal-safe calls from here
    ::dup2(pipe_ends[1], STDOUT_FILENO);
    ::dup2(pipe_ends[1], STDERR_FILENO);
    if (::chdir(folder.c_str()) != 0) ::_exit(kCannotEnter);
    ::execlp("gnuplot", "gnuplot", script.c_str(), static_cast<char*>(nullptr));
    ::_exit(errno == ENOENT ? kNotInstalled : kCannotEnter);
  }
  ::close(pipe_ends[1]);
  Outcome outcome;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t length = ::read(pipe_ends[0], buffer.data(), buffer.size());
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) break;
    outcome.message.append(buffer.data(), static_cast<std::size_t>(length));
  }
  ::close(pipe_ends[0]);
  while (::waitpid(child, &outcome.status, 0) < 0 && errno == EINTR) {
  }
  return outcome;
}

}  // namespace

void draw_chart(const std::string& folder, const std::string& name) {
  const Outcome outcome = run_gnuplot(folder, name + ".gp");
  const int code = WIFEXITED(outcome.status) ? WEXITSTATUS(outcome.status) : -1;
  if (code == kNotInstalled) {
    throw IoError(fmt::format(
        "gnuplot: not installed, so {}.svg and {}.png were not drawn; install it (Debian: "
        "gnuplot-nox) and draw again",
        name, name));
  }
  if (code != 0 || !outcome.message.empty()) {
    throw IoError(
        fmt::format("gnuplot: {}/{}.gp: exit code {}: {}", folder, name, code, outcome.message));
  }
}

}  // namespace kakeya
