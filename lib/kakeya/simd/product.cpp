// SPDX-License-Identifier: Apache-2.0
// Products of tiles with matrices, compiled once an instruction set. Every sum is one chain of
// rounded products in the order of plain_product.cpp: the same bits. A multiply-add would round
// once where two roundings are the rule, so the limit is two operations a product: for dim
// 128, 2 x 16384 / (2 x 8) = 2048 cycles a vector pair of adders with AVX2.
#include <cstddef>
#include <type_traits>

#include "kakeya/simd/tile.h"
#include "kakeya/simd/vector_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kakeya/simd/product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kakeya/simd/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace kakeya::HWY_NAMESPACE {
namespace {
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR

// Columns [0, kSums) of the product by kVectors vectors. Each factor meets all of these, so that
// neither loads nor what else a step takes keep the adders waiting; as many sums as hide the latency
// of an addition, and as there are registers for: sixteen, or 32 where vectors are of AVX-512.
template <std::size_t kSums, std::size_t kVectors>
HWY_INLINE void multiply_block(const float* HWY_RESTRICT tile, std::size_t dim,
                               const float* HWY_RESTRICT matrix, std::size_t columns,
                               float* HWY_RESTRICT product) {
  const Tag d;
  Vector sums[kSums][kVectors];
#pragma GCC unroll 8
  for (std::size_t k = 0; k < kSums; ++k) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) sums[k][v] = hn::Zero(d);
  }
  for (std::size_t i = 0; i < dim; ++i, tile += kTileRows, matrix += columns) {
    Vector x[kVectors];
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) x[v] = hn::Load(d, tile + v * kWidth);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kSums; ++k) {
      const Vector factor = hn::Set(d, matrix[k]);
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kVectors; ++v) {
        sums[k][v] = hn::Add(sums[k][v], hn::Mul(x[v], factor));
      }
    }
  }
#pragma GCC unroll 8
  for (std::size_t k = 0; k < kSums; ++k) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::Store(sums[k][v], d, product + k * kTileRows + v * kWidth);
    }
  }
}

void multiply(const float* HWY_RESTRICT tile, std::size_t dim, const float* HWY_RESTRICT matrix,
              std::size_t columns, float* HWY_RESTRICT product) {
  constexpr std::size_t kVectors = kWidth == kTileRows ? 1 : 2, kMost = kVectors == 1 ? 8 : 6;
  for (std::size_t at = 0; at < kTileRows; at += kVectors * kWidth) {
    for (std::size_t j = 0; j < columns;) {
      const std::size_t left = columns - j;  // a multiple of 8 is sixes and fours
      const auto multiply_next = [&](auto sums) HWY_ATTR {
        multiply_block<sums, kVectors>(tile + at, dim, matrix + j, columns,
                                       product + j * kTileRows + at);
        j += sums;
      };
      if (left >= kMost && (kMost == 8 || left != 8)) {
        multiply_next(std::integral_constant<std::size_t, kMost>());
      } else {
        multiply_next(std::integral_constant<std::size_t, 4>());
      }
    }
  }
}

void pair_rows(const float* HWY_RESTRICT tile, float unit, std::size_t dim,
               std::int32_t* HWY_RESTRICT pairs) {
  const Tag d;
  const Vector by = hn::Set(d, unit);
  const ShortPairTag di;
  for (std::size_t i = 0; i < dim; i += 2) {
    for (std::size_t at = 0; at < kTileRows; at += kWidth) {
      const float* const rows = tile + i * kTileRows + at;
      const ShortPairs even = hn::NearestInt(hn::Mul(hn::Load(d, rows), by)),
                       odd = hn::NearestInt(hn::Mul(hn::Load(d, rows + kTileRows), by));
      hn::StoreU(hn::Or(hn::And(even, hn::Set(di, 0xffff)), hn::ShiftLeft<16>(odd)), di,
                 pairs + i / 2 * kTileRows + at);
    }
  }
}

// Eight sums at once, as multiply(). Two operations for two products.
void multiply_pairs(const std::int32_t* HWY_RESTRICT pairs, const WholeMatrix& matrix,
                    const float* HWY_RESTRICT factor, float* HWY_RESTRICT product) {
  const Tag d;
  const ShortPairTag di;
  constexpr std::size_t kSums = 8;
  for (std::size_t j = 0; j < matrix.columns; j += kSums) {
    for (std::size_t at = 0; at < kTileRows; at += kWidth) {
      ShortPairs sums[kSums];
#pragma GCC unroll 8
      for (std::size_t k = 0; k < kSums; ++k) sums[k] = hn::Zero(di);
      for (std::size_t i = 0; i < matrix.dim / 2; ++i) {
        const ShortPairs x = hn::LoadU(di, pairs + i * kTileRows + at);
        const std::int32_t* values = matrix.pairs.data() + i * matrix.columns + j;
#pragma GCC unroll 8
        for (std::size_t k = 0; k < kSums; ++k) {
          sums[k] = add_short_products(sums[k], x, hn::Set(di, values[k]));
        }
      }
#pragma GCC unroll 8
      for (std::size_t k = 0; k < kSums; ++k) {
        hn::Store(hn::Mul(hn::ConvertTo(d, sums[k]), hn::Set(d, factor[j + k])), d,
                  product + (j + k) * kTileRows + at);
      }
    }
  }
}

ProductKernels kernels() { return {multiply, pair_rows, multiply_pairs}; }
#else
ProductKernels kernels() { return plain_product_kernels(); }
#endif
}  // namespace
ProductKernels product_kernels() { return kernels(); }
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kakeya {
HWY_EXPORT(product_kernels);
ProductKernels vector_product_kernels() { return HWY_DYNAMIC_DISPATCH(product_kernels)(); }
}  // namespace kakeya
#endif
