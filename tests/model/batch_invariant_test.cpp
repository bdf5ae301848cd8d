// SPDX-License-Identifier: Apache-2.0
// ModelOptions::batch_invariant: a token is predicted as the same to the last bit, whatever stands beside it.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/model/model.h"
#include "support/decode_steps.h"
#include "support/plain_step_cache.h"
#include "support/read_tap.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"
#include "support/tiny_tokens.h"

namespace kakeya {
namespace {

using testing::decode;
using testing::kNearLogits;
using testing::largest_difference;
using testing::message_of;
using testing::PlainStepCache;
using testing::ReadTap;
using testing::ScratchFolder;
using testing::some_tokens;
using testing::TinyModel;

std::vector<TinyModel> families() {
  std::vector<TinyModel> models;
  for (const char* architecture : {"llama", "mistral", "qwen2", "qwen3", "gemma3_text"})
    models.emplace_back().architecture = architecture;
  models[0].kv_heads = 1;
  models.back().layers = 3;  // two with a window
  for (TinyModel& tiny : models) tiny.fill();
  return models;
}

class BatchInvariant : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Model> load(const std::string& path, bool invariant = true, int threads = 2) {
    ModelOptions options;
    options.dtype = GetParam();
    options.threads = threads;
    options.batch_invariant = invariant;
    return load_model(path, options);
  }
  std::unique_ptr<Model> load(const TinyModel& tiny, bool invariant = true) {
    tiny.write_hf(scratch_ / "hf");
    return load(scratch_ / "hf", invariant);
  }
  ScratchFolder scratch_;
};

// How tokens are cut into steps, and what a cache says of its pages; heads that are apart, or not.
struct Cut {
  std::size_t chunk, page;
  bool apart;
};
constexpr std::array<Cut, 6> kCuts{{{1, 7, true},
                                    {1, 100, false},
                                    {3, 1, true},
                                    {50, 33, true},
                                    {50, 100, false},
                                    {100, 64, true}}};

void expect_equal_steps(Model& model, std::span<const std::int32_t> tokens,
                        const std::string& what) {
  for (const TapPoint tap : {TapPoint::pre_rope, TapPoint::post_rope}) {
    for (const bool bf16 : {false, true}) {
      std::vector<float> whole;
      for (const Cut& cut : kCuts) {
        PlainStepCache cache(model.facts().shape, tap, bf16);
        cache.run = cut.page;
        cache.apart = cut.apart;
        const std::vector<float> steps = decode(model, cache, tokens, cut.chunk);
        ReadTap read(cache, 0);
        if (whole.empty()) whole = model.logits(tokens, 0, tokens.size(), &read);
        EXPECT_TRUE(steps == whole) << what << " " << tap_name(tap) << " bf16 cache " << bf16
                                    << " steps of " << cut.chunk << " pages of " << cut.page;
      }
    }
  }
}

TEST_P(BatchInvariant, StepsAreTheForwardToTheLastBitInEveryFamily) {
  for (const TinyModel& tiny : families()) {
    const auto model = load(tiny);
    expect_equal_steps(*model, some_tokens(100), tiny.architecture);
  }
}

TEST_P(BatchInvariant, StepsOfARealModelAreItsForwardToTheLastBit) {
  const auto model = load(std::string(KAKEYA_SOURCE_DIR) + "/data/models/nano");
  expect_equal_steps(*model, some_tokens(40, 5, 500), "nano");
}

// The forward as it is otherwise, up to the order of sums; the nearest tokens exact, the others not.
TEST_P(BatchInvariant, IsTheForwardUpToTheOrderOfSums) {
  class Halved : public KvTap {
   public:
    void visit(KvSite, KvView view) override {
      for (std::size_t i = 0; i < view.tokens * view.heads * view.dim; ++i) view.data[i] *= 0.5f;
    }
    bool wants(KvSite site) const override { return site.part != Part::query; }
    std::size_t exact_window() const override { return 6; }
  } halved;
  const std::vector<std::int32_t> tokens = some_tokens(60);
  const double near = std::string(GetParam()) == "fp32" ? kNearLogits : 0.05;
  for (const TinyModel& tiny : families()) {
    const auto each = load(tiny), plain = load(tiny, false);
    for (KvTap* const tap : {static_cast<KvTap*>(nullptr), static_cast<KvTap*>(&halved)}) {
      const std::vector<float> expected = plain->logits(tokens, 0, tokens.size(), tap);
      EXPECT_LT(largest_difference(each->logits(tokens, 0, tokens.size(), tap), expected), near)
          << tiny.architecture;
      // Of some of its tokens alone the same bits.
      const std::vector<float> last = each->logits(tokens, 57, 3, tap),
                               all = each->logits(tokens, 0, tokens.size(), tap);
      EXPECT_TRUE(std::equal(last.begin(), last.end(), all.end() - std::ptrdiff_t(last.size())));
    }
  }
}

TEST_P(BatchInvariant, SequencesAreEachAlone) {
  for (const TinyModel& tiny : families()) {
    const auto model = load(tiny);
    PlainStepCache together(model->facts().shape, TapPoint::pre_rope),
        alone(model->facts().shape, TapPoint::pre_rope);
    const std::vector<std::int32_t> a = some_tokens(20), b = some_tokens(33, 9),
                                    c = some_tokens(1, 3);
    const std::vector<StepInput> batch{{0, a, 20}, {4, b, 2}, {9, c, 1}};
    std::vector<float> expected;
    for (const StepInput& input : batch) {
      const std::vector<float> own = model->step({&input, 1}, alone);
      expected.insert(expected.end(), own.begin(), own.end());
    }
    EXPECT_TRUE(model->step(batch, together) == expected) << tiny.architecture;
  }
}

TEST_P(BatchInvariant, DoesNotDependOnThreads) {
  const std::string nano = std::string(KAKEYA_SOURCE_DIR) + "/data/models/nano";
  const std::vector<std::int32_t> tokens = some_tokens(40, 5, 500);
  const std::vector<float> one = load(nano, true, 1)->logits(tokens, 0, 40, nullptr);
  EXPECT_TRUE(load(nano, true, 3)->logits(tokens, 0, 40, nullptr) == one);
}

TEST_P(BatchInvariant, RefusesAnotherAttention) {
  TinyModel tiny;
  tiny.fill().write_hf(scratch_ / "hf");
  ModelOptions options;
  options.dtype = GetParam();
  options.batch_invariant = true;
  options.attention = "fused";
  EXPECT_EQ(message_of<SpecError>([&] { load_model(scratch_ / "hf", options); }),
            "batch-invariant: given with attention fused, expected attention plain on cpu");
}

INSTANTIATE_TEST_SUITE_P(OfBothTypes, BatchInvariant, ::testing::Values("fp32", "bf16"));

}  // namespace
}  // namespace kakeya
