// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/distortion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

TEST(Distortion, ClosedFormOfASmallCase) {
  Distortion d;
  d.add(std::vector<float>{3, 4, 0},
        std::vector<float>{3, 0, 4});  // error 32, energy 25, cosine 9/25
  d.add(std::vector<float>{0, 0, 5}, std::vector<float>{0, 0, 4});  // error 1, energy 25, cosine 1
  EXPECT_DOUBLE_EQ(d.rel_mse(), 33.0 / 50.0);
  EXPECT_DOUBLE_EQ(d.sqnr_db(), -10 * std::log10(33.0 / 50.0));
  EXPECT_DOUBLE_EQ(d.mean_cosine(), (9.0 / 25.0 + 1.0) / 2);
  EXPECT_DOUBLE_EQ(d.max_abs_error(), 4);
  EXPECT_EQ(d.vectors(), 2u);
  EXPECT_EQ(d.values(), 6u);
}

TEST(Distortion, ExactCopiesAndZeroVectors) {
  Distortion exact;
  exact.add(std::vector<float>{0, 0}, std::vector<float>{0, 0});
  EXPECT_EQ(exact.rel_mse(), 0);
  EXPECT_EQ(exact.mean_cosine(), 1);
  EXPECT_EQ(exact.sqnr_db(), std::numeric_limits<double>::infinity());
  Distortion invented;
  invented.add(std::vector<float>{0, 0}, std::vector<float>{0, 1});
  EXPECT_EQ(invented.rel_mse(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(invented.mean_cosine(), 0);
  Distortion lost;
  lost.add(std::vector<float>{2, 1}, std::vector<float>{0, 0});
  EXPECT_EQ(lost.rel_mse(), 1);
  EXPECT_EQ(lost.sqnr_db(), 0);
  EXPECT_EQ(lost.mean_cosine(), 0);
}

// x ~ N(0, 1) rounded to a grid of step s: mean square error s^2 / 12 (Bennett), so rel-MSE s^2
// / 12. Over 2^20 scalars the relative standard error of the sum of squared errors is sqrt(4/5 / n)
// = 0.09 %, of the energy sqrt(2 / n) = 0.14 %.
TEST(Distortion, UniformRoundingNoise) {
  std::mt19937_64 random(1);
  std::normal_distribution<float> normal;
  const float step = 0.25f;
  Distortion d;
  std::vector<float> x(128), y(128);
  for (int row = 0; row < 8192; ++row) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = normal(random);
      y[i] = std::nearbyint(x[i] / step) * step;
    }
    d.add(x, y);
  }
  const double expected = step * step / 12.0;
  EXPECT_NEAR(d.rel_mse(), expected, 0.006 * expected);
  EXPECT_NEAR(d.mean_cosine(), 1 / std::sqrt(1 + expected), 1e-4);
  EXPECT_LE(d.max_abs_error(), step / 2);
  EXPECT_GT(d.max_abs_error(), 0.499 * step);
}

TEST(Distortion, SumsInDoubleOverExtremeScalars) {
  const float big = std::numeric_limits<float>::max(),
              tiny = std::numeric_limits<float>::denorm_min();
  Distortion d;
  d.add(std::vector<float>{big, big}, std::vector<float>{-big, big});
  EXPECT_DOUBLE_EQ(d.rel_mse(), 2);
  EXPECT_DOUBLE_EQ(d.max_abs_error(), 2.0 * big);
  Distortion small;
  small.add(std::vector<float>{tiny}, std::vector<float>{2 * tiny});
  EXPECT_DOUBLE_EQ(small.rel_mse(), 1);
  EXPECT_DOUBLE_EQ(small.mean_cosine(), 1);
}

TEST(Distortion, MergeEqualsAddingEverything) {
  std::mt19937_64 random(2);
  std::normal_distribution<float> normal;
  Distortion all, left, right;
  for (int row = 0; row < 20; ++row) {
    std::vector<float> x(7), y(7);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = normal(random), y[i] = x[i] + 0.1f * normal(random);
    all.add(x, y);
    (row < 11 ? left : right).add(x, y);
  }
  left.merge(right);
  EXPECT_NEAR(left.rel_mse(), all.rel_mse(), 1e-15);
  EXPECT_NEAR(left.mean_cosine(), all.mean_cosine(), 1e-14);
  EXPECT_EQ(left.max_abs_error(), all.max_abs_error());
  EXPECT_EQ(left.values(), 140u);
}

TEST(Distortion, RefusesWhatItCannotMeasure) {
  Distortion d;
  EXPECT_THROW(d.rel_mse(), InputError);
  EXPECT_THROW(d.sqnr_db(), InputError);
  EXPECT_THROW(d.mean_cosine(), InputError);
  EXPECT_THROW(d.max_abs_error(), InputError);
  EXPECT_THROW(d.add(std::vector<float>{1, 2}, std::vector<float>{1}), InputError);
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              inf = std::numeric_limits<float>::infinity();
  EXPECT_THROW(d.add(std::vector<float>{1}, std::vector<float>{nan}), InputError);
  EXPECT_THROW(d.add(std::vector<float>{inf}, std::vector<float>{1}), InputError);
  EXPECT_EQ(d.vectors(), 0u);
  d.add(std::vector<float>{1}, std::vector<float>{1});
  EXPECT_EQ(d.rel_mse(), 0);
}

}  // namespace
}  // namespace kakeya
