// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/equivalence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

const std::vector<double> kDifferences = {0.0004,  -0.0006, -0.0024, 0.0021,
                                          -0.0009, -0.0016, 0.0029,  -0.0019};

// scipy 1.17.1: scipy.stats.ttest_1samp(d, -margin, alternative='greater') and (d, margin,
// alternative='less').
TEST(Equivalence, AgainstReference) {
  const Equivalence wide = equivalence_test(kDifferences, 0.002);
  EXPECT_EQ(wide.margin, 0.002);
  EXPECT_NEAR(wide.p_lower, 0.017990816797726857, 1e-12);
  EXPECT_NEAR(wide.p_upper, 0.006303350741990441, 1e-12);
  EXPECT_EQ(wide.p_value(), wide.p_lower);
  const Equivalence narrow = equivalence_test(kDifferences, 0.0007);
  EXPECT_NEAR(narrow.p_lower, 0.26342550182822566, 1e-12);
  EXPECT_NEAR(narrow.p_upper, 0.10131758744788313, 1e-12);
}

// Below 5 % exactly when the 90 % interval lies inside: at the margin that its farther end touches.
TEST(Equivalence, IsTheNinetyPercentInterval) {
  const Interval interval = t_interval(kDifferences, 0.9);
  const double touching = std::max(-interval.low(), interval.high());
  EXPECT_NEAR(equivalence_test(kDifferences, touching).p_value(), 0.05, 1e-10);
  EXPECT_LT(equivalence_test(kDifferences, 1.01 * touching).p_value(), 0.05);
  EXPECT_GT(equivalence_test(kDifferences, 0.99 * touching).p_value(), 0.05);
}

// A true mean at the margin is called equivalent in 5 % of experiments (4000: +-1.04 %).
TEST(Equivalence, ErrsAsOftenAsItSays) {
  std::mt19937_64 random(12);
  std::normal_distribution<double> normal(1, 0.3);
  int equivalent = 0;
  for (int experiment = 0; experiment < 4000; ++experiment) {
    std::vector<double> differences(10);
    for (double& each : differences) each = normal(random);
    equivalent += equivalence_test(differences, 1).p_value() < 0.05;
  }
  EXPECT_NEAR(equivalent / 4000.0, 0.05, 0.0104);
}

TEST(Equivalence, DegenerateCases) {
  const std::vector<double> same = {0.5, 0.5, 0.5}, one = {0};
  EXPECT_EQ(equivalence_test(same, 0.6).p_value(), 0);
  EXPECT_EQ(equivalence_test(same, 0.5).p_value(), 1);
  EXPECT_EQ(equivalence_test(one, 1).p_value(), 1);
  EXPECT_THROW(equivalence_test(same, 0), InputError);
  EXPECT_THROW(equivalence_test(same, std::nan("")), InputError);
  EXPECT_THROW(equivalence_test({}, 1), InputError);
}

}  // namespace
}  // namespace kakeya
