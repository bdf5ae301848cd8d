// SPDX-License-Identifier: Apache-2.0
// Matrix products as plain loops: the portable target, and the oracle of product.cpp.
#include <algorithm>

#include "kakeya/simd/kernels.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace plain {
namespace {

void multiply(const float* tile, std::size_t dim, const float* matrix, std::size_t columns,
              float* product) {
  std::fill_n(product, columns * kTileRows, 0.0f);
  for (std::size_t j = 0; j < columns; ++j) {
    float* sums = product + j * kTileRows;
    for (std::size_t i = 0; i < dim; ++i) {
      const float factor = matrix[i * columns + j];
      for (std::size_t row = 0; row < kTileRows; ++row) {
        sums[row] += tile[i * kTileRows + row] * factor;
      }
    }
  }
}

}  // namespace
}  // namespace plain

ProductKernels plain_product_kernels() { return {plain::multiply}; }

}  // namespace kakeya
