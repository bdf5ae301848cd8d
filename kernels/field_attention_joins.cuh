// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/field_attention.cuh"

// As attention_joins.cuh, for sums of two kinds: transformed ones, of tokens in pages, and plain ones. `Shared` is
// FieldShared, or has what is used of it.

namespace kakeya::kernels {
namespace {

/// Floats of a block's part of AttendCall::partial: of each head its largest score, its total and that of
/// tokens in pages, then sums [set][group][lane], first the transformed ones.
template <int kDim, int kSets>
constexpr int kFieldPart = 4 * kSets*(2 * kDim + 3);

/// What the warps of a block have, as one, into the block's part, plain sums where `has_plain`. `sums`: shared memory.
template <int kDim, int kSets, typename Shared>
__device__ __forceinline__ void join_field_warps(const AttendCall& call, std::int64_t block,
                                                 bool has_plain, int warp, int warps, int lane,
                                                 float* sums, Shared& shared,
                                                 const FieldRunning<kDim> (&running)[kSets],
                                                 const float (&plain)[kSets][kDim / 8]) {
  constexpr int kHeads = 4 * kSets;
  const int thread = static_cast<int>(threadIdx.x);
  float* to = call.partial + block * kFieldPart<kDim, kSets>;
#pragma unroll
  for (int kind = 0; kind < 2; ++kind) {
    if (kind == 1 && !has_plain) break;
    __syncthreads();  // nobody reads pages, or sums, any more
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      const int g = 4 * set + lane % 4;
      if (kind == 0 && lane / 4 == 0) {
        shared.most[warp][g] = running[set].most;
        shared.total[warp][g] = running[set].total;
        shared.packed[warp][g] = running[set].packed;
      }
#pragma unroll
      for (int i = 0; i < kDim / 8; ++i) {
        sums[(warp * kSets + set) * 4 * kDim + 32 * i + lane] =
            kind == 0 ? running[set].sum[i] : plain[set][i];
      }
    }
    __syncthreads();
    if (kind == 0) {
      for (int g = warp; g < kHeads; g += warps) {
        const bool there = lane < warps;
        const float mine = there ? shared.most[lane][g] : kNoScore;
        float most = mine;
#pragma unroll
        for (int half = 1; half < 32; half *= 2) {
          most = fmaxf(most, __shfl_xor_sync(kAll, most, half));
        }
        const float share = power_of_two(mine - most);
        float total = there ? shared.total[lane][g] * share : 0.0f,
              packed = there ? shared.packed[lane][g] * share : 0.0f;
        if (there) shared.share[lane][g] = share;
#pragma unroll
        for (int half = 1; half < 32; half *= 2) {
          total += __shfl_xor_sync(kAll, total, half);
          packed += __shfl_xor_sync(kAll, packed, half);
        }
        if (lane == 0) {
          to[g] = most;
          to[kHeads + g] = total;
          to[2 * kHeads + g] = packed;
        }
      }
    }
    if (kind == 0) __syncthreads();
    for (int i = thread; i < kHeads * kDim; i += 32 * warps) {
      const int g = 4 * (i / (4 * kDim)) + i % 4;
      float sum = 0.0f;
      for (int w = 0; w < warps; ++w) {
        sum = __fmaf_rn(sums[w * kHeads * kDim + i], shared.share[w][g], sum);
      }
      to[(3 + kind * kDim) * kHeads + i] = sum;
    }
  }
}

/// Floats of shared memory that join_field_blocks() takes: shares, later parts of multiply_matrix(), and
/// behind them plain sums.
template <int kDim, int kSets>
__host__ __device__ constexpr int plain_place(int warps) {
  const int slices = matrix_slices<kDim>(32 * warps), columns = slices * kDim;
  return 4 * kSets * (columns > kMostSplits ? columns : kMostSplits);
}
template <int kDim, int kSets>
constexpr int join_floats(int warps) {
  return plain_place<kDim, kSets>(warps) + 4 * kSets * kDim;
}

/// What the blocks of a unit have, as one, back from the transform; the last `plain_blocks` of them have plain sums.
/// `room`: shared memory for a number a head and block, and then as multiply_matrix() takes it. `rows`: of the head's
/// matrix of values.
template <int kDim, int kSets, typename Shared>
__device__ __forceinline__ void join_field_blocks(const AttendCall& call,
                                                  const FieldTransforms& transforms,
                                                  const Unit& unit, MatrixRows<kDim>& rows,
                                                  int plain_blocks, int warp, int warps, int lane,
                                                  float* room, Shared& shared) {
  constexpr int kHeads = 4 * kSets, kTogether = 16;
  constexpr std::int64_t kStride = kFieldPart<kDim, kSets>;
  const int threads = 32 * warps, thread = static_cast<int>(threadIdx.x);
  const float* all = call.partial + static_cast<std::int64_t>(unit.number) * call.splits * kStride;
  const int padded = (call.splits + kTogether - 1) / kTogether * kTogether;
  // Sums of the first blocks are on their way meanwhile.
  float early[kTogether];
#pragma unroll
  for (int s = 0; s < kTogether; ++s) {
    early[s] =
        thread < kHeads * kDim && s < call.splits ? all[s * kStride + 3 * kHeads + thread] : 0.0f;
  }
  for (int g = warp; g < kHeads; g += warps) {
    float most = kNoScore, total = 0.0f, packed = 0.0f;
    const bool there = lane < call.splits;
    const float* const mine = all + (there ? lane : 0) * kStride + g;
    const float first_most = mine[0], first_total = mine[kHeads], first_packed = mine[2 * kHeads];
    if (there) most = first_most;
    for (int s = lane + 32; s < call.splits; s += 32) most = fmaxf(most, all[s * kStride + g]);
#pragma unroll
    for (int half = 1; half < 32; half *= 2) {
      most = fmaxf(most, __shfl_xor_sync(kAll, most, half));
    }
    if (there) {
      const float share = power_of_two(first_most - most);
      total = first_total * share;
      packed = first_packed * share;
      room[lane * kHeads + g] = share;
    }
    for (int s = lane + 32; s < call.splits; s += 32) {
      const float share = power_of_two(all[s * kStride + g] - most);
      total = __fmaf_rn(all[s * kStride + kHeads + g], share, total);
      packed = __fmaf_rn(all[s * kStride + 2 * kHeads + g], share, packed);
      room[s * kHeads + g] = share;
    }
#pragma unroll
    for (int half = 1; half < 32; half *= 2) {
      total += __shfl_xor_sync(kAll, total, half);
      packed += __shfl_xor_sync(kAll, packed, half);
    }
    const float inverse = total > 0.0f ? 1.0f / total : 0.0f;
    for (int s = lane; s < padded; s += 32) {
      room[s * kHeads + g] = s < call.splits ? room[s * kHeads + g] * inverse : 0.0f;
    }
    if (lane == 0) shared.offset[g] = packed * inverse;
  }
  __syncthreads();
  // Transformed sums to shared.query.
  float* const plain = room + plain_place<kDim, kSets>(warps);
  for (int i = thread; i < 2 * kHeads * kDim; i += threads) {
    const int kind = i / (kHeads * kDim), at = i % (kHeads * kDim);
    const int g = 4 * (at / (4 * kDim)) + at % 4,
              coordinate = at % (4 * kDim) / 32 * 8 + at % 32 / 4;
    float sum = 0.0f;
    const bool known = kind == 0 && i == thread;
    if (known) {
#pragma unroll
      for (int s = 0; s < kTogether; ++s) sum = __fmaf_rn(early[s], room[s * kHeads + g], sum);
    }
    const int begin = kind == 0 ? (known ? kTogether : 0) : call.splits - plain_blocks,
              end = kind == 0 ? padded : call.splits;
#pragma unroll kTogether
    for (int s = begin; s < end; ++s) {
      const int block = s < call.splits ? s : 0;
      sum = __fmaf_rn(all[block * kStride + 3 * kHeads + i], room[s * kHeads + g], sum);
    }
    if (kind == 0) {
      shared.query[g][coordinate] = sum;
    } else {
      plain[g * kDim + coordinate] = sum;
    }
  }
  __syncthreads();
  const int slices = multiply_matrix<kDim, kHeads>(
      transforms.values + static_cast<std::int64_t>(unit.head) * kDim * kDim, rows, shared.query,
      room);
  __syncthreads();
  for (int i = thread; i < unit.count * kDim; i += threads) {
    const int g = i / kDim, coordinate = i % kDim;
    float sum = __fmaf_rn(shared.offset[g], transforms.value_means[unit.head * kDim + coordinate],
                          plain[i]);
    for (int s = 0; s < slices; ++s) sum += room[(s * kHeads + g) * kDim + coordinate];
    store_scalar(call.out,
                 unit.sequence * call.out.token_stride + (unit.first + g) * call.out.head_stride +
                     coordinate,
                 sum);
  }
}

/// Joins warps, and in the last block of a unit that gets here blocks: what ends a kernel of attention. `splits`: blocks of a unit, the last
/// `plain_blocks` of which have added tokens that are in no page.
template <int kDim, int kSets, typename Shared>
__device__ __forceinline__ void join_field_unit(const AttendCall& call,
                                                const FieldTransforms& transforms, const Unit& unit,
                                                unsigned splits, unsigned plain_blocks, int warp,
                                                int warps, int lane, float* memory, Shared& shared,
                                                const FieldRunning<kDim> (&running)[kSets],
                                                const float (&plain)[kSets][kDim / 8]) {
  const bool has_plain = blockIdx.x % splits >= splits - plain_blocks;
  join_field_warps<kDim, kSets>(call, blockIdx.x, has_plain, warp, warps, lane, memory, shared,
                                running, plain);
  std::uint32_t* const counter =
      reinterpret_cast<std::uint32_t*>(call.partial + static_cast<std::int64_t>(gridDim.x) *
                                                          kFieldPart<kDim, kSets>) +
      unit.number;
  // Whichever block is the last has them when it knows.
  MatrixRows<kDim> rows;
  rows.load(transforms.values + static_cast<std::int64_t>(unit.head) * kDim * kDim, 0);
  if (!last_of_unit(counter, splits, shared.turn)) return;
  join_field_blocks<kDim, kSets>(call, transforms, unit, rows, static_cast<int>(plain_blocks), warp,
                                 warps, lane, memory, shared);
  if (splits > 1 && threadIdx.x == 0) *counter = 0;
}

}  // namespace
}  // namespace kakeya::kernels
