// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/winner.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// Two settings of two passages: 4 draws, each as likely. The dearer setting always reaches 1, the
// cheaper one only where passage 0 is drawn twice: an advantage in a quarter of the draws.
TEST(Winner, ASmallCaseByHand) {
  const std::vector<RatedSetting> family = {{2, {0.5, 1.0}}, {4, {0.9, 3.0}}},
                                  other = {{2, {0, 0}}};
  const auto answer = winner_advantage(family, other, 1, 4'000, 1);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->advantage, 0);
  EXPECT_EQ(answer->share_reached, 1);
  EXPECT_NEAR(answer->share_ahead, 0.25, 0.03);
  EXPECT_EQ(answer->interval.low, 0);
  EXPECT_EQ(answer->interval.high, 1);
}

// The winner is the setting of the highest ratio within the threshold, not the one that loses
// least.
TEST(Winner, OutOfReachIsNoAdvantage) {
  const std::vector<RatedSetting> family = {{2, {0.5, 1.0}}, {4, {0.9, 3.0}}},
                                  other = {{3, {2, 2}}};
  const std::vector<std::size_t> all = {0, 1}, first = {0, 0};
  EXPECT_EQ(best_ratio_within(family, 2, all), 4);
  EXPECT_EQ(best_ratio_within(family, 1, all), 2);
  EXPECT_EQ(best_ratio_within(family, 1, first), 4);
  EXPECT_FALSE(best_ratio_within(family, 0.1, all));
  EXPECT_FALSE(best_ratio_within({}, 1, all));
  EXPECT_FALSE(winner_advantage(family, other, 1, 10, 1));
  EXPECT_FALSE(winner_advantage(family, other, 0.1, 10, 1));
}

TEST(Winner, RefusesUnequalPassages) {
  const std::vector<RatedSetting> family = {{2, {0.5, 1.0}}}, other = {{2, {0.5}}};
  EXPECT_THROW(winner_advantage(family, other, 1, 10, 1), InputError);
  EXPECT_THROW(winner_advantage(family, family, 1, 0, 1), InputError);
  EXPECT_FALSE(winner_advantage(family, {}, 1, 10, 1));
}

}  // namespace
}  // namespace kakeya
