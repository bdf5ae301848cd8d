// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/likelihood.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "fake_model.h"
#include "kakeya/core/error.h"
#include "kakeya/model/token_losses.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

std::vector<float> log_of(std::initializer_list<double> probabilities, double shift) {
  std::vector<float> logits;
  for (const double p : probabilities) logits.push_back(static_cast<float>(std::log(p) + shift));
  return logits;
}

TEST(Likelihood, ClosedFormOfTwoDistributions) {
  WorkerPool pool(2);
  // p = (1/2, 1/4, 1/4), q = (1/4, 1/4, 1/2): KL = 1/2 ln 2 + 0 - 1/4 ln 2 = 1/4 ln 2. Logits are
  // shifted by constants.
  const ReferenceLikelihood reference(log_of({0.5, 0.25, 0.25}, 3), std::vector<std::int32_t>{2}, 3,
                                      pool);
  EXPECT_NEAR(reference.nll()[0], std::log(4), 1e-6);
  const Sample sample = reference.compare(log_of({0.25, 0.25, 0.5}, -20), pool);
  EXPECT_NEAR(sample.kld_tokens[0], 0.25 * std::log(2), 1e-6);
  EXPECT_NEAR(sample.nll_tokens[0], std::log(2), 1e-6);
  EXPECT_EQ(sample.top1_tokens[0], 0);
}

TEST(Likelihood, EqualLogitsGiveExactlyZero) {
  WorkerPool pool(2);
  const std::size_t vocab = 5000, rows = 9;
  std::vector<float> logits(rows * vocab);
  std::vector<std::int32_t> targets;
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = 30 * testing::hashed(3, i, 1);
  for (std::size_t i = 0; i < rows; ++i) targets.push_back(static_cast<std::int32_t>(i * 500));
  const ReferenceLikelihood reference(logits, targets, vocab, pool);
  const Sample sample = reference.compare(logits, pool);
  EXPECT_EQ(sample.nll_tokens, reference.nll());
  for (const double kld : sample.kld_tokens) EXPECT_EQ(kld, 0.0);
  for (const std::uint8_t stayed : sample.top1_tokens) EXPECT_EQ(stayed, 1);
  EXPECT_EQ(relative_perplexity_change(mean_of(sample.nll_tokens), mean_of(reference.nll())), 0.0);
}

TEST(Likelihood, SmallChangesKeepTheirDigits) {
  // One of n equally likely tokens gets a logit d higher. KL = ln(1 + (e^d - 1)/n) - d/n, to second
  // order (d^2/2)(1/n)(1 - 1/n); d = 2^-13 is exact in float, and so is 0.
  WorkerPool pool(1);
  const std::size_t n = 64;
  const double d = 0x1p-13;
  std::vector<float> flat(n, 0.0f), raised(n, 0.0f);
  raised[5] = static_cast<float>(d);
  const ReferenceLikelihood reference(flat, std::vector<std::int32_t>{0}, n, pool);
  const double expected = d * d / 2 / n * (1 - 1.0 / n) * (1 + d / 3 * (1 - 2.0 / n));
  EXPECT_NEAR(reference.compare(raised, pool).kld_tokens[0] / expected, 1, 1e-6);
}

TEST(Likelihood, IsLargeAndFiniteForOppositeDistributions) {
  // p = (1 - e, e), q swapped, with a logit gap g = 2000: KL = g tanh(g / 2) = 2000; e^g would
  // overflow.
  WorkerPool pool(1);
  const ReferenceLikelihood reference({2000.0f, 0.0f}, std::vector<std::int32_t>{0}, 2, pool);
  const Sample sample = reference.compare({0.0f, 2000.0f}, pool);
  EXPECT_NEAR(sample.kld_tokens[0], 2000, 1e-9);
  EXPECT_NEAR(sample.nll_tokens[0], 2000, 1e-9);
  EXPECT_EQ(sample.top1_tokens[0], 0);
}

