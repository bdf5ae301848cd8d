// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/attention.cuh"
#include "kernels/bytes.cuh"
#include "kernels/half_products.cuh"
#include "kernels/rules.cuh"

// What a warp does with a page of fp8. Codes become binary16, which has their values exactly. Queries and
// weights are sums of two binary16 each, 22 bits against the largest, a column each of mma.m16n8k16 as the
// digits of attention.cuh are: products are exact, their sums are float. Lanes have what they have there.

namespace kakeya::kernels {
namespace {

constexpr float kMostHalves = 0x1p14f;  ///< of a number that is two binary16

/// What numbers up to `most` are multiplied by to be numbers up to kMostHalves; 0 of what is hardly there.
__device__ __forceinline__ float halves_scale(float most) {
  return most >= 0x1p-110f ? kMostHalves * rough_inverse(most) * 0.9999f : 0.0f;
}

/// One of the two products that a lane's load of 16 bytes holds.
__device__ __forceinline__ void halves_of_load(std::uint32_t row, std::uint32_t row_8,
                                               std::uint32_t (&a)[4]) {
  a[0] = halves_of_e4m3(row & 0xffffu);
  a[1] = halves_of_e4m3(row_8 & 0xffffu);
  a[2] = halves_of_e4m3(row >> 16);
  a[3] = halves_of_e4m3(row_8 >> 16);
}

/// Both digits' sums together; 0 where a code is NaN.
__device__ __forceinline__ float sum_of_digits(float high, float low, bool& good) {
  const float sum = high + low;
  if (sum == sum) return sum;
  good = false;
  return 0.0f;
}

/// Pages of fp8, as attention.cu takes any: of keys and values as they are.
template <int kDimOf>
struct BytePages {
  static constexpr int kDim = kDimOf, kPartBytes = static_cast<int>(byte_part_bytes(kDim)),
                       kDigitWords = kDim / 2;  ///< of a query's digit
  static constexpr float kUnit = 1.0f;
  /// Warps of a block: as many as have room for their pages.
  template <int kSets>
  static constexpr int kWarps = kDim == 64 ? 16 : (kDim == 128 ? 12 : 6);
  struct Query {
    std::uint32_t word[kDim / 16][2];  ///< of product s, registers 0 and 1
  };

  static __device__ __forceinline__ void turn(float (&)[kDim / 32], int) {}
  static constexpr float kBack = 1.0f;
  static __device__ __forceinline__ int coordinate(int tile, int upper, int row) {
    return 16 * tile + 8 * upper + row;
  }

  /// A query's digits, the high one first; `most` is its largest magnitude. Returns what a unit of them is.
  static __device__ __forceinline__ float put_query(const float (&v)[kDim / 32], float most,
                                                    int lane, std::uint32_t* digits) {
    constexpr int kEach = kDim / 32;
    const float scale = halves_scale(most);
    const auto number = [&](float value) {  // finite, whatever the query
      return fminf(fmaxf(value * scale, -kMostHalves), kMostHalves);
    };
#pragma unroll
    for (int j = 0; j < kEach; j += 2) {
      const SplitHalves two = split_halves(number(v[j]), number(v[j + 1]));
      const int at = (kEach * lane + j) / 2;
      digits[at] = two.high;
      digits[kDigitWords + at] = two.low;
    }
    return scale > 0.0f ? rough_inverse(scale) : 0.0f;
  }
  /// The operands of lanes with this k, of the digit that their column has.
  static __device__ __forceinline__ void load_query(const std::uint32_t* digit, int k,
                                                    Query& query) {
#pragma unroll
    for (int s = 0; s < kDim / 16; ++s) {
      const uint2 two = reinterpret_cast<const uint2*>(digit)[4 * s + k];
      query.word[s][0] = two.x, query.word[s][1] = two.y;
    }
  }

