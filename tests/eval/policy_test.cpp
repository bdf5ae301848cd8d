// SPDX-License-Identifier: Apache-2.0
#include "kakeya/eval/policy.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <numeric>

#include "kakeya/core/error.h"
#include "kakeya/eval/worker_pool.h"

namespace kakeya {
namespace {

TEST(Policy, CodesAllButTheBoundary) {
  const CachePolicy policy{.layers = 7, .boundary = 2, .sinks = 0};
  std::vector<int> coded;
  for (int layer = 0; layer < 7; ++layer) {
    if (policy.codes(layer)) coded.push_back(layer);
  }
  EXPECT_EQ(coded, (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(policy.coded_layers(), 3);
}

TEST(Policy, RefusesToCodeNothing) {
  EXPECT_NO_THROW((CachePolicy{5, 2, 0}.check(10)));
  EXPECT_THROW((CachePolicy{4, 2, 0}.check(10)), InputError);
  EXPECT_THROW((CachePolicy{4, -1, 0}.check(10)), InputError);
  EXPECT_THROW((CachePolicy{4, 0, -1}.check(10)), InputError);
  EXPECT_NO_THROW((CachePolicy{4, 0, 9}.check(10)));
  EXPECT_THROW((CachePolicy{4, 0, 10}.check(10)), InputError);
}

TEST(Policy, SinksAndRecentTokensMustLeaveOneToCode) {
  EXPECT_NO_THROW((CachePolicy{4, 0, 3, 6}.check(10)));
  EXPECT_NO_THROW((CachePolicy{4, 0, 0, 9}.check(10)));
  const auto message_of = [](const CachePolicy& policy) -> std::string {
    try {
      policy.check(10);
    } catch (const InputError& error) {
      return error.what();
    }
    return "(no error)";
  };
  EXPECT_EQ(message_of({4, 0, 3, 7}), "sinks 3, recent 7: leave no token of 10 to code");
  EXPECT_EQ(message_of({4, 0, 0, 10}), "sinks 0, recent 10: leave no token of 10 to code");
  EXPECT_EQ(message_of({4, 0, 0, -1}), "recent -1: expected 0 or more tokens");
  constexpr int kMost = std::numeric_limits<int>::max();
  EXPECT_NE(message_of({4, 0, kMost, kMost}), "(no error)");
  EXPECT_EQ((CachePolicy{4, 0, 3, 6}.exact_tokens()), 9u);
}

TEST(Policy, ModesAreReadFromLists) {
  EXPECT_EQ(parse_modes({"snapshot,inforward", "prefix", "snapshot"}),
            (std::vector<EvalMode>{EvalMode::snapshot, EvalMode::in_forward, EvalMode::prefix}));
  for (const char* wrong : {"", "inforward,", "InForward", "in-forward", ",prefix"}) {
    EXPECT_THROW(parse_modes({wrong}), SpecError) << wrong;
  }
  for (const EvalMode mode : {EvalMode::in_forward, EvalMode::snapshot, EvalMode::prefix}) {
    EXPECT_EQ(parse_modes({std::string(mode_name(mode))}), std::vector<EvalMode>{mode});
  }
  EXPECT_EQ(parse_tap("post-rope"), TapPoint::post_rope);
  EXPECT_EQ(parse_tap(std::string(tap_name(TapPoint::pre_rope))), TapPoint::pre_rope);
  EXPECT_THROW(parse_tap("rope"), SpecError);
}

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
