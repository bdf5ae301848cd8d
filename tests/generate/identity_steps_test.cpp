// SPDX-License-Identifier: Apache-2.0
// `identity` holds the numbers of bf16, in pages. A step adds up values in groups that do not depend on where
// pages end, so that its logits are those over a bf16 cache without pages, to the last bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "kakeya/core/files.h"
#include "kakeya/generate/session.h"
#include "support/plain_step_cache.h"

namespace kakeya {
namespace {

using testing::PlainStepCache;

const std::string kRoot = KAKEYA_SOURCE_DIR;
constexpr std::size_t kPrompt = 300, kSteps = 40;  // two pages of 128 and a part of a third

constexpr std::size_t kSinks = 1;  // the place of sinks among policy_numbers()

using Logits = std::vector<std::vector<float>>;  // of each step

class IdentitySteps : public ::testing::Test {
 protected:
  IdentitySteps() : loaded_(load_for_sessions(kRoot + "/data/models/nano", {"cpu", "fp32", 1})) {
    text_ = loaded_.tokenizer->encode(read_text_file(kRoot + "/data/text/01-tides.txt"));
  }

  Logits steps(StepCache& cache, int sequence, std::size_t chunk) {
    const std::span<const std::int32_t> text = text_;
    for (std::size_t at = 0; at < kPrompt; at += chunk) {
      const StepInput input{sequence, text.subspan(at, std::min(chunk, kPrompt - at)), 0};
      loaded_.model->step({&input, 1}, cache);
    }
    Logits logits;
    for (std::size_t at = kPrompt; at < kPrompt + kSteps; ++at) {
      const StepInput input{sequence, text.subspan(at, 1), 1};
      logits.push_back(loaded_.model->step({&input, 1}, cache));
    }
    return logits;
  }

  Logits over_packed(int sinks, std::size_t chunk = kPrompt) {
    EXPECT_EQ(policy_numbers()[kSinks].name, "sinks");
    SessionRequest request;
    request.codecs = CodecPair{"identity", "identity"};
    request.policy[kSkippedEdgeLayers] = 0;
    request.policy[kSinks] = sinks;
    Session session(loaded_, shelf_, request);
    const int sequence = session.cache().add_sequence();
    Logits logits = steps(session.step_cache(), sequence, chunk);
    EXPECT_EQ(session.cache().sealed_tokens(sequence, {1, Part::key}), 256u);
    return logits;
  }

  /// Rounded to bf16, without pages.
  Logits over_bf16(std::size_t chunk = kPrompt) {
    PlainStepCache cache(loaded_.model->facts().shape, TapPoint::pre_rope, true);
    cache.run = kPrompt + kSteps;
    return steps(cache, 0, chunk);
  }

  ProfileShelf shelf_;
  LoadedModel loaded_;
  std::vector<std::int32_t> text_;
};

std::size_t equal_steps(const Logits& a, const Logits& b) {
  std::size_t equal = 0;
  for (std::size_t step = 0; step < a.size(); ++step) equal += a[step] == b[step] ? 1 : 0;
  return equal;
}

TEST_F(IdentitySteps, AreThoseOverBf16WhereverPagesEnd) {
  for (const std::size_t chunk : {kPrompt, std::size_t{128}}) {
    const Logits bf16 = over_bf16(chunk);
    for (const int sinks : {0, 4, 32})
      EXPECT_EQ(equal_steps(over_packed(sinks, chunk), bf16), kSteps) << sinks << " sinks";
  }
}

}  // namespace
}  // namespace kakeya