  /// score[set][i] of tokens g + 8 i. Returns flags of what is wrong, which counts as zeros.
  template <int kSets>
  static __device__ __forceinline__ std::uint32_t scores(const std::uint8_t* part, int lane,
                                                         const Query (&query)[kSets],
                                                         const float (&unit)[kSets],
                                                         float (&score)[kSets][8]) {
    bool codes = true, scales = true;
#pragma unroll
    for (int b = 0; b < kDim / 64; ++b) {
      float factor[8];
      scales = load_factors(scales_of(part, b), lane, factor) && scales;
#pragma unroll
      for (int tile = 0; tile < 4; ++tile) {
        const uint4* from =
            reinterpret_cast<const uint4*>(part) + (tile * (kDim / 32) + 2 * b) * 32 + lane;
        float sums[kSets][4] = {};
#pragma unroll
        for (int u = 0; u < 2; ++u) {
          const uint4 four = from[32 * u];
          const int s = 4 * b + 2 * u;
          std::uint32_t a[4];
          halves_of_load(four.x, four.y, a);
#pragma unroll
          for (int set = 0; set < kSets; ++set) {
            add_product_16(a, query[set].word[s][0], query[set].word[s][1], sums[set]);
          }
          halves_of_load(four.z, four.w, a);
#pragma unroll
          for (int set = 0; set < kSets; ++set) {
            add_product_16(a, query[set].word[s + 1][0], query[set].word[s + 1][1], sums[set]);
          }
        }
#pragma unroll
        for (int set = 0; set < kSets; ++set) {
#pragma unroll
          for (int row = 0; row < 2; ++row) {
            const int i = 2 * tile + row;
            const float sum = sum_of_digits(sums[set][2 * row], sums[set][2 * row + 1], codes),
                        more = sum * (factor[i] * unit[set]);
            score[set][i] = b == 0 ? more : score[set][i] + more;
          }
        }
      }
    }
    return flags_of(codes, scales);
  }

  /// Adds values, times weights of tokens g + 8 i, to sums that shrink.
  template <int kSets>
  static __device__ __forceinline__ std::uint32_t add(const std::uint8_t* part, int lane,
                                                      const float (&weight)[kSets][8],
                                                      const float (&shrink)[kSets],
                                                      Running<kDim> (&running)[kSets]) {
    bool codes = true, scales = true;
#pragma unroll
    for (int b = 0; b < kDim / 64; ++b) {
      float factor[8];
      scales = load_factors(scales_of(part, b), lane, factor) && scales;
      Weights operand[kSets];
#pragma unroll
      for (int set = 0; set < kSets; ++set) operand[set] = weights(weight[set], factor, lane);
#pragma unroll
      for (int tile = 4 * b; tile < 4 * b + 4; ++tile) {
        const uint4* from = reinterpret_cast<const uint4*>(part) + 2 * tile * 32 + lane;
        float sums[kSets][4] = {};
#pragma unroll
        for (int u = 0; u < 2; ++u) {
          const uint4 four = from[32 * u];
          std::uint32_t a[4];
          halves_of_load(four.x, four.y, a);
#pragma unroll
          for (int set = 0; set < kSets; ++set) {
            add_product_16(a, operand[set].word[2 * u][0], operand[set].word[2 * u][1], sums[set]);
          }
          halves_of_load(four.z, four.w, a);
#pragma unroll
          for (int set = 0; set < kSets; ++set) {
            add_product_16(a, operand[set].word[2 * u + 1][0], operand[set].word[2 * u + 1][1],
                           sums[set]);
          }
        }
#pragma unroll
        for (int set = 0; set < kSets; ++set) {
#pragma unroll
          for (int upper = 0; upper < 2; ++upper) {
            float& sum = running[set].sum[2 * tile + upper];
            const float more = sum_of_digits(sums[set][2 * upper], sums[set][2 * upper + 1], codes);
            sum = __fmaf_rn(sum, shrink[set], more * operand[set].unit);
          }
        }
      }
    }
    return flags_of(codes, scales);
  }

 private:
  /// A set's weights as operands: of product s, registers 0 and 1; and what a unit of them is.
  struct Weights {
    std::uint32_t word[4][2];
    float unit;
  };

  static __device__ __forceinline__ const std::uint8_t* scales_of(const std::uint8_t* part, int b) {
    return part + kPageTokens * kDim + b * kPageTokens * 4;
  }

  /// From weights times scales, of tokens g + 8 i.
  static __device__ __forceinline__ Weights weights(const float (&weight)[8],
                                                    const float (&factor)[8], int lane) {
    float number[8], most = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      number[i] = weight[i] * factor[i];
      most = fmaxf(most, number[i]);
    }
    most = largest_of_rows(most);
    const float scale = halves_scale(most);
    SplitHalves mine[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      mine[i] = split_halves(number[2 * i] * scale, number[2 * i + 1] * scale);
    }
    Weights made;
    made.unit = scale > 0.0f ? rough_inverse(scale) : 0.0f;
    const int column = lane / 4;
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      const int from = 4 * (lane % 4 + 4 * (s % 2)) + column / 2;
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        const SplitHalves& two = mine[2 * (s / 2) + r];
        const std::uint32_t high = __shfl_sync(kAll, two.high, from),
                            low = __shfl_sync(kAll, two.low, from);
        made.word[s][r] = column % 2 == 0 ? high : low;
      }
    }
    return made;
  }
};

}  // namespace
}  // namespace kakeya::kernels
