// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kakeya/studies/published/formula.h"
#include "kakeya/studies/published/functions.h"

namespace kakeya {
namespace {

class PublishedWinner : public testing::Test {
 protected:
  PublishedWinner() : record_(read_published_record(KAKEYA_SOURCE_DIR "/data/published")) {
    scope_.record = &record_;
  }
  FormulaValue advantage(const std::string& model, const std::string& budget) {
    return evaluate("winner_advantage('isoppl-" + model + "','d4','tq'," + budget + ")", scope_);
  }
  PublishedRecord record_;
  FormulaScope scope_;
};

// The advantages that were published, and the intervals that an independent computation found for
// them (all 6435 distinct draws of 8 passages, weighed by how often they occur, in NumPy 2; the
// same to 0.1 % from 20,000 drawn ones). A winner's ratio takes few values, so that ends are met
// exactly.
TEST_F(PublishedWinner, AdvantagesOfEightPassages) {
  struct Published {
    const char *model, *budget;
    double advantage, low, high, reached;  // percent
  };
  constexpr Published kCells[] = {{"glm", "2", 37.8, -13.5, 37.8, 92.7},
                                  {"qwen3", "2", 26.9, -3.8, 42.3, 100},
                                  {"qwen3", "1", 23.3, -2.9, 42.3, 99.9},
                                  {"deepseek", "1", 9.2, -2.7, 21.4, 100},
                                  {"gemma", "0.5", 36.6, -3.3, 65.9, 89.4}};
  for (const Published& cell : kCells) {
    const std::vector<double> ours = to_numbers(advantage(cell.model, cell.budget));
    ASSERT_EQ(ours.size(), 5u) << cell.model;
    EXPECT_NEAR(ours[0], cell.advantage, 0.05) << cell.model;
    EXPECT_NEAR(ours[1], cell.low, 0.05) << cell.model;
    EXPECT_NEAR(ours[2], cell.high, 0.05) << cell.model;
    EXPECT_NEAR(ours[3], cell.reached, 1) << cell.model;
    EXPECT_LE(ours[1], 0) << cell.model;
  }
}

// Neither GLM curve comes below 0.5 %, one below 1 %: no advantage was published either.
TEST_F(PublishedWinner, OutOfReachIsNoAdvantage) {
  for (const char* budget : {"0.5", "1"}) EXPECT_EQ(to_word(advantage("glm", budget)), "oor");
}

}  // namespace
}  // namespace kakeya
