// SPDX-License-Identifier: Apache-2.0
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/measure/likelihood.h"
#include "kakeya/model/token_losses.h"
#include "kakeya/model/torch/logit_ops.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

constexpr std::size_t kVocab = 999, kRows = 23;

// Hashed numbers of about the size of logits.
std::vector<float> hashed_logits(std::uint64_t seed, float scale) {
  std::vector<float> out;
  for (std::size_t i = 0; i < kRows * kVocab; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    out.push_back(scale * (static_cast<float>(seed >> 40) / 16777216.0f - 0.5f));
  }
  return out;
}

std::vector<std::int32_t> targets_of_rows() {
  std::vector<std::int32_t> targets;
  for (std::size_t i = 0; i < kRows; ++i) targets.push_back(static_cast<std::int32_t>(i * 41));
  return targets;
}

TokenLosses compared(std::vector<float> before, std::vector<float> after) {
  const auto tensor = [](std::vector<float>& logits) {
    return at::from_blob(logits.data(),
                         {static_cast<std::int64_t>(kRows), static_cast<std::int64_t>(kVocab)},
                         at::kFloat);
  };
  TokenLosses losses;
  compare_rows(tensor(before), tensor(after), targets_of_rows(), 100, losses);
  return losses;
}

// Far apart, near, and some of both: the series and the plain form.
TEST(CompareRows, AgreesWithTheHost) {
  WorkerPool pool(1);
  const std::vector<float> before = hashed_logits(1, 20);
  const ReferenceLikelihood reference(before, targets_of_rows(), kVocab, pool);
  for (const float change : {6.0f, 0.02f, 1e-4f}) {
    std::vector<float> after = before;
    const std::vector<float> noise = hashed_logits(2, change);
    for (std::size_t i = 0; i < after.size(); ++i) after[i] += noise[i];
    const Sample host = reference.compare(after, pool);
    const TokenLosses there = compared(before, after);
    ASSERT_EQ(there.kld.size(), kRows);
    for (std::size_t i = 0; i < kRows; ++i) {
      EXPECT_GT(there.kld[i], 0);
      EXPECT_NEAR(there.kld[i], host.kld_tokens[i], 1e-12 * std::max(1.0, host.kld_tokens[i]));
      EXPECT_NEAR(there.kld[i] / host.kld_tokens[i], 1, 1e-5) << change;
      EXPECT_NEAR(there.nll[i], host.nll_tokens[i], 1e-12 * host.nll_tokens[i]);
      EXPECT_NEAR(there.nll_reference[i], host.nll_reference_tokens[i],
                  1e-12 * host.nll_reference_tokens[i]);
    }
    EXPECT_EQ(there.top1, host.top1_tokens);
    ASSERT_EQ(there.delta_p.size(), kRows);
    EXPECT_NEAR(*std::max_element(there.delta_p.begin(), there.delta_p.end()), *host.delta_p_max,
                1e-12);
    EXPECT_GT(*host.delta_p_max, 0);
  }
}

TEST(CompareRows, EqualRowsGiveExactlyZero) {
  const std::vector<float> logits = hashed_logits(3, 30);
  const TokenLosses losses = compared(logits, logits);
  EXPECT_EQ(losses.kld, std::vector<double>(kRows, 0.0));
  EXPECT_EQ(losses.delta_p, std::vector<double>(kRows, 0.0));
  EXPECT_EQ(losses.nll, losses.nll_reference);
  EXPECT_EQ(losses.top1, std::vector<std::uint8_t>(kRows, 1));
}

TEST(CompareRows, TopOneTakesTheLowestOfEquals) {
  std::vector<float> before(kRows * kVocab, 0.0f), after = before;
  for (const std::size_t token : {4u, 9u}) before[token] = after[token] = 2;
  EXPECT_EQ(compared(before, after).top1[0], 1);
  after[4] = 1;
  EXPECT_EQ(compared(before, after).top1[0], 0);
}

TEST(CompareRows, OppositeDistributionsAreFinite) {
  std::vector<float> before(kRows * kVocab, -3000.0f), after = before;
  for (std::size_t row = 0; row < kRows; ++row) {
    before[row * kVocab] = 0;
    after[row * kVocab + 1] = 0;
  }
  EXPECT_NEAR(compared(before, after).kld[0], 3000, 1e-9);
  EXPECT_EQ(compared(before, after).delta_p[0], 1.0);
}

TEST(CompareRows, NameTheRowThatIsNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {nan, infinity, -infinity}) {
    for (const bool coded : {false, true}) {
      std::vector<float> before = hashed_logits(1, 20), after = before;
      (coded ? after : before)[7 * kVocab + 5] = bad;
      EXPECT_NE(testing::message_of<InputError>([&] {
                  compared(before, after);
                }).find("scored token 107: NaN or infinite"),
                std::string::npos);
    }
  }
}

}  // namespace
}  // namespace kakeya
