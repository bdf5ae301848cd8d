// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/bf16_rows.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "kakeya/core/half.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

// Any pattern, and those around what becomes infinity, by itself and among others.
TEST(RoundRowsToBf16, IsTheScalarOfHalfH) {
  std::vector<float> special = {0.0f, -0.0f, 0x1p-149f, std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity()};
  for (const std::uint32_t around : {0x7f7f7fffu, 0x7f7f8000u, 0x7f7fffffu, 0x7f800001u,
                                     0x7fffffffu, 0x3f808000u, 0x3f818000u, 0x3f808001u}) {
    special.push_back(float_of(around));
    special.push_back(float_of(around | 0x80000000u));
  }
  const Random random(18);
  for (const std::size_t dim : {1u, 7u, 32u, 33u, 64u, 100u}) {
    for (std::size_t turn = 0; turn <= special.size(); ++turn) {
      constexpr std::size_t kCount = 3;
      for (const std::size_t stride : {dim, dim + 5}) {
        std::vector<float> x(kCount * stride);
        for (std::size_t i = 0; i < x.size(); ++i) {
          x[i] = float_of(static_cast<std::uint32_t>(random.bits(turn * 1000 + i)) & 0xbfffffffu);
        }
        if (turn < special.size()) x[stride + (turn * 31) % dim] = special[turn];
        std::vector<float> y = x;
        round_rows_to_bf16({y.data(), kCount, dim, stride});
        for (std::size_t i = 0; i < x.size(); ++i) {
          const float expected =
              i % stride < dim ? bfloat16_to_float(float_to_finite_bfloat16(x[i])) : x[i];
          ASSERT_EQ(bits_of(y[i]), bits_of(expected)) << dim << " " << turn << " " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace kakeya
