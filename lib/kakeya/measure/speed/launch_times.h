// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "kakeya/device/device_memory.h"

namespace kakeya {

/// Microseconds of a launch.
struct LaunchTimes {
  double least = 0, median = 0, p99 = 0;
};

/// Times launch(round) for `rounds` rounds on the default stream, queued back to back, events around
/// each, after five that are not counted.
template <typename Launch>
LaunchTimes time_launches(std::size_t rounds, const Launch& launch) {
  std::vector<std::unique_ptr<DeviceTimer>> timers;
  for (std::size_t round = 0; round < rounds; ++round) {
    timers.push_back(std::make_unique<DeviceTimer>());
  }
  for (std::size_t round = 0; round < 5; ++round) launch(round);
  for (std::size_t round = 0; round < rounds; ++round) {
    timers[round]->start(nullptr);
    launch(round);
    timers[round]->stop(nullptr);
  }
  std::vector<double> us;
  for (const auto& timer : timers) us.push_back(timer->microseconds());
  std::sort(us.begin(), us.end());
  return {us.front(), us[us.size() / 2], us[std::min(us.size() - 1, us.size() * 99 / 100)]};
}

}  // namespace kakeya
