// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace kakeya {

/// The clock on the wall, which never goes back.
using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace kakeya