TEST(Likelihood, NeverNegativeAndNotSymmetric) {
  WorkerPool pool(2);
  const std::size_t vocab = 300, rows = 40;
  std::vector<float> p(rows * vocab), q(rows * vocab);
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] = 8 * testing::hashed(1, i, 2);
    q[i] = p[i] + 2 * testing::hashed(2, i, 2);
  }
  const std::vector<std::int32_t> targets(rows, 7);
  const Sample pq = ReferenceLikelihood(p, targets, vocab, pool).compare(q, pool);
  const Sample qp = ReferenceLikelihood(q, targets, vocab, pool).compare(p, pool);
  for (std::size_t row = 0; row < rows; ++row) {
    double direct = 0, zp = 0, zq = 0;  // the definition, plainly
    for (std::size_t i = 0; i < vocab; ++i) {
      zp += std::exp(double{p[row * vocab + i]});
      zq += std::exp(double{q[row * vocab + i]});
    }
    for (std::size_t i = 0; i < vocab; ++i) {
      const double log_p = p[row * vocab + i] - std::log(zp),
                   log_q = q[row * vocab + i] - std::log(zq);
      direct += std::exp(log_p) * (log_p - log_q);
    }
    EXPECT_NEAR(pq.kld_tokens[row], direct, 1e-12);
    EXPECT_GT(pq.kld_tokens[row], 0);
    EXPECT_NE(pq.kld_tokens[row], qp.kld_tokens[row]);
  }
}

TEST(Likelihood, DeltaPMaxIsTheLargestChangeOfAnyWordOfAnyToken) {
  // Rows (1/4, 1/4, 1/2) and (1/2, 1/2, 0); the first becomes (1/2, 1/4, 1/4), the second stays.
  const auto logits = [](std::initializer_list<double> p) {
    std::vector<float> out;
    for (const double each : p) out.push_back(static_cast<float>(std::log(std::max(each, 1e-30))));
    return out;
  };
  WorkerPool pool(1);
  const std::vector<std::int32_t> targets{1, 0};  // the word that came moves by nothing
  const ReferenceLikelihood reference(logits({0.25, 0.25, 0.5, 0.5, 0.5, 0}), targets, 3, pool);
  const Sample same = reference.compare(logits({0.25, 0.25, 0.5, 0.5, 0.5, 0}), pool);
  EXPECT_EQ(same.delta_p_max, 0.0);
  const Sample sample = reference.compare(logits({0.5, 0.25, 0.25, 0.5, 0.5, 0}), pool);
  EXPECT_NEAR(sample.delta_p_max.value(), 0.25, 1e-7);
  const Sample second = reference.compare(logits({0.5, 0.25, 0.25, 0.1, 0.5, 0.4}), pool);
  EXPECT_NEAR(second.delta_p_max.value(), 0.4, 1e-7);
}

TEST(Likelihood, TopOneTakesTheLowestOfEquals) {
  WorkerPool pool(1);
  const ReferenceLikelihood reference({1, 2, 2, 0}, std::vector<std::int32_t>{0}, 4, pool);
  EXPECT_EQ(reference.compare({0, 3, 3, 3}, pool).top1_tokens[0], 1);
  EXPECT_EQ(reference.compare({0, 2.9f, 3, 3}, pool).top1_tokens[0], 0);
}

TEST(Likelihood, RefusesWhatDoesNotFit) {
  WorkerPool pool(1);
  const std::vector<std::int32_t> targets{1, 0};
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              inf = std::numeric_limits<float>::infinity();
  EXPECT_THROW(ReferenceLikelihood({1, 2, 3}, targets, 2, pool), InputError);
  EXPECT_THROW(ReferenceLikelihood({1, 2, 3, 4}, std::vector<std::int32_t>{1, 2}, 2, pool),
               InputError);
  EXPECT_THROW(ReferenceLikelihood(std::vector<float>{}, std::vector<std::int32_t>{}, 2, pool),
               InputError);
  EXPECT_THROW(ReferenceLikelihood({1, 2, nan, 4}, targets, 2, pool), InputError);
  EXPECT_THROW(ReferenceLikelihood({1, 2, 3, inf}, targets, 2, pool), InputError);
  EXPECT_THROW(ReferenceLikelihood({1, -inf, 3, 4}, targets, 2, pool), InputError);
  const ReferenceLikelihood reference({1, 2, 3, 4}, targets, 2, pool);
  EXPECT_THROW(reference.compare({1, 2}, pool), InputError);
  EXPECT_THROW(reference.compare({1, nan, 3, 4}, pool), InputError);
}

