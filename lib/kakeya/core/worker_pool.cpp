// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/worker_pool.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "kakeya/core/spare_threads.h"

namespace kakeya {

int machine_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

WorkerPool::WorkerPool(int threads) {
  const int wanted = threads > 0 ? threads : machine_threads();
  workers_.reserve(static_cast<std::size_t>(wanted - 1));
  try {
    for (int i = 1; i < wanted; ++i) {
      workers_.emplace_back([this, i] { work(static_cast<std::size_t>(i)); });
    }
  } catch (const std::system_error& error) {
    stop();  // those that began wait on members of this
    throw std::system_error(error.code(), "thread " + std::to_string(workers_.size() + 2) + " of " +
                                              std::to_string(wanted) +
                                              " could not be started: expected fewer threads");
  } catch (...) {
    stop();
    throw;
  }
}

WorkerPool::~WorkerPool() { stop(); }

void WorkerPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::run(std::size_t count, const std::function<void(std::size_t)>& task) {
  run(count, [&](std::size_t index, std::size_t) { task(index); });
}

void WorkerPool::run(std::size_t count, const WorkerTask& task) {
  const bool shared = count > 1 && !workers_.empty();
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    count_ = count;
    next_ = 0;
    failure_ = nullptr;
    if (shared) {
      running_ = workers_.size();
      ++round_;
    }
  }
  if (shared) start_.notify_all();
  serve(0, count, task);
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this] { return running_ == 0; });
  task_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void WorkerPool::work(std::size_t worker) {
  std::uint64_t seen = 0;
  for (;;) {
    const WorkerTask* task = nullptr;
    std::size_t count = 0;
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stopping_ || round_ != seen; });
      if (stopping_) return;
      seen = round_;
      task = task_;
      count = count_;
    }
    serve(worker, count, *task);
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) finished_.notify_one();
  }
}

void WorkerPool::serve(std::size_t worker, std::size_t count, const WorkerTask& task) {
  const SpareThreads spare(threads() /
                           static_cast<int>(std::clamp<std::size_t>(count, 1, 1 << 16)));
  for (;;) {
    std::size_t index = 0;
    {
      const std::lock_guard lock(mutex_);
      if (next_ == count) return;
      index = next_++;
    }
    try {
      task(index, worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_ || index < failed_index_) {
        failure_ = std::current_exception();
        failed_index_ = index;
      }
    }
  }
}

}  // namespace kakeya
