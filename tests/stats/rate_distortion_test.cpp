// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/rate_distortion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

TEST(RateDistortion, ShannonBoundOfAGaussian) {
  EXPECT_EQ(shannon_rel_mse(0), 1);
  EXPECT_EQ(shannon_rel_mse(4), 0.00390625);
  EXPECT_DOUBLE_EQ(effective_bits(0.00390625), 4);
  EXPECT_EQ(effective_bits(2), 0);
  EXPECT_EQ(effective_bits(0), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(shannon_gap_db(shannon_rel_mse(3.3), 3.3), 0, 1e-12);
  EXPECT_NEAR(shannon_gap_db(0.5, 1), 10 * std::log10(2.0), 1e-12);
  EXPECT_EQ(shannon_gap_db(0, 4), -std::numeric_limits<double>::infinity());
}

// Lloyd-Max tables of 1 and 2 bits on N(0, 1): 1 - 2/pi = 0.36338 and 0.117482 (Max 1960): 1.624
// and 2.741 dB over the bound.
TEST(RateDistortion, LloydMaxGaps) {
  EXPECT_NEAR(shannon_gap_db(1 - 2 / std::acos(-1.0), 1), 1.624, 5e-4);
  EXPECT_NEAR(shannon_gap_db(0.117482, 2), 2.741, 1e-3);
}

TEST(RateDistortion, LatticeGaps) {
  EXPECT_NEAR(lattice_gap_db(kSecondMomentZ), 1.5329, 5e-5);
  EXPECT_NEAR(lattice_gap_db(kSecondMomentD4), 1.1672, 5e-5);
  EXPECT_NEAR(lattice_gap_db(kSecondMomentE8), 0.87885, 1e-5);
  EXPECT_NEAR(kSecondMomentD4, 13 / (120 * std::sqrt(2.0)), 1e-10);
}

TEST(RateDistortion, RefusesNonsense) {
  EXPECT_THROW(shannon_rel_mse(-1), InputError);
  EXPECT_THROW(effective_bits(-1), InputError);
  EXPECT_THROW(effective_bits(std::nan("")), InputError);
  EXPECT_THROW(shannon_gap_db(0.1, std::nan("")), InputError);
  EXPECT_THROW(lattice_gap_db(0), InputError);
}

}  // namespace
}  // namespace kakeya
