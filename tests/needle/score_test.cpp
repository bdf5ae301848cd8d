// SPDX-License-Identifier: Apache-2.0
#include "kakeya/needle/score.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/generate/sampler.h"
#include "measure/fake_model.h"

namespace kakeya {
namespace {

using testing::FakeModel;

PackedCache cache_of(const FakeModel& model, const std::string& codec) {
  const KvShape& shape = model.facts().shape;
  CachePolicy policy;
  policy.layers = shape.layers;
  return {shape, policy, make_cache_codecs({codec, codec}, {shape, 0, nullptr})};
}

NeedlePrompt prompt_of(std::size_t tokens, std::vector<std::int32_t> answer) {
  NeedlePrompt prompt;
  for (std::size_t i = 0; i < tokens; ++i)
    prompt.tokens.push_back(static_cast<std::int32_t>((7 * i + 3) % 40));
  prompt.answer = std::move(answer);
  return prompt;
}

// What is likeliest behind a text, `count` tokens, over the bf16 cache, a token a step.
std::vector<std::int32_t> greedy(const NeedlePrompt& prompt, std::size_t count) {
  FakeModel model;
  PackedCache cache = cache_of(model, "identity");
  NeedlePrompt wrong = prompt;
  wrong.answer = {39};
  NeedleScoring scoring;
  scoring.more_tokens = count - 1;
  std::vector<std::int32_t> tokens = score_needle(model, cache, wrong, scoring).generated;
  return tokens;
}

TEST(NeedleScore, IsTheLikelihoodOfTheAnswerTokenByToken) {
  FakeModel model;
  const NeedlePrompt prompt = prompt_of(100, {5, 17, 30});
  PackedCache cache = cache_of(model, "identity");
  NeedleScoring scoring;
  scoring.more_tokens = 4;
  const NeedleScore score = score_needle(model, cache, prompt, scoring);
  std::vector<std::int32_t> text = prompt.tokens;
  double nll = 0;
  for (const std::int32_t token : prompt.answer) {
    // The packed cache holds bf16; the whole forward here does not.
    const std::vector<float> logits = model.logits(text, text.size() - 1, 1, nullptr);
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
    nll += std::log(sum) - logits[static_cast<std::size_t>(token)];
    text.push_back(token);
  }
  EXPECT_NEAR(score.answer_nll, nll / 3, 0.02);
  EXPECT_EQ(score.generated.size(), 7u);
  EXPECT_EQ(score.live.bf16, 2u * 2 * 6 * 2 * 16 * 100);
  // In other chunks the same, over the bf16 cache.
  for (const std::size_t chunk : {1, 7, 99}) {
    PackedCache other = cache_of(model, "identity");
    scoring.prefill_chunk = chunk;
    const NeedleScore same = score_needle(model, other, prompt, scoring);
    EXPECT_EQ(same.answer_nll, score.answer_nll);
    EXPECT_EQ(same.generated, score.generated);
  }
}

TEST(NeedleScore, GeneratesWhatIsLikeliestFromWhereItLeavesTheAnswer) {
  const NeedlePrompt prompt = prompt_of(60, {0});
  const std::vector<std::int32_t> path = greedy(prompt, 8);
  ASSERT_EQ(path.size(), 8u);
  for (std::size_t along = 0; along <= 4;
       ++along) {  // so many tokens of the answer are the likeliest
    NeedlePrompt some = prompt;
    some.answer.assign(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(along));
    if (along < 4) some.answer.push_back((path[along] + 1) % 40);
    while (some.answer.size() < 4) some.answer.push_back(1);
    FakeModel model;
    PackedCache cache = cache_of(model, "identity");
    NeedleScoring scoring;
    scoring.more_tokens = 4;
    const NeedleScore score = score_needle(model, cache, some, scoring);
    // Where it goes along the whole answer there is no more to see.
    const std::size_t count = along == 4 ? 4 : 8;
    EXPECT_EQ(score.generated, std::vector<std::int32_t>(
                                   path.begin(), path.begin() + static_cast<std::ptrdiff_t>(count)))
        << along;
  }
  // An end token ends it and is not given.
  FakeModel model;
  PackedCache cache = cache_of(model, "identity");
  NeedleScoring scoring;
  scoring.more_tokens = 7;
  scoring.end_tokens = {path[0]};
  NeedlePrompt other = prompt;
  other.answer = {(path[0] + 1) % 40};
  EXPECT_TRUE(score_needle(model, cache, other, scoring).generated.empty());
}

TEST(NeedleScore, DependsOnTheCodec) {
  FakeModel model;
  const NeedlePrompt prompt = prompt_of(200, {5, 17});
  NeedleScoring scoring;
  scoring.more_tokens = 0;
  PackedCache bf16 = cache_of(model, "identity"), coarse = cache_of(model, "tq:b=2");
  const NeedleScore a = score_needle(model, bf16, prompt, scoring),
                    b = score_needle(model, coarse, prompt, scoring);
  EXPECT_NE(a.answer_nll, b.answer_nll);
  EXPECT_LT(b.live.total(), a.live.total());
}

TEST(NeedleScore, RefusesWhatDoesNotFit) {
  FakeModel model;
  PackedCache cache = cache_of(model, "identity");
  EXPECT_THROW(score_needle(model, cache, prompt_of(250, {1, 2}), {}), InputError);
  EXPECT_THROW(score_needle(model, cache, prompt_of(0, {1}), {}), InputError);
  EXPECT_THROW(score_needle(model, cache, prompt_of(9, {}), {}), InputError);
}

}  // namespace
}  // namespace kakeya