/// Rows of hashed logits, made when asked for; it remembers what was asked for.
class MadePredictions final : public Predictions {
 public:
  static constexpr std::size_t kVocab = 31;

  MadePredictions(std::size_t rows, std::uint64_t seed) : rows_(rows), seed_(seed) {}

  std::size_t rows() const override { return rows_; }
  std::vector<float> logits(std::size_t first, std::size_t count) const override {
    EXPECT_EQ(first % kBlock, 0u);
    if (first + count < rows_) {
      EXPECT_EQ(count % kBlock, 0u);
    }
    asked.push_back(count);
    std::vector<float> some;
    for (std::size_t i = first * kVocab; i < (first + count) * kVocab; ++i)
      some.push_back(8 * testing::hashed(seed_, i, 4) + (i == bad ? infinity : 0));
    return some;
  }
  /// What a GPU would say.
  std::optional<TokenLosses> compared(const Predictions& reference,
                                      std::span<const std::int32_t> targets) const override {
    if (!there || dynamic_cast<const MadePredictions*>(&reference) == nullptr) return std::nullopt;
    const std::size_t n = targets.size();
    TokenLosses losses;
    const auto fill = [&](std::vector<double>& of, auto, const auto&) { of.assign(n, 0); };
    for_each_loss(losses, fill);
    losses.nll_reference.assign(n, 2);
    losses.nll.assign(n, 3);
    losses.kld.assign(n, 0.5);
    losses.top1.assign(n, 1);
    return losses;
  }

  static constexpr float infinity = std::numeric_limits<float>::infinity();
  std::size_t bad = std::numeric_limits<std::size_t>::max();  ///< this logit is infinite
  bool there = false;
  mutable std::vector<std::size_t> asked;  ///< rows

 private:
  std::size_t rows_;
  std::uint64_t seed_;
};

constexpr std::size_t kRows = 300;

std::vector<std::int32_t> some_targets() {
  std::vector<std::int32_t> targets;
  for (std::size_t i = 0; i < kRows; ++i) targets.push_back(static_cast<std::int32_t>(i * 7 % 31));
  return targets;
}

/// No reference is held; blocks of 128 rows.
constexpr LogitMemory kBlockwise{1, 130 * MadePredictions::kVocab * sizeof(float)};

TEST(Likelihood, BlocksGiveTheBitsOfWhatIsHeld) {
  WorkerPool pool(2);
  const std::vector<std::int32_t> targets = some_targets();
  const MadePredictions coded(kRows, 2);
  const MadePredictions whole(kRows, 1);
  const ReferenceLikelihood held(whole.logits(0, kRows), targets, MadePredictions::kVocab, pool);
  const Sample expected = held.compare(coded.logits(0, kRows), pool);
  auto made = std::make_unique<MadePredictions>(kRows, 1);
  const MadePredictions& reference = *made;
  const ReferenceLikelihood blocks(std::move(made), targets, MadePredictions::kVocab, pool,
                                   kBlockwise);
  EXPECT_EQ(blocks.nll(), held.nll());
  coded.asked.clear();
  const Sample sample = blocks.compare(coded, pool);
  EXPECT_EQ(sample.nll_tokens, expected.nll_tokens);
  EXPECT_EQ(sample.kld_tokens, expected.kld_tokens);
  EXPECT_EQ(sample.nll_reference_tokens, expected.nll_reference_tokens);
  EXPECT_EQ(sample.top1_tokens, expected.top1_tokens);
  EXPECT_EQ(sample.kld_mean, expected.kld_mean);
  EXPECT_EQ(sample.delta_p_max, expected.delta_p_max);
  EXPECT_EQ(blocks.compare(coded.logits(0, kRows), pool).kld_tokens, expected.kld_tokens);
  // At no time more than a block of either pass.
  EXPECT_EQ(coded.asked[0], 128u);
  EXPECT_EQ(*std::max_element(reference.asked.begin(), reference.asked.end()), 128u);
  // What the limit allows is made once and held.
  auto again = std::make_unique<MadePredictions>(kRows, 1);
  ReferenceLikelihood first(std::move(again), targets, MadePredictions::kVocab, pool);
  const ReferenceLikelihood moved = std::move(first);
  EXPECT_EQ(moved.compare(coded, pool).kld_tokens, expected.kld_tokens);
}

