// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tasks.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <atomic>

namespace kakeya {

void run_tasks(std::size_t count, std::size_t workers,
               const std::function<void(std::size_t, std::size_t)>& task) {
  if (count <= 1 || workers <= 1) {
    for (std::size_t i = 0; i < count; ++i) task(i, 0);
    return;
  }
  std::atomic<std::size_t> next{0};
  const auto threads = static_cast<std::int64_t>(std::min(count, workers));
  at::parallel_for(0, threads, 1, [&](std::int64_t begin, std::int64_t end) {
    const c10::InferenceMode inference;
    for (std::int64_t worker = begin; worker < end; ++worker) {
      for (std::size_t i = next++; i < count; i = next++) task(i, static_cast<std::size_t>(worker));
    }
  });
}

}  // namespace kakeya
