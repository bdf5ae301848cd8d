// SPDX-License-Identifier: Apache-2.0
#include "kakeya/generate/generate.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "measure/fake_model.h"
#include "support/plain_step_cache.h"

namespace kakeya {
namespace {

using testing::FakeModel;
using testing::PlainStepCache;

GenerateRequest request_of(std::size_t prompt, std::size_t max_tokens) {
  GenerateRequest request;
  for (std::size_t i = 0; i < prompt; ++i)
    request.prompt.push_back(static_cast<std::int32_t>((7 * i + 3) % 40));
  request.max_tokens = max_tokens;
  return request;
}

Generated run(const GenerateRequest& request, const GenerateEvents& events = {},
              std::size_t* kept = nullptr) {
  FakeModel model;
  PlainStepCache cache(model.facts().shape, TapPoint::pre_rope);
  Generated generated = generate(model, cache, request, events);
  if (kept != nullptr) *kept = cache.tokens(request.sequence);
  return generated;
}

TEST(Generate, GreedyIsTheLikeliestTokenOfTheWholeTextEachTime) {
  const GenerateRequest request = request_of(9, 12);
  const Generated generated = run(request);
  ASSERT_EQ(generated.tokens.size(), 12u);
  EXPECT_FALSE(generated.ended);
  EXPECT_EQ(generated.decode_steps, 11u);
  FakeModel model;
  std::vector<std::int32_t> text = request.prompt;
  for (const std::int32_t token : generated.tokens) {
    const std::vector<float> logits = model.logits(text, text.size() - 1, 1, nullptr);
    EXPECT_EQ(token, likeliest(logits)) << text.size();
    text.push_back(token);
  }
}

TEST(Generate, EachTokenIsChosenOfWhatItSays) {
  std::vector<std::int32_t> chosen;
  const Generated generated =
      run(request_of(9, 12),
          {{}, {}, [&](std::span<const float> logits) { chosen.push_back(likeliest(logits)); }});
  EXPECT_EQ(chosen, generated.tokens);
}

TEST(Generate, TheLastTokenIsNotInTheCacheAndNothingIsPrefilledTwice) {
  std::size_t kept = 0;
  std::vector<std::size_t> done;
  std::vector<std::int32_t> seen;
  GenerateRequest request = request_of(10, 5);
  request.prefill_chunk = 4;
  const Generated generated = run(request,
                                  {[&](std::size_t now, std::size_t) { done.push_back(now); },
                                   [&](std::int32_t token) { seen.push_back(token); }},
                                  &kept);
  EXPECT_EQ(kept, 10u + 5 - 1);
  EXPECT_EQ(done, (std::vector<std::size_t>{4, 8, 9}));
  EXPECT_EQ(seen, generated.tokens);
  request.max_tokens = 0;
  EXPECT_TRUE(run(request, {}, &kept).tokens.empty());
  EXPECT_EQ(kept, 9u);
}

TEST(Generate, AnEndTokenIsTheLastOne) {
  GenerateRequest request = request_of(9, 12);
  const std::vector<std::int32_t> all = run(request).tokens;
  request.end_tokens = {39, all[4]};
  const Generated generated = run(request);
  const auto first = std::find_if(
      all.begin(), all.end(), [&](std::int32_t token) { return token == 39 || token == all[4]; });
  EXPECT_TRUE(generated.ended);
  EXPECT_EQ(generated.tokens, std::vector<std::int32_t>(all.begin(), first + 1));
}

TEST(Generate, TextsFitTheContextToTheLastToken) {
  FakeModel model;
  const auto context = static_cast<std::size_t>(model.facts().context);
  EXPECT_EQ(run(request_of(context - 3, 4)).tokens.size(), 4u);
  EXPECT_THROW(run(request_of(context - 3, 5)), InputError);
  EXPECT_THROW(run(request_of(0, 5)), InputError);
  GenerateRequest request = request_of(3, 5);
  request.prefill_chunk = 0;
  EXPECT_THROW(run(request), SpecError);
}

}  // namespace
}  // namespace kakeya
