// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/classes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/codec/klt_plan.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

constexpr std::size_t kDim = 16, kCount = 4096;

// Coordinate j has deviation 2^(1 - j / 4): a class each, when they are normal.
double deviation(std::size_t j) { return std::exp2(1 - static_cast<double>(j) / 4); }

std::vector<float> sample_of(std::uint64_t seed) {
  const Random random(seed);
  std::vector<float> y(kCount * kDim);
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = static_cast<float>(random.normal(i) * deviation(i % kDim));
  }
  return y;
}

TEST(Classes, FollowDeviations) {
  const auto y = sample_of(1);
  for (const int quarters : {0, 4, 12}) {
    const auto classes = choose_classes(dense_rows(y.data(), kCount, kDim), quarters);
    ASSERT_EQ(classes.size(), kDim);
    for (std::size_t j = 0; j < kDim; ++j) {
      const double octaves = std::log2(deviation_of_class(classes[j] % kDeviations) / deviation(j));
      EXPECT_LT(octaves, 0.3) << j << " at " << quarters;
      // Of coordinates that are always rounded to 0, the least class is the cheapest.
      if (deviation(j) * std::exp2(quarters / 4.0) < 0.3) continue;
      EXPECT_GT(octaves, -0.3) << j << " at " << quarters;
    }
  }
}

// A coordinate of rare large values is not coded as a normal one of the same deviation.
TEST(Classes, FollowShapes) {
  auto y = sample_of(2);
  const Random random(3);
  for (std::size_t row = 0; row < kCount; ++row) {
    const bool large = random.uniform(row) < 0.1;
    y[row * kDim] *= large ? 3.0f : 0.2f;
  }
  const auto classes = choose_classes(dense_rows(y.data(), kCount, kDim), 8);
  EXPECT_NE(classes[0] / kDeviations, 0);
  EXPECT_EQ(classes[1] / kDeviations, 0);
}

TEST(Classes, SamplesAreCodedToTheNearestPoints) {
  const auto y = sample_of(4);
  for (const int quarters : {0, 8}) {
    auto coded = y;
    round_to_points(dense_rows(coded.data(), kCount, kDim), quarters);
    const double step = std::exp2(-quarters / 4.0);
    double error = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double twice = 2 * coded[i] / step;
      ASSERT_EQ(twice, std::round(twice));
      error += std::pow((double{coded[i]} - y[i]) / step, 2);
    }
    error /= static_cast<double>(y.size());
    if (quarters == 8) {  // every coordinate beyond its step: the second moment of E8's cell
      EXPECT_NEAR(error, 0.0717, 0.001);
    } else {
      EXPECT_LT(error, 0.0717);
    }
  }
}

}  // namespace
}  // namespace kakeya
