// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/attention_units.cuh"

// What a block of attention.cu has in shared memory, and how queries come to be operands.

namespace kakeya::kernels {
namespace {

/// A block's shared memory: two pages a warp, afterwards what warps give each other; then this. `Pages`: what
/// they are, such as NibblePages of attention.cuh.
template <typename Pages, int kSets>
struct AttentionShared {
  static constexpr int kDim = Pages::kDim, kWarps = Pages::template kWarps<kSets>;
  static constexpr int kHeads = 4 * kSets, kRoom = 2 * Pages::kPartBytes;
  static constexpr int kPages = kWarps * kRoom, kSums = kWarps * kHeads * kDim * 4;
  static constexpr int kFirst = kPages > kSums ? kPages : kSums;

  std::uint64_t barrier[2 * kWarps];
  float query[kHeads][kDim];                           ///< as given; at the end sums of values
  std::uint32_t digit[kHeads][2][Pages::kDigitWords];  ///< as pages' products take it
  float step[kHeads];                                  ///< what a unit of a query's digits is
  float most[kWarps][kHeads], total[kWarps][kHeads], share[kWarps][kHeads];
  std::uint32_t turn;
};

__device__ __forceinline__ float scalar_at(const Vectors& x, std::int64_t at) {
  if (x.type == Scalar::fp32) return static_cast<const float*>(x.data)[at];
  const std::uint32_t pattern = static_cast<const std::uint16_t*>(x.data)[at];
  return x.type == Scalar::bf16 ? __uint_as_float(pattern << 16) : half_value(pattern);
}

/// Queries of a KV head, as given and as digits; a head a warp.
template <typename Pages, int kSets>
__device__ __forceinline__ void load_queries(const AttendCall& call, const Unit& unit, int warp,
                                             int lane, AttentionShared<Pages, kSets>& shared) {
  constexpr int kEach = Pages::kDim / 32;
  for (int g = warp; g < 4 * kSets; g += Pages::template kWarps<kSets>) {
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
    Pages::turn(v, lane);
#pragma unroll
    for (int j = 0; j < kEach; ++j) most = fmaxf(most, fabsf(v[j]));
#pragma unroll
    for (int half = 1; half < 32; half *= 2) {
      most = fmaxf(most, __shfl_xor_sync(kAll, most, half));
    }
    const float step = Pages::put_query(v, most, lane, shared.digit[g][0]);
    if (lane == 0) shared.step[g] = step;
  }
}

template <typename Pages, int kSets>
__device__ __forceinline__ void load_operands(const AttentionShared<Pages, kSets>& shared, int lane,
                                              typename Pages::Query (&query)[kSets]) {
  const int column = lane / 4;
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    Pages::load_query(shared.digit[4 * set + column / 2][column % 2], lane % 4, query[set]);
  }
}

}  // namespace
}  // namespace kakeya::kernels
