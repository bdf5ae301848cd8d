// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kakeya/core/random.h"

namespace kakeya {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// What a small format's values are by definition: sign, exponent and mantissa by arithmetic rather
// than by bits.
double value_by_definition(unsigned code, int exponent_bits, int mantissa_bits, int bias) {
  const unsigned mantissa = code & ((1u << mantissa_bits) - 1u);
  const int exponent = static_cast<int>((code >> mantissa_bits) & ((1u << exponent_bits) - 1u));
  const double sign = (code >> (mantissa_bits + exponent_bits)) != 0 ? -1.0 : 1.0;
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp(mantissa + (1u << mantissa_bits), exponent - bias - mantissa_bits);
}

// Every float around every value and every midpoint of neighbours must round to the nearest, ties
// to the even code.
template <typename Encode, typename Decode>
void expect_nearest_even(unsigned codes, Encode encode, Decode decode) {
  for (unsigned code = 0; code + 1 < codes; ++code) {
    const float low = decode(code), high = decode(code + 1);
    const float middle = 0.5f * low + 0.5f * high;  // exact: one bit more than either
    const unsigned even = code % 2 == 0 ? code : code + 1;
    ASSERT_EQ(encode(low), code);
    ASSERT_EQ(encode(std::nextafter(middle, 0.0f)), code) << code;
    ASSERT_EQ(encode(middle), even) << code;
    ASSERT_EQ(encode(std::nextafter(middle, kInfinity)), code + 1) << code;
  }
}

TEST(Half, EveryPatternMeansWhatIeeeSays) {
  for (unsigned pattern = 0; pattern < 0x10000; ++pattern) {
    const float value = half_to_float(static_cast<std::uint16_t>(pattern));
    if ((pattern & 0x7c00u) == 0x7c00u) {
      ASSERT_EQ(std::isnan(value), (pattern & 0x3ffu) != 0);
      ASSERT_EQ(std::isinf(value), (pattern & 0x3ffu) == 0);
    } else {
      ASSERT_EQ(value, value_by_definition(pattern, 5, 10, 15)) << pattern;
    }
    ASSERT_EQ(std::signbit(value), pattern >= 0x8000u);
    if (!std::isnan(value)) {
      ASSERT_EQ(float_to_half(value), pattern);
    }
  }
}

TEST(Half, RoundsToNearestEven) {
  expect_nearest_even(
      0x7c00u, [](float x) { return unsigned{float_to_half(x)}; },
      [](unsigned code) { return half_to_float(static_cast<std::uint16_t>(code)); });
}

TEST(Half, OverflowsAndKeepsNan) {
  EXPECT_EQ(float_to_half(65504.0f), 0x7bffu);
  EXPECT_EQ(float_to_half(std::nextafter(65520.0f, 0.0f)), 0x7bffu);
  EXPECT_EQ(float_to_half(65520.0f), 0x7c00u);
  EXPECT_EQ(float_to_half(-1e30f), 0xfc00u);
  EXPECT_EQ(float_to_half(-0.0f), 0x8000u);
  EXPECT_EQ(float_to_half(1e-45f), 0x0000u);
  EXPECT_TRUE(std::isnan(half_to_float(float_to_half(std::nanf("")))));
}

TEST(Bfloat16, EveryPatternAndEveryMidpoint) {
  for (unsigned pattern = 0; pattern < 0x10000; ++pattern) {
    const float value = bfloat16_to_float(static_cast<std::uint16_t>(pattern));
    if ((pattern & 0x7f80u) != 0x7f80u) {
      ASSERT_EQ(value, value_by_definition(pattern, 8, 7, 127)) << pattern;
    }
    if (!std::isnan(value)) {
      ASSERT_EQ(float_to_bfloat16(value), pattern);
    }
  }
  expect_nearest_even(
      0x7f7fu, [](float x) { return unsigned{float_to_bfloat16(x)}; },
      [](unsigned code) { return bfloat16_to_float(static_cast<std::uint16_t>(code)); });
  EXPECT_EQ(float_to_bfloat16(std::numeric_limits<float>::max()), 0x7f80u);
  EXPECT_TRUE(std::isnan(bfloat16_to_float(float_to_bfloat16(std::nanf("")))));
  EXPECT_EQ(float_to_finite_bfloat16(std::numeric_limits<float>::max()), 0x7f7fu);
  EXPECT_EQ(float_to_finite_bfloat16(std::numeric_limits<float>::lowest()), 0xff7fu);
  EXPECT_EQ(float_to_finite_bfloat16(-1.5f), float_to_bfloat16(-1.5f));
}

TEST(E4m3, EveryCodeAndEveryMidpoint) {
  for (unsigned code = 0; code < 256; ++code) {
    const float value = e4m3_to_float(static_cast<std::uint8_t>(code));
    if ((code & 0x7fu) == 0x7fu) {
      ASSERT_TRUE(std::isnan(value));
    } else {
      ASSERT_EQ(value, value_by_definition(code, 4, 3, 7)) << code;
      ASSERT_EQ(float_to_e4m3(value), code);
    }
  }
  expect_nearest_even(
      0x7fu, [](float x) { return unsigned{float_to_e4m3(x)}; },
      [](unsigned code) { return e4m3_to_float(static_cast<std::uint8_t>(code)); });
}

TEST(E4m3, SaturatesAt448) {
  for (const float big : {448.0f, 464.0f, 480.0f, 1e30f, kInfinity}) {
    EXPECT_EQ(e4m3_to_float(float_to_e4m3(big)), 448.0f);
    EXPECT_EQ(e4m3_to_float(float_to_e4m3(-big)), -448.0f);
  }
  EXPECT_TRUE(std::isnan(e4m3_to_float(float_to_e4m3(std::nanf("")))));
}

TEST(E8m0, IsTheSmallestPowerOfTwoNotBelow) {
  for (unsigned code = 0; code < 255; ++code) {
    EXPECT_EQ(e8m0_to_float(static_cast<std::uint8_t>(code)),
              std::ldexp(1.0, static_cast<int>(code) - 127));
  }
  EXPECT_TRUE(std::isnan(e8m0_to_float(255)));
  for (int exponent = -126; exponent <= 126; ++exponent) {
    const float power = std::ldexp(1.0f, exponent);
    EXPECT_EQ(e8m0_to_float(float_to_e8m0_up(power)), power);
    EXPECT_EQ(e8m0_to_float(float_to_e8m0_up(std::nextafter(power, kInfinity))), 2.0f * power);
    EXPECT_EQ(e8m0_to_float(float_to_e8m0_up(1.5f * power)), 2.0f * power);
  }
  EXPECT_EQ(e8m0_to_float(float_to_e8m0_up(0.0f)), 0x1p-126f);
  EXPECT_EQ(e8m0_to_float(float_to_e8m0_up(std::numeric_limits<float>::max())), 0x1p127f);
}

}  // namespace
}  // namespace kakeya
