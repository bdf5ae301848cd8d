// SPDX-License-Identifier: Apache-2.0
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/measure/likelihood.h"
#include "kakeya/model/model.h"
#include "kakeya/model/token_losses.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"
#include "support/tiny_tokens.h"

namespace kakeya {
namespace {

using testing::some_tokens;

constexpr std::size_t kFirst = 3, kCount = 110, kVocab = 50;

TEST(PredictionsOnAGpu, AreComparedThere) {
  if (!at::hasCUDA()) GTEST_SKIP() << "no GPU, or a LibTorch without CUDA";
  const testing::ScratchFolder scratch;
  testing::TinyModel().fill().write_hf(scratch / "hf");
  ModelOptions options;
  options.device = "cuda";
  const std::unique_ptr<Model> model = load_model(scratch / "hf", options);
  const std::vector<std::int32_t> tokens = some_tokens(120);
  std::vector<std::int32_t> changed = tokens;
  changed[1] = (changed[1] + 1) % 50;
  const std::span<const std::int32_t> targets = std::span(tokens).subspan(kFirst + 1, kCount);
  const auto predict = [&](const std::vector<std::int32_t>& text) {
    return model->predict(text, kFirst, kCount, nullptr);
  };
  const std::unique_ptr<Predictions> reference = predict(tokens), coded = predict(changed);

  const auto there = coded->compared(*reference, targets);
  ASSERT_TRUE(there);
  WorkerPool pool(1);
  const ReferenceLikelihood held(reference->logits(0, kCount), targets, kVocab, pool);
  const Sample host = held.compare(coded->logits(0, kCount), pool);
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_NEAR(there->kld[i], host.kld_tokens[i], 1e-12);
    EXPECT_NEAR(there->nll[i], host.nll_tokens[i], 1e-12);
    EXPECT_NEAR(there->nll_reference[i], host.nll_reference_tokens[i], 1e-12);
  }
  EXPECT_EQ(there->top1, host.top1_tokens);
  EXPECT_GT(*host.kld_mean, 0);

  // The same again, and logits that were held on the host: exactly nothing.
  for (const auto& same : {predict(tokens), model->predictions_of(reference->logits(0, kCount))}) {
    const auto none = same->compared(*reference, targets);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->kld, std::vector<double>(kCount, 0.0));
    EXPECT_EQ(none->nll, none->nll_reference);
  }
  EXPECT_FALSE(coded->compared(*held_predictions(reference->logits(0, kCount), kVocab), targets));

  // Of equally likely tokens the lowest id is the top one; an infinite logit is refused by its row.
  std::vector<float> level(kCount * kVocab, 1.0F);
  const auto flat = model->predictions_of(level);
  for (std::size_t row = 0; row < kCount; ++row) level[row * kVocab + (row % 2)] += 0.5F;
  const auto tilted = flat->compared(*model->predictions_of(level), targets);
  ASSERT_TRUE(tilted);
  for (std::size_t row = 0; row < kCount; ++row) EXPECT_EQ(tilted->top1[row], row % 2 == 0 ? 1 : 0);
  level[70 * kVocab + 3] = std::numeric_limits<float>::infinity();
  EXPECT_NE(testing::message_of<InputError>([&] {
              model->predictions_of(level)->compared(*flat, targets);
            }).find("logits of scored token 70"),
            std::string::npos);

  // A reference there, and a pass of the host.
  const ReferenceLikelihood likelihood(predict(tokens), targets, kVocab, pool);
  EXPECT_EQ(likelihood.compare(*coded, pool).kld_tokens, there->kld);
  EXPECT_EQ(likelihood.compare(coded->logits(0, kCount), pool).kld_tokens, host.kld_tokens);
}

}  // namespace
}  // namespace kakeya
