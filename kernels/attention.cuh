// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/bulk_copy.cuh"
#include "kernels/klt_exact.cuh"
#include "kernels/nibbles.cuh"

// What a warp does with a page of nibbles: scores of 64 keys against up to 8 queries, weights, and their
// sums of values. Queries and weights are whole numbers of 16 bits in two signed digits, a column each of
// mma.m16n8k32, so that all sums of products are exact:
//
//   column 2 h      the high digit of head h    (of four heads: a set)
//   column 2 h + 1  the low one                  number = 256 high + low
//
// With g = lane / 4 and k = lane % 4 a lane has, of each set, head k: the scores and weights of
// tokens g + 8 i, and sums of the coordinates value_coordinate(tile, upper, g).

namespace kakeya::kernels {
namespace {

constexpr float kMostDigits = 32639.0f;  // 127 * 256 + 127
constexpr float kNoScore = -1e30f;  // below every score, and a float's difference with it finite

/// 2^a.
__device__ __forceinline__ float power_of_two(float a) {
#if defined(__CUDACC__)
  asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(a));
  return a;
#else
  return std::exp2(a);
#endif
}

/// The high digits of four numbers as the bytes of a word, and the low ones.
struct TwoDigits {
  std::uint32_t high, low;
};
__device__ __forceinline__ TwoDigits two_digits_of(const std::int32_t* number) {
  std::uint32_t low[2], high[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const auto a = static_cast<std::uint32_t>(number[2 * i]),
               b = static_cast<std::uint32_t>(number[2 * i + 1]);
    low[i] = permute(a, b, 0x0040);
    high[i] = permute(a + 128u, b + 128u, 0x0051);
  }
  return {permute(high[0], high[1], 0x5410), permute(low[0], low[1], 0x5410)};
}

/// The queries of a set as operands: of k-step s, registers 0 and 1.
template <int kDim>
struct QueryOperands {
  std::uint32_t word[kDim / 32][2];
};

/// What a warp has of the softmax and of the sums of values so far, of one set of heads.
template <int kDim>
struct Running {
  float most = kNoScore;  ///< the largest score, in powers of two
  float total = 0.0f;     ///< of the weights of this lane's tokens
  float sum[kDim / 8];    ///< [tile][upper]
};

/// The Hadamard transform of a vector of which a lane has kDim / 32 neighbours.
template <int kDim>
__device__ __forceinline__ void transform(float (&v)[kDim / 32], int lane) {
#pragma unroll
  for (int half = 1; half < kDim / 32; half *= 2) {
#pragma unroll
    for (int j = 0; j < kDim / 32; ++j) {
      if ((j & half) != 0) continue;
      const float a = v[j], b = v[j + half];
      v[j] = a + b;
      v[j + half] = a - b;
    }
  }
#pragma unroll
  for (int half = 1; half < 32; half *= 2) {
    const float sign = (lane & half) != 0 ? -1.0f : 1.0f;
#pragma unroll
    for (int j = 0; j < kDim / 32; ++j) {
      v[j] = __fmaf_rn(v[j], sign, __shfl_xor_sync(kAll, v[j], half));
    }
  }
}

/// The largest, or the sum, over the lanes with the same k.
__device__ __forceinline__ float largest_of_rows(float a) {
#pragma unroll
  for (int half = 4; half < 32; half *= 2) a = fmaxf(a, __shfl_xor_sync(kAll, a, half));
  return a;
}
__device__ __forceinline__ float sum_of_rows(float a) {
#pragma unroll
  for (int half = 4; half < 32; half *= 2) a += __shfl_xor_sync(kAll, a, half);
  return a;
}

/// Eight of 64 factors, those of this lane's tokens; what is no such number becomes 0.
__device__ __forceinline__ bool load_factors(const std::uint8_t* factors, int lane,
                                             float (&factor)[8]) {
  const auto* from = reinterpret_cast<const float4*>(factors) + lane / 4 * 2;
  bool good = true;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const float4 four = from[i];
    factor[4 * i] = four.x, factor[4 * i + 1] = four.y;
    factor[4 * i + 2] = four.z, factor[4 * i + 3] = four.w;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const bool fine = factor[i] >= 0.0f && factor[i] <= kMostFactor;
    if (!fine) factor[i] = 0.0f;
    good = good && fine;
  }
  return good;
}

