// SPDX-License-Identifier: Apache-2.0
// Products with matrices, on every instruction set, against the sums in the order that tile.h says.
#include <gtest/gtest.h>

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
    const std::pair<std::size_t, std::size_t> shapes[] = {{1, 8}, {13, 24}, {100, 8}, {32, 40}};
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

}  // namespace
}  // namespace kakeya
