// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iterator>
#include <limits>
#include <string>
#include <utility>
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

TEST(Policy, MoreSkippedThanThereAreLeavesNone) {
  for (const int skipped : {4, 7, 8, 2'000'000'000, std::numeric_limits<int>::max()}) {
    const CachePolicy policy{.layers = 7, .skipped_layers = skipped};
    EXPECT_LT(policy.coded_layers(), 1) << skipped;
    EXPECT_FALSE(policy.codes(3)) << skipped;
    EXPECT_THROW(policy.check(10), InputError) << skipped;
  }
}

TEST(Policy, SkipsAnyLayersAndWritesThemInOneWay) {
  CachePolicy policy{.layers = 9};
  policy.skip(IndexSet::parse("0,1,3,5,7,8", "layers"));
  EXPECT_EQ(policy.skipped_layers, 2);
  EXPECT_EQ(policy.skipped.text(), "3,5");
  EXPECT_EQ(policy.all_skipped().text(), "0,1,3,5,7,8");
  EXPECT_EQ(policy.coded_layers(), 3);
  EXPECT_EQ(policy.coded_index(2), 0u);
  EXPECT_EQ(policy.coded_index(4), 1u);
  EXPECT_EQ(policy.coded_index(6), 2u);
  EXPECT_EQ(policy.coded_span(), (LayerRange{2, 5}));
  EXPECT_NO_THROW(policy.check(10));
  policy.skip(IndexSet::parse("0,2,8", "layers"));
  EXPECT_EQ(policy.coded_span(), (LayerRange{1, 7}));
  EXPECT_EQ(policy.skipped.text(), "2");
  policy.skip({});
  EXPECT_EQ(policy, (CachePolicy{.layers = 9}));
}

TEST(Policy, RefusesLayersThatAreNotThere) {
  CachePolicy policy{.layers = 4};
  policy.skip(IndexSet::parse("1,4", "layers"));
  EXPECT_THROW(policy.check(10), InputError);
  policy.skip(IndexSet::parse("0-3", "layers"));
  EXPECT_THROW(policy.check(10), InputError);
  policy = {.layers = 5, .skipped_layers = 1};
  policy.skipped = IndexSet::parse("1-3", "layers");
  EXPECT_THROW(policy.check(10), InputError);
  policy.skipped = IndexSet::parse("0", "layers");
  EXPECT_THROW(policy.check(10), InputError);
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
  EXPECT_EQ((CachePolicy{4, 0, 3, 6}.least_tokens()), 10u);
}

TEST(Policy, TheCodedTokensLieBetweenSinksAndResidualWindow) {
  const ExactEnds ends = CachePolicy{4, 1, 3, 6}.exact_ends("a test");
  EXPECT_EQ(ends, (ExactEnds{3, 6}));
  EXPECT_EQ(ends.coded(10, 10), (TokenRange{3, 1}));
  EXPECT_EQ(ends.coded(20, 30), (TokenRange{3, 11}));
  EXPECT_EQ((CachePolicy{4, 1}.exact_ends("a test").coded(5, 5)), (TokenRange{0, 5}));
  EXPECT_THROW(ends.coded(9, 10), InputError);
  EXPECT_THROW(ends.coded(11, 10), InputError);
}

// Whichever tokens are asked for, counted one by one.
TEST(Policy, CountsTheExactTokensOfAnyRange) {
  for (const CachePolicy& policy : {CachePolicy{4, 1, 3, 6}, CachePolicy{4, 1, 0, 6},
                                    CachePolicy{4, 1, 3, 0}, CachePolicy{4}}) {
    for (std::size_t tokens = 0; tokens < 25; ++tokens) {
      std::size_t exact = 0;
      for (std::size_t first = tokens; first-- > 0;) {
        const bool sink = std::cmp_less(first, policy.sinks),
                   recent = std::cmp_less(tokens - first, policy.residual_window + 1);
        exact += sink || recent ? 1 : 0;
        EXPECT_EQ(policy.exact_tokens(tokens, first), exact) << tokens << " from " << first;
      }
      EXPECT_EQ(policy.exact_tokens(tokens), exact);
      EXPECT_EQ(policy.exact_tokens(tokens) < tokens, tokens >= policy.least_tokens());
      EXPECT_EQ(policy.exact_tokens(tokens, tokens + 3), 0u);
    }
  }
}

TEST(Policy, RefusesByNameWhatARoomDoesNotFollow) {
  const CachePolicy policy{.layers = 9, .skipped_layers = 2, .sinks = 4, .residual_window = 8};
  EXPECT_NO_THROW(policy.require_only("a room", {&CachePolicy::skipped_layers, &CachePolicy::sinks,
                                                 &CachePolicy::residual_window}));
  const auto refusal = [](const auto& work) -> std::string {
    try {
      work();
    } catch (const InputError& error) {
      return error.what();
    }
    return "(no error)";
  };
  EXPECT_EQ(refusal([&] { policy.require_only("a room", {&CachePolicy::sinks}); }),
            "skip_edge_layers 2, residual_window 8: a room does not follow it, expected 0");
  EXPECT_EQ(refusal([] { CachePolicy{.layers = 3}.require_only("a room", {}); }), "(no error)");
  EXPECT_EQ(refusal([] {
              CachePolicy{3, 0, 0, -1}.exact_ends("a room");
            }),
            "a room: sinks 0, residual window -1: expected 0 or more tokens");
}

// A new member does not compile here until policy_numbers() was thought of: flags, plans and refusals
// know of no other number.
TEST(Policy, HasARowForEveryNumber) {
  CachePolicy policy;
  auto& [layers, skipped_layers, sinks, residual_window, skipped] = policy;
  layers = 1;
  const int* const numbers[] = {&skipped_layers, &sinks, &residual_window};
  EXPECT_TRUE(skipped.empty());
  ASSERT_EQ(policy_numbers().size(), std::size(numbers));
  for (std::size_t i = 0; i < std::size(numbers); ++i)
    EXPECT_EQ(&(policy.*policy_numbers()[i].value), numbers[i]);
}

}  // namespace
}  // namespace kakeya
