// SPDX-License-Identifier: Apache-2.0
// `identity` holds the numbers of bf16, in pages. A step adds up values in groups of 32 tokens from the
// beginning of each page: where these are the groups of a bf16 cache, so are its logits, to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

/// A float32 cache, read in the pages of identity behind so many sinks.
class GroupedCache final : public PlainStepCache {
 public:
  GroupedCache(const KvShape& shape, std::size_t sinks)
      : PlainStepCache(shape, TapPoint::pre_rope), sinks_(sinks) {}
  std::size_t run_end(int, KvSite, std::size_t token) const override {
    return token < sinks_ ? sinks_ : sinks_ + ((token - sinks_) / 128 + 1) * 128;
  }

 private:
  std::size_t sinks_;
};

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

  Logits over_floats(std::size_t sinks) {
    GroupedCache cache(loaded_.model->facts().shape, sinks);
    return steps(cache, 0, kPrompt);
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

float largest_difference(const Logits& a, const Logits& b) {
  float most = 0;
  for (std::size_t step = 0; step < a.size(); ++step) {
    for (std::size_t i = 0; i < a[step].size(); ++i)
      most = std::max(most, std::abs(a[step][i] - b[step][i]));
  }
  return most;
}

TEST_F(IdentitySteps, AreThoseOverBf16WhereGroupsOf32TokensAreTheSame) {
  for (const std::size_t chunk : {kPrompt, std::size_t{128}}) {
    const Logits bf16 = over_bf16(chunk);
    for (const int sinks : {0, 32}) {
      EXPECT_EQ(equal_steps(over_packed(sinks, chunk), bf16), kSteps) << sinks << " sinks";
    }
    EXPECT_LT(equal_steps(over_packed(4, chunk), bf16), kSteps) << "other groups, other sums";
  }
}

// It is the groups alone: in a cache that rounds nothing they change next to nothing. Rounding to bf16 makes
// more of it where a key or value crosses the middle between two numbers.
TEST_F(IdentitySteps, DifferByRoundingWhereTheyAreNot) {
  const float in_floats = largest_difference(over_floats(4), over_floats(0)),
              in_bf16 = largest_difference(over_packed(4), over_bf16());
  EXPECT_GT(in_floats, 0);
  EXPECT_LT(in_floats, 1e-4f);
  EXPECT_GT(in_bf16, 0);
  EXPECT_LT(in_bf16, 0.1f);
}

}  // namespace
}  // namespace kakeya
