// SPDX-License-Identifier: Apache-2.0
// Forwards that differ in arithmetic, attention or order, with nothing coded.
#include "kakeya/measure/noise_floor.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::ScratchFolder;
using testing::TinyModel;

constexpr std::size_t kContext = 150, kScored = 6;

class NoiseFloor : public ::testing::Test {
 protected:
  std::unique_ptr<Model> load(const char* architecture, ModelOptions options = {"cpu", "fp32", 1}) {
    TinyModel tiny;
    tiny.architecture = architecture;
    tiny.context = 256;
    tiny.layers = 3;
    tiny.window = 40;
    tiny.fill().write_hf(path());
    return load_model(path(), options);
  }
  std::string path() const { return scratch_ / "hf"; }

  std::vector<Passage> passages(std::size_t count) const {
    std::vector<Passage> made(count);
    for (std::size_t p = 0; p < count; ++p) {
      for (std::size_t i = 0; i < kContext + kScored; ++i)
        made[p].tokens.push_back(static_cast<std::int32_t>((i * i * 7 + 3 * i + 11 * p) % 50));
    }
    return made;
  }

  ScratchFolder scratch_;
  WorkerPool pool_{1};
};

TEST_F(NoiseFloor, AnotherAttentionIsTheSameInAnotherOrder) {
  for (const char* architecture : {"llama", "qwen3", "gemma3_text"}) {
    const std::unique_ptr<Model> plain = load(architecture),
                                 fused = load(architecture, {"cpu", "fp32", 1, 0, "fused"});
    const std::vector<std::int32_t> tokens = passages(1)[0].tokens;
    const std::vector<float> a = plain->logits(tokens, 0, tokens.size(), nullptr),
                             b = fused->logits(tokens, 0, tokens.size(), nullptr);
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      most = std::max(most, static_cast<double>(std::abs(a[i] - b[i])));
    // Of llama, whose scores no norm bounds, each of the two is up to 3e-5 from a forward in doubles.
    EXPECT_LT(most, std::string_view(architecture) == "llama" ? 6e-5 : 2e-5) << architecture;
    EXPECT_GT(most, 0) << architecture;
  }
  EXPECT_EQ(message_of<SpecError>([&] {
              load("llama", {"cpu", "fp32", 1, 0, "flash"});
            }),
            "attention flash: expected plain or fused");
}

TEST_F(NoiseFloor, MeasuresEachControlOnEachPassageOnce) {
  const ModelOptions options{"cpu", "fp32", 1};
  EXPECT_EQ(controls_of(options), (std::vector<std::string>{"bf16", "fused", "decode"}));
  EXPECT_EQ(controls_of({"cuda", "bf16"}).front(), "fp32");
  const std::unique_ptr<Model> model = load("gemma3_text");
  const std::vector<GridCell> grid =
      build_grid(expand_grid({{"fp8"}, {}, {}}), {model->facts().shape, 0, nullptr});
  SweepPlan plan;
  plan.shape = model->facts().shape;
  const auto run = [&](std::size_t count) {
    const std::vector<Passage> some = passages(count);
    // A residual window shows K and V in two versions, which a fused attention has not.
    ModelSubject subject(
        *model, some, {{EvalMode::in_forward}, kContext, kScored, {0, 0, 0, 8}, TapPoint::pre_rope},
        pool_);
    ResultStore store(scratch_ / "out", plan, make_provenance({"test"}, 1));
    std::size_t told = 0;
    const std::size_t measured =
        run_noise_floor(control_passages(subject, grid[0], options), path(), options, store,
                        [&](std::size_t done, const std::string&) { told = done; });
    EXPECT_EQ(told, 3 * count);
    return measured;
  };
  EXPECT_EQ(run(1), 3u);
  EXPECT_EQ(run(2), 3u);
  EXPECT_EQ(run(2), 0u);
  const std::vector<ControlSample> controls = read_results(scratch_ / "out").controls;
  ASSERT_EQ(controls.size(), 6u);
  for (const ControlSample& control : controls) {
    EXPECT_EQ(control.kld_tokens.size(), kScored);
    EXPECT_GT(control.kld_mean, 0) << control.control;
    if (control.control == "bf16") {
      EXPECT_GT(control.kld_mean, 1e-6);
      EXPECT_LT(control.kld_mean, 0.1);
    } else {
      EXPECT_LT(control.kld_max, 1e-4) << control.control;
    }
  }
}

}  // namespace
}  // namespace kakeya