/// Sums of products of a page's keys and the queries, sixteen times too large: score[set][i] of
/// token g + 8 i.
template <int kDim, int kSets, bool kE8>
__device__ __forceinline__ void multiply_keys(const std::uint8_t* part, int lane,
                                              const QueryOperands<kDim> (&query)[kSets],
                                              float (&score)[kSets][8]) {
  constexpr int kLoads = kDim / 64;
#pragma unroll
  for (int tile = 0; tile < 4; ++tile) {
    std::uint32_t w[kLoads][4];
    const uint4* from = reinterpret_cast<const uint4*>(part) + tile * kLoads * 32 + lane;
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      const uint4 four = from[32 * u];
      w[u][0] = four.x, w[u][1] = four.y, w[u][2] = four.z, w[u][3] = four.w;
    }
    // Halves of row g and of row g + 8; of 256 for each 128 coordinates.
    std::uint32_t halves[kDim == 256 ? 2 : 1][2] = {};
    if constexpr (kE8) {
#pragma unroll
      for (int row = 0; row < 2; ++row) {
        if constexpr (kDim == 64) {
          std::uint32_t* const words[2] = {&w[0][row], &w[0][2 + row]};
          halves[0][row] = mend_keys<kDim>(words);
        } else {
#pragma unroll
          for (int part128 = 0; part128 < kLoads / 2; ++part128) {
            const int u = 2 * part128;
            std::uint32_t* const words[4] = {&w[u][row], &w[u][2 + row], &w[u + 1][row],
                                             &w[u + 1][2 + row]};
            halves[part128][row] = mend_keys<kDim>(words);
          }
        }
      }
    }
    std::int32_t sums[kSets][4] = {};
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      const std::uint32_t h0 = halves[kDim == 256 ? u / 2 : 0][0],
                          h1 = halves[kDim == 256 ? u / 2 : 0][1];
      const std::uint32_t high[4] = {high_nibbles(w[u][0], h0), high_nibbles(w[u][1], h1),
                                     high_nibbles(w[u][2], h0), high_nibbles(w[u][3], h1)};
      const std::uint32_t low[4] = {low_nibbles(w[u][0], h0), low_nibbles(w[u][1], h1),
                                    low_nibbles(w[u][2], h0), low_nibbles(w[u][3], h1)};
#pragma unroll
      for (int set = 0; set < kSets; ++set) {
        multiply_32(high, query[set].word[2 * u][0], query[set].word[2 * u][1], sums[set]);
        multiply_32(low, query[set].word[2 * u + 1][0], query[set].word[2 * u + 1][1], sums[set]);
      }
    }
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
#pragma unroll
      for (int row = 0; row < 2; ++row) {
        score[set][2 * tile + row] =
            __int2float_rn(sums[set][2 * row] * 256 + sums[set][2 * row + 1]);
      }
    }
  }
}

/// A set's weights as operands: of k-step s, registers 0 and 1; and what a sum of products with them
/// is multiplied by.
struct WeightOperands {
  std::uint32_t word[2][2];
  float scale;
};

/// From weights times factors, of tokens g + 8 i.
__device__ __forceinline__ WeightOperands weight_operands(const float (&weight)[8], int lane) {
  float most = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) most = fmaxf(most, weight[i]);
  most = largest_of_rows(most);
  const float digits = most > 0.0f ? kMostDigits * rough_inverse(most) * 0.9999f : 0.0f;
  std::int32_t number[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    number[i] = static_cast<std::int32_t>(__float_as_uint(__fmaf_rn(weight[i], digits, kShift)) -
                                          kShiftPattern);
  }
  const TwoDigits early = two_digits_of(number), late = two_digits_of(number + 4);
  WeightOperands made;
  made.scale = digits > 0.0f ? rough_inverse(digits) * 0.0625f : 0.0f;
  const int column = lane / 4;
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const int from = 4 * (lane % 4 + 4 * r) + column / 2;
    const std::uint32_t high0 = __shfl_sync(kAll, early.high, from),
                        low0 = __shfl_sync(kAll, early.low, from),
                        high1 = __shfl_sync(kAll, late.high, from),
                        low1 = __shfl_sync(kAll, late.low, from);
    made.word[0][r] = column % 2 == 0 ? high0 : low0;
    made.word[1][r] = column % 2 == 0 ? high1 : low1;
  }
  return made;
}

/// sum = sum * shrink + weights times a page's values.
template <int kDim, int kSets, bool kE8>
__device__ __forceinline__ void add_values(const std::uint8_t* part, int lane,
                                           const WeightOperands (&weight)[kSets],
                                           const float (&shrink)[kSets],
                                           Running<kDim> (&running)[kSets]) {
#pragma unroll
  for (int b = 0; b < kDim / 64; ++b) {
    std::uint32_t w[4][4];
    const uint4* from = reinterpret_cast<const uint4*>(part) + 4 * b * 32 + lane;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const uint4 four = from[32 * j];
      w[j][0] = four.x, w[j][1] = four.y, w[j][2] = four.z, w[j][3] = four.w;
    }
    ValueHalves halves[2] = {};
    if constexpr (kE8) {
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        std::uint32_t* const words[8] = {&w[0][2 * r],     &w[0][2 * r + 1], &w[1][2 * r],
                                         &w[1][2 * r + 1], &w[2][2 * r],     &w[2][2 * r + 1],
                                         &w[3][2 * r],     &w[3][2 * r + 1]};
        halves[r] = mend_values(words);
      }
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const std::uint32_t high[4] = {
          high_nibbles(w[j][0], halves[0].high), high_nibbles(w[j][1], halves[0].high),
          high_nibbles(w[j][2], halves[1].high), high_nibbles(w[j][3], halves[1].high)};
      const std::uint32_t low[4] = {
          low_nibbles(w[j][0], halves[0].low), low_nibbles(w[j][1], halves[0].low),
          low_nibbles(w[j][2], halves[1].low), low_nibbles(w[j][3], halves[1].low)};
#pragma unroll
      for (int set = 0; set < kSets; ++set) {
        std::int32_t sums[4] = {};
        multiply_32(high, weight[set].word[0][0], weight[set].word[0][1], sums);
        multiply_32(low, weight[set].word[1][0], weight[set].word[1][1], sums);
#pragma unroll
        for (int upper = 0; upper < 2; ++upper) {
          float& sum = running[set].sum[2 * (4 * b + j) + upper];
          const float more = __int2float_rn(sums[2 * upper] * 256 + sums[2 * upper + 1]);
          sum = __fmaf_rn(sum, shrink[set], more * weight[set].scale);
        }
      }
    }
  }
}

