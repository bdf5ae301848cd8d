// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

TEST(Bootstrap, DrawsAreEvenAndRepeatable) {
  EXPECT_EQ(resample(24, 3, 7), resample(24, 3, 7));
  EXPECT_NE(resample(24, 3, 7), resample(24, 3, 8));
  EXPECT_NE(resample(24, 3, 7), resample(24, 4, 7));
  EXPECT_TRUE(resample(0, 1, 1).empty());
  constexpr std::size_t kSubjects = 6, kDraws = 20'000;
  std::vector<double> counts(kSubjects, 0);
  for (std::size_t draw = 0; draw < kDraws; ++draw) {
    for (const std::size_t subject : resample(kSubjects, 1, draw)) {
      ASSERT_LT(subject, kSubjects);
      counts[subject] += 1;
    }
  }
  // Each count is binomial with mean 20,000; 6 standard deviations are 775.
  for (const double count : counts) EXPECT_NEAR(count, kDraws, 775);
}

TEST(Bootstrap, PercentilesOfKnownNumbers) {
  std::vector<double> numbers;
  for (int i = 1000; i >= 0; --i) numbers.push_back(i);
  const Range range = percentile_interval(numbers);
  EXPECT_NEAR(range.low, 25, 1e-9);
  EXPECT_NEAR(range.high, 975, 1e-9);
  EXPECT_NEAR(percentile_interval({0, 1}, 0.5).low, 0.25, 1e-12);
  EXPECT_EQ(percentile_interval({3}).low, 3);
  const double infinity = std::numeric_limits<double>::infinity();
  for (int i = 990; i <= 1000; ++i) numbers[static_cast<std::size_t>(1000 - i)] = infinity;
  EXPECT_NEAR(percentile_interval(numbers).high, 975, 1e-9);
  for (int i = 970; i <= 1000; ++i) numbers[static_cast<std::size_t>(1000 - i)] = infinity;
  EXPECT_EQ(percentile_interval(numbers).high, infinity);
  EXPECT_EQ(percentile_interval({-infinity, 1, 2}).low, -infinity);
  EXPECT_THROW(percentile_interval({}), InputError);
  EXPECT_THROW(percentile_interval({1, std::nan("")}), InputError);
  EXPECT_THROW(percentile_interval({1, 2}, 1), InputError);
}

// The interval of a mean of 40 normals must hold the true mean in nearly 95 % of experiments (the
// percentile interval is a little narrow: about 94 %).
TEST(Bootstrap, CoversAsOftenAsItSays) {
  constexpr int kExperiments = 400, kDraws = 400;
  constexpr std::size_t kSubjects = 40;
  int covered = 0;
  for (int experiment = 0; experiment < kExperiments; ++experiment) {
    const Random random(11, static_cast<std::uint64_t>(experiment));
    std::vector<double> means;
    for (int draw = 0; draw < kDraws; ++draw) {
      double sum = 0;
      for (const std::size_t i : resample(kSubjects, 5, static_cast<std::uint64_t>(draw))) {
        sum += random.normal(i);
      }
      means.push_back(sum / kSubjects);
    }
    const Range range = percentile_interval(means);
    covered += range.low <= 0 && 0 <= range.high;
  }
  EXPECT_GT(covered, 0.90 * kExperiments);
  EXPECT_LT(covered, 0.98 * kExperiments);
}

}  // namespace
}  // namespace kakeya
