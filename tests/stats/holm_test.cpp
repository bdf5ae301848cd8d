// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/holm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// By hand: sorted 0.005 x 5, 0.01 x 4, 0.03 x 3, 0.04 x 2 (below the one before: raised to it),
// 0.2.
TEST(Holm, FivePValues) {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005, 0.2},
                            expected = {0.04, 0.09, 0.09, 0.025, 0.2};
  const std::vector<double> adjusted = holm_adjusted(p);
  ASSERT_EQ(adjusted.size(), p.size());
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-15) << i;
}

TEST(Holm, OneAndNoneAndTheLimits) {
  EXPECT_EQ(holm_adjusted(std::vector<double>{0.03}), std::vector<double>{0.03});
  EXPECT_TRUE(holm_adjusted({}).empty());
  EXPECT_EQ(holm_adjusted(std::vector<double>{0.6, 0, 1}), (std::vector<double>{1, 0, 1}));
  EXPECT_THROW(holm_adjusted(std::vector<double>{1.1}), InputError);
  EXPECT_THROW(holm_adjusted(std::vector<double>{-0.1}), InputError);
  EXPECT_THROW(holm_adjusted(std::vector<double>{std::nan("")}), InputError);
}

// 20 true null hypotheses: without a correction 64 % of such tables hold a false finding, with it
// at most 5 %; over 4000 tables the standard error is 0.34 %. Uniform and independent p-values come
// close to the limit: 1 - 0.9975^20 = 4.88 % of the tables have one below 0.05 / 20.
TEST(Holm, KeepsTheErrorOfATable) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> uniform(0, 1);
  int wrong = 0;
  for (int table = 0; table < 4000; ++table) {
    std::vector<double> p(20);
    for (double& each : p) each = uniform(random);
    bool any = false;
    for (const double each : holm_adjusted(p)) any |= each < 0.05;
    wrong += any;
  }
  EXPECT_NEAR(wrong / 4000.0, 0.0488, 0.0104);
}

}  // namespace
}  // namespace kakeya
