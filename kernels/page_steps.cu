// SPDX-License-Identifier: Apache-2.0
// Scales that the vectors of a page share (per=head-page): the geometric mean of those before it.
#include "kernels/entropy_coded.cuh"

namespace kakeya::kernels {
namespace {

constexpr std::int32_t kNoSize = INT32_MIN;  // of a zero vector
constexpr int kShareThreads = 256;

template <bool kTakes>
__global__ void __launch_bounds__(kThreads)
    sizes_of_tile(EntropyCoded codec, Vectors x, EntropyCodedWork work, std::uint32_t* flags) {
  __shared__ Shared shared;
  const Tile tile = counted_tile_of(x);
  if (tile.valid <= 0) return;
  const Seat seat = seat_of(codec.dim / 32);
  float v[kPieces][8];
  load_stepped<kTakes>(codec, x, tile, seat, work, v, shared, flags);
  const int row = static_cast<int>(threadIdx.x);
  if (row >= tile.valid) return;
  const Measured of = measured(codec, row, shared);
  std::int32_t size = kNoSize;
  if (of.largest != 0.0f) {
    size = sixteenths_of_octave(of.root_mean_square, false) + kWindowSixteenths * of.window;
  }
  work.sizes[tile.head * x.tokens + tile.first + row] = size;
}

// The vector at which a scale begins; `rungs` of them after the first are in the first page.
__device__ __forceinline__ std::int64_t begin_of(std::int64_t item, std::int64_t rungs,
                                                 std::int64_t page) {
  if (item == 0) return 0;
  return item <= rungs ? std::int64_t{1} << (item - 1) : (item - rungs) * page;
}

__device__ __forceinline__ std::int32_t sum_of_warp(std::int32_t value) {
#pragma unroll
  for (int lanes = 1; lanes < 32; lanes *= 2) value += __shfl_xor_sync(kAll, value, lanes);
  return value;
}

// A block a head: a warp adds up the vectors that share a scale, then a thread goes through the scales.
__global__ void __launch_bounds__(kShareThreads)
    scales_of_head(EntropyCoded codec, Vectors x, std::int64_t items, EntropyCodedSections out,
                   EntropyCodedWork work) {
  const std::int64_t head = blockIdx.x, rungs = shared_scale(codec.page - 1, codec.page);
  const std::int64_t tokens = tokens_of_head(x, head);
  if (tokens == 0) return;
  const std::int32_t* sizes = work.sizes + head * x.tokens;
  std::int32_t* sums = work.sums + 2 * head * items;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (std::int64_t item = threadIdx.x / 32; item < items; item += kShareThreads / 32) {
    const std::int64_t first = begin_of(item, rungs, codec.page),
                       next = begin_of(item + 1, rungs, codec.page),
                       end = next < tokens ? next : tokens;
    std::int32_t sum = 0, seen = 0;
    for (std::int64_t vector = first + lane; vector < end; vector += 32) {
      if (sizes[vector] == kNoSize) continue;
      sum += sizes[vector];
      ++seen;
    }
    sum = sum_of_warp(sum);
    seen = sum_of_warp(seen);
    if (lane == 0) sums[2 * item] = sum, sums[2 * item + 1] = seen;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  std::int64_t sum = 0, seen = 0;
  for (std::int64_t item = 0; item < items; ++item) {
    const bool own = item == 0 && sizes[0] != kNoSize;
    const ScaleCode code = mean_scale(scale_format(codec), own ? sizes[0] : sum, own ? 1 : seen);
    write_scale(codec, out, head, item, code);
    sum += sums[2 * item];
    seen += sums[2 * item + 1];
  }
}

}  // namespace

void share_scales(const EntropyCoded& codec, const Vectors& x, const EntropyCodedSections& out,
                  const EntropyCodedWork& work, std::uint32_t* flags, Stream stream) {
  if (tiles_of(x) == 0) return;
  if (codec.outliers == 0) {
    KAKEYA_LAUNCH(sizes_of_tile<false>, tiles_of(x), kThreads, stream, codec, x, work, flags);
  } else {
    KAKEYA_LAUNCH(sizes_of_tile<true>, tiles_of(x), kThreads, stream, codec, x, work, flags);
  }
  KAKEYA_LAUNCH(scales_of_head, x.heads, kShareThreads, stream, codec, x,
                shared_scale(x.tokens - 1, codec.page) + 1, out, work);
}

}  // namespace kakeya::kernels
