// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace kakeya {

/// Threads that run the parts of a forward pass, LibTorch single-threaded within each. Why not
/// LibTorch's own threads: a layer needs two barriers instead of one an operation, results do not
/// depend on the number of threads, and waiting threads sleep, where OpenMP's spin (on a busy
/// machine that made a forward seven times slower).
class TaskPool {
 public:
  /// `threads` includes the caller of run().
  explicit TaskPool(std::size_t threads);
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  std::size_t threads() const { return workers_.size() + 1; }

  /// Calls `task(i, worker)` once for each i in [0, count), started in that order; `worker` is
  /// below threads() and names the thread. Returns when all are done; rethrows the first exception,
  /// the tasks after it left out. Sets LibTorch to one thread.
  void run(std::size_t count,
           const std::function<void(std::size_t task, std::size_t worker)>& task);

 private:
  void serve(std::size_t worker);
  void work(std::size_t worker);

  std::mutex mutex_;
  std::condition_variable start_, done_;
  std::size_t round_ = 0, busy_ = 0, next_ = 0, count_ = 0;
  bool stop_ = false;
  const std::function<void(std::size_t, std::size_t)>* task_ = nullptr;
  std::exception_ptr failure_;
  std::vector<std::thread> workers_;
};

}  // namespace kakeya
