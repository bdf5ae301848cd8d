// SPDX-License-Identifier: Apache-2.0
// Arithmetic on tiles, on every instruction set, against the same on one vector after another.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "simd/targets.h"

namespace kakeya {
namespace {

using testing::kDims;
using testing::on_every_target;
using testing::patterns;

// The vectors of a tile, one after another.
std::vector<float> rows_of(const TileBuffer& tile, std::size_t dim) {
  std::vector<float> x(kTileRows * dim);
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t i = 0; i < dim; ++i) x[r * dim + i] = tile.data()[i * kTileRows + r];
  }
  return x;
}

void expect_same(const TileBuffer& tile, const std::vector<float>& expected, std::size_t dim) {
  const auto got = rows_of(tile, dim);
  ASSERT_EQ(patterns(got.data(), got.size()), patterns(expected.data(), expected.size()))
      << "dim " << dim;
}

// Small and large magnitudes, zeros of both signs, a constant row and one row of zeros.
std::vector<float> mixed(std::size_t dim) {
  auto x = testing::normals(kTileRows * dim, 11 * dim);
  for (std::size_t i = 0; i < dim; ++i) {
    x[dim + i] *= 1e-30f;
    x[2 * dim + i] *= 1e30f;
    x[3 * dim + i] *= std::numeric_limits<float>::denorm_min() * 1000;
    x[4 * dim + i] = i % 3 == 0 ? -0.0f : 0.0f;
    x[5 * dim + i] = 1.0f;
    x[6 * dim + i] = i == dim / 2 ? 3.0f : 0.0f;
    x[7 * dim + i] *= i == 1 ? 1e6f : 1.0f;
  }
  return x;
}

// Butterflies alone, as hadamard() does them before its multiplication.
void sums(float* x, std::size_t dim) {
  for (std::size_t half = 1; half < dim; half *= 2) {
    for (std::size_t i = 0; i < dim; ++i) {
      if ((i & half) != 0) continue;
      const float a = x[i], b = x[i + half];
      x[i] = a + b;
      x[i + half] = a - b;
    }
  }
}

TEST(SumTile, IsTheTransformWithoutItsMultiplication) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (std::size_t dim = 1; dim <= 16384; dim *= 2) {
      auto x = mixed(dim);
      TileBuffer tile(dim);
      testing::fill_tile(x, dim, tile.data());
      sum_tile(tile.data(), dim);
      for (std::size_t r = 0; r < kTileRows; ++r) sums(x.data() + r * dim, dim);
      expect_same(tile, x, dim);
    }
  });
}

TEST(LoadAndSumTile, IsLoadSignsAndSums) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (std::size_t dim = 8; dim <= 1024; dim *= 2) {
      const std::size_t stride = dim + 2;
      const auto x = testing::normals(kTileRows * stride, dim);
      std::vector<float> signs(dim);
      for (std::size_t i = 0; i < dim; ++i) signs[i] = i * i % 7 < 3 ? -1.0f : 1.0f;
      for (const std::size_t count : {1, 5, 15, 16}) {
        const Rows<const float> rows{x.data(), count, dim, stride};
        TileBuffer expected(dim), tile(dim);
        std::uint32_t expected_largest[kTileRows], largest[kTileRows];
        for (const float* sign :
             {static_cast<const float*>(nullptr), std::as_const(signs).data()}) {
          load_tile(rows, expected.data(), expected_largest);
          if (sign != nullptr) scale_coordinates(expected.data(), dim, sign);
          sum_tile(expected.data(), dim);
          load_and_sum_tile(rows, sign, tile.data(), largest);
          expect_same(tile, rows_of(expected, dim), dim);
          EXPECT_TRUE(std::equal(largest, largest + kTileRows, expected_largest));
        }
      }
    }
  });
}

TEST(ScaleAndShift, MultiplyAndAddWhatTheySay) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const std::size_t dim : kDims) {
      const auto x = mixed(dim), factor = testing::normals(dim, 2);
      const auto row_factor = testing::normals(kTileRows, 3);
      auto vectors = x, coordinates = x, shifted = x;
      for (std::size_t r = 0; r < kTileRows; ++r) {
        for (std::size_t i = 0; i < dim; ++i) {
          vectors[r * dim + i] *= row_factor[r];
          coordinates[r * dim + i] *= factor[i];
          shifted[r * dim + i] += factor[i];
        }
      }
      TileBuffer tile(dim);
      testing::fill_tile(x, dim, tile.data());
      scale_vectors(tile.data(), dim, row_factor.data());
      expect_same(tile, vectors, dim);
      testing::fill_tile(x, dim, tile.data());
      scale_coordinates(tile.data(), dim, factor.data());
      expect_same(tile, coordinates, dim);
      testing::fill_tile(x, dim, tile.data());
      shift_coordinates(tile.data(), dim, factor.data());
      expect_same(tile, shifted, dim);
    }
  });
}

TEST(MeasureTile, AddsInFourPartsAndFindsTheLargest) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const std::size_t dim :
         {1, 2, 3, 4, 5, 7, 8, 16, 24, 32, 64, 80, 96, 128, 256, 512, 1024}) {
      const auto x = mixed(static_cast<std::size_t>(dim));
      const auto n = static_cast<std::size_t>(dim);
      TileBuffer tile(n);
      testing::fill_tile(x, n, tile.data());
      float sum[kTileRows], largest[kTileRows];
      measure_tile(tile.data(), n, sum, largest);
      float largest_alone[kTileRows];
      measure_tile(tile.data(), n, nullptr, largest_alone);
      ASSERT_EQ(patterns(largest_alone, kTileRows), patterns(largest, kTileRows));
      for (std::size_t r = 0; r < kTileRows; ++r) {
        float part[4] = {}, most = 0.0f;
        for (std::size_t i = 0; i < n; ++i) {
          part[i % 4] += x[r * n + i] * x[r * n + i];
          most = std::fmax(most, std::fabs(x[r * n + i]));
        }
        ASSERT_EQ(sum[r], (part[0] + part[2]) + (part[1] + part[3])) << "dim " << n << " row " << r;
        ASSERT_EQ(std::bit_cast<std::uint32_t>(largest[r]), std::bit_cast<std::uint32_t>(most));
      }
    }
  });
}

// Every significand, with an even and an odd exponent, and with some next to where squares overflow
// or lose bits.
TEST(MeasureTile, FindsEveryNumberByItsSquare) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    constexpr std::uint32_t kSignificands = 1u << 23;
    TileBuffer tile(1);
    float sum[kTileRows], largest[kTileRows];
    for (const std::uint32_t exponent :
         {0u, 1u, 63u, 64u, 76u, 77u, 127u, 128u, 189u, 190u, 254u}) {
      const std::uint32_t step = exponent == 127 || exponent == 128 ? 1 : 509;
      for (std::uint32_t i = 0; i < kSignificands; i += 16 * step) {
        for (std::uint32_t r = 0; r < kTileRows; ++r) {
          const std::uint32_t significand = (i + step * r) % kSignificands;
          tile.data()[r] = std::bit_cast<float>((r % 2 << 31) | (exponent << 23) | significand);
        }
        measure_tile(tile.data(), 1, sum, largest);
        for (std::size_t r = 0; r < kTileRows; ++r) {
          if (largest[r] != std::fabs(tile.data()[r])) {
            FAIL() << largest[r] << " for " << tile.data()[r];
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace kakeya
