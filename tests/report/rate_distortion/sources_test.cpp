// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "kakeya/measure/captured.h"
#include "kakeya/measure/synthetic.h"
#include "store/small_dump.h"

namespace kakeya {
namespace {

constexpr double kPi = std::numbers::pi;

double gaussian_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

double laplace_cdf(double x) {
  const double tail = std::exp(-std::numbers::sqrt2 * std::fabs(x)) / 2;
  return x < 0 ? tail : 1 - tail;
}

// Of 5 degrees of freedom, scaled to variance 1 (Abramowitz and Stegun 26.7.3).
double student_t_cdf(double x) {
  const double theta = std::atan(x * std::sqrt(5.0 / 3) / std::sqrt(5.0)), c = std::cos(theta);
  return 0.5 + (theta + std::sin(theta) * (c + 2 * c * c * c / 3)) / kPi;
}

double uniform_cdf(double x) { return std::clamp(0.5 + x / std::sqrt(12.0), 0.0, 1.0); }

struct Expected {
  const char* name;
  double (*cdf)(double);
};

class Drawn : public ::testing::TestWithParam<Expected> {};

// Kolmogorov-Smirnov: the largest distance of the sample's distribution function from the closed
// form stays below 1.95 / sqrt(n) with probability 0.999. A variance 1 % off would be seen.
TEST_P(Drawn, FollowsItsDistribution) {
  const auto source = make_synthetic(GetParam().name, 64, 6250, 17);
  std::vector<float> values = source->slab(0).values;
  ASSERT_EQ(values.size(), 400000u);
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = GetParam().cdf(values[i]), rank = static_cast<double>(i);
    distance = std::max({distance, (rank + 1) / n - expected, expected - rank / n});
  }
  EXPECT_LT(distance, 1.95 / std::sqrt(n));
}

TEST_P(Drawn, ValuesAreUncorrelatedOfVarianceOne) {
  const auto source = make_synthetic(GetParam().name, 128, 4096, 3);
  const std::vector<float> x = source->slab(0).values;
  const double n = static_cast<double>(x.size());
  double mean = 0, square = 0, neighbour = 0, row = 0;
  for (std::size_t i = 0; i + 128 < x.size(); ++i) {
    mean += x[i] / n;
    square += double{x[i]} * x[i] / n;
    neighbour += double{x[i]} * x[i + 1] / n;
    row += double{x[i]} * x[i + 128] / n;
  }
  const double noise = 4 / std::sqrt(n);
  EXPECT_LT(std::fabs(mean), noise);
  EXPECT_NEAR(square, 1, 4 * noise);  // of Student-t, the fourth moment is 9
  EXPECT_LT(std::fabs(neighbour), noise);
  EXPECT_LT(std::fabs(row), noise);
}

TEST_P(Drawn, DependsOnSeedAndPlaceAlone) {
  const auto few = make_synthetic(GetParam().name, 8, 10, 5)->slab(0).values;
  const auto many = make_synthetic(GetParam().name, 8, 100, 5)->slab(0).values;
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_NE(few, make_synthetic(GetParam().name, 8, 10, 6)->slab(0).values);
}

INSTANTIATE_TEST_SUITE_P(All, Drawn,
                         ::testing::Values(Expected{"gaussian", gaussian_cdf},
                                           Expected{"laplace", laplace_cdf},
                                           Expected{"student-t", student_t_cdf},
                                           Expected{"uniform", uniform_cdf}));

TEST(Synthetic, EveryDistributionIsTested) { EXPECT_EQ(distributions().size(), 4u); }

TEST(Synthetic, DividesVectorsIntoBatches) {
  const auto source = make_synthetic("laplace", 8, 100, 0);
  EXPECT_EQ(source->facts().batches, 16u);
  const Slab slab = source->slab(0);
  std::vector<std::size_t> counts(16);
  for (std::size_t i = 0; i < 100; ++i) ++counts[slab.batch_of(i)];
  for (const std::size_t count : counts) EXPECT_TRUE(count == 6 || count == 7) << count;
  EXPECT_EQ(make_synthetic("laplace", 8, 3, 0)->facts().batches, 3u);
}

TEST(Synthetic, RefusesNonsense) {
  EXPECT_THROW(make_synthetic("cauchy", 8, 10, 0), SpecError);
  EXPECT_THROW(make_synthetic("gaussian", 0, 10, 0), InputError);
  EXPECT_THROW(make_synthetic("gaussian", 8, 0, 0), InputError);
}

class Captured : public testing::KvStore {};

TEST_F(Captured, TakesEveryVectorInOrder) {
  const testing::ScratchFolder folder;
  const DumpHead facts = testing::facts("fp32", false);
  testing::write_dump(folder / "d.h5", facts);
  const DumpReader reader(folder / "d.h5");
  for (const Part part : {Part::key, Part::value}) {
    const auto source = make_captured(reader, "d", part);
    EXPECT_EQ(source->facts().name, std::string("d/") + part_letter(part));
    EXPECT_EQ(source->facts().slabs, 6u);    // 2 passages of 3 layers
    EXPECT_EQ(source->facts().batches, 2u);  // passages
    EXPECT_EQ(source->facts().places, 6u);   // 3 layers of 2 heads
    EXPECT_EQ(source->facts().part, part);
    EXPECT_FALSE(source->facts().entropy_power.has_value());
    for (int passage = 0; passage < 2; ++passage) {
      for (int layer = 0; layer < 3; ++layer) {
        const Slab slab = source->slab(static_cast<std::size_t>(passage * 3 + layer));
        EXPECT_EQ(slab.first_place, static_cast<std::size_t>(2 * layer));
        EXPECT_EQ(slab.batch_of(10), static_cast<std::size_t>(passage));
        const std::vector<float> stored = testing::values(facts, passage, {layer, part});
        for (std::size_t token = 0; token < 11; ++token) {
          for (std::size_t head = 0; head < 2; ++head) {
            for (std::size_t i = 0; i < 8; ++i) {
              EXPECT_EQ(slab.frame(head)[token][i],
                        testing::rounded(stored[(token * 2 + head) * 8 + i], "bf16"));
            }
          }
        }
      }
    }
  }
  EXPECT_THROW(make_captured(reader, "d", Part::query), InputError);
}

}  // namespace
}  // namespace kakeya
