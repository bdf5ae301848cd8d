// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/row_codes.cuh"

// Lattice points of a lane's vector, and the vector again. Coordinates i and i + 64 are two binary16
// of one word, whole numbers of 2^-24 (of E8 of half a coordinate), whose patterns are the numbers
// themselves. Sums of these are exact up to 2048, of even ones up to 4096, so that their order is
// free; six of the seven butterflies do two of them at once.

namespace kakeya::kernels {
namespace {

constexpr int kRowPairs = kRowDim / 2;

/// What the coordinates of a lattice's pairs are more than the point's, times `count` of them.
template <int kLattice>
__device__ __forceinline__ constexpr std::uint32_t pairs_beyond(int count) {
  const int beyond = (kLattice == FixedRate::e8 ? 2 : 1) * Usual<kLattice>::book.bound;
  return static_cast<std::uint32_t>(beyond * count) * 0x10001u;
}

/// Two numbers from 0 to 127 as a pair.
__device__ __forceinline__ std::uint32_t pair_of(std::uint32_t low, std::uint32_t high) {
  return (high << 16) + low;
}

/// Pairs 8 kPiece, ... from two fields; false, and the origin, where one has no point.
template <int kLattice>
__device__ __forceinline__ bool pairs_of_fields(const Book& book, std::uint64_t low,
                                                std::uint64_t high, TwoHalves* pair) {
  using Numbers = Numbering<kSmall>;
  bool good = true;
  if constexpr (kLattice == FixedRate::z) {
    // The one code without a point is 15.
    const auto check = [&](std::uint64_t& field) {
      const auto codes = static_cast<std::uint32_t>(field);
      if ((((codes & 0x77777777u) + 0x11111111u) & codes & 0x88888888u) != 0) {
        good = false, field = 0x77777777u;
      }
    };
    check(low), check(high);
    const auto a = static_cast<std::uint32_t>(low), b = static_cast<std::uint32_t>(high);
    const std::uint32_t first = permute(a, b, 0x5410), second = permute(a, b, 0x7632);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      pair[i].bits = first >> (4 * i) & 0x000f000fu;
      pair[i + 4].bits = second >> (4 * i) & 0x000f000fu;
    }
    return good;
  }
  const auto count = static_cast<std::uint64_t>(book.count);
  const std::uint64_t origin_of_four = book.integers.ones * static_cast<std::uint32_t>(book.bound);
  int digit[2][8];
  bool half[2] = {false, false};
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const std::uint64_t field = k == 0 ? low : high;
    if constexpr (kLattice == FixedRate::d4) {
      std::uint64_t a = field & ((std::uint64_t{1} << book.point_bits) - 1),
                    b = field >> book.point_bits;
      if (!(a < count && b < count)) good = false, a = b = origin_of_four / 2;
      Numbers::d4_digits(book, a, digit[k]);
      Numbers::d4_digits(book, b, digit[k] + 4);
    } else {
      std::uint64_t a = field;
      if (!(a < count)) {
        good = false, a = (origin_of_four * book.integers.fourth + origin_of_four) / 2;
      }
      half[k] = Numbers::e8_digits(book, a, digit[k]);
    }
  }
  const std::uint32_t halves = (half[0] ? 1u : 0u) + (half[1] ? 0x10000u : 0u);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    pair[i].bits =
        pair_of(static_cast<std::uint32_t>(digit[0][i]), static_cast<std::uint32_t>(digit[1][i]));
    if constexpr (kLattice == FixedRate::e8) pair[i].bits = pair[i].bits * 2 + halves;
  }
  return good;
}

/// Butterflies of all distances but 64. What pairs are more than points leaves once it is in few.
template <int kLattice>
__device__ __forceinline__ void sums_of_pairs(TwoHalves (&pair)[kRowPairs]) {
  constexpr int kLeaves = kLattice == FixedRate::z ? 32 : (kLattice == FixedRate::d4 ? 8 : 16);
#pragma unroll
  for (int half = 1; half < kRowPairs; half *= 2) {
#pragma unroll
    for (int i = 0; i < kRowPairs; ++i) {
      if ((i & half) != 0) continue;
      const TwoHalves a = pair[i], b = pair[i + half];
      pair[i] = a + b;
      pair[i + half] = a - b;
    }
    if (half != kLeaves) continue;
#pragma unroll
    for (int i = 0; i < kRowPairs; i += 2 * kLeaves) {
      pair[i] = pair[i] - TwoHalves{pairs_beyond<kLattice>(2 * kLeaves)};
    }
  }
}

/// Writes the vectors of these sums: the last butterfly, times `factor`, +0 where one of the two is
/// 0, times 2^(16 window).
template <int kLattice>
__device__ __forceinline__ void store_pairs(const Vectors& y, const Tile& tile, Rows& rows,
                                            const TwoHalves (&pair)[kRowPairs], float factor,
                                            int window) {
  const float unit = factor * (kLattice == FixedRate::e8 ? 0x1p23f : 0x1p24f);
  const auto put = [&](const auto& of_window, float bound) {
#pragma unroll
    for (int c = 0; c < kRowPieces / 2; ++c) {
      float low[8], high[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        TwoHalves both = pair[8 * c + i];
        if constexpr (kLattice != FixedRate::d4) both = sum_and_difference(both);
        low[i] = half_value(both.bits & 0xffffu), high[i] = half_value(both.bits >> 16);
        if constexpr (kLattice == FixedRate::d4) {  // up to 4864
          const float a = low[i], b = high[i];
          low[i] = a + b, high[i] = a - b;
        }
        // Nothing underflows: a factor is 0 or at least 2^-65.
        low[i] = of_window(__fmaf_rn(low[i], unit, 0.0f));
        high[i] = of_window(__fmaf_rn(high[i], unit, 0.0f));
      }
      uint4* const row = rows.pieces[threadIdx.x];
      row[c] = sixteen_bytes(Scalar::bf16, low, bound);
      row[c + kRowPieces / 2] = sixteen_bytes(Scalar::bf16, high, bound);
    }
  };
  __syncwarp();  // rows may have been something else
  if (window == 0) {
    put([](float value) { return value; }, 0.0f);
  } else {
    put([&](float value) { return times_window(value, window); }, 0x1.fffffep127f);
  }
  store_rows(y, tile, rows);
}

}  // namespace
}  // namespace kakeya::kernels
