// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace kakeya {

/// The exit code of a program that was asked to stop, did so after what it was doing, and goes on when the
/// same command runs again: EX_TEMPFAIL of sysexits.h.
inline constexpr int kStoppedCode = 75;

/// The end of such a program: run_program() prints its line and returns kStoppedCode.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// From here on SIGTERM, SIGUSR1 and SIGUSR2 (of kill, of Slurm's preemption, time limit, scancel and
/// --signal) end nothing at once: stop_asked() says yes. Any number of them asks for the same. One that is
/// ignored stays so.
void stop_on_signals();
bool stop_asked();

/// "SIGTERM", of the first that came; empty before.
std::string stop_signal();

}  // namespace kakeya
