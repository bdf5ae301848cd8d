// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/power.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/stats/paired.h"

namespace kakeya {
namespace {

Interval scatter(std::size_t count, double deviation) {
  Interval interval;
  interval.count = count;
  interval.standard_error = deviation / std::sqrt(static_cast<double>(count));
  return interval;
}

// scipy 1.17.1: nct.sf(t, n - 1, d sqrt(n)) + nct.cdf(-t, n - 1, d sqrt(n)), t = t.ppf(1 - alpha /
// 2, n - 1).
TEST(Power, AgainstReference) {
  EXPECT_NEAR(paired_t_power(0.5, 24), 0.650391834154541, 1e-10);
  EXPECT_NEAR(paired_t_power(1, 8), 0.6808339582062666, 1e-10);
  EXPECT_NEAR(paired_t_power(0.5, 32, 0.01), 0.5403409437874952, 1e-10);
  EXPECT_NEAR(paired_t_power(0.2, 8), 0.07819945544266979, 1e-10);
  EXPECT_NEAR(paired_t_power(0, 8), 0.05, 1e-12);  // without an effect: the level
}

// The same, solved for the effect with scipy.optimize.brentq.
TEST(Power, MinimumDetectableEffect) {
  EXPECT_NEAR(minimum_detectable_effect(scatter(8, 1)), 1.1560346779947348, 1e-9);
  EXPECT_NEAR(minimum_detectable_effect(scatter(24, 1)), 0.5971841002912126, 1e-9);
  EXPECT_NEAR(minimum_detectable_effect(scatter(32, 1)), 0.5112738234563904, 1e-9);
  EXPECT_NEAR(minimum_detectable_effect(scatter(24, 1), 0.05 / 60), 0.9726291034273382, 1e-9);
  EXPECT_NEAR(minimum_detectable_effect(scatter(24, 1), 0.05, 0.9), 0.6911479364857684, 1e-9);
  EXPECT_NEAR(minimum_detectable_effect(scatter(24, 0.02)), 0.02 * 0.5971841002912126, 1e-11);
}

// At many samples the normal law: (z(0.975) + z(0.8)) / sqrt(n) = 2.801585 / sqrt(n).
TEST(Power, TendsToTheNormalLaw) {
  EXPECT_NEAR(minimum_detectable_effect(scatter(10'000, 1)), 0.02801585, 2e-5);
}

// The paired test itself finds a true effect of that size in 80 % of experiments (4000: +-1.9 %).
TEST(Power, IsWhatThePairedTestFinds) {
  std::mt19937_64 random(21);
  std::normal_distribution<double> normal(1.1560346779947348, 1);
  const std::vector<double> zeros(8);
  int found = 0;
  for (int experiment = 0; experiment < 4000; ++experiment) {
    std::vector<double> samples(8);
    for (double& each : samples) each = normal(random);
    found += paired_difference(samples, zeros).p_value < 0.05;
  }
  EXPECT_NEAR(found / 4000.0, 0.8, 0.019);
}

TEST(Power, DegenerateCases) {
  EXPECT_EQ(minimum_detectable_effect(scatter(8, 0)), 0);
  EXPECT_EQ(minimum_detectable_effect(t_interval(std::vector<double>{1})),
            std::numeric_limits<double>::infinity());
  EXPECT_THROW(paired_t_power(1, 1), InputError);
  EXPECT_THROW(paired_t_power(-1, 8), InputError);
  EXPECT_THROW(paired_t_power(1, 8, 0), InputError);
  EXPECT_THROW(minimum_detectable_effect(scatter(8, 1), 0.05, 0.05), InputError);
  EXPECT_THROW(minimum_detectable_effect(scatter(8, 1), 0.05, 1), InputError);
}

}  // namespace
}  // namespace kakeya
