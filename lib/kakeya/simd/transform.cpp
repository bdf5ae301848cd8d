// SPDX-License-Identifier: Apache-2.0
// Arithmetic on whole tiles, compiled once an instruction set.
#include "kakeya/simd/tile.h"
#include "kakeya/simd/vector_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kakeya/simd/transform.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kakeya/simd/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace kakeya::HWY_NAMESPACE {
namespace {
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR

// The stages of distance first, 2 first, ... kRadix / 2 first.
template <int kRadix>
HWY_INLINE void pass(float* HWY_RESTRICT tile, std::size_t dim, std::size_t first) {
  const Tag d;
  const std::size_t stride = first * kTileRows;
  for (float* start = tile; start != tile + dim * kTileRows; start += kRadix * stride) {
    for (float* at = start; at != start + stride; at += kWidth) {
      Vector v[kRadix];
#pragma GCC unroll 8
      for (std::size_t k = 0; k < kRadix; ++k) v[k] = hn::Load(d, at + k * stride);
      butterflies<kRadix>(v);
#pragma GCC unroll 8
      for (std::size_t k = 0; k < kRadix; ++k) hn::Store(v[k], d, at + k * stride);
    }
  }
}

// Radix 16 in an order that keeps half of the vectors in use at a time: with sixteen registers a
// plain pass<16> would keep more in memory than two smaller passes do.
HWY_INLINE void last_pass_of_16(float* HWY_RESTRICT tile, std::size_t dim, std::size_t first) {
  const Tag d;
  const std::size_t stride = first * kTileRows;
  for (float* start = tile; start != tile + dim * kTileRows; start += 16 * stride) {
    for (float* at = start; at != start + stride; at += kWidth) {
      Vector low[8], high[8];
#pragma GCC unroll 8
      for (std::size_t k = 0; k < 8; ++k) low[k] = hn::Load(d, at + k * stride);
      butterflies<8>(low);
#pragma GCC unroll 8
      for (std::size_t k = 0; k < 8; ++k) high[k] = hn::Load(d, at + (8 + k) * stride);
      butterflies<8>(high);
#pragma GCC unroll 8
      for (std::size_t k = 0; k < 8; ++k) {
        hn::Store(hn::Add(low[k], high[k]), d, at + k * stride);
        hn::Store(subtract_in_multiplier(low[k], high[k]), d, at + (8 + k) * stride);
      }
    }
  }
}

// Stages of distance kFirst, 2 kFirst, ... to the end in as few passes as registers allow;
// distances that the compiler knows cost no registers. Sixteen vectors 4 KB or more apart would not
// fit the sets of a level-one cache together.
template <std::size_t kFirst>
void stages_from(float* tile, std::size_t dim) {
  constexpr std::size_t kFarthest = 4096;
  switch (dim / kFirst) {
    case 1:
      return;
    case 2:
      return pass<2>(tile, dim, kFirst);
    case 4:
      return pass<4>(tile, dim, kFirst);
    case 8:
      return pass<8>(tile, dim, kFirst);
    case 16:
      if constexpr (kFirst < 64) return last_pass_of_16(tile, dim, kFirst);
      break;
    default:
      break;
  }
  if constexpr (8 * kFirst <= kFarthest) {
    if (dim / kFirst == 16) {
      pass<4>(tile, dim, kFirst);
      return stages_from<4 * kFirst>(tile, dim);
    }
    pass<8>(tile, dim, kFirst);
    stages_from<8 * kFirst>(tile, dim);
  } else {
    for (std::size_t first = kFirst; first < dim; first *= 2) pass<2>(tile, dim, first);
  }
}

void sum(float* tile, std::size_t dim, std::size_t first) {
  if (first == 1) {
    stages_from<1>(tile, dim);
  } else {
    stages_from<8>(tile, dim);
  }
}

void scale_vectors(float* tile, std::size_t dim, const float* factor) {
  const Tag d;
  for (std::size_t row = 0; row < kTileRows; row += kWidth) {
    const Vector f = hn::LoadU(d, factor + row);
    for (std::size_t i = 0; i < dim; ++i) {
      float* at = tile + i * kTileRows + row;
      hn::Store(hn::Mul(hn::Load(d, at), f), d, at);
    }
  }
}

void scale_coordinates(float* tile, std::size_t dim, const float* factor) {
  const Tag d;
  for (std::size_t i = 0; i < dim; ++i) {
    const Vector f = hn::Set(d, factor[i]);
    for (std::size_t row = 0; row < kTileRows; row += kWidth) {
      float* at = tile + i * kTileRows + row;
      hn::Store(hn::Mul(hn::Load(d, at), f), d, at);
    }
  }
}

void shift_coordinates(float* tile, std::size_t dim, const float* offset) {
  const Tag d;
  for (std::size_t i = 0; i < dim; ++i) {
    const Vector o = hn::Set(d, offset[i]);
    for (std::size_t row = 0; row < kTileRows; row += kWidth) {
      float* at = tile + i * kTileRows + row;
      hn::Store(hn::Add(hn::Load(d, at), o), d, at);
    }
  }
}

// The largest magnitude of kWidth rows, compared as the integers that their bits are.
HWY_INLINE Vector largest_of(const float* at, std::size_t dim) {
  const Tag d;
  const IntTag bits;
  IntVector most[4];
  for (IntVector& part : most) part = hn::Zero(bits);
  const auto add = [&](const float* from, int k) HWY_ATTR {
    const IntVector value = hn::BitCast(bits, hn::Load(d, from));
    most[k] = hn::Max(most[k], hn::And(value, hn::Set(bits, 0x7fffffff)));
  };
  std::size_t i = 0;
  for (; i + 4 <= dim; i += 4, at += 4 * kTileRows) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) add(at + k * kTileRows, k);
  }
  for (int k = 0; i < dim; ++i, ++k, at += kTileRows) add(at, k);
  return hn::BitCast(d, hn::Max(hn::Max(most[0], most[2]), hn::Max(most[1], most[3])));
}

