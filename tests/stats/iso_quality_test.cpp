// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/iso_quality.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// scipy 1.17.1: scipy.optimize.isotonic_regression(values, weights, increasing=False).x
TEST(Isotonic, AgainstReference) {
  const std::vector<double> values = {5, 3, 4, 2, 2.5, 2.2, 1}, weights = {1, 1, 2, 1, 1, 1, 1};
  const std::vector<double> expected = {5, 11.0 / 3, 11.0 / 3, 2.25, 2.25, 2.2, 1};
  const std::vector<double> fit = isotonic_decreasing(values, weights);
  ASSERT_EQ(fit.size(), expected.size());
  for (std::size_t i = 0; i < fit.size(); ++i) EXPECT_NEAR(fit[i], expected[i], 1e-14) << i;
}

// The fit is characterised by: non-increasing, and for every i the residuals of a prefix sum to >=
// 0, of the whole to 0.
TEST(Isotonic, SatisfiesItsOptimalityConditions) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0.1, 2);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> values(17), weights(17);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = uniform(random) - 0.05 * static_cast<double>(i);
      weights[i] = uniform(random);
    }
    const std::vector<double> fit = isotonic_decreasing(values, weights);
    double residual = 0, energy = 0;
    for (std::size_t i = 0; i < fit.size(); ++i) {
      if (i > 0) {
        EXPECT_LE(fit[i], fit[i - 1]);
      }
      residual += weights[i] * (values[i] - fit[i]);
      energy += weights[i] * (values[i] - fit[i]) * fit[i];
      EXPECT_LE(residual, 1e-12);
    }
    EXPECT_NEAR(residual, 0, 1e-12);
    EXPECT_NEAR(energy, 0, 1e-12);
  }
}

TEST(Isotonic, RefusesNonsense) {
  EXPECT_THROW(isotonic_decreasing(std::vector<double>{1}, std::vector<double>{}), InputError);
  EXPECT_THROW(isotonic_decreasing(std::vector<double>{std::nan("")}, std::vector<double>{1}),
               InputError);
  EXPECT_THROW(isotonic_decreasing(std::vector<double>{1}, std::vector<double>{0}), InputError);
  EXPECT_TRUE(isotonic_decreasing({}, {}).empty());
}

std::vector<OperatingPoint> exact_curve() {
  std::vector<OperatingPoint> points;
  for (double bits : {6.0, 2.0, 3.0, 4.5, 8.0}) points.push_back({bits, 3 * std::exp2(-2 * bits)});
  return points;
}

// On c 2^(-2R) log-linear interpolation is exact at every rate between the ends.
TEST(RateAtLoss, ExactOnAnExponential) {
  for (double bits = 2; bits <= 8; bits += 0.125) {
    const RateAtLoss answer = rate_at_loss(exact_curve(), 3 * std::exp2(-2 * bits));
    ASSERT_EQ(answer.where, RateAtLoss::Where::inside) << bits;
    EXPECT_NEAR(answer.rate, bits, 1e-12);
  }
}

// The published interpolation between tq b=3 (56.02 %) and b=4 (4.59 %) at 17.00 %: 3.477 bits.
TEST(RateAtLoss, PublishedInterpolation) {
  const std::vector<OperatingPoint> points = {{3, 0.5602}, {4, 0.0459}};
  EXPECT_NEAR(rate_at_loss(points, 0.17).rate, 3.477, 5e-4);
}

TEST(RateAtLoss, NeverExtrapolates) {
  const RateAtLoss lossy = rate_at_loss(exact_curve(), 3 * std::exp2(-16.01));
  EXPECT_EQ(lossy.where, RateAtLoss::Where::too_lossy);
  EXPECT_EQ(lossy.rate, 8);
  const RateAtLoss fine = rate_at_loss(exact_curve(), 3 * std::exp2(-3.99));
  EXPECT_EQ(fine.where, RateAtLoss::Where::too_fine);
  EXPECT_EQ(fine.rate, 2);
  EXPECT_EQ(rate_at_loss({}, 0.1).where, RateAtLoss::Where::unmeasured);
}

TEST(RateAtLoss, NoisyPointsArePooledFirst) {
  // 4 and 5 bits are out of order: both become exp((log .01 + log .04) / 2) = 0.02, reached first
  // at 4 bits.
  const std::vector<OperatingPoint> points = {{3, 0.1}, {4, 0.01}, {5, 0.04}, {6, 0.001}};
  EXPECT_NEAR(rate_at_loss(points, 0.0200001).rate, 4, 1e-5);
  EXPECT_NEAR(rate_at_loss(points, 0.0199999).rate, 5, 1e-5);
  EXPECT_NEAR(rate_at_loss(points, std::sqrt(0.1 * 0.02)).rate, 3.5, 1e-9);
}

TEST(RateAtLoss, EqualRatesAndZeroLoss) {
  const std::vector<OperatingPoint> points = {
      {3, 0.1}, {4, 0.001}, {4, 0.004}, {4, 0.002}, {16, 0}};
  EXPECT_NEAR(rate_at_loss(points, 0.002).rate, 4, 1e-9);
  EXPECT_EQ(rate_at_loss(points, 0.0019).where, RateAtLoss::Where::too_lossy);
  EXPECT_EQ(rate_at_loss(std::vector<OperatingPoint>{{16, 0}}, 0.1).where,
            RateAtLoss::Where::unmeasured);
  EXPECT_THROW(rate_at_loss(points, 0), InputError);
  EXPECT_THROW(rate_at_loss(std::vector<OperatingPoint>{{3, -1}}, 0.1), InputError);
}

}  // namespace
}  // namespace kakeya
