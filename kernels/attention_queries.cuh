// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/attention_units.cuh"

// What a block of attention.cu has in shared memory, and how queries come to be operands.

namespace kakeya::kernels {
namespace {

/// Warps of a block: as many as have room for their pages and registers.
template <int kDim, int kSets>
constexpr int kWarps = kDim < 256 ? 16 : (kSets == 1 ? 12 : 8);

/// A block's shared memory: two pages a warp, afterwards what warps give each other; then this.
template <int kDim, int kSets>
struct AttentionShared {
  static constexpr int kHeads = 4 * kSets, kRoom = 2 * static_cast<int>(page_part_bytes(kDim));
  static constexpr int kPages = kWarps<kDim, kSets> * kRoom;
  static constexpr int kSums = kWarps<kDim, kSets> * kHeads * kDim * 4;
  static constexpr int kFirst = kPages > kSums ? kPages : kSums;

  std::uint64_t barrier[2 * kWarps<kDim, kSets>];
  float query[kHeads][kDim];                 ///< as given; at the end sums of values
  std::uint32_t digit[kHeads][2][kDim / 4];  ///< of its transform, as operands
  float step[kHeads];                        ///< what a unit of a query's number is
  float most[kWarps<kDim, kSets>][kHeads], total[kWarps<kDim, kSets>][kHeads],
      share[kWarps<kDim, kSets>][kHeads];
  std::uint32_t turn;
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

__device__ __forceinline__ float scalar_at(const Vectors& x, std::int64_t at) {
  if (x.type == Scalar::fp32) return static_cast<const float*>(x.data)[at];
  const std::uint32_t pattern = static_cast<const std::uint16_t*>(x.data)[at];
  return x.type == Scalar::bf16 ? __uint_as_float(pattern << 16) : half_value(pattern);
}

/// Queries of a KV head, as given and as digits of their transforms; a head a warp.
template <int kDim, int kSets>
__device__ __forceinline__ void load_queries(const AttendCall& call, const Unit& unit, int warp,
                                             int lane, AttentionShared<kDim, kSets>& shared) {
  constexpr int kEach = kDim / 32;
  for (int g = warp; g < 4 * kSets; g += kWarps<kDim, kSets>) {
    float v[kEach], most = 0.0f;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      v[j] = 0.0f;
      if (g < unit.count) {
        v[j] = scalar_at(call.queries, unit.sequence * call.queries.token_stride +
                                           (unit.first + g) * call.queries.head_stride +
                                           kEach * lane + j);
      }
      shared.query[g][kEach * lane + j] = v[j];
    }
    transform<kDim>(v, lane);
#pragma unroll
    for (int j = 0; j < kEach; ++j) most = fmaxf(most, fabsf(v[j]));
#pragma unroll
    for (int half = 1; half < 32; half *= 2) {
      most = fmaxf(most, __shfl_xor_sync(kAll, most, half));
    }
    const float digits = most > 0.0f ? kMostDigits / most : 0.0f;
    auto* const bytes = reinterpret_cast<std::int8_t*>(shared.digit[g][0]);
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const auto number = static_cast<std::int32_t>(
          __float_as_uint(__fmaf_rn(v[j], digits, kShift)) - kShiftPattern);
      const std::int32_t high = (number + 128) >> 8;
      const int at = query_byte(kDim, kEach * lane + j);
      bytes[at] = static_cast<std::int8_t>(high);
      bytes[kDim + at] = static_cast<std::int8_t>(number - 256 * high);
    }
    if (lane == 0) shared.step[g] = most / kMostDigits;
  }
}

template <int kDim, int kSets>
__device__ __forceinline__ void load_operands(const AttentionShared<kDim, kSets>& shared, int lane,
                                              QueryOperands<kDim> (&query)[kSets]) {
  const int column = lane / 4, k = lane % 4;
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    const std::uint32_t* digit = shared.digit[4 * set + column / 2][column % 2];
#pragma unroll
    for (int step = 0; step < kDim / 32; ++step) {
      query[set].word[step][0] = digit[8 * step + k];
      query[set].word[step][1] = digit[8 * step + 4 + k];
    }
  }
}

}  // namespace
}  // namespace kakeya::kernels
