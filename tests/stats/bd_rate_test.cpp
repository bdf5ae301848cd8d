// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/bd_rate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/stats/monotone_cubic.h"

namespace kakeya {
namespace {

// scipy 1.17.1: scipy.interpolate.PchipInterpolator(x, y), its values and .integrate(from, to).
TEST(MonotoneCubic, AgainstReference) {
  const std::vector<double> x = {0, 1, 2.5, 3, 5}, y = {1, 2, 2.2, 5, 4.5};
  const MonotoneCubic curve(x, y);
  EXPECT_NEAR(curve.at(0.3), 1.3983401652892562, 1e-14);
  EXPECT_NEAR(curve.at(1.7), 2.085428517827345, 1e-14);
  EXPECT_NEAR(curve.at(2.9), 4.7137548387096775, 1e-14);
  EXPECT_NEAR(curve.at(4), 4.9375, 1e-14);
  EXPECT_NEAR(curve.at(5), 4.5, 1e-14);
  EXPECT_NEAR(curve.integral(0.3, 4), 11.160503104120384, 1e-13);
  EXPECT_NEAR(curve.integral(4, 0.3), -11.160503104120384, 1e-13);
  EXPECT_NEAR(curve.integral(0, 5), 16.286435765277407, 1e-13);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(curve.at(x[i]), y[i]);
}

TEST(MonotoneCubic, StraightLinesStayStraight) {
  const std::vector<double> x = {-1, 0.5, 4}, y = {3, 0, -7}, ends = {0, 2}, values = {1, 5};
  EXPECT_NEAR(MonotoneCubic(x, y).at(2), -3, 1e-15);
  EXPECT_NEAR(MonotoneCubic(x, y).integral(-1, 4), -10, 1e-14);
  EXPECT_NEAR(MonotoneCubic(ends, values).at(0.5), 2, 1e-15);
}

TEST(MonotoneCubic, RefusesNonsense) {
  const std::vector<double> x = {0, 1}, repeated = {1, 1}, one = {1};
  EXPECT_THROW(MonotoneCubic(one, one), InputError);
  EXPECT_THROW(MonotoneCubic(repeated, x), InputError);
  EXPECT_THROW(MonotoneCubic(x, one), InputError);
  EXPECT_THROW(MonotoneCubic(x, x).at(1.1), InputError);
  EXPECT_THROW(MonotoneCubic(x, x).integral(-1, 0), InputError);
}

std::vector<OperatingPoint> curve(double factor, double scale = 1, double offset = 0) {
  std::vector<OperatingPoint> points;
  for (double bits : {6.0, 2.0, 3.0, 4.5, 8.0})
    points.push_back({scale * bits + offset, factor * std::exp2(-2 * bits)});
  return points;
}

// All rates times 0.8 are 20 % less at every loss; half a bit less is half a bit less.
TEST(BdRate, ShiftsAreReadBack) {
  const auto less = bd_rate(curve(3, 0.8), curve(3));
  ASSERT_TRUE(less);
  EXPECT_NEAR(less->ratio, 0.8, 1e-12);
  EXPECT_NEAR(less->low_loss, 3 * std::exp2(-16), 1e-15);
  EXPECT_NEAR(less->high_loss, 3 * std::exp2(-4), 1e-12);
  const auto fewer = bd_rate(curve(3, 1, -0.5), curve(3));
  ASSERT_TRUE(fewer);
  EXPECT_NEAR(fewer->bits, -0.5, 1e-12);
  // Turned round it is the reciprocal.
  EXPECT_NEAR(bd_rate(curve(3), curve(3, 0.8))->ratio, 1.25, 1e-12);
  EXPECT_NEAR(bd_rate(curve(3), curve(3))->ratio, 1, 1e-15);
}

// On c 4^-R a loss of 4^x times as much is worth x bits at every rate.
TEST(BdRate, AFactorOnTheLossIsBits) {
  const auto worse = bd_rate(curve(3 * std::exp2(2 * 0.25)), curve(3));
  ASSERT_TRUE(worse);
  EXPECT_NEAR(worse->bits, 0.25, 1e-12);
  EXPECT_GT(worse->ratio, 1);
}

// scipy 1.17.1: PchipInterpolator(ln loss, ln rate) of both, integrated over the common range,
// difference over its width; for `bits` the same with the rates themselves.
TEST(BdRate, AgainstReference) {
  const std::vector<OperatingPoint> d4 = {{3.505, .290},    {4.005, .105},   {4.755, .0367},
                                          {5.255, .0157},   {5.755, .00733}, {6.755, .00292},
                                          {7.755, 6.75e-4}, {8.755, 2.19e-4}},
                                    tq = {{2.505, 4.63},   {3.505, .423},  {4.505, .0590},
                                          {5.505, .0134},  {6.505, .0026}, {7.505, 7.67e-4},
                                          {8.505, 2.43e-4}},
                                    ece8 = {{3.151, .119},  {3.645, .0568},  {4.142, .0284},
                                            {4.640, .0129}, {5.140, .00656}, {6.140, .00167}};
  const auto scalar = bd_rate(tq, d4), coded = bd_rate(ece8, d4);
  ASSERT_TRUE(scalar && coded);
  EXPECT_NEAR(scalar->ratio, 1.0036006179199803, 1e-12);
  EXPECT_NEAR(scalar->bits, -0.017927372303000233, 1e-12);
  EXPECT_NEAR(scalar->low_loss, 2.43e-4, 1e-15);
  EXPECT_NEAR(scalar->high_loss, 0.29, 1e-12);
  EXPECT_NEAR(coded->ratio, 0.8473173926397884, 1e-12);
  EXPECT_NEAR(coded->bits, -0.8156617737188956, 1e-12);
}

// What the fit pools is one point: 4 and 5 bits, out of order, become 4.5 bits at 0.02.
TEST(BdRate, NoisyPointsArePooledFirst) {
  const std::vector<OperatingPoint> noisy = {{3, 0.1}, {4, 0.01}, {5, 0.04}, {6, 0.001}},
                                    pooled = {{3, 0.1}, {4.5, 0.02}, {6, 0.001}};
  EXPECT_NEAR(bd_rate(noisy, curve(3))->ratio, bd_rate(pooled, curve(3))->ratio, 1e-12);
}

TEST(BdRate, NothingToCompare) {
  const std::vector<OperatingPoint> one = {{3, 0.1}}, flat = {{3, 0.1}, {4, 0.2}},
                                    none = {{3, 0.1}, {0, 1}};
  EXPECT_FALSE(bd_rate(one, curve(3)));
  EXPECT_FALSE(bd_rate(flat, curve(3)));  // pooled into one point
  EXPECT_FALSE(bd_rate(curve(3), curve(1e9)));
  EXPECT_THROW(bd_rate(none, curve(3)), InputError);
}

}  // namespace
}  // namespace kakeya
