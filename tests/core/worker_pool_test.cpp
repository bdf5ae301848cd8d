// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/worker_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

TEST(WorkerPool, RunsEveryTaskOnceWhateverTheNumberOfThreads) {
  for (const int threads : {1, 2, 3, 8}) {
    WorkerPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::size_t count : {0u, 1u, 2u, 7u, 100u}) {
      std::vector<std::atomic<int>> runs(count);
      pool.run(count, [&](std::size_t i) { ++runs[i]; });
      for (const std::atomic<int>& run : runs) EXPECT_EQ(run.load(), 1);
    }
  }
}

#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // whose shadow memory no limit of addresses allows
TEST(WorkerPool, ARefusedThreadLeavesNoneBehind) {
  const auto within_little_memory = [] {
    rlimit most{};
    most.rlim_cur = most.rlim_max = 600u << 20;  // stacks of 500 threads take more
    setrlimit(RLIMIT_AS, &most);
    alarm(20);
    try {
      const WorkerPool pool(500);
    } catch (const std::system_error& error) {
      std::fputs(error.what(), stderr);
      std::_Exit(7);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(within_little_memory(), testing::ExitedWithCode(7),
              "of 500 could not be started: expected fewer threads");
}
#endif

TEST(WorkerPool, WorkersAreNamedAndNeverShareAName) {
  for (const int threads : {1, 4}) {
    WorkerPool pool(threads);
    std::vector<std::atomic<int>> busy(static_cast<std::size_t>(threads));
    std::atomic<int> ran{0}, shared{0};
    pool.run(500, [&](std::size_t, std::size_t worker) {
      ++ran;
      if (++busy.at(worker) != 1) ++shared;
      --busy[worker];
    });
    EXPECT_EQ(ran.load(), 500);
    EXPECT_EQ(shared.load(), 0);
  }
}

TEST(WorkerPool, ATaskMayWaitForAnEarlierOne) {
  for (const int threads : {1, 2, 4}) {
    WorkerPool pool(threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> done(6);
      pool.run(6, [&](std::size_t i) {
        if (i >= 3) done[i - 3].wait(0);
        done[i] = 1;
        done[i].notify_all();
      });
      for (const std::atomic<int>& flag : done) ASSERT_EQ(flag.load(), 1);
    }
  }
}

TEST(WorkerPool, ThrowsTheFirstFailureAndGoesOnWorking) {
  WorkerPool pool(3);
  std::atomic<int> ran{0};
  try {
    pool.run(20, [&](std::size_t i) {
      ++ran;
      if (i % 7 == 3) throw InputError("task " + std::to_string(i));
    });
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "task 3");
  }
  EXPECT_EQ(ran.load(), 20);
  std::atomic<int> sum{0};
  pool.run(5, [&](std::size_t i) { sum += static_cast<int>(i); });
  EXPECT_EQ(sum.load(), 10);
}

}  // namespace
}  // namespace kakeya
