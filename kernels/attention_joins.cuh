// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/attention_queries.cuh"

// From what warps of attention.cu have to a block's, and from blocks' to a head's result.

namespace kakeya::kernels {
namespace {

/// Floats of a block's part of AttendCall::partial: for each head its largest score and its total,
/// then the sums as lanes have them, [set][tile][upper][lane].
template <int kDim, int kSets>
constexpr int kPart = 4 * kSets*(kDim + 2);

/// What the warps of a block have, as one, into the block's part. `sums`: shared memory.
template <int kDim, int kSets>
__device__ __forceinline__ void join_warps(const AttendCall& call, std::int64_t block, int warp,
                                           int lane, float* sums,
                                           AttentionShared<kDim, kSets>& shared,
                                           const Running<kDim> (&running)[kSets]) {
  constexpr int kHeads = 4 * kSets, kBlock = 32 * kWarps<kDim, kSets>;
  __syncthreads();  // nobody reads pages any more
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    const int g = 4 * set + lane % 4;
    if (lane / 4 == 0) {
      shared.most[warp][g] = running[set].most;
      shared.total[warp][g] = running[set].total;
    }
#pragma unroll
    for (int i = 0; i < kDim / 8; ++i) {
      sums[(warp * kSets + set) * 4 * kDim + 32 * i + lane] = running[set].sum[i];
    }
  }
  __syncthreads();
  const int thread = static_cast<int>(threadIdx.x);
  float* to = call.partial + block * kPart<kDim, kSets>;
  if (thread < kHeads) {
    float most = kNoScore, total = 0.0f;
#pragma unroll
    for (int w = 0; w < kWarps<kDim, kSets>; ++w) most = fmaxf(most, shared.most[w][thread]);
#pragma unroll
    for (int w = 0; w < kWarps<kDim, kSets>; ++w) {
      const float share = power_of_two(shared.most[w][thread] - most);
      shared.share[w][thread] = share;
      total = __fmaf_rn(shared.total[w][thread], share, total);
    }
    to[thread] = most;
    to[kHeads + thread] = total;
  }
  __syncthreads();
  for (int i = thread; i < kHeads * kDim; i += kBlock) {
    const int g = 4 * (i / (4 * kDim)) + i % 4;
    float sum = 0.0f;
#pragma unroll
    for (int w = 0; w < kWarps<kDim, kSets>; ++w) {
      sum = __fmaf_rn(sums[w * kHeads * kDim + i], shared.share[w][g], sum);
    }
    to[2 * kHeads + i] = sum;
  }
}

/// What the blocks of a unit have, as one, and back from the transform. `shares`: shared memory for a
/// number a head and block.
template <int kDim, int kSets>
__device__ __forceinline__ void join_blocks(const AttendCall& call, const Unit& unit, int warp,
                                            int lane, float* shares,
                                            AttentionShared<kDim, kSets>& shared) {
  constexpr int kHeads = 4 * kSets, kBlock = 32 * kWarps<kDim, kSets>, kEach = kDim / 32;
  constexpr std::int64_t kStride = kPart<kDim, kSets>;
  const float* all = call.partial + static_cast<std::int64_t>(unit.number) * call.splits * kStride;
  // A warp a head: the shares of blocks, divided by the total of all.
  for (int g = warp; g < kHeads; g += kWarps<kDim, kSets>) {
    float most = kNoScore, total = 0.0f;
    for (int s = lane; s < call.splits; s += 32) most = fmaxf(most, all[s * kStride + g]);
#pragma unroll
    for (int half = 1; half < 32; half *= 2) {
      most = fmaxf(most, __shfl_xor_sync(kAll, most, half));
    }
    for (int s = lane; s < call.splits; s += 32) {
      const float share = power_of_two(all[s * kStride + g] - most);
      total = __fmaf_rn(all[s * kStride + kHeads + g], share, total);
      shares[s * kHeads + g] = share;
    }
#pragma unroll
    for (int half = 1; half < 32; half *= 2) total += __shfl_xor_sync(kAll, total, half);
    const float inverse = total > 0.0f ? 1.0f / total : 0.0f;
    for (int s = lane; s < call.splits; s += 32) shares[s * kHeads + g] *= inverse;
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kHeads * kDim; i += kBlock) {
    const int g = 4 * (i / (4 * kDim)) + i % 4;
    float sum = 0.0f;
#pragma unroll 16
    for (int s = 0; s < call.splits; ++s) {
      sum = __fmaf_rn(all[s * kStride + 2 * kHeads + i], shares[s * kHeads + g], sum);
    }
    const int place = i % (4 * kDim) / 32, row = i % 32 / 4;
    shared.query[g][value_coordinate(place / 2, place % 2, row)] = sum;
  }
  __syncthreads();
  const Vectors& out = call.out;
  for (int g = warp; g < unit.count; g += kWarps<kDim, kSets>) {
    float v[kEach];
#pragma unroll
    for (int j = 0; j < kEach; ++j) v[j] = shared.query[g][kEach * lane + j];
    transform<kDim>(v, lane);
    const std::int64_t at =
        unit.sequence * out.token_stride + (unit.first + g) * out.head_stride + kEach * lane;
#pragma unroll
    for (int j = 0; j < kEach; ++j) store_scalar(out, at + j, v[j]);
  }
}

}  // namespace
}  // namespace kakeya::kernels
