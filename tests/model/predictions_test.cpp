// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/predictions.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "kakeya/model/model.h"
#include "kakeya/model/token_losses.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"
#include "support/tiny_tokens.h"

namespace kakeya {
namespace {

using testing::largest_difference;
using testing::ScratchFolder;
using testing::some_tokens;
using testing::TinyModel;

constexpr std::size_t kFirst = 3, kCount = 110;  // more than a block of rows

class PredictionsOfModels : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    TinyModel tiny;
    tiny.architecture = GetParam();
    tiny.fill().write_hf(scratch_ / "hf");
    model_ = load_model(scratch_ / "hf", {});
  }
  ScratchFolder scratch_;
  std::unique_ptr<Model> model_;
  std::vector<std::int32_t> tokens_ = some_tokens(120);
};

TEST_P(PredictionsOfModels, MakeTheLogitsOfThePass) {
  const std::vector<float> whole = model_->logits(tokens_, kFirst, kCount, nullptr);
  const std::unique_ptr<Predictions> predictions =
      model_->predict(tokens_, kFirst, kCount, nullptr);
  ASSERT_EQ(predictions->rows(), kCount);
  EXPECT_EQ(predictions->logits(0, kCount), whole);
  std::vector<float> blocks = predictions->logits(0, Predictions::kBlock);
  const std::vector<float> rest =
      predictions->logits(Predictions::kBlock, kCount - Predictions::kBlock);
  blocks.insert(blocks.end(), rest.begin(), rest.end());
  EXPECT_EQ(blocks, whole);
  // Elsewhere nearly.
  const std::vector<float> some = predictions->logits(50, 40);
  EXPECT_LT(largest_difference(some, {whole.begin() + 50 * 50, whole.begin() + 90 * 50}), 1e-5);
  EXPECT_TRUE(predictions->logits(7, 0).empty());
}

TEST_P(PredictionsOfModels, OutliveTheNextPass) {
  const std::unique_ptr<Predictions> predictions =
      model_->predict(tokens_, kFirst, kCount, nullptr);
  const std::vector<float> before = predictions->logits(0, kCount);
  const std::vector<std::int32_t> others = some_tokens(70, 5);
  EXPECT_NE(model_->predict(others, 0, 64, nullptr)->logits(0, 64), predictions->logits(0, 64));
  EXPECT_EQ(predictions->logits(0, kCount), before);
}

TEST_P(PredictionsOfModels, OfLogitsAreThese) {
  const std::vector<float> logits = model_->logits(tokens_, kFirst, 9, nullptr);
  const std::unique_ptr<Predictions> predictions = model_->predictions_of(logits);
  EXPECT_EQ(predictions->rows(), 9u);
  EXPECT_EQ(predictions->logits(0, 9), logits);
  EXPECT_THROW(model_->predictions_of({1, 2, 3}), InputError);
}

TEST_P(PredictionsOfModels, OfTheHostAreComparedByTheCaller) {
  const std::unique_ptr<Predictions> predictions = model_->predict(tokens_, kFirst, 9, nullptr);
  const std::vector<std::int32_t> targets(9, 1);
  EXPECT_FALSE(predictions->compared(*predictions, targets));
  EXPECT_FALSE(predictions->compared(*held_predictions(std::vector<float>(9 * 50), 50), targets));
}

INSTANTIATE_TEST_SUITE_P(Families, PredictionsOfModels,
                         ::testing::Values("llama", "qwen3", "gemma3_text"));

TEST(HeldPredictions, AreWholeRows) {
  const std::unique_ptr<Predictions> held = held_predictions({1, 2, 3, 4, 5, 6}, 2);
  EXPECT_EQ(held->rows(), 3u);
  EXPECT_EQ(held->logits(1, 2), (std::vector<float>{3, 4, 5, 6}));
  EXPECT_THROW(held_predictions({1, 2, 3}, 2), InputError);
  EXPECT_THROW(held_predictions({1, 2, 3}, 0), InputError);
}

}  // namespace
}  // namespace kakeya
