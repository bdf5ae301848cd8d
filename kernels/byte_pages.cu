// SPDX-License-Identifier: Apache-2.0
// From the sections of fp8 to pages that attention reads (bytes.cuh), and back to vectors: a block of
// threads a page and head.
#include "kernels/bytes.cuh"
#include "kernels/pages_launch.cuh"
#include "kernels/rules.cuh"

namespace kakeya::kernels {
namespace {

struct LayBytesPlan {
  Blocks codec;
  std::int64_t tokens;
  bool values;
};

/// Where a part of a page is that a slot holds.
__device__ __forceinline__ std::uint8_t* part_of(const PagePool& pool, std::int64_t slot,
                                                 std::int64_t head, bool values) {
  return pool.data + slot * pool.slot_bytes() +
         (2 * head + (values ? 1 : 0)) * byte_part_bytes(pool.dim);
}

// The scale of a block, among those of a head; 0 where it is damaged.
__device__ __forceinline__ float scale_of_block(const Blocks& codec, const Sections& in,
                                                std::int64_t head, std::int64_t block,
                                                std::uint32_t* found) {
  const int bytes = Fp8Rule::scale_bytes(codec);
  const std::uint32_t pattern =
      read_scale(bytes, in.scales.data + head * in.scales.stride + block * bytes);
  int window = 0;
  if (in.windows.data != nullptr) {
    window = static_cast<std::int8_t>(in.windows.data[head * in.windows.stride + block]);
    if (window < kLowestWindow || window > kHighestWindow) {
      *found |= kBadWindow;
      return 0.0f;
    }
  }
  return Fp8Rule::read(codec, pattern, window, found).value;
}

__global__ void __launch_bounds__(kThreads)
    lay_bytes(LayBytesPlan plan, Sections in, PagePool pool, const std::int32_t* slots,
              std::uint32_t* flags) {
  alignas(16) __shared__ std::uint8_t page[byte_part_bytes(256)];
  const int thread = static_cast<int>(threadIdx.x), dim = pool.dim, quads = dim / 4;
  const auto heads = static_cast<unsigned>(pool.heads);
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x / heads) * kPageTokens,
                     head = blockIdx.x % heads, slot = slots[blockIdx.x / heads];
  if (slot < 0 || slot >= pool.slots) {
    if (thread == 0) atomicOr(flags + head, static_cast<std::uint32_t>(kBadSlot));
    return;
  }
  std::uint32_t found = 0;
  auto* const scales = reinterpret_cast<float*>(page + kPageTokens * dim);
  for (int i = thread; i < kPageTokens * (dim / 64); i += kThreads) {
    const int row = i / (dim / 64), at = 64 * (i % (dim / 64));
    const std::int64_t token = first + row;
    float scale = 0.0f;
    if (token < plan.tokens) {
      scale = scale_of_block(plan.codec, in, head, (token * dim + at) / plan.codec.block, &found);
    }
    scales[scale_place(row, at)] = scale;
  }
  const auto* const codes =
      reinterpret_cast<const std::uint32_t*>(in.codes.data + head * in.codes.stride);
  for (int i = thread; i < kPageTokens * quads; i += kThreads) {
    const int row = i / quads, at = 4 * (i % quads);
    const std::int64_t token = first + row;
    std::uint32_t four = token < plan.tokens ? codes[token * quads + at / 4] : 0;
    const std::uint32_t nan = nan_codes(four);
    if (nan != 0) found |= kNoSuchPoint, four &= ~((nan >> 7) * 255u);
    if (!plan.values) {
      *reinterpret_cast<std::uint32_t*>(page + key_byte(dim, row, at)) = four;
      continue;
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      page[value_byte(row, at + j)] = static_cast<std::uint8_t>(four >> (8 * j));
    }
  }
  if (found != 0) atomicOr(flags + head, found);
  __syncthreads();
  copy_bytes(part_of(pool, slot, head, plan.values), page, byte_part_bytes(dim));
}

__global__ void __launch_bounds__(kThreads) unpack_bytes(UnpackCall call) {
  const PagePool& pool = call.pool;
  const int dim = pool.dim;
  const auto heads = static_cast<unsigned>(pool.heads);
  const std::int64_t page = call.first / kPageTokens + blockIdx.x / heads,
                     head = blockIdx.x % heads, slot = call.slots[page];
  const bool there = slot >= 0 && slot < pool.slots;
  std::uint32_t found = 0;
  if (!there) found |= kBadSlot;
  for (int i = static_cast<int>(threadIdx.x); i < 2 * kPageTokens * dim; i += kThreads) {
    const int at = i % dim, row = i / dim % kPageTokens, side = i / (kPageTokens * dim);
    const std::int64_t token = page * kPageTokens + row - call.first;
    if (token < 0 || token >= call.tokens) continue;
    float value = 0.0f;
    if (there) {
      const std::uint8_t* const part = part_of(pool, slot, head, side == 1);
      const std::uint8_t code = part[side == 1 ? value_byte(row, at) : key_byte(dim, row, at)];
      const float scale =
          reinterpret_cast<const float*>(part + kPageTokens * dim)[scale_place(row, at)];
      const bool finite = (code & 0x7fu) != 0x7fu, fine = scale >= 0.0f && scale <= kMostFactor;
      if (finite && fine) {
        const float most = 0x1.fffffep127f;
        value = fminf(fmaxf(e4m3_to_float(code) * scale, -most), most);
      }
      if (!finite) found |= kNoSuchPoint;
      if (!fine) found |= kBadScale;
    }
    const Vectors& out = call.out[side];
    store_scalar(out, token * out.token_stride + head * out.head_stride + at, value);
  }
  if (found != 0) atomicOr(call.flags + head, found);
}

}  // namespace

void lay_byte_pages(const Blocks& codec, const Sections& in, std::int64_t tokens, bool values,
                    const PagePool& pool, const std::int32_t* slots, std::uint32_t* flags,
                    Stream stream) {
  if (tokens == 0) return;
  const LayBytesPlan plan{codec, tokens, values};
  const std::int64_t blocks = (tokens + kPageTokens - 1) / kPageTokens * pool.heads;
  launch_blocks(lay_bytes, blocks, kThreads, 0, stream, plan, in, pool, slots, flags);
}

void unpack_byte_pages(const PagePool& pool, const std::int32_t* slots, std::int64_t first,
                       std::int64_t tokens, const Vectors& keys, const Vectors& values,
                       std::uint32_t* flags, Stream stream) {
  if (tokens == 0) return;
  const UnpackCall call{pool, slots, first, tokens, {keys, values}, flags};
  const std::int64_t pages = (first + tokens + kPageTokens - 1) / kPageTokens - first / kPageTokens;
  launch_blocks(unpack_bytes, pages * pool.heads, kThreads, 0, stream, call);
}

}  // namespace kakeya::kernels
