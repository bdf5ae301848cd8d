// SPDX-License-Identifier: Apache-2.0
// The scales of tiles, on every instruction set, against one vector at a time.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "kakeya/core/half.h"
#include "simd/targets.h"

namespace kakeya {
namespace {

using testing::on_every_target;

struct Scales {
  std::uint16_t norm[kTileRows], maximum[kTileRows];
  float step[kTileRows], inverse_step[kTileRows];
};

void expect_scales(const float* squares, const float* largest, double unit, int levels) {
  Scales found;
  two_scales_tile(squares, largest, unit, levels,
                  {found.norm, found.maximum, found.step, found.inverse_step});
  for (std::size_t r = 0; r < kTileRows; ++r) {
    SCOPED_TRACE(::testing::Message() << "squares " << squares[r] << ", largest " << largest[r]
                                      << ", levels " << levels);
    if (largest[r] == 0.0f) {
      EXPECT_EQ(found.norm[r] | found.maximum[r], 0);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(found.step[r]), 0u);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(found.inverse_step[r]), 0u);
      continue;
    }
    const double norm = std::sqrt(double{squares[r]});
    const std::uint16_t norm_half = float_to_half(static_cast<float>(norm));
    const std::uint16_t half = float_to_half(static_cast<float>(double{largest[r]} / norm));
    const float maximum = half_to_float(half);
    const float step = half_to_float(norm_half) * (maximum / static_cast<float>(levels));
    const auto inverse_step = static_cast<float>(levels * unit / (maximum * norm));
    EXPECT_EQ(found.norm[r], norm_half);
    EXPECT_EQ(found.maximum[r], half);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(found.step[r]), std::bit_cast<std::uint32_t>(step));
    EXPECT_EQ(std::bit_cast<std::uint32_t>(found.inverse_step[r]),
              std::bit_cast<std::uint32_t>(inverse_step));
  }
}

TEST(TwoScales, AreThoseOfOneVectorAtATime) {
  const Random random(7);
  on_every_target([&](const std::string& name) {
    SCOPED_TRACE(name);
    for (std::size_t draw = 0; draw < 20000; ++draw) {
      float squares[kTileRows], largest[kTileRows];
      for (std::size_t r = 0; r < kTileRows; ++r) {
        const std::size_t i = 3 * (draw * kTileRows + r);
        const double exponent = 32.0 * random.uniform(i) - 16.0;  // halves: subnormal to infinite
        const double norm = std::exp2(exponent) * (1.0 + random.uniform(i + 1));
        squares[r] = static_cast<float>(norm * norm);
        largest[r] = static_cast<float>(norm * (0.03 + 0.97 * random.uniform(i + 2)));
        if (random.bits(i) % 16 == 0) largest[r] = squares[r] = 0.0f;
      }
      const int levels = static_cast<int>(1 + random.bits(draw) % 1023);
      expect_scales(squares, largest, draw % 2 == 0 ? 1.0 : double{static_cast<float>(M_SQRT1_2)},
                    levels);
      if (::testing::Test::HasFailure()) return;
    }
  });
}

// Norms on and beside every tie between halves, and maxima of every half in (0, 1].
TEST(TwoScales, RoundAsHalves) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (std::uint32_t first = 0; first < 0x7c00; first += kTileRows) {
      for (int place = -1; place <= 2; ++place) {
        float squares[kTileRows], largest[kTileRows];
        for (std::size_t r = 0; r < kTileRows; ++r) {
          const auto half = static_cast<std::uint16_t>(first + r);
          float norm = half_to_float(half);
          const float next = half_to_float(static_cast<std::uint16_t>(half + 1));
          if (std::isfinite(next) && place < 2) norm = 0.5f * norm + 0.5f * next;
          if (place == 1) norm = std::nextafterf(norm, INFINITY);
          if (place == -1) norm = std::nextafterf(norm, 0.0f);
          squares[r] = norm * norm;
          largest[r] = norm <= 1.0f ? norm * std::sqrt(squares[r]) : norm;
        }
        expect_scales(squares, largest, 1.0, 10);
        if (::testing::Test::HasFailure()) return;
      }
    }
  });
}

}  // namespace
}  // namespace kakeya
