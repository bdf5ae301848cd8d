// SPDX-License-Identifier: Apache-2.0
#include "stop_signals.h"

#include <csignal>

namespace kakeya {
namespace {

volatile std::sig_atomic_t asked = 0;

extern "C" void on_stop(int signal) {
  if (asked == 0) asked = signal;
}

}  // namespace

void stop_on_signals() {
  for (const int signal : {SIGTERM, SIGUSR1, SIGUSR2}) {
    if (std::signal(signal, on_stop) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

bool stop_asked() { return asked != 0; }

std::string stop_signal() {
  switch (asked) {
    case SIGTERM:
      return "SIGTERM";
    case SIGUSR1:
      return "SIGUSR1";
    case SIGUSR2:
      return "SIGUSR2";
    default:
      return {};
  }
}

}  // namespace kakeya
