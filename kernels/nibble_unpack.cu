// SPDX-License-Identifier: Apache-2.0
// From pages that attention reads (nibbles.cuh) back to vectors: a block of threads a page and head, a warp a
// token at a time.
#include "kernels/attention_queries.cuh"
#include "kernels/nibbles.cuh"
#include "kernels/pages_launch.cuh"

namespace kakeya::kernels {
namespace {

/// Coordinates of a lane, neighbours, times two.
template <int kDim, bool kE8>
__device__ __forceinline__ void take_points(const std::uint32_t* words, bool values, int token,
                                            int lane, float (&v)[kDim / 32]) {
  constexpr int kEach = kDim / 32, kLanes = 8 / kEach;  // lanes of a block of eight
  std::int32_t nibble[kEach];
  std::uint32_t parity = 0, half = 0;
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    const int at = kEach * lane + j;
    const NibblePlace place = values ? value_place(token, at) : key_place(kDim, token, at);
    const std::uint32_t raw = words[place.word] >> place.shift & 15u;
    nibble[j] = static_cast<std::int32_t>(raw << 28) >> 28;
    if (at % 8 == 7) {
      half = raw & 1u;
    } else {
      parity ^= raw & 1u;
    }
  }
  if constexpr (kE8) {
#pragma unroll
    for (int other = 1; other < kLanes; other *= 2) {
      parity ^= __shfl_xor_sync(kAll, parity, other);
      half |= __shfl_xor_sync(kAll, half, other);
    }
    if ((kEach * lane + kEach - 1) % 8 == 7) {
      nibble[kEach - 1] = (nibble[kEach - 1] & ~1) | static_cast<std::int32_t>(parity);
    }
  }
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    v[j] = __int2float_rn(2 * nibble[j] + (kE8 ? static_cast<std::int32_t>(half) : 0));
  }
}

template <int kDim, bool kE8>
__global__ void __launch_bounds__(kThreads) unpack_page(UnpackCall call) {
  constexpr int kEach = kDim / 32;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const auto heads = static_cast<unsigned>(call.pool.heads);
  const std::int64_t page = call.first / kPageTokens + blockIdx.x / heads,
                     head = blockIdx.x % heads;
  const std::int64_t slot = call.slots[page];
  const bool there = slot >= 0 && slot < call.pool.slots;
  if (!there && threadIdx.x == 0) atomicOr(call.flags + head, static_cast<std::uint32_t>(kBadSlot));
  for (int row = warp; row < kPageTokens; row += kThreads / 32) {
    const std::int64_t token = page * kPageTokens + row - call.first;
    if (token < 0 || token >= call.tokens) continue;
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      float v[kEach] = {}, factor = 0.0f;
      if (there) {
        const std::uint8_t* const part = call.pool.data +
                                         slot * (2 * call.pool.heads * page_part_bytes(kDim)) +
                                         (2 * head + side) * page_part_bytes(kDim);
        const auto* const words = reinterpret_cast<const std::uint32_t*>(part);
        take_points<kDim, kE8>(words, side == 1, row, lane, v);
        factor = __uint_as_float(words[kPageTokens * kDim / 8 + 8 * (row % 8) + row / 8]);
        if (!(factor >= 0.0f && factor <= kMostFactor)) {
          if (lane == 0) atomicOr(call.flags + head, static_cast<std::uint32_t>(kBadScale));
          factor = 0.0f;
        }
      }
      transform<kDim>(v, lane);
      const Vectors& out = call.out[side];
      const std::int64_t at = token * out.token_stride + head * out.head_stride + kEach * lane;
#pragma unroll
      for (int j = 0; j < kEach; ++j) store_scalar(out, at + j, 0.5f * v[j] * factor);
    }
  }
}

}  // namespace

void unpack_pages(const FixedRate& codec, const PagePool& pool, const std::int32_t* slots,
                  std::int64_t first, std::int64_t tokens, const Vectors& keys,
                  const Vectors& values, std::uint32_t* flags, Stream stream) {
  if (tokens == 0) return;
  const UnpackCall call{pool, slots, first, tokens, {keys, values}, flags};
  const std::int64_t pages = (first + tokens + kPageTokens - 1) / kPageTokens - first / kPageTokens;
  const auto launch = [&](auto kernel) {
    launch_blocks(kernel, pages * pool.heads, kThreads, 0, stream, call);
  };
  const bool e8 = codec.lattice == FixedRate::e8;
  if (pool.dim == 64) return e8 ? launch(unpack_page<64, true>) : launch(unpack_page<64, false>);
  if (pool.dim == 128) return e8 ? launch(unpack_page<128, true>) : launch(unpack_page<128, false>);
  e8 ? launch(unpack_page<256, true>) : launch(unpack_page<256, false>);
}

}  // namespace kakeya::kernels
