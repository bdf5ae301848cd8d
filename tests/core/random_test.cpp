// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kakeya {
namespace {

using Words = std::array<std::uint32_t, 4>;

// Known answers of philox4x32-10, from the kat_vectors file of the Random123 distribution.
TEST(Random, PhiloxKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Words{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
  EXPECT_EQ(
      philox({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, {0xa4093822u, 0x299f31d0u}),
      (Words{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

TEST(Random, IsAFunctionOfSeedStreamAndIndex) {
  const Random a(7), b(7), other_seed(8), other_stream(7, 1);
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(a.bits(i), b.bits(i));
    EXPECT_NE(a.bits(i), a.bits(i + 1));
    EXPECT_NE(a.bits(i), other_seed.bits(i));
    EXPECT_NE(a.bits(i), other_stream.bits(i));
  }
}

TEST(Random, OpenUnitReachesNeitherEnd) {
  constexpr std::uint64_t kOne = std::uint64_t{1} << 11;  // the lowest bit that counts
  EXPECT_EQ(open_unit(0), 0x1p-54);
  EXPECT_EQ(open_unit(kOne - 1), 0x1p-54);
  EXPECT_EQ(open_unit(kOne), 3 * 0x1p-54);
  EXPECT_EQ(open_unit(~std::uint64_t{0}), 1.0 - 0x1p-53);
  EXPECT_EQ(open_unit(~std::uint64_t{0} << 11), 1.0 - 0x1p-53);
  // Every other value is what the formula gives.
  EXPECT_EQ(open_unit(~std::uint64_t{0} - kOne), 1.0 - 0x1p-52);
  EXPECT_EQ(open_unit(~std::uint64_t{0} - 2 * kOne), 1.0 - 0x1p-52);
  EXPECT_EQ(open_unit(std::uint64_t{1} << 63), 0.5);
  EXPECT_EQ(open_unit((std::uint64_t{1} << 63) - 1), 0.5 - 0x1p-54);
}

// Moments of 200,000 draws, within five standard errors on both sides.
TEST(Random, UniformMoments) {
  const Random random(1);
  constexpr int kDraws = 200000;
  double sum = 0.0, squares = 0.0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double u = random.uniform(i);
    ASSERT_GT(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 5.0 * std::sqrt(1.0 / 12.0 / kDraws));
  EXPECT_NEAR(squares / kDraws, 1.0 / 3.0, 5.0 * std::sqrt(4.0 / 45.0 / kDraws));
}

TEST(Random, NormalMoments) {
  const Random random(2);
  constexpr int kDraws = 200000;
  double sum = 0.0, squares = 0.0, fourth = 0.0, neighbours = 0.0, before = 0.0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double x = random.normal(i);
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
    neighbours += x * before;
    before = x;
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 5.0 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1.0, 5.0 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(fourth / kDraws, 3.0, 5.0 * std::sqrt(96.0 / kDraws));
  EXPECT_NEAR(neighbours / kDraws, 0.0, 5.0 / std::sqrt(kDraws));
}

}  // namespace
}  // namespace kakeya
