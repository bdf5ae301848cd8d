// SPDX-License-Identifier: Apache-2.0
// Attention over sums of packed vectors, against that over what a cache gives back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/generate/packed_step_cache.h"
#include "support/plain_step_cache.h"
#include "support/read_tap.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"
#include "support/tiny_tokens.h"

namespace kakeya {
namespace {

using testing::kNearLogits;
using testing::largest_difference;
using testing::message_of;
using testing::PlainStepCache;
using testing::ScratchFolder;
using testing::some_tokens;
using testing::TinyModel;

constexpr std::size_t kTokens = 300;

// Adds up and multiplies runs of its float32 vectors itself.
class SummingPlainCache final : public PlainStepCache {
 public:
  using PlainStepCache::PlainStepCache;

  bool sums_packed() const override { return true; }
  std::size_t add_packed(int sequence, KvSite site, TokenRange tokens, Rows<const float> weights,
                         Rows<float> out) const override {
    ++sums;
    return of_whole_runs(sequence, site, tokens, out.dim, [&](std::size_t t, const float* x) {
      for (std::size_t q = 0; q < out.count; ++q) {
        for (std::size_t i = 0; i < out.dim; ++i) out[q][i] += weights[q][t] * x[i];
      }
    });
  }
  std::size_t score_packed(int sequence, KvSite site, TokenRange tokens, Rows<const float> queries,
                           Rows<float> scores) const override {
    ++products;
    return of_whole_runs(sequence, site, tokens, queries.dim, [&](std::size_t t, const float* x) {
      for (std::size_t q = 0; q < queries.count; ++q) {
        scores[q][t] = 0;
        for (std::size_t i = 0; i < queries.dim; ++i) scores[q][t] += queries[q][i] * x[i];
      }
    });
  }
  mutable int sums = 0, products = 0;

 private:
  template <typename Work>
  std::size_t of_whole_runs(int sequence, KvSite site, TokenRange tokens, std::size_t dim,
                            const Work& work) const {
    if (tokens.first % run != 0) return 0;
    const std::size_t count = tokens.count / run * run;
    std::vector<float> rows(count * dim);
    if (count > 0) read(sequence, site, {tokens.first, count}, dense_rows(rows.data(), count, dim));
    for (std::size_t t = 0; t < count; ++t) work(t, &rows[t * dim]);
    return count;
  }
};

class PackedSumsOfSteps : public ::testing::Test {
 protected:
  void load(const char* architecture, ModelOptions options = {"cpu", "fp32", 1}) {
    TinyModel tiny;
    tiny.architecture = architecture;
    tiny.context = 512;
    tiny.layers = 4;
    tiny.window = 140;
    tiny.fill().write_hf(scratch_ / "hf");
    model_ = load_model(scratch_ / "hf", options);
  }
  std::vector<float> step(StepCache& cache, int sequence, std::size_t first, std::size_t count) {
    const StepInput input{sequence, std::span(tokens_).subspan(first, count), count};
    return model_->step({&input, 1}, cache);
  }
  PackedCache packed(const char* spec, CachePolicy policy) const {
    const ModelFacts& facts = model_->facts();
    policy.layers = facts.shape.layers;
    return {facts.shape, policy,
            make_cache_codecs({spec, spec}, {facts.shape, policy.skipped_layers, nullptr}),
            step_windows(facts, kTokens)};
  }

  ScratchFolder scratch_;
  std::unique_ptr<Model> model_;
  std::vector<std::int32_t> tokens_ = some_tokens(kTokens);
};

TEST_F(PackedSumsOfSteps, AreAttentionOverTheSameVectors) {
  for (const char* architecture : {"qwen2", "qwen3", "gemma3_text"}) {
    load(architecture);
    for (const TapPoint tap : {TapPoint::pre_rope, TapPoint::post_rope}) {
      PlainStepCache plain(model_->facts().shape, tap);
      SummingPlainCache summing(model_->facts().shape, tap);
      plain.run = summing.run = 48;
      for (PlainStepCache* const cache : {&plain, static_cast<PlainStepCache*>(&summing)})
        step(*cache, 0, 0, 270);
      EXPECT_EQ(summing.sums, 0);  // many tokens read tiles
      for (const std::size_t first : {270u, 271u, 274u}) {
        const std::size_t count = first == 271 ? 3 : 1;
        EXPECT_LT(largest_difference(step(plain, 0, first, count), step(summing, 0, first, count)),
                  kNearLogits)
            << architecture << " " << tap_name(tap);
      }
      EXPECT_GT(summing.sums, 0);
      EXPECT_EQ(summing.products > 0, tap == TapPoint::post_rope);
    }
  }
}

// What is decoded is rounded to bf16 and what is summed is not, so they are as near as bf16 is.
TEST_F(PackedSumsOfSteps, AreNearThoseOfDecodedVectors) {
  load("qwen3");
  for (const TapPoint tap : {TapPoint::pre_rope, TapPoint::post_rope}) {
    PackedCache kept = packed("e8:q=10", {0, 1, 4, 20});
    PackedStepCache decoded(kept, tap), summed(kept, tap, true);
    const int sequence = kept.add_sequence();
    step(decoded, sequence, 0, 299);
    const int other = kept.branch(sequence);
    const std::vector<float> want = step(decoded, sequence, 299, 1),
                             got = step(summed, other, 299, 1);
    float most = 0;
    for (const float logit : want) most = std::max(most, std::fabs(logit));
    const double difference = largest_difference(want, got);
    EXPECT_GT(difference, 0) << tap_name(tap);
    EXPECT_LT(difference, 2e-3 * most) << tap_name(tap);
  }
}

TEST_F(PackedSumsOfSteps, AreRefusedWhereTheyCannotBe) {
  load("qwen3", {.device = "cpu", .dtype = "fp32", .threads = 1, .batch_invariant = true});
  PackedCache e8 = packed("e8:q=10", {0, 1, 4, 20}), identity = packed("identity", {0, 1, 4, 20});
  EXPECT_EQ(
      message_of<InputError>([&] { PackedStepCache(identity, TapPoint::pre_rope, true); }),
      "layer 1 values: of a codec without sums of packed vectors, expected klt of heads, or tq, "
      "d4 or e8 without pack=rans, center, outliers and rule=published");
  PackedStepCache cache(e8, TapPoint::pre_rope, true);
  const int sequence = e8.add_sequence();
  EXPECT_NE(message_of<InputError>([&] {
              step(cache, sequence, 0, 1);
            }).find("batch-invariant: given with sums of packed values"),
            std::string::npos);
  EXPECT_EQ(cache.tokens(sequence), 0u);
}

}  // namespace
}  // namespace kakeya
