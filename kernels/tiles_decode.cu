// SPDX-License-Identifier: Apache-2.0
// Pages of tiles to points: a block of threads a page, a warp for each 128 vectors of it.
#include <algorithm>

#include "kernels/pages_launch.cuh"
#include "kernels/tile_page.cuh"
#include "kernels/tiles.h"

namespace kakeya::kernels {
namespace {

constexpr int kMostTileGroups = static_cast<int>(kMostFieldDim / kFieldGroup);
constexpr int kMostTiles = kMostTileGroups / static_cast<int>(kTileGroups);
constexpr int kMostTileBlocks = 4096 / static_cast<int>(kFieldBlock);
constexpr int kMostTileDecodeWarps = 8;
constexpr std::int32_t kMostSteps = 1 << 21;

// What the header of a page says, and where its blocks begin.
struct OpenTiles {
  int width[kMostTileGroups], shift_at[kMostTileGroups];
  int bits[kMostTiles];
  std::int64_t block[kMostTileBlocks + 1];
  std::uint32_t bad;
};

__device__ __forceinline__ std::uint32_t page_word(const std::uint8_t* page, std::int64_t word) {
  return reinterpret_cast<const std::uint32_t*>(page)[word];
}

__device__ __forceinline__ int nibble_at(const std::uint8_t* page, int word, int i) {
  return static_cast<int>(page_word(page, word + i / 8) >> (4 * (i % 8)) & 15u);
}

// Of each lane's entries those of tile `tile` of the block whose counts begin at `at`.
__device__ __forceinline__ int entries_at(const std::uint8_t* page, std::int64_t at, int tile) {
  return static_cast<int>(page_word(page, at / 4 + 1 + tile / 2) >> (16 * (tile % 2)) & 0xffffu);
}

__device__ __forceinline__ int list_bytes_of_tile(int bits, int count) { return 4 * bits * count; }

// Reads the header, by a thread. `page` is a multiple of 4. False where the page is damaged.
__device__ bool open_tile_page(const std::uint8_t* page, std::int64_t bytes, int dim, int vectors,
                               OpenTiles& open) {
  const int groups = dim / 8,
            tiles = static_cast<int>(tile_count(static_cast<std::size_t>(groups)));
  const auto words = static_cast<int>(tile_header_words(static_cast<std::size_t>(groups)));
  const auto counts = static_cast<int>(tile_count_words(static_cast<std::size_t>(groups)));
  if (reinterpret_cast<std::uintptr_t>(page) % 4 != 0 || bytes < 4 * words || bytes % 4 != 0) {
    return false;
  }
  if (page_word(page, 0) != static_cast<std::uint32_t>(vectors - 1)) return false;
  const int bits_at = 1 + (groups + 7) / 8, shifted_at = bits_at + (tiles + 7) / 8;
  for (int tile = 0; tile < tiles; ++tile) {
    const int bits = open.bits[tile] = nibble_at(page, bits_at, tile);
    if (bits != 0 &&
        (bits < static_cast<int>(kLeastEntryBits) || bits > static_cast<int>(kMostEntryBits))) {
      return false;
    }
  }
  std::int64_t at = 4 * words;
  for (int g = 0; g < groups; ++g) {
    open.width[g] = nibble_at(page, 1, g);
    if (open.width[g] > kMostTileWidth) return false;
    open.shift_at[g] = -1;
    if ((page_word(page, shifted_at + g / 32) >> (g % 32) & 1u) == 0) continue;
    open.shift_at[g] = static_cast<int>(at);
    at += 8;
    if (at > bytes) return false;
  }
  const int blocks = (vectors + 127) / 128;
  int fields = 0;
  for (int g = 0; g < groups; ++g) fields += 128 * open.width[g];
  for (int block = 0; block < blocks; ++block) {
    open.block[block] = at;
    if (bytes - at < 4 * counts + fields) return false;
    std::int64_t size = 4 * counts + fields + std::int64_t{4} * page_word(page, at / 4);
    for (int tile = 0; tile < tiles; ++tile) {
      const int count = entries_at(page, at, tile);
      if (count != 0 && open.bits[tile] == 0) return false;
      size += list_bytes_of_tile(open.bits[tile], count);
    }
    at += size;
    if (at > bytes) return false;
  }
  open.block[blocks] = at;
  return at == bytes;
}

// The numbers of a block of a page, which are where its points will be.
struct TileNumbers {
  std::int32_t* twice;  // of the block's first vector
  int dim, vectors;
  __device__ __forceinline__ std::int32_t* place(int coordinate, int vector) const {
    return twice + (vector / 32 * dim + coordinate) * 32 + vector % 32;
  }
  __device__ __forceinline__ void add(int coordinate, int vector, std::uint32_t step) const {
    if (vector >= vectors) return;
    atomicAdd(reinterpret_cast<std::uint32_t*>(place(coordinate, vector)), step);
  }
};

// The fields of a group, by a warp: rows from `rows` on.
__device__ __forceinline__ void take_group(const OpenTiles& open, const std::uint8_t* page, int g,
                                           FieldOrder order, const std::uint32_t* rows, int lane,
                                           const TileNumbers& numbers) {
  const int width = open.width[g], half = (1 << width) >> 1, shift_at = open.shift_at[g];
  for (int reg = 0; reg < static_cast<int>(kTileRegisters); ++reg) {
    std::uint32_t u = 0;
    for (int n = 0; n < tile_pieces(width, reg); ++n) {
      const TilePiece piece = tile_piece(width, reg, n);
      const std::uint32_t mask = ((1u << piece.bits) - 1u) * 0x01010101u;
      u |= (rows[32 * piece.word + lane] >> piece.from & mask) << piece.to;
    }
#pragma unroll
    for (int byte = 0; byte < 4; ++byte) {
      const TileTarget at = tile_target(order, tile_word(order, 0, lane, reg) + byte);
      if (at.vector >= numbers.vectors) continue;
      const int shift = shift_at < 0 ? 0 : static_cast<std::int8_t>(page[shift_at + at.coordinate]);
      *numbers.place(8 * g + at.coordinate, at.vector) =
          static_cast<std::int32_t>(u >> (8 * byte) & 0xffu) - half + shift;
    }
  }
}

// The numbers of a block, by a warp; false where its lists are damaged.
__device__ __forceinline__ bool take_tile_block(const FieldPages& codec, const OpenTiles& open,
                                                const std::uint8_t* page, int block, int lane,
                                                const TileNumbers& numbers) {
  const FieldOrder order = codec.values ? FieldOrder::values : FieldOrder::keys;
  const int groups = codec.dim / 8,
            tiles = static_cast<int>(tile_count(static_cast<std::size_t>(groups)));
  const std::int64_t counts_at = open.block[block];
  std::int64_t at =
      counts_at + 4 * static_cast<std::int64_t>(tile_count_words(static_cast<std::size_t>(groups)));
  bool good = true;
  for (int tile = 0; tile < tiles; ++tile) {
    const int end = groups < 4 * tile + 4 ? groups : 4 * tile + 4;
    for (int g = 4 * tile; g < end; ++g) {
      take_group(open, page, g, order, reinterpret_cast<const std::uint32_t*>(page + at), lane,
                 numbers);
      at += 128 * open.width[g];
    }
    __threadfence();
    __syncwarp();
    const int bits = open.bits[tile], count = entries_at(page, counts_at, tile),
              list_bytes = list_bytes_of_tile(bits, count);
    const auto positions = static_cast<std::uint32_t>(1024 * (end - 4 * tile));
    if (count != 0) {
      for_tile_entries(reinterpret_cast<const std::uint32_t*>(page + at),
                       static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(count), lane,
                       [&](std::uint32_t position, std::uint32_t step, bool there) {
                         if (!there) return;
                         good = good && position < positions;
                         if (position >= positions) return;
                         const TileTarget to = tile_target(order, static_cast<int>(position));
                         numbers.add(32 * tile + to.coordinate, to.vector,
                                     step << open.width[4 * tile + to.coordinate / 8]);
                       });
    }
    at += list_bytes;
  }
  const std::uint32_t far = page_word(page, counts_at / 4);
  for (auto n = static_cast<std::uint32_t>(lane); n < far; n += 32) {
    const std::uint32_t entry = page_word(page, at / 4 + n), position = entry & 0xffffu;
    if (position >= static_cast<std::uint32_t>(128 * codec.dim)) {
      good = false;
      continue;
    }
    const auto coordinate = static_cast<int>(position / 128);
    const auto q = static_cast<std::uint32_t>(static_cast<std::int32_t>(entry) >> 16);
    numbers.add(coordinate, static_cast<int>(position % 128), q << open.width[coordinate / 8]);
  }
  __threadfence();
  return __ballot_sync(kAll, !good) == 0;
}

// A page, by a block.
__device__ __forceinline__ void decode_tile_page(const FieldPages& codec, const PageSections& in,
                                                 const PagePoints& points, std::int64_t tokens,
                                                 const std::uint64_t* starts, std::int64_t head,
                                                 std::int64_t number, std::uint32_t* flags,
                                                 OpenTiles& open) {
  const int threads = static_cast<int>(blockDim.x), thread = static_cast<int>(threadIdx.x),
            warps = threads / 32, warp = thread / 32, lane = thread % 32;
  const std::int64_t left = tokens_of_head(codec.counts, tokens, head) - number * points.page;
  const int vectors = left < points.page ? static_cast<int>(left) : points.page;
  std::int32_t* const twice =
      points.twice + head * points.head_stride + number * points.page * codec.dim;
  const std::uint64_t begin = starts[head * (points.pages + 1) + number],
                      end = starts[head * (points.pages + 1) + number + 1];
  const bool there = end != ~std::uint64_t{0};
  const std::uint8_t* page = in.streams + head * in.stream_stride + (there ? begin : 0);
  if (thread == 0) {
    const std::int64_t bytes = there ? static_cast<std::int64_t>(end - begin) : 0;
    open.bad = open_tile_page(page, bytes, codec.dim, vectors, open) ? 0u : 1u;
  }
  __syncthreads();
  const bool opened = open.bad == 0;
  __syncthreads();
  for (int block = warp; opened && block < (vectors + 127) / 128; block += warps) {
    const int here = vectors - 128 * block < 128 ? vectors - 128 * block : 128;
    const TileNumbers numbers{twice + std::int64_t{128} * block * codec.dim, codec.dim, here};
    if (!take_tile_block(codec, open, page, block, lane, numbers) && lane == 0) {
      atomicOr(&open.bad, 1u);
    }
  }
  __syncthreads();
  const bool taken = open.bad == 0;
  __syncthreads();
  for (int i = thread; taken && i < points.page * codec.dim; i += threads) {
    const int vector = i / (32 * codec.dim) * 32 + i % 32;
    const std::int32_t v = vector < vectors ? twice[i] : 0;
    if (v > kMostSteps || v < -kMostSteps) atomicOr(&open.bad, 1u);
    twice[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(v) * 2u);
  }
  __syncthreads();
  if (open.bad == 0) return;
  for (int i = thread; i < points.page * codec.dim; i += threads) twice[i] = 0;
  if (there && thread == 0) atomicOr(flags + head, static_cast<std::uint32_t>(kBadPage));
}

__global__ void __launch_bounds__(32 * kMostTileDecodeWarps)
    decode_tile_pages(FieldPages codec, PageSections in, PagePoints points, std::int64_t tokens,
                      int a_head, const std::uint64_t* starts, LeftPages only,
                      std::uint32_t* flags) {
  __shared__ OpenTiles open;
  const std::int64_t head = blockIdx.x / static_cast<unsigned>(a_head);
  if (only.counts != nullptr && only.counts[head] == 0) return;
  for (std::int64_t number = blockIdx.x % static_cast<unsigned>(a_head); number < points.pages;
       number += a_head) {
    if (only.pages != nullptr && only.pages[head * points.pages + number] == 0) continue;
    decode_tile_page(codec, in, points, tokens, starts, head, number, flags, open);
    __syncthreads();
  }
}

}  // namespace

std::size_t tile_decode_workspace(const PagePoints& points, int heads) {
  return page_decode_workspace(points, heads);
}

void decode_tiles(const FieldPages& codec, const PageSections& in, const PagePoints& points,
                  std::int64_t tokens, void* workspace, std::uint32_t* flags, Stream stream) {
  if (codec.heads == 0 || points.pages == 0) return;
  auto* starts = static_cast<std::uint64_t*>(workspace);
  locate_pages(codec.heads, points.pages, in, starts, flags, stream);
  decode_located_tiles(codec, in, points, tokens, starts, {}, flags, stream);
}

void decode_located_tiles(const FieldPages& codec, const PageSections& in, const PagePoints& points,
                          std::int64_t tokens, const std::uint64_t* starts, const LeftPages& only,
                          std::uint32_t* flags, Stream stream) {
  constexpr std::int64_t kFew = 64;  // blocks a head where few pages are left
  const std::int64_t a_head = only.pages == nullptr ? points.pages : std::min(points.pages, kFew);
  const int warps = std::clamp((points.page + 127) / 128, 1, kMostTileDecodeWarps);
  KAKEYA_LAUNCH(decode_tile_pages, a_head * codec.heads, static_cast<unsigned>(32 * warps), stream,
                codec, in, points, tokens, static_cast<int>(a_head), starts, only, flags);
}

}  // namespace kakeya::kernels
