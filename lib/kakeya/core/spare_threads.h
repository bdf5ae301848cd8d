// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya {

/// Threads that the task at work may use, its own among them: what a WorkerPool has for each of its tasks
/// where these are fewer than its threads. 1 outside of pools. Of the calling thread.
int spare_threads();

/// Makes spare_threads() `threads` as long as it lives, at least 1.
class SpareThreads {
 public:
  explicit SpareThreads(int threads);
  ~SpareThreads();
  SpareThreads(const SpareThreads&) = delete;
  SpareThreads& operator=(const SpareThreads&) = delete;

 private:
  int before_;
};

}  // namespace kakeya
