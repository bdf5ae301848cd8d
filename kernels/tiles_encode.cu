// SPDX-License-Identifier: Apache-2.0
// Points to pages of tiles: what each page is written with and how long it is, where pages begin, and the
// pages, a block of threads for each 128 vectors.
#include "kernels/field_entries.cuh"
#include "kernels/pages_launch.cuh"
#include "kernels/tile_choice.cuh"
#include "kernels/tiles.h"

namespace kakeya::kernels {
namespace {

constexpr int kTileWriteThreads = 256;

struct TileEncode {
  FieldPages codec;
  PagePoints points;
  std::int64_t tokens;
  PageSections out;
  TileChoice* choices;    // [heads][pages]
  TileCount* counts;      // [heads][pages][blocks of a page][tiles]
  std::uint64_t* starts;  // [heads][pages + 1]
  std::uint32_t* flags;
  std::size_t near_bytes;  // of shared memory

  __device__ __forceinline__ TileNumbersOf page_of(std::int64_t head, std::int64_t page) const {
    const std::int64_t left = tokens_of_head(codec.counts, tokens, head) - page * points.page;
    return {{points.twice + head * points.head_stride + page * points.page * codec.dim, codec.dim,
             left < points.page ? static_cast<int>(left) : points.page, false},
            codec.values ? FieldOrder::values : FieldOrder::keys};
  }
  __device__ __forceinline__ TileCount* counts_of_block(std::int64_t number, int block) const {
    const int blocks = (points.page + 127) / 128,
              tiles = static_cast<int>(tile_count(static_cast<std::size_t>(codec.dim / 8)));
    return counts + (number * blocks + block) * tiles;
  }
};

// What a page takes with a header, by all threads of a block; sets counts, and 0 bits of tiles without
// entries.
__device__ std::uint32_t measure_tiles(const TileEncode& encode, const TileNumbersOf& numbers,
                                       std::int64_t number, TileChoice& choice) {
  __shared__ std::uint32_t entries_of[kMostPageTiles], bytes;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32,
            tiles = numbers.tiles(), blocks = numbers.page.blocks();
  for (int tile = thread; tile < tiles; tile += kChoiceThreads) entries_of[tile] = 0;
  __syncthreads();
  for (int item = warp; item < blocks * tiles; item += kChoiceWarps) {
    const int block = item / tiles, tile = item % tiles;
    const TileCount count = count_tile(numbers, choice, block, tile, lane);
    if (lane != 0) continue;
    encode.counts_of_block(number, block)[tile] = count;
    atomicAdd(entries_of + tile, count.entries);
  }
  __threadfence();
  __syncthreads();
  if (thread == 0) {
    for (int tile = 0; tile < tiles; ++tile) {
      if (entries_of[tile] == 0) choice.bits[tile] = 0;
    }
    bytes = static_cast<std::uint32_t>(tile_header_bytes(choice, numbers.page.groups()));
    for (int block = 0; block < blocks; ++block) {
      bytes += tile_block_bytes(numbers, choice, encode.counts_of_block(number, block));
    }
  }
  __syncthreads();
  const std::uint32_t found = bytes;
  __syncthreads();
  return found;
}

// The header that TileCoder::most_bits() counts with, by all threads of a block.
__device__ void choose_usual_tiles(const FieldPages& codec, std::int64_t head, int groups,
                                   TileChoice& choice) {
  const float* const bits = codec.usual_bits + plan_number(codec.plans, head) * codec.usual_stride;
  for (int g = static_cast<int>(threadIdx.x); g < groups; g += kChoiceThreads) {
    choice.width[g] = static_cast<std::uint8_t>(bits[8 * g]);
    choice.shifted[g] = 0;
    for (int c = 0; c < 8; ++c) choice.shifts[8 * g + c] = 0;
    choice.bits[g / 4] = 0;
  }
  __syncthreads();
}

// A block of threads a page: what TileCoder::encode() writes it with, and its bytes.
__global__ void __launch_bounds__(kChoiceThreads) choose_tile_pages(TileEncode encode) {
  __shared__ TileChoice choice, kept;
  __shared__ GroupBest best;
  __shared__ std::uint32_t words[256 * kChoiceWarps], beyond;
  KAKEYA_DYNAMIC_SHARED(near);
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t number = blockIdx.x, head = number / encode.points.pages,
                     at = number - head * encode.points.pages;
  TileNumbersOf numbers = encode.page_of(head, at);
  if (numbers.page.vectors <= 0) {
    if (thread == 0) encode.out.pages[head * encode.out.page_stride + at] = 0;
    return;
  }
  if (encode.near_bytes != 0) numbers.bring(reinterpret_cast<std::int16_t*>(near), beyond);
  choose_tile_header(numbers, words, best, choice);
  std::uint32_t bytes = measure_tiles(encode, numbers, number, choice);
  const auto most = static_cast<std::uint32_t>(numbers.page.vectors * (4 + 2 * numbers.page.dim));
  if (bytes > most) {
    if (thread == 0) kept = choice;
    __syncthreads();
    choose_usual_tiles(encode.codec, head, numbers.page.groups(), choice);
    const std::uint32_t usual = measure_tiles(encode, numbers, number, choice);
    if (usual < bytes) {
      bytes = usual;
    } else {
      if (thread == 0) choice = kept;
      __syncthreads();
      measure_tiles(encode, numbers, number, choice);
    }
  }
  const auto* const from = reinterpret_cast<const std::uint32_t*>(&choice);
  auto* const to = reinterpret_cast<std::uint32_t*>(encode.choices + number);
  for (int i = thread; i < static_cast<int>(sizeof choice / 4); i += kChoiceThreads) {
    to[i] = from[i];
  }
  if (thread == 0) encode.out.pages[head * encode.out.page_stride + at] = bytes;
}

// The header of a page, by a thread.
__device__ void write_tile_header(const TileChoice& choice, int groups, int vectors,
                                  std::uint32_t* to) {
  const int tiles = static_cast<int>(tile_count(static_cast<std::size_t>(groups)));
  to[0] = static_cast<std::uint32_t>(vectors - 1);
  std::uint32_t* word = to + 1;
  for (int first = 0; first < groups; first += 8, ++word) {
    *word = 0;
    for (int g = first; g < first + 8 && g < groups; ++g) {
      *word |= static_cast<std::uint32_t>(choice.width[g]) << (4 * (g - first));
    }
  }
  for (int first = 0; first < tiles; first += 8, ++word) {
    *word = 0;
    for (int tile = first; tile < first + 8 && tile < tiles; ++tile) {
      *word |= static_cast<std::uint32_t>(choice.bits[tile]) << (4 * (tile - first));
    }
  }
  for (int first = 0; first < groups; first += 32, ++word) {
    *word = 0;
    for (int g = first; g < first + 32 && g < groups; ++g) {
      *word |= static_cast<std::uint32_t>(choice.shifted[g]) << (g - first);
    }
  }
  for (int g = 0; g < groups; ++g) {
    if (choice.shifted[g] == 0) continue;
    for (int half = 0; half < 2; ++half, ++word) {
      *word = 0;
      for (int c = 0; c < 4; ++c) {
        *word |= static_cast<std::uint32_t>(
                     static_cast<std::uint8_t>(choice.shifts[8 * g + 4 * half + c]))
                 << (8 * c);
      }
    }
  }
}

// The rows of a group of a block, by a warp.
__device__ void write_tile_group(const TileNumbersOf& numbers, const TileChoice& choice, int block,
                                 int g, int lane, std::uint32_t* rows) {
  const int width = choice.width[g];
  const std::int32_t half = (1 << width) >> 1, mask = (1 << width) - 1;
  std::uint32_t u[kTileRegisters];
#pragma unroll
  for (int reg = 0; reg < static_cast<int>(kTileRegisters); ++reg) {
    u[reg] = 0;
#pragma unroll
    for (int byte = 0; byte < 4; ++byte) {
      const int position = tile_word(numbers.order, g % 4, lane, reg) + byte;
      const std::int32_t x = numbers.at(block, g / 4, position, choice.shifts);
      u[reg] |= static_cast<std::uint32_t>((x + half) & mask) << (8 * byte);
    }
  }
  for (int k = 0; k < width; ++k) {
    std::uint32_t word = 0;
#pragma unroll
    for (int reg = 0; reg < static_cast<int>(kTileRegisters); ++reg) {
      for (int n = 0; n < tile_pieces(width, reg); ++n) {
        const TilePiece piece = tile_piece(width, reg, n);
        if (piece.word != k) continue;
        const std::uint32_t bits = ((1u << piece.bits) - 1u) * 0x01010101u;
        word |= (u[reg] >> piece.to & bits) << piece.from;
      }
    }
    rows[32 * k + lane] = word;
  }
}

// The entries of a tile of a block, `list` being zeros, and its far entries; by a warp.
__device__ void write_tile_entries(const TileNumbersOf& numbers, const TileChoice& choice,
                                   int block, int tile, int lane, std::uint32_t* list,
                                   std::uint32_t* far) {
  const int bits = choice.bits[tile];
  const std::uint32_t quiet = bits == 0 ? 1u : tile_quiet(bits);
  std::uint32_t entries = 0;
  for_tile_overflows(
      numbers, choice, block, tile, lane,
      [&](int first, std::int32_t q, bool listed, std::uint32_t distance) {
        const auto size = static_cast<std::uint32_t>(q < 0 ? -q : q);
        const std::uint32_t mine = listed ? distance / quiet + size : 0u,
                            mine_far = listed ? 0u : static_cast<std::uint32_t>(far_entries(q));
        std::uint32_t all = 0, all_far = 0;
        std::uint32_t bit = static_cast<std::uint32_t>(bits) *
                            (entries + sum_before_lane(mine, lane, &all)),
                      at = sum_before_lane(mine_far, lane, &all_far);
        const auto put = [&](std::uint32_t entry) {
          put_entry(list, bit, entry, bits);
          bit += static_cast<std::uint32_t>(bits);
        };
        if (listed) {
          const std::uint32_t sign = q < 0 ? quiet + 1 : 0u;
          for (; distance >= quiet; distance -= quiet) put(quiet);
          put(distance | sign);
          for (std::uint32_t more = size; more > 1; --more) put(sign);
        } else if (q != 0) {
          const TileTarget to = tile_target(numbers.order, first + lane);
          const auto position =
              static_cast<std::uint32_t>(128 * (32 * tile + to.coordinate) + to.vector);
          for (std::int32_t left = q; left != 0;) {
            const std::int32_t part = left > kMostFarQuotient    ? kMostFarQuotient
                                      : left < -kMostFarQuotient ? -kMostFarQuotient
                                                                 : left;
            far[at++] = position | static_cast<std::uint32_t>(part) << 16;
            left -= part;
          }
        }
        entries += all;
        far += all_far;
      });
  const std::uint32_t number = entries + static_cast<std::uint32_t>(lane);
  if (number < (entries + 31) / 32 * 32) {
    put_entry(list, number * static_cast<std::uint32_t>(bits), quiet, bits);
  }
}

// A block of threads for 128 vectors of a page.
__global__ void __launch_bounds__(kTileWriteThreads)
    write_tile_pages(TileEncode encode, int most_blocks) {
  __shared__ TileChoice choice;
  __shared__ std::uint32_t block_at, field_at[kMostPageTiles], list_at[kMostPageTiles],
      far_at[kMostPageTiles], beyond;
  KAKEYA_DYNAMIC_SHARED(near);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const std::int64_t number = blockIdx.x / static_cast<unsigned>(most_blocks),
                     head = number / encode.points.pages, at = number - head * encode.points.pages;
  const int block = static_cast<int>(blockIdx.x % static_cast<unsigned>(most_blocks));
  TileNumbersOf numbers = encode.page_of(head, at);
  const std::uint64_t* const starts = encode.starts + head * (encode.points.pages + 1);
  const bool fits =
      starts[encode.points.pages] <= static_cast<std::uint64_t>(encode.out.stream_room);
  if (!fits || block >= numbers.page.blocks() || starts[at] == starts[at + 1]) return;
  auto* const into = reinterpret_cast<std::uint32_t*>(encode.out.streams +
                                                      head * encode.out.stream_stride + starts[at]);
  const auto* const from = reinterpret_cast<const std::uint32_t*>(encode.choices + number);
  for (int i = thread; i < static_cast<int>(sizeof choice / 4); i += kTileWriteThreads) {
    reinterpret_cast<std::uint32_t*>(&choice)[i] = from[i];
  }
  if (encode.near_bytes != 0) numbers.bring(reinterpret_cast<std::int16_t*>(near), beyond);
  __syncthreads();
  const int groups = numbers.page.groups(), tiles = numbers.tiles();
  const TileCount* const counts = encode.counts_of_block(number, block);
  if (thread == 0) {
    auto place = static_cast<std::uint32_t>(tile_header_bytes(choice, groups));
    for (int before = 0; before < block; ++before) {
      place += tile_block_bytes(numbers, choice, encode.counts_of_block(number, before));
    }
    block_at = place / 4;
    place += 4 * static_cast<std::uint32_t>(tile_count_words(static_cast<std::size_t>(groups)));
    for (int tile = 0; tile < tiles; ++tile) {
      field_at[tile] = place / 4;
      place += tile_field_bytes(numbers, choice, tile);
      list_at[tile] = place / 4;
      place += tile_list_bytes(choice, tile, counts[tile].entries);
    }
    for (int tile = 0; tile < tiles; ++tile) {
      far_at[tile] = place / 4;
      place += 4 * counts[tile].far;
    }
    std::uint32_t* word = into + block_at;
    *word++ = place / 4 - far_at[0];
    for (int tile = 0; tile < tiles; tile += 2, ++word) {
      *word =
          counts[tile].entries / 32 | (tile + 1 < tiles ? counts[tile + 1].entries / 32 << 16 : 0u);
    }
    if (block == 0) write_tile_header(choice, groups, numbers.page.vectors, into);
  }
  __syncthreads();
  for (int tile = warp; tile < tiles; tile += kTileWriteThreads / 32) {
    const auto words = static_cast<int>(tile_list_bytes(choice, tile, counts[tile].entries) / 4);
    for (int i = lane; i < words; i += 32) into[list_at[tile] + static_cast<unsigned>(i)] = 0;
  }
  for (int g = warp; g < groups; g += kTileWriteThreads / 32) {
    std::uint32_t before = 0;
    for (int other = g / 4 * 4; other < g; ++other) before += 32u * choice.width[other];
    write_tile_group(numbers, choice, block, g, lane, into + field_at[g / 4] + before);
  }
  __threadfence();
  __syncthreads();
  for (int tile = warp; tile < tiles; tile += kTileWriteThreads / 32) {
    write_tile_entries(numbers, choice, block, tile, lane, into + list_at[tile],
                       into + far_at[tile]);
  }
}

// Pieces of the workspace, one after another.
struct TileRooms {
  std::size_t starts, counts, choices, bytes;
  TileRooms(const PagePoints& points, int heads, int dim) {
    const auto pages = static_cast<std::size_t>(points.pages) * static_cast<std::size_t>(heads);
    const auto blocks = static_cast<std::size_t>((points.page + 127) / 128);
    starts = 0;
    counts = (8 * (pages + static_cast<std::size_t>(heads)) + 15) / 16 * 16;
    choices = counts + sizeof(TileCount) * pages * blocks *
                           kakeya::tile_count(static_cast<std::size_t>(dim / 8));
    bytes = (choices + sizeof(TileChoice) * pages + 255) / 256 * 256;
  }
};

}  // namespace

std::size_t tile_encode_workspace(const PagePoints& points, int heads, int dim) {
  return TileRooms(points, heads, dim).bytes;
}

void encode_tiles(const FieldPages& codec, const PagePoints& points, std::int64_t tokens,
                  const PageSections& out, void* workspace, std::uint32_t* flags, Stream stream) {
  if (codec.heads == 0) return;
  const std::int64_t all = points.pages * codec.heads;
  const TileRooms rooms(points, codec.heads, codec.dim);
  auto* const memory = static_cast<std::uint8_t*>(workspace);
  const TileEncode encode{codec,
                          points,
                          tokens,
                          out,
                          reinterpret_cast<TileChoice*>(memory + rooms.choices),
                          reinterpret_cast<TileCount*>(memory + rooms.counts),
                          reinterpret_cast<std::uint64_t*>(memory + rooms.starts),
                          flags,
                          near_tile_bytes(codec.dim, points.page)};
  // Says how much shared memory the kernels take.
  if (blocks_at_once(choose_tile_pages, kChoiceThreads, encode.near_bytes) == 0 ||
      blocks_at_once(write_tile_pages, kTileWriteThreads, encode.near_bytes) == 0) {
    throw Error("CUDA: pages of tiles: no multiprocessor takes a block that writes them");
  }
  if (all != 0) {
    launch_blocks(choose_tile_pages, all, kChoiceThreads, encode.near_bytes, stream, encode);
  }
  place_pages(codec.heads, points.pages, out, encode.starts, flags, stream);
  if (all == 0) return;
  const int blocks = (points.page + 127) / 128;
  launch_blocks(write_tile_pages, all * blocks, kTileWriteThreads, encode.near_bytes, stream,
                encode, blocks);
}

}  // namespace kakeya::kernels
