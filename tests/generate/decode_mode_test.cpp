// SPDX-License-Identifier: Apache-2.0
// Mode decode of a sweep over real forwards: steps sum in another order than a forward at once, and
// rounding the cache to bf16 makes that visible.
#include <gtest/gtest.h>

#include "kakeya/measure/model_sweep.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"

namespace kakeya {
namespace {

using testing::ScratchFolder;
using testing::TinyModel;

constexpr std::size_t kContext = 640, kScored = 3;  // five pages of 128

class DecodeMode : public ::testing::Test {
 protected:
  void load(const char* architecture, bool batch_invariant = false) {
    TinyModel tiny;
    tiny.architecture = architecture;
    tiny.context = 1024;
    tiny.layers = 4;
    tiny.window = 40;
    tiny.fill().write_hf(scratch_ / "hf");
    ModelOptions options{"cpu", "fp32", 1};
    options.batch_invariant = batch_invariant;
    model_ = load_model(scratch_ / "hf", options);
    passages_.assign(1, {});
    for (std::size_t i = 0; i < kContext + kScored; ++i) {
      passages_[0].tokens.push_back(static_cast<std::int32_t>((i * i * 7 + 3 * i + 11) % 50));
    }
  }

  Sample measure(const std::string& codec, EvalMode mode, int residual_window = 0) {
    const ModelSubject::Settings how{
        {mode}, kContext, kScored, {0, 1, 0, residual_window}, TapPoint::pre_rope};
    ModelSubject subject(*model_, passages_, how, pool_);
    const std::vector<GridCell> grid =
        build_grid(expand_grid({{codec}, {}, {}}), {model_->facts().shape, 1, nullptr});
    if (!grid.back().failure.empty()) throw Error(grid.back().failure);
    for (const GridCell& cell : grid) subject.check(cell);
    const std::string name(mode_name(mode));
    subject.start_passage(0, {name});
    return subject.measure(grid.back(), name);
  }

  ScratchFolder scratch_;
  std::unique_ptr<Model> model_;
  std::vector<Passage> passages_;
  WorkerPool pool_{1};
};

TEST_F(DecodeMode, ChangesNearlyNothingWithIdentityInEveryFamily) {
  for (const char* architecture : {"llama", "qwen2", "qwen3", "gemma3_text"}) {
    load(architecture);
    const Sample sample = measure("identity", EvalMode::decode);
    EXPECT_LT(*sample.kld_max, 1e-5) << architecture;
    EXPECT_EQ(sample.rel_mse_k, 0.0);
    EXPECT_EQ(sample.rel_mse_v, 0.0);
    EXPECT_EQ(sample.values, 2u * 2 * 16 * (kContext + kScored));
  }
}

// Where both code the same tokens, the first scored one; windows of 40 have left whole pages then.
TEST_F(DecodeMode, IsNearInForwardWhereBothCodeTheSameTokens) {
  for (const char* architecture : {"qwen3", "gemma3_text"}) {
    load(architecture);
    for (const char* codec : {"fp8", "e8:q=10", "ece8:bits=3,page=64"}) {
      const Sample steps = measure(codec, EvalMode::decode),
                   at_once = measure(codec, EvalMode::in_forward);
      EXPECT_NEAR(steps.kld_tokens[0] / at_once.kld_tokens[0], 1, 0.05) << architecture << codec;
      EXPECT_NEAR(steps.rel_mse_k / at_once.rel_mse_k, 1, 0.02) << architecture << codec;
      EXPECT_NEAR(steps.bits_per_value / at_once.bits_per_value, 1, 0.1) << architecture << codec;
      EXPECT_EQ(steps.open_page->values, 2u * 2 * 16 * kScored);
    }
    // The first page seals with the last token, which predicts nothing.
    EXPECT_LT(*measure("e8:q=10", EvalMode::decode, 515).kld_max, 1e-5);
  }
}

// Of forwards that sum each token by itself. Of the second scored token a page is open.
TEST_F(DecodeMode, EqualsInForwardToTheLastBitWhereTokensSumByThemselves) {
  for (const char* architecture : {"qwen2", "gemma3_text"}) {
    load(architecture, true);
    for (const char* codec : {"fp8", "e8:q=10", "tq:b=4", "int4", "ece8:bits=3,center=mean,page=64",
                              "kivi:b=2,group=16", "e8:q=10,pack=rans,page=32"}) {
      const Sample steps = measure(codec, EvalMode::decode),
                   at_once = measure(codec, EvalMode::in_forward);
      EXPECT_GT(steps.kld_tokens[0], 0) << architecture << codec;
      EXPECT_EQ(steps.kld_tokens[0], at_once.kld_tokens[0]) << architecture << codec;
      EXPECT_EQ(steps.nll_tokens[0], at_once.nll_tokens[0]) << architecture << codec;
      EXPECT_NE(steps.kld_tokens[1], at_once.kld_tokens[1]) << architecture << codec;
    }
    EXPECT_EQ(*measure("identity", EvalMode::decode).kld_max, 0.0) << architecture;
  }
}

}  // namespace
}  // namespace kakeya
