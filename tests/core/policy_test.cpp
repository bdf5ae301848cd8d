// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/core/kv.h"

namespace kakeya {
namespace {

TEST(Policy, CodesAllButTheSkippedLayers) {
  const CachePolicy policy{.layers = 7, .skipped_layers = 2, .sinks = 0};
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

TEST(Policy, SinksAndResidualWindowMustLeaveOneToCode) {
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
  EXPECT_EQ(message_of({4, 0, 3, 7}), "sinks 3, residual window 7: leave no token of 10 to code");
  EXPECT_EQ(message_of({4, 0, 0, 10}), "sinks 0, residual window 10: leave no token of 10 to code");
  EXPECT_EQ(message_of({4, 0, 0, -1}), "residual window -1: expected 0 or more tokens");
  constexpr int kMost = std::numeric_limits<int>::max();
  EXPECT_NE(message_of({4, 0, kMost, kMost}), "(no error)");
  EXPECT_EQ((CachePolicy{4, 0, 3, 6}.exact_tokens()), 9u);
}

TEST(Policy, TheCodedTokensLieBetweenSinksAndResidualWindow) {
  const CachePolicy policy{4, 1, 3, 6};
  EXPECT_EQ(policy.coded_range(10, 10), (TokenRange{3, 1}));
  EXPECT_EQ(policy.coded_range(20, 30), (TokenRange{3, 11}));
  EXPECT_EQ((CachePolicy{4, 1}.coded_range(5, 5)), (TokenRange{0, 5}));
  EXPECT_THROW(policy.coded_range(9, 10), InputError);
  EXPECT_THROW(policy.coded_range(11, 10), InputError);
}

}  // namespace
}  // namespace kakeya
