// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/torch/task_pool.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

namespace kakeya {

void run_tasks(WorkerPool& pool, std::size_t count, const WorkerPool::WorkerTask& task) {
  at::set_num_threads(1);  // a setting of the calling thread
  pool.run(count, [&](std::size_t index, std::size_t worker) {
    thread_local const bool single = (at::set_num_threads(1), true);  // and of each of the pool
    (void)single;
    const c10::InferenceMode inference;
    task(index, worker);
  });
}

}  // namespace kakeya
