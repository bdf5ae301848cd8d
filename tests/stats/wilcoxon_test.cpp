// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/wilcoxon.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

double p_of(const std::vector<double>& differences) {
  return wilcoxon_p(differences, std::vector<double>(differences.size(), 0.0));
}

// By hand: of 2^n signs those whose ranks of positive differences sum to no more than was seen.
TEST(Wilcoxon, CountsSigns) {
  EXPECT_DOUBLE_EQ(p_of({1, 2, 3}), 2.0 / 8);           // sum of the negative ranks 0
  EXPECT_DOUBLE_EQ(p_of({-1, 2, 3, 4, 5}), 4.0 / 32);   // 1: {}, {1}
  EXPECT_DOUBLE_EQ(p_of({1, 2, -3, 4, 5}), 10.0 / 32);  // 3: {}, {1}, {2}, {3}, {1, 2}
  EXPECT_DOUBLE_EQ(p_of({1, -2, -3, 4}), 1);            // 5 of 10
}

TEST(Wilcoxon, SharedRanksAndNoDifference) {
  // Ranks 1.5, 1.5, 3; a sum of at most 1.5 has {}, the first, the second.
  EXPECT_DOUBLE_EQ(p_of({-1, 1, 2}), 6.0 / 8);
  EXPECT_DOUBLE_EQ(p_of({0, 1, 0, 2, 3}), p_of({1, 2, 3}));
  EXPECT_EQ(p_of({0, 0}), 1);
}

// The size of an outlier does not matter, which of the two is lower does not either.
TEST(Wilcoxon, OnlyRanksAndSymmetric) {
  const std::vector<double> a = {1, 2, 3, 4, 5, 9}, b = {1.5, 1, 1, 1, 1, 1};
  std::vector<double> far = a;
  far.back() = 1e6;
  EXPECT_EQ(wilcoxon_p(a, b), wilcoxon_p(b, a));
  EXPECT_EQ(wilcoxon_p(a, b), wilcoxon_p(far, b));
}

TEST(Wilcoxon, Refuses) {
  const std::vector<double> one = {1}, two = {1, 2}, bad = {std::nan("")};
  EXPECT_THROW(wilcoxon_p(one, two), InputError);
  EXPECT_THROW(wilcoxon_p({}, {}), InputError);
  EXPECT_THROW(wilcoxon_p(bad, one), InputError);
  EXPECT_THROW(p_of(std::vector<double>(501, 1.0)), InputError);
}

}  // namespace
}  // namespace kakeya
