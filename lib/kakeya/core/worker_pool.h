// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace kakeya {

/// How many threads the machine runs at once.
int machine_threads();

/// A few threads that stay alive between the short bursts of work inside a forward. Waiting ones
/// sleep.
class WorkerPool {
 public:
  /// `threads` workers, the calling thread among them; 0: as many as the machine has. Throws
  /// std::system_error where the system refuses one; none is left behind then.
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Runs task(0) .. task(count - 1), started in that order, and returns when all are done; the
  /// caller's thread works too. A task may wait for an earlier one. When tasks throw, all others
  /// still run, and the exception of the lowest index is thrown here. Not to be called from a task,
  /// nor from two threads at once.
  void run(std::size_t count, const std::function<void(std::size_t)>& task);

  /// The same, task(i, worker): `worker` is below threads() and names the thread, so that scratch
  /// memory can be one a thread.
  using WorkerTask = std::function<void(std::size_t, std::size_t)>;
  void run(std::size_t count, const WorkerTask& task);

 private:
  void stop();
  void work(std::size_t worker);
  void serve(std::size_t worker, std::size_t count, const WorkerTask& task);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_, finished_;
  const WorkerTask* task_ = nullptr;
  std::size_t count_ = 0;
  std::size_t next_ = 0;     // guarded by mutex_
  std::size_t running_ = 0;  // workers inside serve()
  std::uint64_t round_ = 0;
  bool stopping_ = false;
  std::size_t failed_index_ = 0;
  std::exception_ptr failure_;
};

}  // namespace kakeya
