// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/normal_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/stats/central_moments.h"
#include "kakeya/stats/quantile.h"

namespace kakeya {
namespace {

constexpr std::size_t kCount = 200000;

/// The middles of kCount equal steps of a distribution, given its inverse.
template <typename Inverse>
std::vector<double> middles(Inverse&& inverse) {
  std::vector<double> numbers(kCount);
  for (std::size_t k = 0; k < kCount; ++k) {
    numbers[k] = inverse((static_cast<double>(k) + 0.5) / static_cast<double>(kCount));
  }
  return numbers;
}

double laplace(double u) {  // variance 1
  return (u < 0.5 ? std::log(2 * u) : -std::log(2 * (1 - u))) / std::numbers::sqrt2;
}

double uniform(double u) { return std::sqrt(12.0) * (u - 0.5); }

std::vector<double> drawn(std::size_t count, std::uint64_t seed) {
  const Random random(seed);
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = random.normal(i);
  return numbers;
}

std::vector<double> sorted(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

TEST(CentralMoments, KurtosisOfUniformLaplaceAndNormal) {
  EXPECT_NEAR(central_moments(middles(uniform)).kurtosis(), 1.8, 1e-6);
  EXPECT_NEAR(central_moments(middles(laplace)).kurtosis(), 6, 0.01);
  EXPECT_NEAR(central_moments(drawn(kCount, 1)).kurtosis(), 3, 0.05);
  std::vector<double> shifted = middles(uniform);
  for (double& number : shifted) number += 7;
  EXPECT_NEAR(central_moments(shifted).mean, 7, 1e-9);
  EXPECT_NEAR(central_moments(shifted).kurtosis(), 1.8, 1e-6);
  EXPECT_THROW(central_moments({}), InputError);
}

TEST(NormalDistance, ShapeOfUniformInClosedForm) {
  // C = sqrt(12) int (u - 1/2) Phi^-1(u) du = sqrt(12) int phi^2 = sqrt(3 / pi).
  const NormalDistance distance(kCount);
  const double expected = 2 - 2 * std::sqrt(3 / std::numbers::pi);
  EXPECT_NEAR(distance.shape_squared(middles(uniform)), expected, 1e-4 * expected);
}

TEST(NormalDistance, ShapeOfLaplaceByQuadrature) {
  // C = int F^-1 Phi^-1 du by symmetry 2 int_0^inf z L(z) phi(z) dz, L(z) = -log(2 Q(z)) / sqrt(2),
  // Q the normal tail.
  double integral = 0;
  constexpr double kStep = 1e-4;
  for (double z = kStep / 2; z < 12; z += kStep) {
    const double tail = 0.5 * std::erfc(z / std::numbers::sqrt2);
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    integral += 2 * z * -std::log(2 * tail) / std::numbers::sqrt2 * density * kStep;
  }
  const double expected = 2 - 2 * integral;
  EXPECT_NEAR(expected, 0.03731, 1e-4);  // the quadrature itself, as it was computed once
  const NormalDistance distance(kCount);
  EXPECT_NEAR(distance.shape_squared(middles(laplace)), expected, 0.01 * expected);
}

TEST(NormalDistance, LocationScaleAndShapeAddUp) {
  const NormalDistance distance(500);
  const std::vector<double> numbers = sorted(drawn(500, 3));
  const CentralMoments moments = central_moments(numbers);
  const double d = std::sqrt(moments.variance), shape = distance.shape_squared(numbers);
  EXPECT_NEAR(distance.squared(numbers, moments.mean, d), d * d * shape, 1e-12);
  EXPECT_NEAR(distance.squared(numbers, moments.mean + 0.5, d), 0.25 + d * d * shape, 1e-12);
  std::vector<double> moved = numbers;
  for (double& number : moved) number = 5 + 3 * number;
  EXPECT_NEAR(distance.shape_squared(moved), shape, 1e-12);
}

TEST(NormalDistance, TwoNumbersByHand) {
  // -1 and 1 against N(0, 1): C = phi(0) + phi(0), W2^2 = 1 + 1 - 2 C.
  const std::vector<double> numbers = {-1, 1};
  const double expected = 2 - 4 / std::sqrt(2 * std::numbers::pi);
  EXPECT_NEAR(NormalDistance(2).squared(numbers, 0, 1), expected, 1e-14);
  // Phi^-1(1/4) = -0.6744897501960817.
  const double middle = 1 - 0.6744897501960817;
  EXPECT_NEAR(NormalDistance(2).midpoint_squared(numbers, 1), middle * middle, 1e-14);
}

TEST(NormalDistance, NormalSamplesAreNearAndNearerTheMoreThereAre) {
  const double few = NormalDistance(100).shape_squared(sorted(drawn(100, 5)));
  const double many = NormalDistance(100000).shape_squared(sorted(drawn(100000, 5)));
  EXPECT_LT(few, 0.2);
  EXPECT_LT(many, 1e-3);
  EXPECT_GT(few, 4 * many);
}

TEST(NormalDistance, ShiftOfExactQuantilesIsTheDistance) {
  const NormalDistance distance(1000);
  std::vector<double> numbers = sorted(drawn(1000, 9));
  const double before = distance.squared(numbers, 0, 1), mean = central_moments(numbers).mean;
  for (double& number : numbers) number += 0.25;
  EXPECT_NEAR(distance.squared(numbers, 0, 1) - before, 0.0625 + 0.5 * mean, 1e-12);
}

TEST(NormalDistance, RefusesOtherCountsAndConstants) {
  EXPECT_THROW(NormalDistance(0), InputError);
  const std::vector<double> three = {1, 2, 3}, equal = {2, 2};
  EXPECT_THROW(NormalDistance(2).squared(three, 0, 1), InputError);
  EXPECT_THROW(NormalDistance(2).shape_squared(equal), InputError);
}

TEST(Quantile, LinearBetweenNeighbours) {
  const std::vector<double> numbers = {1, 2, 4};
  EXPECT_EQ(quantile(numbers, 0), 1);
  EXPECT_EQ(quantile(numbers, 0.5), 2);
  EXPECT_DOUBLE_EQ(quantile(numbers, 0.75), 3);
  EXPECT_EQ(quantile(numbers, 1), 4);
  EXPECT_THROW(quantile(numbers, 1.5), InputError);
  EXPECT_THROW(quantile({}, 0.5), InputError);
}

}  // namespace
}  // namespace kakeya
