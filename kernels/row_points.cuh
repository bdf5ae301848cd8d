// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/row_codes.cuh"

// Lattice points of a lane's vector or part, and the vector again. Coordinates i and i + kPart / 2 are
// two binary16 of one word, whole numbers of 2^-24 (of E8 of half a coordinate), whose patterns are the
// numbers themselves. Sums of these are exact up to 2048, of even ones up to 4096, of multiples of 4 up
// to 8192, so that their order is free; all butterflies but the last do two of them at once.

namespace kakeya::kernels {
namespace {

/// How pairs of points are added up.
template <typename U>
struct PairSums {
  static constexpr int kPairs = U::kPart / 2;
  /// What a coordinate of a pair is more than the point's, and at most that in either direction.
  static constexpr int kBeyond = (U::kLattice == FixedRate::e8 ? 2 : 1) * U::book.bound;
  /// Sums of four of a point of D4 are even, of eight of E8 multiples of 4, here where halves count.
  static constexpr int kMost = U::kLattice == FixedRate::z    ? 2048
                               : U::kLattice == FixedRate::d4 ? 4096
                                                              : 8192;
  /// Butterflies that are made of floats: the last, which is within a pair, and the one before.
  static constexpr int kOfFloats = kBeyond * U::kDim <= kMost       ? 0
                                   : kBeyond * U::kDim / 2 <= kMost ? 1
                                                                    : 2;
  static constexpr int kFirstOfFloats = kOfFloats == 2 ? kPairs / 2 : kPairs;
  static_assert(kBeyond * U::kDim / 4 <= kMost && 2 * kBeyond * U::kLanes * 8 <= 2048);
  /// After the butterfly of this distance the sums of what pairs are more than points leave.
  static constexpr int leaves() {
    int half = kFirstOfFloats / 2;
    while (2 * kBeyond * U::kLanes * (2 * half) > 2048) half /= 2;
    return half;
  }
};

/// Two numbers from 0 to 127 as a pair.
__device__ __forceinline__ std::uint32_t pair_of(std::uint32_t low, std::uint32_t high) {
  return (high << 16) + low;
}

/// A sum and a difference in the place of two numbers.
__device__ __forceinline__ void sum_of_two(float& a, float& b) {
  const float sum = a + b;
  b = a - b;
  a = sum;
}

/// a + b * factor, of which `factor` has 1 or -1 twice.
__device__ __forceinline__ TwoHalves plus_product(TwoHalves a, TwoHalves b, std::uint32_t factor) {
#if defined(__CUDACC__)
  asm("fma.rn.f16x2 %0, %1, %2, %0;" : "+r"(a.bits) : "r"(b.bits), "r"(factor));
  return a;
#else
  return a + TwoHalves{b.bits ^ (factor & 0x80008000u)};
#endif
}

/// Eight pairs from two fields; false, and the origin, where one has no point.
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

/// Butterflies of all distances but those of floats. What pairs are more than points has been added up
/// `lanes` times, 0, 1 or 2.
template <typename U>
__device__ __forceinline__ void sums_of_pairs(TwoHalves (&pair)[PairSums<U>::kPairs],
                                              std::uint32_t lanes) {
  using Sums = PairSums<U>;
  constexpr std::uint32_t kLeaving =
      static_cast<std::uint32_t>(Sums::kBeyond * (2 * Sums::leaves())) * 0x10001u;
#pragma unroll
  for (int half = 1; half < Sums::kFirstOfFloats; half *= 2) {
#pragma unroll
    for (int i = 0; i < Sums::kPairs; ++i) {
      if ((i & half) != 0) continue;
      const TwoHalves a = pair[i], b = pair[i + half];
      pair[i] = a + b;
      pair[i + half] = a - b;
    }
    if (half != Sums::leaves()) continue;
#pragma unroll
    for (int i = 0; i < Sums::kPairs; i += 2 * Sums::leaves()) {
      pair[i] = pair[i] - TwoHalves{kLeaving * lanes};
    }
  }
}

/// The butterfly between the two lanes of a row. Returns how often what pairs are more than points is
/// in the sum.
template <typename U>
__device__ __forceinline__ std::uint32_t sums_of_parts(TwoHalves (&pair)[PairSums<U>::kPairs]) {
  const bool upper = (threadIdx.x & 1u) != 0;
  const std::uint32_t sign = upper ? 0xbc00bc00u : 0x3c003c00u;
#pragma unroll
  for (int i = 0; i < PairSums<U>::kPairs; ++i) {
    const TwoHalves other{__shfl_xor_sync(kAll, pair[i].bits, 1)};
    pair[i] = plus_product(other, pair[i], sign);
  }
  return upper ? 0 : 2;
}

/// Writes the vectors of these sums: the last butterflies, times `factor`, +0 where one of the two is
/// 0, times 2^(16 window). `kNeighbours`: of pairs of coordinates 2i and 2i + 1 of a part.
template <typename U, bool kNeighbours = false>
__device__ __forceinline__ void store_pairs(const Vectors& y, const Tile& tile, Rows<U::kDim>& rows,
                                            const TwoHalves (&pair)[PairSums<U>::kPairs],
                                            float factor, int window) {
  using Sums = PairSums<U>;
  const float unit = factor * (U::kLattice == FixedRate::e8 ? 0x1p23f : 0x1p24f);
  uint4* const part = rows.pieces[threadIdx.x];
  const auto put = [&](const auto& of_window, float bound) {
    const auto put8 = [&](int piece, float(&v)[8]) {
    // Nothing underflows: a factor is 0 or at least 2^-65.
#pragma unroll
      for (int i = 0; i < 8; ++i) v[i] = of_window(__fmaf_rn(v[i], unit, 0.0f));
      part[piece] = sixteen_bytes(Scalar::bf16, v, bound);
    };
    if constexpr (kNeighbours) {
      static_assert(Sums::kOfFloats == 0);
#pragma unroll
      for (int c = 0; c < U::kPieces; ++c) {
        float v[8];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const TwoHalves both = sum_and_difference(pair[4 * c + i]);
          v[2 * i] = half_value(both.bits & 0xffffu), v[2 * i + 1] = half_value(both.bits >> 16);
        }
        put8(c, v);
      }
    } else {
      constexpr int kFirsts = Sums::kFirstOfFloats / 8, kTurns = Sums::kPairs / 8 / kFirsts;
#pragma unroll
      for (int c = 0; c < kFirsts; ++c) {
        float low[kTurns][8], high[kTurns][8];
#pragma unroll
        for (int i = 0; i < 8; ++i) {
#pragma unroll
          for (int k = 0; k < kTurns; ++k) {
            TwoHalves both = pair[8 * (c + k * kFirsts) + i];
            if constexpr (Sums::kOfFloats == 0) both = sum_and_difference(both);
            low[k][i] = half_value(both.bits & 0xffffu), high[k][i] = half_value(both.bits >> 16);
          }
          if constexpr (Sums::kOfFloats == 2) {
            sum_of_two(low[0][i], low[1][i]), sum_of_two(high[0][i], high[1][i]);
          }
          if constexpr (Sums::kOfFloats != 0) {
#pragma unroll
            for (int k = 0; k < kTurns; ++k) sum_of_two(low[k][i], high[k][i]);
          }
        }
#pragma unroll
        for (int k = 0; k < kTurns; ++k) {
          put8(c + k * kFirsts, low[k]);
          put8(c + k * kFirsts + U::kPieces / 2, high[k]);
        }
      }
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
