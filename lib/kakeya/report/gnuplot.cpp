// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "kakeya/core/error.h"
#include "kakeya/core/pipe.h"
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
  Pipe said;
  const pid_t child = ::fork();
  if (child < 0) throw IoError(fmt::format("gnuplot: cannot start: {}", std::strerror(errno)));
  if (child == 0) {  // only async-signal-safe calls from here
    ::dup2(said.writer(), STDOUT_FILENO);
    ::dup2(said.writer(), STDERR_FILENO);
    if (::chdir(folder.c_str()) != 0) ::_exit(kCannotEnter);
    ::execlp("gnuplot", "gnuplot", script.c_str(), static_cast<char*>(nullptr));
    ::_exit(errno == ENOENT ? kNotInstalled : kCannotEnter);
  }
  said.close_writer();
  Outcome outcome;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t length = ::read(said.reader(), buffer.data(), buffer.size());
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) break;
    outcome.message.append(buffer.data(), static_cast<std::size_t>(length));
  }
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
