// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/winner.h"

#include <gtest/gtest.h>

#include <cstring>

#include "kakeya/core/error.h"
#include "stats/published_equal_perplexity.h"

namespace kakeya {
namespace {

std::vector<RatedSetting> family_of(const char* model, char letter) {
  std::vector<RatedSetting> family;
  for (const published::Model& each : published::equal_perplexity_n8()) {
    if (std::strcmp(each.name, model) != 0) continue;
    for (const published::Setting& setting : each.settings) {
      if (setting.channel[0] != letter) continue;
      family.push_back({setting.ratio, {}});
      for (const int millionths : setting.abs_delta_ppl)
        family.back().losses.push_back(1e-6 * millionths);
    }
  }
  return family;
}

// The advantages that were published, and the intervals that an independent computation found for
// them (all 6435 distinct draws of 8 passages, weighed by how often they occur, in NumPy 2; the
// same to 0.1 % from 20,000 drawn ones). A winner's ratio takes few values, so that ends are met
// exactly.
TEST(Winner, PublishedAdvantagesOfEightPassages) {
  struct Published {
    const char* model;
    double threshold, advantage, low, high, reached;  // percent
  };
  const std::vector<Published> cells = {{"glm4_9b", 0.02, 37.8, -13.5, 37.8, 92.7},
                                        {"qwen3_4b", 0.02, 26.9, -3.8, 42.3, 100},
                                        {"qwen3_4b", 0.01, 23.3, -2.9, 42.3, 99.9},
                                        {"deepseek_1p5b", 0.01, 9.2, -2.7, 21.4, 100},
                                        {"gemma4_e4b", 0.005, 36.6, -3.3, 65.9, 89.4}};
  for (const Published& cell : cells) {
    const auto answer = winner_advantage(family_of(cell.model, 'Q'), family_of(cell.model, 'b'),
                                         cell.threshold, 10'000, 1);
    ASSERT_TRUE(answer) << cell.model;
    EXPECT_NEAR(100 * answer->advantage, cell.advantage, 0.05) << cell.model;
    EXPECT_NEAR(100 * answer->interval.low, cell.low, 0.05) << cell.model;
    EXPECT_NEAR(100 * answer->interval.high, cell.high, 0.05) << cell.model;
    EXPECT_NEAR(100 * answer->share_reached, cell.reached, 1) << cell.model;
    EXPECT_LE(answer->interval.low, 0) << cell.model;
  }
}

// What was not published as an advantage: neither GLM curve comes below 0.5 %, one below 1 %.
TEST(Winner, OutOfReachIsNoAdvantage) {
  const auto lattice = family_of("glm4_9b", 'Q'), scalar = family_of("glm4_9b", 'b');
  EXPECT_FALSE(winner_advantage(lattice, scalar, 0.005, 10, 1));
  EXPECT_FALSE(winner_advantage(lattice, scalar, 0.01, 10, 1));
  const std::vector<std::size_t> all = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_NEAR(best_ratio_within(lattice, 0.01, all).value(), 1.72973, 1e-5);
  EXPECT_FALSE(best_ratio_within(scalar, 0.01, all));
  EXPECT_FALSE(best_ratio_within({}, 0.01, all));
}

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

TEST(Winner, RefusesUnequalPassages) {
  const std::vector<RatedSetting> family = {{2, {0.5, 1.0}}}, other = {{2, {0.5}}};
  EXPECT_THROW(winner_advantage(family, other, 1, 10, 1), InputError);
  EXPECT_THROW(winner_advantage(family, family, 1, 0, 1), InputError);
  EXPECT_FALSE(winner_advantage(family, {}, 1, 10, 1));
}

}  // namespace
}  // namespace kakeya
