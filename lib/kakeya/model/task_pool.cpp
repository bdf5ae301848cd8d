// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/task_pool.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

namespace kakeya {

TaskPool::TaskPool(std::size_t threads) {
  for (std::size_t i = 1; i < threads; ++i) workers_.emplace_back([this, i] { serve(i); });
}

TaskPool::~TaskPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void TaskPool::run(std::size_t count, const std::function<void(std::size_t, std::size_t)>& task) {
  at::set_num_threads(1);  // a setting of the calling thread
  const bool shared = count > 1 && !workers_.empty();
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    count_ = count;
    next_ = 0;
    failure_ = nullptr;
    if (shared) {
      busy_ = workers_.size();
      ++round_;
    }
  }
  if (shared) start_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

void TaskPool::serve(std::size_t worker) {
  at::set_num_threads(1);
  for (std::size_t seen = 0;;) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
    }
    work(worker);
    {
      const std::lock_guard lock(mutex_);
      --busy_;
    }
    done_.notify_one();
  }
}

void TaskPool::work(std::size_t worker) {
  const c10::InferenceMode inference;
  for (;;) {
    std::size_t mine;
    {
      const std::lock_guard lock(mutex_);
      if (next_ >= count_) return;
      mine = next_++;
    }
    try {
      (*task_)(mine, worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_ = count_;
    }
  }
}

}  // namespace kakeya
