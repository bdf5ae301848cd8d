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
template <typename Pages, int kSets>
__device__ __forceinline__ void join_warps(const AttendCall& call, std::int64_t block, int warp,
                                           int lane, float* sums,
                                           AttentionShared<Pages, kSets>& shared,
                                           const Running<Pages::kDim> (&running)[kSets]) {
  constexpr int kDim = Pages::kDim, kWarps = Pages::template kWarps<kSets>;
  constexpr int kHeads = 4 * kSets, kBlock = 32 * kWarps;
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
    for (int w = 0; w < kWarps; ++w) most = fmaxf(most, shared.most[w][thread]);
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
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
    for (int w = 0; w < kWarps; ++w) {
      sum = __fmaf_rn(sums[w * kHeads * kDim + i], shared.share[w][g], sum);
    }
    to[2 * kHeads + i] = sum;
  }
}

/// What the blocks of a unit have, as one, and back from the transform. `shares`: shared memory for a
/// number a head and block.
template <typename Pages, int kSets>
__device__ __forceinline__ void join_blocks(const AttendCall& call, const Unit& unit, int warp,
                                            int lane, float* shares,
                                            AttentionShared<Pages, kSets>& shared) {
  constexpr int kDim = Pages::kDim, kWarps = Pages::template kWarps<kSets>;
  constexpr int kHeads = 4 * kSets, kBlock = 32 * kWarps, kEach = kDim / 32;
  constexpr std::int64_t kStride = kPart<kDim, kSets>;
  const float* all = call.partial + static_cast<std::int64_t>(unit.number) * call.splits * kStride;
  // Sums are read so many at once; what is not there has no share.
  constexpr int kTogether = 16;
  const int padded = (call.splits + kTogether - 1) / kTogether * kTogether;
  // A warp a head: the shares of blocks, divided by the total of all.
  for (int g = warp; g < kHeads; g += kWarps) {
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
    for (int s = lane; s < padded; s += 32) {
      shares[s * kHeads + g] = s < call.splits ? shares[s * kHeads + g] * inverse : 0.0f;
    }
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kHeads * kDim; i += kBlock) {
    const int g = 4 * (i / (4 * kDim)) + i % 4;
    float sum = 0.0f;
#pragma unroll kTogether
    for (int s = 0; s < padded; ++s) {
      const int block = s < call.splits ? s : 0;
      sum = __fmaf_rn(all[block * kStride + 2 * kHeads + i], shares[s * kHeads + g], sum);
    }
    const int place = i % (4 * kDim) / 32, row = i % 32 / 4;
    shared.query[g][Pages::coordinate(place / 2, place % 2, row)] = sum;
  }
  __syncthreads();
  const Vectors& out = call.out;
  for (int g = warp; g < unit.count; g += kWarps) {
    float v[kEach];
#pragma unroll
    for (int j = 0; j < kEach; ++j) v[j] = shared.query[g][kEach * lane + j];
    Pages::turn(v, lane);
    const std::int64_t at =
        unit.sequence * out.token_stride + (unit.first + g) * out.head_stride + kEach * lane;
#pragma unroll
    for (int j = 0; j < kEach; ++j) store_scalar(out, at + j, v[j]);
  }
}

}  // namespace
}  // namespace kakeya::kernels
