// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/stats/paired.h"

namespace kakeya {
namespace {

const std::vector<double> kFirst = {0.0231, 0.0252, 0.0268, 0.0219, 0.0240, 0.0301, 0.0244, 0.0225};
const std::vector<double> kSecond = {0.0330, 0.0361, 0.0395, 0.0301,
                                     0.0352, 0.0420, 0.0318, 0.0347};

// scipy 1.17.1: scipy.stats.t.ppf(0.975, df), and ppf(0.995, 7).
TEST(Interval, CriticalValues) {
  EXPECT_NEAR(student_t_critical(1, 0.95), 12.706204736174694, 1e-10);
  EXPECT_NEAR(student_t_critical(2, 0.95), 4.302652729749462, 1e-11);
  EXPECT_NEAR(student_t_critical(7, 0.95), 2.364624251592784, 1e-11);
  EXPECT_NEAR(student_t_critical(31, 0.95), 2.039513446396408, 1e-11);
  EXPECT_NEAR(student_t_critical(99, 0.95), 1.9842169515864174, 1e-11);
  EXPECT_NEAR(student_t_critical(7, 0.99), 3.4994832973504924, 1e-11);
  EXPECT_THROW(student_t_critical(0, 0.95), InputError);
  EXPECT_THROW(student_t_critical(7, 1), InputError);
  EXPECT_THROW(student_t_critical(7, 0), InputError);
}

// scipy 1.17.1: mean, scipy.stats.sem, t.ppf(0.975, 7) * sem.
TEST(Interval, EightPassages) {
  const Interval interval = t_interval(kFirst);
  EXPECT_EQ(interval.count, 8u);
  EXPECT_NEAR(interval.mean, 0.02475, 1e-16);
  EXPECT_NEAR(interval.standard_error, 0.0009413136717223586, 1e-15);
  EXPECT_NEAR(interval.half_width, 0.0022258531365105375, 1e-14);
  EXPECT_EQ(interval.low(), interval.mean - interval.half_width);
  EXPECT_EQ(interval.high(), interval.mean + interval.half_width);
}

TEST(Interval, OneSampleKnowsNothingAndNoneIsAnError) {
  const Interval one = t_interval(std::vector<double>{3.5});
  EXPECT_EQ(one.mean, 3.5);
  EXPECT_EQ(one.half_width, std::numeric_limits<double>::infinity());
  EXPECT_THROW(t_interval({}), InputError);
  EXPECT_THROW(t_interval(std::vector<double>{1, std::nan("")}), InputError);
  const Interval constant = t_interval(std::vector<double>{2, 2, 2});
  EXPECT_EQ(constant.half_width, 0);
}

// Over 4000 draws the coverage of a 95 % interval has a standard error of 0.34 %: the band is three
// of them.
TEST(Interval, CoversTheTruthAsOftenAsItSays) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(1.5, 0.7);
  int covered = 0;
  for (int draw = 0; draw < 4000; ++draw) {
    std::vector<double> samples(8);
    for (double& x : samples) x = normal(random);
    const Interval interval = t_interval(samples);
    covered += interval.low() <= 1.5 && 1.5 <= interval.high();
  }
  EXPECT_NEAR(covered / 4000.0, 0.95, 0.0104);
}

// scipy 1.17.1: scipy.stats.ttest_rel(first, second).
TEST(Paired, AgainstReference) {
  const PairedDifference paired = paired_difference(kFirst, kSecond);
  EXPECT_NEAR(paired.difference.mean, -0.01055, 1e-16);
  EXPECT_NEAR(paired.difference.half_width, 0.0015981531530523557, 1e-13);
  EXPECT_NEAR(paired.t, -15.609759181501053, 1e-9);
  EXPECT_NEAR(paired.p_value, 1.0708345346084978e-06, 1e-15);
  EXPECT_EQ(paired.verdict(), -1);
  EXPECT_EQ(paired_difference(kSecond, kFirst).verdict(), 1);
}

TEST(Paired, DegenerateCases) {
  const PairedDifference same = paired_difference(kFirst, kFirst);
  EXPECT_EQ(same.t, 0);
  EXPECT_EQ(same.p_value, 1);
  EXPECT_EQ(same.verdict(), 0);
  const PairedDifference constant =
      paired_difference(std::vector<double>{2, 3, 4}, std::vector<double>{1, 2, 3});
  EXPECT_EQ(constant.p_value, 0);
  EXPECT_EQ(constant.verdict(), 1);
  const PairedDifference single = paired_difference(std::vector<double>{2}, std::vector<double>{1});
  EXPECT_EQ(single.verdict(), 0);
  EXPECT_EQ(single.p_value, 1);
  EXPECT_THROW(paired_difference(kFirst, std::vector<double>{1}), InputError);
}

TEST(WeightedInterval, EqualWeightsGiveTheStudentInterval) {
  const std::vector<double> values = {1, 2, 4, 8}, ones(4, 3.0);
  const Interval weighted = weighted_t_interval(values, ones), plain = t_interval(values);
  EXPECT_DOUBLE_EQ(weighted.mean, plain.mean);
  EXPECT_DOUBLE_EQ(weighted.standard_error, plain.standard_error);
  EXPECT_DOUBLE_EQ(weighted.half_width, plain.half_width);
  // 1 of 3 tokens and 4 of 1: (3 + 4) / 4; sqrt(2 ((3 x 0.75)^2 + 2.25^2)) / 4.
  const Interval two = weighted_t_interval(std::vector<double>{1, 4}, std::vector<double>{3, 1});
  EXPECT_DOUBLE_EQ(two.mean, 1.75);
  EXPECT_DOUBLE_EQ(two.standard_error, std::sqrt(2 * 2 * 2.25 * 2.25) / 4);
  EXPECT_TRUE(
      std::isinf(weighted_t_interval(std::vector<double>{1}, std::vector<double>{3}).half_width));
  EXPECT_THROW(weighted_t_interval({}, {}), InputError);
  EXPECT_THROW(weighted_t_interval(values, std::vector<double>{1, 1, 1, 0}), InputError);
}

}  // namespace
}  // namespace kakeya
