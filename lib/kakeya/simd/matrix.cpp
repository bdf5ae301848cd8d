// SPDX-License-Identifier: Apache-2.0
// Sums of rows of a matrix, compiled once an instruction set: each scalar of a row is a sum of its own,
// in the order of plain_matrix.cpp, so that every instruction set gives the same bits. Nothing is fused:
// two operations a product are the limit where memory is not. Of add_combination() it is the second cache,
// whose rows are read once.
#include "kakeya/simd/matrix.h"

#include "kakeya/simd/kernels.h"
#include "kakeya/simd/vector_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kakeya/simd/matrix.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kakeya/simd/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace kakeya::HWY_NAMESPACE {
namespace {
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR

// y += factor[0] rows[0] + ... of kCount rows, one after another.
template <std::size_t kCount>
HWY_INLINE void combine_few(const float* HWY_RESTRICT factor, Rows<const float> rows,
                            float* HWY_RESTRICT y) {
  const Tag d;
  Vector f[kCount];
#pragma GCC unroll 8
  for (std::size_t k = 0; k < kCount; ++k) f[k] = hn::Set(d, factor[k]);
  std::size_t j = 0;
  for (; j + kWidth <= rows.dim; j += kWidth) {
    Vector sum = hn::LoadU(d, y + j);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kCount; ++k) {
      sum = hn::Add(sum, hn::Mul(f[k], hn::LoadU(d, rows.data + k * rows.stride + j)));
    }
    hn::StoreU(sum, d, y + j);
  }
  for (; j < rows.dim; ++j) {
    float sum = y[j];
    for (std::size_t k = 0; k < kCount; ++k) sum += factor[k] * rows.data[k * rows.stride + j];
    y[j] = sum;
  }
}

void add_combination(const float* HWY_RESTRICT factor, Rows<const float> rows,
                     float* HWY_RESTRICT y) {
  constexpr std::size_t kFew = 8;
  std::size_t k = 0;
  for (; k + kFew <= rows.count; k += kFew) {
    combine_few<kFew>(factor + k, rows.slice(k, kFew), y);
  }
  for (; k < rows.count; ++k) combine_few<1>(factor + k, rows.slice(k, 1), y);
}

// Products of floats and of pairs of whole numbers, by the same loops.
struct Floats {
  using Scalar = float;
  using Lanes = Tag;
  static HWY_INLINE Vector add(Vector sum, Vector factor, Vector x) {
    return hn::Add(sum, hn::Mul(factor, x));
  }
};
struct WholePairs {
  using Scalar = std::int32_t;
  using Lanes = ShortPairTag;
  static HWY_INLINE ShortPairs add(ShortPairs sum, ShortPairs factor, ShortPairs x) {
    return add_short_products(sum, factor, x);
  }
};

// The sums of kRows rows by kVectors vectors stay in registers.
template <class Of, std::size_t kRows, std::size_t kVectors>
HWY_INLINE void add_block(Rows<const typename Of::Scalar> factors,
                          const typename Of::Scalar* HWY_RESTRICT rows, std::size_t stride,
                          typename Of::Scalar* HWY_RESTRICT sums, std::size_t sums_stride) {
  const typename Of::Lanes d;
  using V = hn::Vec<typename Of::Lanes>;
  V sum[kRows][kVectors];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[r][v] = hn::LoadU(d, sums + r * sums_stride + v * kWidth);
    }
  }
  for (std::size_t k = 0; k < factors.dim; ++k, rows += stride) {
    V x[kVectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v) x[v] = hn::LoadU(d, rows + v * kWidth);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRows; ++r) {
      const V f = hn::Set(d, factors.data[r * factors.stride + k]);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] = Of::add(sum[r][v], f, x[v]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(sum[r][v], d, sums + r * sums_stride + v * kWidth);
    }
  }
}

template <class Of>
HWY_INLINE void add_blocks(Rows<const typename Of::Scalar> factors, const typename Of::Scalar* rows,
                           std::size_t stride, Rows<typename Of::Scalar> sums) {
  // Sums enough to hide the latency of an addition, few enough for 32 registers, or for 16.
  constexpr std::size_t kMany = kWidth == 16 ? 8 : 4, kVectors = 2;
  for (std::size_t at = 0; at < kPanelWidth; at += kVectors * kWidth) {
    std::size_t i = 0;
    for (; i + kMany <= sums.count; i += kMany) {
      add_block<Of, kMany, kVectors>(factors.slice(i, kMany), rows + at, stride,
                                     sums.data + i * sums.stride + at, sums.stride);
    }
    for (; i < sums.count; ++i) {
      add_block<Of, 1, kVectors>(factors.slice(i, 1), rows + at, stride,
                                 sums.data + i * sums.stride + at, sums.stride);
    }
  }
}

