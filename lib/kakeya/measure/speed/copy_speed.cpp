// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/speed/copy_speed.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "kakeya/core/worker_pool.h"
#include "kakeya/device/device_memory.h"
#include "kakeya/measure/speed/bench_vectors.h"
#include "kakeya/measure/speed/launch_times.h"
#include "kakeya/measure/speed/operation.h"

namespace kakeya {
namespace {

constexpr std::size_t kHostFloats = std::size_t{1} << 24;  // 64 MiB
constexpr std::size_t kLeastDeviceBytes = std::size_t{1} << 28;
constexpr int kHostSamples = 5, kDeviceSamples = 20;

}  // namespace

double memory_copy_gb_per_second(int threads) {
  const BenchVectors from(kHostFloats, 1), to(kHostFloats, 1);
  WorkerPool pool(threads);
  const auto parts = static_cast<std::size_t>(pool.threads());
  Operation copy([&] {
    pool.run(parts, [&](std::size_t part) {
      const std::size_t first = kHostFloats * part / parts, end = kHostFloats * (part + 1) / parts;
      std::memcpy(to.data() + first, from.data() + first, (end - first) * sizeof(float));
    });
  });
  for (int i = 0; i < kHostSamples; ++i) copy.sample();
  return 2e-9 * static_cast<double>(sizeof(float)) * copy.speed(kHostFloats).median;
}

double device_copy_gb_per_second() {
  const std::size_t bytes = std::max(4 * device_info().l2_bytes, kLeastDeviceBytes);
  const DeviceBuffer from(bytes), to(bytes);
  const LaunchTimes us = time_launches(
      kDeviceSamples, [&](std::size_t) { device_copy(to.data(), from.data(), bytes, nullptr); });
  return 2e-3 * static_cast<double>(bytes) / us.median;
}

}  // namespace kakeya
