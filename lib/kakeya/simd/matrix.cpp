// SPDX-License-Identifier: Apache-2.0
// Sums of rows of a matrix, compiled once an instruction set: each scalar of a row is a sum of its own,
// in the order of plain_matrix.cpp, so that every instruction set gives the same bits. Matrices of some
// hundred rows stay in the second cache, whose bandwidth is the limit: add_combination() reads each
// row once, the others read and write it once.
#include "kakeya/simd/matrix.h"

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

void subtract_symmetric(const float* HWY_RESTRICT x, const float* HWY_RESTRICT y,
                        Rows<float> rows) {
  const Tag d;
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* HWY_RESTRICT row = rows.data + i * rows.stride;
    const Vector xi = hn::Set(d, x[i]), yi = hn::Set(d, y[i]);
    std::size_t j = 0;
    for (; j + kWidth <= rows.dim; j += kWidth) {
      const Vector both =
          hn::Add(hn::Mul(xi, hn::LoadU(d, y + j)), hn::Mul(yi, hn::LoadU(d, x + j)));
      hn::StoreU(hn::Sub(hn::LoadU(d, row + j), both), d, row + j);
    }
    for (; j < rows.dim; ++j) row[j] -= x[i] * y[j] + y[i] * x[j];
  }
}

void add_outer(const float* HWY_RESTRICT x, const float* HWY_RESTRICT y, Rows<float> rows) {
  const Tag d;
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* HWY_RESTRICT row = rows.data + i * rows.stride;
    const Vector xi = hn::Set(d, x[i]);
    std::size_t j = 0;
    for (; j + kWidth <= rows.dim; j += kWidth) {
      hn::StoreU(hn::Add(hn::LoadU(d, row + j), hn::Mul(xi, hn::LoadU(d, y + j))), d, row + j);
    }
    for (; j < rows.dim; ++j) row[j] += x[i] * y[j];
  }
}

// The numbers of the lower row of a pair stay in registers for the next turn.
template <std::size_t kCount>
HWY_INLINE void turn_at(const Turn* turns, std::size_t count, std::size_t last, Rows<float> rows,
                        std::size_t j) {
  const Tag d;
  Vector carried[kCount];
  float* row = rows.data + (last + 1) * rows.stride + j;
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kCount; ++v) carried[v] = hn::LoadU(d, row + v * kWidth);
  for (std::size_t k = 0; k < count; ++k, row -= rows.stride) {
    const Vector c = hn::Set(d, turns[k].cosine), s = hn::Set(d, turns[k].sine);
    const float* low = row - rows.stride;
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kCount; ++v) {
      const Vector own = hn::LoadU(d, low + v * kWidth);
      hn::StoreU(hn::Add(hn::Mul(s, own), hn::Mul(c, carried[v])), d, row + v * kWidth);
      carried[v] = hn::Sub(hn::Mul(c, own), hn::Mul(s, carried[v]));
    }
  }
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kCount; ++v) hn::StoreU(carried[v], d, row + v * kWidth);
}

void turn_rows(const Turn* turns, std::size_t count, std::size_t last, Rows<float> rows) {
  constexpr std::size_t kMany = 8;  // chains enough to hide the latency of an addition
  std::size_t j = 0;
  for (; j + kMany * kWidth <= rows.dim; j += kMany * kWidth) {
    turn_at<kMany>(turns, count, last, rows, j);
  }
  for (; j + kWidth <= rows.dim; j += kWidth) turn_at<1>(turns, count, last, rows, j);
  for (; j < rows.dim; ++j) {
    for (std::size_t k = 0; k < count; ++k) {
      float& low = rows.data[(last - k) * rows.stride + j];
      float& high = rows.data[(last - k + 1) * rows.stride + j];
      const float own = low, other = high;
      high = turns[k].sine * own + turns[k].cosine * other;
      low = turns[k].cosine * own - turns[k].sine * other;
    }
  }
}

MatrixKernels kernels() { return {add_combination, subtract_symmetric, add_outer, turn_rows}; }
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
