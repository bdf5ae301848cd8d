// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/stats/entropy_power.h"
#include "kakeya/stats/second_moments.h"
#include "kakeya/stats/water_filling.h"

namespace kakeya {
namespace {

/// -integral of f ln f by the trapezium rule in u, x = sinh(u), which reaches far into the tails.
template <typename Density>
double entropy_by_integration(Density density) {
  constexpr double kStep = 1e-3;
  double total = 0;
  for (double u = -30; u <= 30; u += kStep) {
    const double f = density(std::sinh(u));
    if (f > 0) total -= f * std::log(f) * std::cosh(u) * kStep;
  }
  return total;
}

double power_of(double entropy_nats, double variance) {
  return std::exp(2 * entropy_nats) / (2 * std::numbers::pi * std::numbers::e * variance);
}

TEST(EntropyPower, IsThatOfTheDensity) {
  const auto laplace = [](double x) { return std::exp(-std::fabs(x)) / 2; };
  EXPECT_NEAR(laplace_entropy_power(), power_of(entropy_by_integration(laplace), 2), 1e-6);
  for (const double n : {2.5, 3.0, 5.0, 30.0}) {
    const double scale =
        std::exp(std::lgamma((n + 1) / 2) - std::lgamma(n / 2)) / std::sqrt(n * std::numbers::pi);
    const auto student_t = [&](double x) { return scale * std::pow(1 + x * x / n, -(n + 1) / 2); };
    EXPECT_NEAR(student_t_entropy_power(n),
                power_of(entropy_by_integration(student_t), n / (n - 2)), 1e-6)
        << n;
  }
  EXPECT_NEAR(uniform_entropy_power(), power_of(std::log(2.0), 4.0 / 12), 1e-12);
  EXPECT_NEAR(student_t_entropy_power(1e7), 1, 1e-6);  // the Gaussian
  for (const double n : {2.0, 0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(student_t_entropy_power(n), InputError) << n;
}

TEST(WaterFilling, OneComponentIsShannonsBound) {
  const WaterFilling one({3.0});
  for (const double bits : {0.0, 0.5, 1.0, 4.0})
    EXPECT_NEAR(one.distortion(bits), 3 * std::exp2(-2 * bits), 1e-14) << bits;
  const WaterFilling same({2.0, 2.0, 2.0});
  EXPECT_NEAR(same.distortion(1.25), 2 * std::exp2(-2.5), 1e-14);
}

// Variances 16 and 1: below the rate at which the level reaches 1 (2 bits in all, 1 a component)
// only the first is coded.
TEST(WaterFilling, TwoComponents) {
  const WaterFilling two({1.0, 16.0});
  EXPECT_DOUBLE_EQ(two.distortion(0), 8.5);
  EXPECT_DOUBLE_EQ(two.distortion(0.5), (4.0 + 1.0) / 2);
  EXPECT_DOUBLE_EQ(two.distortion(1), 1.0);
  EXPECT_DOUBLE_EQ(two.distortion(3), std::exp2(-4.0));  // sqrt(16 * 1) 2^-6
}

// Against the definition: for any level, its rate and its distortion.
TEST(WaterFilling, FollowsTheParametricForm) {
  std::vector<double> variances = {0, 0};
  const Random random(3);
  for (std::uint64_t i = 0; i < 97; ++i) variances.push_back(std::exp(3 * random.normal(i)));
  const WaterFilling filling(variances);
  for (double level = 1e-6; level < 5000; level *= 1.7) {
    double bits = 0, distortion = 0;
    for (const double v : variances) {
      bits += v > level ? std::log2(v / level) / 2 : 0;
      distortion += std::min(v, level);
    }
    const double n = static_cast<double>(variances.size());
    EXPECT_NEAR(filling.distortion(bits / n) / (distortion / n), 1, 1e-9) << level;
  }
}

TEST(WaterFilling, EdgesAndNonsense) {
  EXPECT_EQ(WaterFilling({0.0, 0.0}).distortion(3), 0);
  EXPECT_THROW(WaterFilling({}), InputError);
  EXPECT_THROW(WaterFilling({1.0, -1e-9}), InputError);
  EXPECT_THROW(WaterFilling({std::nan("")}), InputError);
  EXPECT_THROW(WaterFilling({1.0}).distortion(-1), InputError);
  EXPECT_THROW(WaterFilling({1.0}).distortion(std::nan("")), InputError);
}

TEST(SecondMoments, SmallCaseByHand) {
  // (1, 1) and (3, -1): mean (2, 0), E[x x^T] = [5 -1; -1 1], covariance [1 -1; -1 1]. The third
  // number of each row is not theirs.
  const std::vector<float> x = {1, 1, 99, 3, -1, 99};
  SecondMoments moments(2);
  moments.add({x.data(), 2, 2, 3});
  EXPECT_EQ(moments.vectors(), 2u);
  EXPECT_DOUBLE_EQ(moments.mean_square(), 3);
  EXPECT_DOUBLE_EQ(moments.mean_square_of_mean(), 2);
  const std::vector<double> whole = moments.eigenvalues(false), centred = moments.eigenvalues(true);
  EXPECT_NEAR(whole[0], 3 - std::sqrt(5.0), 1e-12);
  EXPECT_NEAR(whole[1], 3 + std::sqrt(5.0), 1e-12);
  EXPECT_NEAR(centred[0], 0, 1e-12);
  EXPECT_NEAR(centred[1], 2, 1e-12);
}

// y = A x of white x with A = diag(3, 1, 0.1) after a rotation: the squares 9, 1, 0.01 come back.
TEST(SecondMoments, FindsTheSpectrumInAnyBasis) {
  constexpr std::size_t kVectors = 20000;
  const double angle = 0.7, c = std::cos(angle), s = std::sin(angle);
  const Random random(11);
  std::vector<float> y(3 * kVectors);
  for (std::size_t i = 0; i < kVectors; ++i) {
    const double a = 3 * random.normal(3 * i), b = random.normal(3 * i + 1);
    y[3 * i] = static_cast<float>(c * a - s * b + 7);
    y[3 * i + 1] = static_cast<float>(s * a + c * b);
    y[3 * i + 2] = static_cast<float>(0.1 * random.normal(3 * i + 2) - 5);
  }
  SecondMoments moments(3), halves(3);
  moments.add(dense_rows<const float>(y.data(), kVectors, 3));
  halves.add(dense_rows<const float>(y.data(), 777, 3));
  halves.add(dense_rows<const float>(y.data() + 3 * 777, kVectors - 777, 3));
  const std::vector<double> values = moments.eigenvalues(true);
  EXPECT_NEAR(values[0], 0.01, 0.0005);
  EXPECT_NEAR(values[1], 1, 0.05);
  EXPECT_NEAR(values[2], 9, 0.4);
  EXPECT_NEAR(moments.mean_square_of_mean(), (49 + 25) / 3.0, 0.2);
  const std::vector<double> again = halves.eigenvalues(true);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(again[i] / values[i], 1, 1e-9);
}

TEST(SecondMoments, RefusesNonsense) {
  EXPECT_THROW(SecondMoments(0), InputError);
  SecondMoments moments(2);
  EXPECT_EQ(moments.mean_square(), 0);
  EXPECT_THROW(moments.eigenvalues(true), InputError);
  std::vector<float> x = {1, 2, 3, std::nanf("")};
  EXPECT_THROW(moments.add(dense_rows<const float>(x.data(), 1, 3)), InputError);
  moments.add(dense_rows<const float>(x.data(), 2, 2));
  EXPECT_THROW(moments.eigenvalues(false), InputError);
}

}  // namespace
}  // namespace kakeya
