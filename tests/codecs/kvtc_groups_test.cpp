// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/kvtc/kvtc_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kakeya/core/half.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

constexpr KvtcType kStored[] = {KvtcType::int2, KvtcType::int4, KvtcType::fp8};

std::vector<float> normals(std::size_t count, std::uint64_t seed, double sigma = 1.0) {
  const Random random(seed);
  std::vector<float> y(count);
  for (std::size_t i = 0; i < count; ++i) y[i] = static_cast<float>(sigma * random.normal(i));
  return y;
}

// Uniform quantisers of a normal source with the best step: Max (1960), 4 levels 0.1188, 16 levels
// 0.01154 of the variance. A scale a group adapts, and saves some of that; the mantissa is short.
TEST(KvtcGroups, IntegersErrAsUniformQuantisersOfANormalSource) {
  const auto mean_error = [](KvtcType type) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      sum += group_error(type, normals(1024, seed)) / 102400;
    }
    return sum;
  };
  const double int2 = mean_error(KvtcType::int2), int4 = mean_error(KvtcType::int4);
  EXPECT_NEAR(int2 / 0.1188, 1, 0.015);
  EXPECT_NEAR(int4 / 0.01154, 1, 0.015);
  // Three bits of mantissa: steps of an eighth to a sixteenth of the value.
  const double fp8 = mean_error(KvtcType::fp8);
  EXPECT_NEAR(fp8, 0.00070, 0.00003);
}

TEST(KvtcGroups, ASingleCoefficientKeepsThePrecisionOfItsScale) {
  for (const KvtcType type : kStored) {
    for (const float value : {1.0f, -3.3f, 1e-20f, -1e10f, 0x1p40f}) {
      std::uint8_t code;
      float back;
      const std::uint16_t scale = quantise_group(type, {&value, 1}, {&code, 1});
      restore_group(type, scale, {&code, 1}, {&back, 1});
      EXPECT_NEAR(back / value, 1, 0x1p-8) << static_cast<int>(type) << " " << value;
    }
  }
}

TEST(KvtcGroups, NothingErrsByMoreThanItHolds) {
  for (const KvtcType type : kStored) {
    for (const std::size_t count : {1u, 2u, 16u, 17u, 64u}) {
      for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto y = normals(count, seed, std::exp2(static_cast<double>(seed) - 20));
        for (float& value : y) value *= value * value;
        double energy = 0;
        for (const float value : y) energy += double{value} * value;
        EXPECT_LE(group_error(type, y), energy * (1 + 1e-5));
        EXPECT_EQ(group_error(KvtcType::none, y), energy);
      }
    }
  }
}

TEST(KvtcGroups, ZerosAndWhatIsTooSmall) {
  for (const KvtcType type : kStored) {
    for (const float value : {0.0f, -0.0f, 1e-42f, -1e-35f}) {
      const std::vector<float> y(20, value);
      std::vector<std::uint8_t> codes(20, 0xee);
      EXPECT_EQ(quantise_group(type, y, codes), 0);
      EXPECT_EQ(codes, std::vector<std::uint8_t>(20, zero_code(type)));
      std::vector<float> back(20, 1.0f);
      restore_group(type, 0, codes, back);
      EXPECT_EQ(back, std::vector<float>(20, 0.0f));
    }
  }
}

TEST(KvtcGroups, ScalesAndCodesAreSuchAsFramesMayHave) {
  for (const KvtcType type : kStored) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      auto y = normals(32, seed, std::exp2(4.0 * static_cast<double>(seed) - 190));
      for (float& value : y) value = std::clamp(value, -0x1p49f, 0x1p49f);
      std::vector<std::uint8_t> codes(32);
      const std::uint16_t scale = quantise_group(type, y, codes);
      EXPECT_TRUE(is_group_scale(type, scale));
      // Four bits of mantissa.
      EXPECT_TRUE(type == KvtcType::fp8 || scale % 8 == 0);
      for (const std::uint8_t code : codes) {
        EXPECT_TRUE(is_group_code(type, code));
        EXPECT_LT(code, type == KvtcType::int2 ? 4 : type == KvtcType::int4 ? 16 : 256);
      }
    }
    EXPECT_FALSE(is_group_scale(type, float_to_bfloat16(0x1p65f)));
    EXPECT_FALSE(is_group_scale(type, 0x7f80));
    EXPECT_FALSE(is_group_scale(type, 0x7fc0));
    EXPECT_EQ(is_group_scale(type, float_to_bfloat16(-1.0f)), type == KvtcType::int4);
  }
  EXPECT_FALSE(is_group_code(KvtcType::fp8, 0x7f));
  EXPECT_FALSE(is_group_code(KvtcType::fp8, 0xff));
}

TEST(KvtcGroups, TablesHoldTheErrorsOfGroupsThatBeginThere) {
  const std::size_t rank = 40, tokens = 6;
  const auto y = normals(rank * tokens, 3);
  KvtcPart part;
  part.single_errors.assign(rank * kKvtcTypes, -1);
  part.group_errors.assign(3 * kKvtcLargerSizes * kKvtcStoredTypes, -1);
  for (std::size_t k = 0; k < rank; ++k) {
    measure_group_errors(dense_rows(y.data(), tokens, rank), k, part);
  }
  const auto expected = [&](std::size_t first, std::size_t count, KvtcType type) {
    double sum = 0;
    for (std::size_t token = 0; token < tokens; ++token) {
      sum += group_error(type, {y.data() + token * rank + first, count});
    }
    return sum / tokens;
  };
  EXPECT_EQ(part.single_errors[7 * kKvtcTypes + 2], expected(7, 1, KvtcType::int4));
  const auto group = [&](std::size_t start, std::size_t larger, KvtcType type) {
    return part.group_errors[(start * kKvtcLargerSizes + larger) * kKvtcStoredTypes +
                             static_cast<std::size_t>(type) - 1];
  };
  EXPECT_EQ(group(0, 0, KvtcType::int2), expected(0, 16, KvtcType::int2));
  EXPECT_EQ(group(1, 0, KvtcType::fp8), expected(16, 16, KvtcType::fp8));
  // Cut short: 24 of 64, 8 of 1024.
  EXPECT_EQ(group(1, 1, KvtcType::int4), expected(16, 24, KvtcType::int4));
  EXPECT_EQ(group(2, 3, KvtcType::int2), expected(32, 8, KvtcType::int2));
}

}  // namespace
}  // namespace kakeya