TEST(Likelihood, EqualPredictionsInBlocksGiveExactlyZero) {
  WorkerPool pool(2);
  const ReferenceLikelihood reference(std::make_unique<MadePredictions>(kRows, 1), some_targets(),
                                      MadePredictions::kVocab, pool, kBlockwise);
  const Sample sample = reference.compare(MadePredictions(kRows, 1), pool);
  EXPECT_EQ(sample.kld_max, 0.0);
  EXPECT_EQ(sample.delta_p_max, 0.0);
  EXPECT_EQ(sample.delta_ppl, 0.0);
  EXPECT_EQ(sample.top1, 1.0);
}

TEST(Likelihood, BlocksRefuseWhatIsRefusedWhenHeld) {
  WorkerPool pool(2);
  const auto make = [&](MadePredictions predictions, std::vector<std::int32_t> targets) {
    return ReferenceLikelihood(std::make_unique<MadePredictions>(std::move(predictions)), targets,
                               MadePredictions::kVocab, pool, kBlockwise);
  };
  const std::vector<std::int32_t> targets = some_targets();
  MadePredictions bad(kRows, 1);
  bad.bad = 200 * MadePredictions::kVocab + 3;
  EXPECT_NE(testing::message_of<InputError>([&] { make(bad, targets); }).find("token 200"),
            std::string::npos);
  EXPECT_THROW(make(MadePredictions(kRows - 1, 1), targets), InputError);
  std::vector<std::int32_t> beyond = targets;
  beyond.back() = MadePredictions::kVocab;
  EXPECT_THROW(make(MadePredictions(kRows, 1), beyond), InputError);
  const ReferenceLikelihood reference = make(MadePredictions(kRows, 1), targets);
  EXPECT_NE(
      testing::message_of<InputError>([&] { reference.compare(bad, pool); }).find("token 200"),
      std::string::npos);
  EXPECT_THROW(reference.compare(MadePredictions(kRows + 1, 1), pool), InputError);
  EXPECT_THROW(reference.compare(*held_predictions(std::vector<float>(2 * kRows), 2), pool),
               InputError);
}

TEST(Likelihood, WhatTheModelComparesItselfIsTaken) {
  WorkerPool pool(2);
  auto made = std::make_unique<MadePredictions>(kRows, 1);
  made->there = true;
  const MadePredictions& seen = *made;
  const ReferenceLikelihood reference(std::move(made), some_targets(), MadePredictions::kVocab,
                                      pool);
  EXPECT_EQ(reference.nll(), std::vector<double>(kRows, 2));
  MadePredictions coded(kRows, 2);
  coded.there = true;
  const Sample sample = reference.compare(coded, pool);
  EXPECT_EQ(sample.kld_mean, 0.5);
  EXPECT_EQ(sample.nll, 3.0);
  EXPECT_EQ(sample.nll_reference_tokens, std::vector<double>(kRows, 2));
  EXPECT_TRUE(seen.asked.empty() && coded.asked.empty());
  // Of another place: here, block by block.
  coded.there = false;
  const Sample here = reference.compare(coded, pool);
  const ReferenceLikelihood held(MadePredictions(kRows, 1).logits(0, kRows), some_targets(),
                                 MadePredictions::kVocab, pool);
  EXPECT_EQ(here.kld_tokens, held.compare(coded, pool).kld_tokens);
  EXPECT_EQ(here.nll_reference_tokens, held.nll());
}

TEST(Likelihood, PerplexityChangeIsRelative) {
  EXPECT_NEAR(relative_perplexity_change(std::log(11.0), std::log(10.0)), 0.1, 1e-12);
  EXPECT_NEAR(relative_perplexity_change(std::log(8.0), std::log(10.0)), -0.2, 1e-12);
  EXPECT_EQ(mean_of(std::vector<double>{1, 2, 6}), 3);
  EXPECT_THROW(mean_of({}), InputError);
}

}  // namespace
}  // namespace kakeya