void add_panel(Rows<const float> factors, const float* rows, std::size_t stride, Rows<float> sums) {
  add_blocks<Floats>(factors, rows, stride, sums);
}

void add_pair_panel(Rows<const std::int32_t> factors, const std::int32_t* rows, std::size_t stride,
                    Rows<std::int32_t> sums) {
  add_blocks<WholePairs>(factors, rows, stride, sums);
}

// Turns [first, end) of one sweep.
HWY_INLINE void turn_some(const Turn* turns, std::size_t first, std::size_t end, std::size_t last,
                          float* rows) {
  const Tag d;
  for (std::size_t k = first; k < end; ++k) {
    float *low = rows + (last - k) * kTurnColumns, *high = low + kTurnColumns;
    const Vector c = hn::Set(d, turns[k].cosine), s = hn::Set(d, turns[k].sine);
    for (std::size_t j = 0; j < kTurnColumns; j += kWidth) {
      const Vector own = hn::LoadU(d, low + j), other = hn::LoadU(d, high + j);
      hn::StoreU(hn::Add(hn::Mul(s, own), hn::Mul(c, other)), d, high + j);
      hn::StoreU(hn::Sub(hn::Mul(c, own), hn::Mul(s, other)), d, low + j);
    }
  }
}

// kWaves sweeps at once, each one turn behind the one before, whose higher row it takes from a
// register: the rows go through memory once for all of them.
template <std::size_t kWaves, std::size_t kVectors>
HWY_INLINE void turn_waves(const Turn* turns, std::size_t count, std::size_t last, float* rows) {
  const Tag d;
  Vector carried[kWaves][kVectors];                        // the lower row of each wave's last turn
  float* low = rows + (last + 1 - kWaves) * kTurnColumns;  // of the first wave's next turn
#pragma GCC unroll 4
  for (std::size_t w = 0; w < kWaves; ++w) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v)
      carried[w][v] = hn::LoadU(d, low + (w + 1) * kTurnColumns + v * kWidth);
  }
  for (std::size_t k = kWaves - 1; k < count; ++k, low -= kTurnColumns) {
    Vector row[kVectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v) row[v] = hn::LoadU(d, low + v * kWidth);
#pragma GCC unroll 4
    for (std::size_t w = 0; w < kWaves; ++w) {
      const Turn& turn = turns[w * count + k - w];
      const Vector c = hn::Set(d, turn.cosine), s = hn::Set(d, turn.sine);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kVectors; ++v) {
        const Vector own = row[v];
        row[v] = hn::Add(hn::Mul(s, own), hn::Mul(c, carried[w][v]));
        carried[w][v] = hn::Sub(hn::Mul(c, own), hn::Mul(s, carried[w][v]));
      }
    }
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v)
      hn::StoreU(row[v], d, low + kWaves * kTurnColumns + v * kWidth);
  }
#pragma GCC unroll 4
  for (std::size_t w = 0; w < kWaves; ++w) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v)
      hn::StoreU(carried[w][v], d, low + (w + 1) * kTurnColumns + v * kWidth);
  }
}

void turn_rows(const Turn* turns, std::size_t count, std::size_t sweeps, std::size_t last,
               float* rows) {
  constexpr std::size_t kWaves = 4, kVectors = 2;
  std::size_t sweep = 0;
  for (; sweep + kWaves <= sweeps && count >= kWaves; sweep += kWaves) {
    const Turn* const here = turns + sweep * count;
    for (std::size_t w = 0; w + 1 < kWaves; ++w) {
      turn_some(here + w * count, 0, kWaves - 1 - w, last, rows);
    }
    for (std::size_t j = 0; j < kTurnColumns; j += kVectors * kWidth) {
      turn_waves<kWaves, kVectors>(here, count, last, rows + j);
    }
    for (std::size_t w = 1; w < kWaves; ++w) {
      turn_some(here + w * count, count - w, count, last, rows);
    }
  }
  for (; sweep < sweeps; ++sweep) turn_some(turns + sweep * count, 0, count, last, rows);
}

MatrixKernels kernels() { return {add_combination, add_panel, add_pair_panel, turn_rows}; }
#else
MatrixKernels kernels() { return plain_matrix_kernels(); }
#endif
}  // namespace
MatrixKernels matrix_kernels() { return kernels(); }
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kakeya {
HWY_EXPORT(matrix_kernels);
MatrixKernels vector_matrix_kernels() { return HWY_DYNAMIC_DISPATCH(matrix_kernels)(); }
}  // namespace kakeya
#endif
