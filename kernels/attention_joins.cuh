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
  constexpr int kHeads = 4 * kSets, kBlock = 32 * kWarps<kDim>;
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
    for (int w = 0; w < kWarps<kDim>; ++w) most = fmaxf(most, shared.most[w][thread]);
#pragma unroll
    for (int w = 0; w < kWarps<kDim>; ++w) {
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
    for (int w = 0; w < kWarps<kDim>; ++w) {
      sum = __fmaf_rn(sums[w * kHeads * kDim + i], shared.share[w][g], sum);
    }
    to[2 * kHeads + i] = sum;
  }
}

/// What the blocks of a sequence's head have, as one, and back from the transform.
template <int kDim, int kSets>
__device__ __forceinline__ void join_blocks(const AttendCall& call, int unit, int sequence,
                                            int head, int warp, int lane,
                                            AttentionShared<kDim, kSets>& shared) {
  constexpr int kHeads = 4 * kSets, kBlock = 32 * kWarps<kDim>, kEach = kDim / 32;
  constexpr std::int64_t kStride = kPart<kDim, kSets>;
  const float* all = call.partial + static_cast<std::int64_t>(unit) * call.splits * kStride;
  for (int i = static_cast<int>(threadIdx.x); i < kHeads * kDim; i += kBlock) {
    const int g = 4 * (i / (4 * kDim)) + i % 4;
    float most = kNoScore, total = 0.0f, sum = 0.0f;
#pragma unroll 8
    for (int s = 0; s < call.splits; ++s) {
      const float* part = all + s * kStride;
      const float more = fmaxf(most, part[g]);
      const float shrink = power_of_two(most - more), share = power_of_two(part[g] - more);
      most = more;
      total = __fmaf_rn(total, shrink, part[kHeads + g] * share);
      sum = __fmaf_rn(sum, shrink, part[2 * kHeads + i] * share);
    }
    const int place = i % (4 * kDim) / 32, row = i % 32 / 4;
    shared.query[g][value_coordinate(place / 2, place % 2, row)] =
        total > 0.0f ? sum / total : 0.0f;
  }
  __syncthreads();
  const Vectors& out = call.out;
  for (int g = warp; g < call.group; g += kWarps<kDim>) {
    float v[kEach];
#pragma unroll
    for (int j = 0; j < kEach; ++j) v[j] = shared.query[g][kEach * lane + j];
    transform<kDim>(v, lane);
    const std::int64_t at =
        sequence * out.token_stride + (head * call.group + g) * out.head_stride + kEach * lane;
#pragma unroll
    for (int j = 0; j < kEach; ++j) store_scalar(out, at + j, v[j]);
  }
}

}  // namespace
}  // namespace kakeya::kernels
