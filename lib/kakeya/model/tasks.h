// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace kakeya {

/// Calls `task(i, worker)` once for each i in [0, count), started in that order, on up to `workers`
/// of LibTorch's threads; `worker` is below `workers` and names the thread. Inside, LibTorch and
/// its BLAS run single-threaded: a barrier a layer instead of one an operation, and results that do
/// not depend on the number of threads. With one task or one worker, the tasks run in the caller's
/// thread. Rethrows the first exception.
void run_tasks(std::size_t count, std::size_t workers,
               const std::function<void(std::size_t task, std::size_t worker)>& task);

}  // namespace kakeya