/// What is said of a page where not all codes, or not all factors, are numbers.
__device__ __forceinline__ std::uint32_t flags_of(bool codes, bool factors) {
  std::uint32_t found = 0;
  if (!codes) found |= kNoSuchPoint;
  if (!factors) found |= kBadScale;
  return found;
}

/// Pages of nibbles, as attention.cu takes any: of the transforms of keys and values.
template <int kDimOf, bool kE8>
struct NibblePages {
  static constexpr int kDim = kDimOf, kPartBytes = static_cast<int>(page_part_bytes(kDim)),
                       kDigitWords = kDim / 4;  ///< of a query's digit
  static constexpr float kUnit = 0.0625f;       ///< nibbles are sixteen times too large
  /// Warps of a block: as many as have room for their pages and registers.
  template <int kSets>
  static constexpr int kWarps = kDim < 256 ? 16 : (kSets == 1 ? 12 : 8);
  using Query = QueryOperands<kDim>;

  /// The Hadamard transform of a vector of which a lane has kDim / 32 neighbours; over kDim its own inverse.
  static __device__ __forceinline__ void turn(float (&v)[kDim / 32], int lane) {
    transform<kDim>(v, lane);
  }
  static constexpr float kBack = 1.0f / kDim;
  static __device__ __forceinline__ int coordinate(int tile, int upper, int row) {
    return value_coordinate(tile, upper, row);
  }

  /// A query's digits, the high one first, from its transform, of which `most` is the largest magnitude.
  /// Returns what a unit of them is.
  static __device__ __forceinline__ float put_query(const float (&v)[kDim / 32], float most,
                                                    int lane, std::uint32_t* digits) {
    constexpr int kEach = kDim / 32;
    const float scale = most > 0.0f ? kMostDigits / most : 0.0f;
    auto* const bytes = reinterpret_cast<std::int8_t*>(digits);
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const auto number = static_cast<std::int32_t>(
          __float_as_uint(__fmaf_rn(v[j], scale, kShift)) - kShiftPattern);
      const std::int32_t high = (number + 128) >> 8;
      const int at = query_byte(kDim, kEach * lane + j);
      bytes[at] = static_cast<std::int8_t>(high);
      bytes[kDim + at] = static_cast<std::int8_t>(number - 256 * high);
    }
    return most / kMostDigits;
  }
  /// The operands of lanes with this k, of the digit that their column has.
  static __device__ __forceinline__ void load_query(const std::uint32_t* digit, int k,
                                                    Query& query) {
#pragma unroll
    for (int step = 0; step < kDim / 32; ++step) {
      query.word[step][0] = digit[8 * step + k];
      query.word[step][1] = digit[8 * step + 4 + k];
    }
  }

  /// score[set][i] of tokens g + 8 i. Returns flags of what is wrong, which counts as zeros.
  template <int kSets>
  static __device__ __forceinline__ std::uint32_t scores(const std::uint8_t* part, int lane,
                                                         const Query (&query)[kSets],
                                                         const float (&unit)[kSets],
                                                         float (&score)[kSets][8]) {
    float factor[8];
    const bool good = load_factors(part + kPageTokens * kDim / 2, lane, factor);
    multiply_keys<kDim, kSets, kE8>(part, lane, query, score);
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
#pragma unroll
      for (int i = 0; i < 8; ++i) score[set][i] *= factor[i] * unit[set];
    }
    return flags_of(true, good);
  }

  /// Adds values, times weights of tokens g + 8 i, to sums that shrink.
  template <int kSets>
  static __device__ __forceinline__ std::uint32_t add(const std::uint8_t* part, int lane,
                                                      float (&weight)[kSets][8],
                                                      const float (&shrink)[kSets],
                                                      Running<kDim> (&running)[kSets]) {
    float factor[8];
    const bool good = load_factors(part + kPageTokens * kDim / 2, lane, factor);
    WeightOperands operands[kSets];
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
#pragma unroll
      for (int i = 0; i < 8; ++i) weight[set][i] *= factor[i];
      operands[set] = weight_operands(weight[set], lane);
    }
    add_values<kDim, kSets, kE8>(part, lane, operands, shrink, running);
    return flags_of(true, good);
  }
};

}  // namespace
}  // namespace kakeya::kernels