// The sums of squares of kUnits times kWidth rows, side by side to hide an addition's latency, and
// the largest of the squares: positive numbers, compared as integers.
template <std::size_t kUnits>
HWY_INLINE void squares_of(const float* at, std::size_t dim, Vector* sum, Vector* largest_square) {
  const Tag d;
  const IntTag bits;
  Vector part[4][kUnits];
  IntVector most[kUnits];
  for (std::size_t u = 0; u < kUnits; ++u) {
    for (auto& k : part) k[u] = hn::Zero(d);
    most[u] = hn::Zero(bits);
  }
  const auto add = [&](const float* from, std::size_t k) HWY_ATTR {
#pragma GCC unroll 2
    for (std::size_t u = 0; u < kUnits; ++u) {
      const Vector value = hn::Load(d, from + u * kWidth), square = hn::Mul(value, value);
      part[k][u] = hn::Add(part[k][u], square);
      most[u] = hn::Max(most[u], hn::BitCast(bits, square));
    }
  };
  std::size_t i = 0;
  for (; i + 4 <= dim; i += 4, at += 4 * kTileRows) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) add(at + k * kTileRows, k);
  }
  for (std::size_t k = 0; i < dim; ++i, ++k, at += kTileRows) add(at, k);
  for (std::size_t u = 0; u < kUnits; ++u) {
    largest_square[u] = hn::BitCast(d, most[u]);
    sum[u] = hn::Add(hn::Add(part[0][u], part[2][u]), hn::Add(part[1][u], part[3][u]));
  }
}

// The largest magnitude is the root of the largest square: in binary the root of a rounded square,
// rounded, is the number itself wherever no exponent runs out (Boldo, "Stupid is as stupid does:
// taking the square root of the square of a floating-point number", 2015), and of two magnitudes
// the larger has the larger square. Squares that may have lost bits are looked at again.
void measure(const float* tile, std::size_t dim, float* sum_of_squares, float* largest) {
  const Tag d;
  const IntTag bits;
  const IntVector least = hn::Set(bits, 0x0d800000), most = hn::Set(bits, 0x7e800000);
  constexpr std::size_t kUnits = kWidth == kTileRows ? 1 : 2;
  for (std::size_t first = 0; first < kTileRows; first += kUnits * kWidth) {
    Vector sum[kUnits], square[kUnits];
    if (sum_of_squares != nullptr) squares_of<kUnits>(tile + first, dim, sum, square);
    for (std::size_t u = 0; u < kUnits; ++u) {
      const std::size_t row = first + u * kWidth;
      bool certain = false;
      if (sum_of_squares != nullptr) {
        hn::StoreU(sum[u], d, sum_of_squares + row);
        const IntVector pattern = hn::BitCast(bits, square[u]);
        certain = hn::AllTrue(bits, hn::And(hn::Gt(pattern, least), hn::Lt(pattern, most)));
      }
      hn::StoreU(certain ? hn::Sqrt(square[u]) : largest_of(tile + row, dim), d, largest + row);
    }
  }
}

TransformKernels kernels() {
  return {scale_vectors, scale_coordinates, shift_coordinates, sum, measure};
}

#else
TransformKernels kernels() { return plain_transform_kernels(); }
#endif
}  // namespace
TransformKernels transform_kernels() { return kernels(); }
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kakeya {
HWY_EXPORT(transform_kernels);
TransformKernels vector_transform_kernels() { return HWY_DYNAMIC_DISPATCH(transform_kernels)(); }
}  // namespace kakeya
#endif
