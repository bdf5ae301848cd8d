// SPDX-License-Identifier: Apache-2.0
// Matrix products as plain loops: the portable target, and the oracle of product.cpp.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "kakeya/core/error.h"
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

std::int32_t nearest(float x) { return static_cast<std::int32_t>(std::nearbyint(x)); }

std::int32_t low_half(std::int32_t pair) { return static_cast<std::int16_t>(pair); }
std::int32_t high_half(std::int32_t pair) { return pair >> 16; }

void pair_rows(const float* tile, float unit, std::size_t dim, std::int32_t* pairs) {
  for (std::size_t i = 0; i < dim; i += 2) {
    for (std::size_t row = 0; row < kTileRows; ++row) {
      pairs[i / 2 * kTileRows + row] =
          (nearest(unit * tile[i * kTileRows + row]) & 0xffff) |
          static_cast<std::int32_t>(
              static_cast<std::uint32_t>(nearest(unit * tile[(i + 1) * kTileRows + row])) << 16);
    }
  }
}

void multiply_pairs(const std::int32_t* pairs, const WholeMatrix& matrix, const float* factor,
                    float* product) {
  for (std::size_t j = 0; j < matrix.columns; ++j) {
    std::int32_t sums[kTileRows] = {};
    for (std::size_t i = 0; i < matrix.dim / 2; ++i) {
      const std::int32_t both = matrix.pairs[i * matrix.columns + j];
      for (std::size_t row = 0; row < kTileRows; ++row) {
        const std::int32_t pair = pairs[i * kTileRows + row];
        sums[row] += low_half(pair) * low_half(both) + high_half(pair) * high_half(both);
      }
    }
    for (std::size_t row = 0; row < kTileRows; ++row) {
      product[j * kTileRows + row] = static_cast<float>(sums[row]) * factor[j];
    }
  }
}

}  // namespace
}  // namespace plain

ProductKernels plain_product_kernels() {
  return {plain::multiply, plain::pair_rows, plain::multiply_pairs};
}

WholeMatrix::WholeMatrix(std::span<const std::int16_t> values, std::size_t width)
    : dim(width == 0 ? 0 : values.size() / width), columns(width), pairs(dim / 2 * width) {
  if (dim % 2 != 0 || columns % 8 != 0 || dim * columns != values.size()) {
    throw InputError("a matrix of " + std::to_string(values.size()) + " whole numbers given, " +
                     std::to_string(width) +
                     " columns: expected an even number of rows and a multiple of 8 columns");
  }
  std::vector<std::int64_t> sums(columns);
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const std::int32_t value = values[i * columns + j];
      if (value == -32768) throw InputError("a matrix with -32768 given: expected -32767 or more");
      sums[j] += std::abs(value);
      auto& pair = pairs[i / 2 * columns + j];
      pair |= static_cast<std::int32_t>((static_cast<std::uint32_t>(value) & 0xffffu)
                                        << (16 * (i % 2)));
    }
  }
  for (const std::int64_t sum : sums) most_column = std::max(most_column, sum);
}

void multiply_wide_tile(const float* tile, float unit, const WholeMatrix& matrix,
                        const float* factor, float* product) {
  for (std::size_t j = 0; j < matrix.columns; ++j) {
    double sums[kTileRows] = {};  // whole numbers below 2^53
    for (std::size_t i = 0; i < matrix.dim; ++i) {
      const double value = matrix.at(i, j);
      for (std::size_t row = 0; row < kTileRows; ++row) {
        sums[row] += std::nearbyint(unit * tile[i * kTileRows + row]) * value;
      }
    }
    for (std::size_t row = 0; row < kTileRows; ++row) {
      product[j * kTileRows + row] = static_cast<float>(sums[row]) * factor[j];
    }
  }
}

}  // namespace kakeya
