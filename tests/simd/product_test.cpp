// SPDX-License-Identifier: Apache-2.0
// Products with matrices, on every instruction set, against the sums in the order that tile.h says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kakeya/core/error.h"
#include "simd/targets.h"

namespace kakeya {
namespace {

TEST(MultiplyTile, SumsInOrderWhateverTheInstructionSet) {
  testing::on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const std::size_t dim : {8u, 16u, 24u, 64u, 128u}) {
      const auto x = testing::normals(kTileRows * dim, dim);
      const auto matrix = testing::normals(dim * dim, dim + 1, 0.3f);
      TileBuffer tile(dim), product(dim);
      testing::fill_tile(x, dim, tile.data());
      multiply_tile(tile.data(), dim, matrix.data(), product.data());
      for (std::size_t r = 0; r < kTileRows; ++r) {
        for (std::size_t j = 0; j < dim; ++j) {
          float sum = 0.0f;
          for (std::size_t i = 0; i < dim; ++i) sum += x[r * dim + i] * matrix[i * dim + j];
          ASSERT_EQ(product.data()[j * kTileRows + r], sum) << dim << " " << r << " " << j;
        }
      }
    }
  });
}

TEST(MultiplyTile, TakesMatricesThatAreNotSquare) {
  testing::on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    const std::pair<std::size_t, std::size_t> shapes[] = {{1, 8},   {13, 24}, {100, 8},
                                                          {32, 40}, {5, 16},  {9, 56}};
    for (const auto& [dim, columns] : shapes) {
      const auto x = testing::normals(kTileRows * dim, dim);
      const auto matrix = testing::normals(dim * columns, dim + 1, 0.3f);
      TileBuffer tile(dim), product(columns);
      for (std::size_t i = 0; i < dim; ++i) {
        for (std::size_t r = 0; r < kTileRows; ++r) tile.data()[i * kTileRows + r] = x[r * dim + i];
      }
      multiply_tile(tile.data(), dim, matrix.data(), columns, product.data());
      for (std::size_t r = 0; r < kTileRows; ++r) {
        for (std::size_t j = 0; j < columns; ++j) {
          float sum = 0.0f;
          for (std::size_t i = 0; i < dim; ++i) sum += x[r * dim + i] * matrix[i * columns + j];
          ASSERT_EQ(product.data()[j * kTileRows + r], sum) << dim << " " << r << " " << j;
        }
      }
    }
  });
}

// Sums of every size, ties, odd numbers and the largest there are.
TEST(MultiplyWholeTile, IsExactWhateverTheInstructionSet) {
  testing::on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const std::size_t dim : {8u, 24u, 64u, 128u, 512u}) {
      for (const float reach : {3.5f, 127.0f, 500.0f, 32767.0f}) {
        auto x = testing::normals(kTileRows * dim, dim, reach / 3);
        for (float& value : x) value = std::clamp(value, -reach, reach);
        x[0] = reach, x[1] = -reach, x[2] = 0.5f, x[3] = 1.5f, x[4] = -2.5f;
        const auto wide = testing::normals(dim * dim, dim + 1, 12000.0f);
        std::vector<std::int16_t> values(dim * dim);
        for (std::size_t i = 0; i < values.size(); ++i) {
          values[i] = static_cast<std::int16_t>(std::clamp(wide[i], -32767.0f, 32767.0f));
        }
        const WholeMatrix matrix(values, dim);
        const auto factor = testing::normals(dim, 5);
        TileBuffer tile(dim), product(dim);
        testing::fill_tile(x, dim, tile.data());
        // Halves of all, in units of a half: the same whole numbers, whether halved or not.
        const float unit = dim == 64 ? 2.0f : 1.0f;
        for (std::size_t i = 0; i < dim * kTileRows; ++i) tile.data()[i] /= unit;
        float largest[kTileRows];
        multiply_whole_tile(tile.data(), unit, matrix, factor.data(), product.data(), largest);
        ASSERT_EQ(largest[0], reach);
        for (std::size_t r = 0; r < kTileRows; ++r) {
          for (std::size_t j = 0; j < dim; ++j) {
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < dim; ++i) {
              sum += std::lrint(x[r * dim + i]) * std::int64_t{values[i * dim + j]};
              ASSERT_EQ(matrix.at(i, j), values[i * dim + j]);
            }
            ASSERT_EQ(product.data()[j * kTileRows + r], static_cast<float>(sum) * factor[j])
                << dim << " " << reach << " " << r << " " << j;
          }
        }
      }
    }
  });
}

TEST(MultiplyWholeTile, RefusesMatricesOfOtherShapes) {
  const std::vector<std::int16_t> values(24);
  EXPECT_THROW(WholeMatrix(values, 8), InputError);   // three rows
  EXPECT_THROW(WholeMatrix(values, 12), InputError);  // no multiple of 8 columns
  EXPECT_THROW(WholeMatrix(std::vector<std::int16_t>(16, -32768), 8), InputError);
}

}  // namespace
}  // namespace kakeya
