// SPDX-License-Identifier: Apache-2.0
// The same of the shipped model, on LibTorch's tensors: all of a sweep with --codec-device cuda but
// the GPU.
#include <gtest/gtest.h>

#include "kakeya/model/tokenizer/tokenizer.h"
#include "measure/device/same_samples.h"

namespace kakeya {
namespace {

TEST(DeviceSweepOfNano, GivesTheSamplesOfTheHost) {
  const std::string folder = KAKEYA_SOURCE_DIR "/data/models/nano";
  constexpr std::size_t kContext = 70, kScored = 10;
  const auto tokenizer = load_tokenizer(folder);
  std::vector<Passage> passages =
      read_passages(KAKEYA_SOURCE_DIR "/data/text", *tokenizer,
                    {kContext + kScored, 1, Cut::tokens, "--ctx 70 + --eval 10", false});
  for (const char* dtype : {"fp32", "bf16"}) {
    const auto model = load_model(folder, {.device = "cpu", .dtype = dtype, .threads = 2});
    for (const TapPoint tap : {TapPoint::pre_rope, TapPoint::post_rope}) {
      ModelSubject::Settings how{testing::kAllModes, kContext, kScored, {}, tap};
      how.policy.skipped_layers = 1;
      how.policy.sinks = 4;
      how.policy.residual_window = tap == TapPoint::pre_rope ? 9 : 0;
      testing::expect_same(*model, passages, {"e8:q=10", "fp8", "kivi:b=2"}, how);
    }
  }
}

}  // namespace
}  // namespace kakeya
