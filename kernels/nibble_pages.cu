// SPDX-License-Identifier: Apache-2.0
// From the sections of fixed-rate codecs to pages that attention reads (nibbles.cuh): a block of
// threads a page and head.
#include "kakeya/codec/window.h"
#include "kernels/lattice_book.cuh"
#include "kernels/nibbles.cuh"
#include "kernels/pages_launch.cuh"

namespace kakeya::kernels {
namespace {

struct LayPlan {
  Book book;
  std::int64_t tokens;
  int q;
  bool values;
};

// What a vector's points are multiplied by before the transform: what decode_tile() of fixed_rate.cu
// makes of its scales. 0 where they are damaged.
__device__ __forceinline__ float factor_of(const LayPlan& plan, const Sections& in, int dim,
                                           std::int64_t head, std::int64_t token,
                                           std::uint32_t* found) {
  const std::uint32_t pair =
      reinterpret_cast<const std::uint32_t*>(in.scales.data + head * in.scales.stride)[token];
  int window = 0;
  if (in.windows.data != nullptr) {
    window = static_cast<std::int8_t>(in.windows.data[head * in.windows.stride + token]);
    if (window < kLowestWindow || window > kHighestWindow) {
      *found |= kBadWindow;
      return 0.0f;
    }
  }
  if ((pair & 0xffffu) >= 0x7c00u || pair >> 16 >= 0x7c00u) {
    *found |= kBadScale;
    return 0.0f;
  }
  const auto unit = static_cast<float>(1.0 / sqrt(static_cast<double>(dim)));
  const float factor =
      half_value(pair & 0xffffu) * (half_value(pair >> 16) / static_cast<float>(plan.q)) * unit;
  return times_window(factor, window);
}

// The field of eight coordinates, which the codes' room need not hold to a whole word.
__device__ __forceinline__ std::uint64_t field_at(const std::uint8_t* codes, std::int64_t field,
                                                  int bits) {
  const std::int64_t at = field * bits;
  const std::uint8_t* from = codes + at / 8;
  const int shift = static_cast<int>(at % 8), bytes = (shift + bits + 7) / 8;
  std::uint64_t word = 0;
  for (int i = 0; i < bytes; ++i) word |= static_cast<std::uint64_t>(from[i]) << (8 * i);
  return word >> shift & ((std::uint64_t{1} << bits) - 1);
}

template <int kLattice>
__global__ void __launch_bounds__(kThreads)
    lay_page(LayPlan plan, Sections in, PagePool pool, const std::int32_t* slots,
             std::uint32_t* flags) {
  __shared__ std::uint32_t words[kPageTokens * 256 / 8 + kPageTokens];
  const int thread = static_cast<int>(threadIdx.x), dim = pool.dim, blocks = dim / 8;
  const std::int64_t page = blockIdx.x / static_cast<unsigned>(pool.heads),
                     head = blockIdx.x % static_cast<unsigned>(pool.heads);
  const int part_words = static_cast<int>(page_part_bytes(dim) / 4);
  const std::int64_t slot = slots[page];
  if (slot < 0 || slot >= pool.slots) {
    if (thread == 0) atomicOr(flags + head, kBadSlot);
    return;
  }
  for (int i = thread; i < part_words; i += kThreads) words[i] = 0;
  __syncthreads();
  std::uint32_t found = 0;
  auto* factors = reinterpret_cast<float*>(words + kPageTokens * dim / 8);
  for (int i = thread; i < kPageTokens; i += kThreads) {
    const std::int64_t token = page * kPageTokens + i;
    if (token >= plan.tokens) continue;
    factors[8 * (i % 8) + i / 8] = factor_of(plan, in, dim, head, token, &found);
  }
  const std::uint8_t* codes = in.codes.data + head * in.codes.stride;
  for (int i = thread; i < kPageTokens * blocks; i += kThreads) {
    const int row = i / blocks, block = i % blocks;
    const std::int64_t token = page * kPageTokens + row;
    if (token >= plan.tokens) continue;
    float point[8];
    const std::uint64_t field = field_at(codes, token * blocks + block, plan.book.field_bits);
    if (!points_of<kLattice, kSmall>(plan.book, field, point)) found |= kNoSuchPoint;
    const bool half = kLattice == FixedRate::e8 && (twice_of(point[0]) & 1) != 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      std::uint32_t nibble = static_cast<std::uint32_t>(twice_of(point[k]) >> 1) & 15u;
      if (kLattice == FixedRate::e8 && k == 7) nibble = (nibble & 14u) | (half ? 1u : 0u);
      const int at = 8 * block + k;
      const NibblePlace place = plan.values ? value_place(row, at) : key_place(dim, row, at);
      atomicOr(words + place.word, nibble << place.shift);
    }
  }
  if (found != 0) atomicOr(flags + head, found);
  __syncthreads();
  copy_bytes(pool.data + slot * (2 * pool.heads * page_part_bytes(dim)) +
                 (2 * head + (plan.values ? 1 : 0)) * page_part_bytes(dim),
             words, page_part_bytes(dim));
}

}  // namespace

void lay_pages(const FixedRate& codec, const Sections& in, std::int64_t tokens, bool values,
               const PagePool& pool, const std::int32_t* slots, std::uint32_t* flags,
               Stream stream) {
  if (tokens == 0) return;
  const LayPlan plan{book_of(codec), tokens, codec.q, values};
  const std::int64_t blocks = (tokens + kPageTokens - 1) / kPageTokens * pool.heads;
  const auto launch = [&](auto kernel) {
    launch_blocks(kernel, blocks, kThreads, 0, stream, plan, in, pool, slots, flags);
  };
  if (codec.lattice == FixedRate::z) return launch(lay_page<FixedRate::z>);
  if (codec.lattice == FixedRate::d4) return launch(lay_page<FixedRate::d4>);
  launch(lay_page<FixedRate::e8>);
}

}  // namespace kakeya::kernels
