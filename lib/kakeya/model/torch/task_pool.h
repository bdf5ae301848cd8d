// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/core/worker_pool.h"

namespace kakeya {

/// Runs the parts of a forward pass on `pool`, as WorkerPool::run(), LibTorch single-threaded within
/// each; sets LibTorch to one thread for the caller too. Why not LibTorch's own threads: a layer
/// needs two barriers instead of one an operation, results do not depend on the number of threads,
/// and waiting threads sleep, where OpenMP's spin (on a busy machine that made a forward seven times
/// slower).
void run_tasks(WorkerPool& pool, std::size_t count, const WorkerPool::WorkerTask& task);

}  // namespace kakeya
