// SPDX-License-Identifier: Apache-2.0
// Points to pages of tiles: what each page is written with and how long it is, where pages begin, and the
// pages, a block of threads for each 128 vectors.
#include "kernels/pages_launch.cuh"
#include "kernels/tile_write.cuh"
#include "kernels/tiles.h"

namespace kakeya::kernels {
namespace {

struct TileEncode {
  FieldPages codec;
  PagePoints points;
  std::int64_t tokens;
  PageSections out;
  TileChoice* choices;    // [heads][pages]
  TileCount* counts;      // [heads][pages][blocks of a page][tiles]
  std::uint64_t* starts;  // [heads][pages + 1]
  std::uint32_t* flags;

  __device__ __forceinline__ TiledPage page_of(std::int64_t head, std::int64_t page) const {
    const std::int64_t left = tokens_of_head(codec.counts, tokens, head) - page * points.page;
    return {{points_of(points, codec.dim, head, page), codec.dim,
             left < points.page ? static_cast<int>(left) : points.page, false}};
  }
  __device__ __forceinline__ TileCount* counts_of_block(std::int64_t number, int block) const {
    const int blocks = (points.page + 127) / 128,
              tiles = static_cast<int>(tile_count(static_cast<std::size_t>(codec.dim / 8)));
    return counts + (number * blocks + block) * tiles;
  }
};

__device__ __forceinline__ int thread_of_block() { return static_cast<int>(threadIdx.x); }
__device__ __forceinline__ int threads_of_block() { return static_cast<int>(blockDim.x); }

// What a page takes with a header, by all threads of a block; sets counts, and 0 bits of tiles without
// entries.
template <FieldOrder kOrder>
__device__ std::uint32_t measure_tiles(const TileEncode& encode, const TiledPage& page,
                                       std::int64_t number, TileChoice& choice) {
  __shared__ std::uint32_t bytes;
  const int lane = thread_of_block() % 32, warp = thread_of_block() / 32, blocks = page.blocks(),
            tiles = page.tiles();
  if (thread_of_block() == 0) {
    bytes =
        tile_header_bytes(page.groups()) +
        4 * static_cast<std::uint32_t>(blocks) *
            static_cast<std::uint32_t>(tile_count_words(static_cast<std::size_t>(page.groups())));
  }
  __syncthreads();
  for (int tile = warp; tile < tiles; tile += threads_of_block() / 32) {
    std::uint32_t entries = 0, far = 0;
    for (int block = 0; block < blocks; ++block) {
      const TileCount count = count_tile<kOrder>(page, choice, block, tile, lane);
      if (lane == 0) encode.counts_of_block(number, block)[tile] = count;
      entries += count.entries, far += count.far;
    }
    if (lane != 0) continue;
    std::uint32_t shifts = 0;
    for (int g = 4 * tile; g < 4 * tile + page.groups_of(tile); ++g) shifts += choice.shifted[g];
    atomicAdd(&bytes, static_cast<std::uint32_t>(blocks) * tile_field_bytes(page, choice, tile) +
                          tile_list_bytes(choice, tile, entries) + 4 * far + 8 * shifts);
    if (entries == 0) choice.bits[tile] = 0;
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
  for (int g = thread_of_block(); g < groups; g += threads_of_block()) {
    choice.width[g] = static_cast<std::uint8_t>(bits[8 * g]);
    choice.shifted[g] = 0;
    for (int c = 0; c < 8; ++c) choice.shifts[8 * g + c] = 0;
    choice.bits[g / 4] = 0;
  }
  __syncthreads();
}

// A block of threads a page, a warp a tile: what TileCoder::encode() writes it with, and its bytes.
template <FieldOrder kOrder, bool kNear>
__global__ void __launch_bounds__(32 * kMostTileWarps, 2) choose_tile_pages(TileEncode encode) {
  __shared__ TileChoice choice, kept;
  __shared__ GroupCost costs[kMostTileWarps][kTileGroups][kTileKindCount];
  KAKEYA_DYNAMIC_SHARED(words);
  const int thread = thread_of_block(), lane = thread % 32, warp = thread / 32;
  const std::int64_t number = blockIdx.x, head = number / encode.points.pages,
                     at = number - head * encode.points.pages;
  encode.points.near = kNear;
  const TiledPage page = encode.page_of(head, at);
  if (page.numbers.vectors <= 0) {
    if (thread == 0) encode.out.pages[head * encode.out.page_stride + at] = 0;
    return;
  }
  const TileRoom room{costs[warp], reinterpret_cast<std::uint32_t*>(words) + 256 * warp};
  for (int tile = warp; tile < page.tiles(); tile += threads_of_block() / 32) {
    choose_tile<kOrder>(page, tile, lane, room, choice);
  }
  __syncthreads();
  const auto most = static_cast<std::uint32_t>(page.numbers.vectors * (4 + 2 * encode.codec.dim));
  std::uint32_t bytes = 0;
  for (int round = 0; round < 3; ++round) {
    const std::uint32_t found = measure_tiles<kOrder>(encode, page, number, choice);
    if (round == 0 && found > most) {
      if (thread == 0) kept = choice;
      __syncthreads();
      choose_usual_tiles(encode.codec, head, page.groups(), choice);
    } else if (round == 1 && found >= bytes) {
      if (thread == 0) choice = kept;
      __syncthreads();
    } else {
      round = 3;
    }
    bytes = found;
  }
  const auto* const from = reinterpret_cast<const std::uint32_t*>(&choice);
  auto* const to = reinterpret_cast<std::uint32_t*>(encode.choices + number);
  for (int i = thread; i < static_cast<int>(sizeof choice / 4); i += threads_of_block()) {
    to[i] = from[i];
  }
  if (thread == 0) encode.out.pages[head * encode.out.page_stride + at] = bytes;
}

// A block of threads for 128 vectors of a page, a warp a tile.
template <FieldOrder kOrder, bool kNear>
__global__ void __launch_bounds__(32 * kMostTileWarps, 3)
    write_tile_pages(TileEncode encode, int most_blocks) {
  __shared__ std::uint32_t rooms[kMostTileWarps][kListRoom];
  const int lane = thread_of_block() % 32, warp = thread_of_block() / 32;
  const std::int64_t number = blockIdx.x / static_cast<unsigned>(most_blocks),
                     head = number / encode.points.pages, at = number - head * encode.points.pages;
  const int block = static_cast<int>(blockIdx.x % static_cast<unsigned>(most_blocks));
  encode.points.near = kNear;
  const TiledPage page = encode.page_of(head, at);
  const std::uint64_t* const starts = encode.starts + head * (encode.points.pages + 1);
  const bool fits =
      starts[encode.points.pages] <= static_cast<std::uint64_t>(encode.out.stream_room);
  if (!fits || block >= page.blocks() || starts[at] == starts[at + 1]) return;
  auto* const into = reinterpret_cast<std::uint32_t*>(encode.out.streams +
                                                      head * encode.out.stream_stride + starts[at]);
  const TileChoice& choice = encode.choices[number];
  const int groups = page.groups(), tiles = page.tiles();
  // A lane has a tile: what its fields and its list take, and its far entries, in words.
  const bool is_tile = lane < tiles;
  std::uint32_t shifted = 0, fields = 0;
  for (int g = 4 * lane; is_tile && g < 4 * lane + page.groups_of(lane); ++g) {
    shifted += choice.shifted[g], fields += 32u * choice.width[g];
  }
  const auto list_of = [&](int of) {
    const TileCount count = is_tile ? encode.counts_of_block(number, of)[lane] : TileCount{0, 0};
    return TileCount{is_tile ? tile_list_bytes(choice, lane, count.entries) / 4 : 0u, count.far};
  };
  const auto count_words =
      static_cast<std::uint32_t>(tile_count_words(static_cast<std::size_t>(groups)));
  std::uint32_t place = 2 * shifted;
  for (int before = 0; before < block; ++before) {
    const TileCount list = list_of(before);
    place += fields + list.entries + list.far;
  }
  place = tile_header_bytes(groups) / 4 + static_cast<std::uint32_t>(block) * count_words +
          sum_of_lanes(place);
  const TileCount list = list_of(block);
  std::uint32_t all = 0, all_far = 0;
  const std::uint32_t tile_at = sum_before_lane(fields + list.entries, lane, &all),
                      far_at = all + sum_before_lane(list.far, lane, &all_far);
  std::uint32_t* const body = into + place + count_words;
  if (warp == 0) {
    if (block == 0) write_tile_header(choice, page, lane, into);
    if (lane == 0) into[place] = all_far;
    const std::uint32_t mine =
                            is_tile ? encode.counts_of_block(number, block)[lane].entries / 32 : 0u,
                        next = __shfl_sync(kAll, mine, lane == 31 ? lane : lane + 1);
    if (is_tile && lane % 2 == 0) into[place + 1 + lane / 2] = mine | next << 16;
  }
  for (int tile = warp; tile < tiles; tile += threads_of_block() / 32) {
    write_tile<kOrder>(page, choice, block, tile, lane, body + __shfl_sync(kAll, tile_at, tile),
                       body + __shfl_sync(kAll, far_at, tile),
                       __shfl_sync(kAll, list.entries, tile), rooms[warp]);
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

template <FieldOrder kOrder, bool kNear>
static void encode_tiles_of(const TileEncode& encode, Stream stream) {
  const FieldPages& codec = encode.codec;
  const std::int64_t all = encode.points.pages * codec.heads;
  const int blocks = (encode.points.page + 127) / 128,
            tiles = static_cast<int>(kakeya::tile_count(static_cast<std::size_t>(codec.dim / 8))),
            threads = 32 * (tiles < kMostTileWarps ? tiles : kMostTileWarps);
  if (all != 0) {
    // Counts of find_medians(), of pages of several blocks.
    const std::size_t words = blocks == 1 ? 0 : 32 * static_cast<std::size_t>(threads);
    launch_blocks(choose_tile_pages<kOrder, kNear>, all, threads, words, stream, encode);
  }
  place_pages(codec.heads, encode.points.pages, encode.out, encode.starts, encode.flags, stream);
  if (all == 0) return;
  launch_blocks(write_tile_pages<kOrder, kNear>, all * blocks, threads, 0, stream, encode, blocks);
}

void encode_tiles(const FieldPages& codec, const PagePoints& points, std::int64_t tokens,
                  const PageSections& out, void* workspace, std::uint32_t* flags, Stream stream) {
  if (codec.heads == 0) return;
  const TileRooms rooms(points, codec.heads, codec.dim);
  auto* const memory = static_cast<std::uint8_t*>(workspace);
  const TileEncode encode{codec,
                          points,
                          tokens,
                          out,
                          reinterpret_cast<TileChoice*>(memory + rooms.choices),
                          reinterpret_cast<TileCount*>(memory + rooms.counts),
                          reinterpret_cast<std::uint64_t*>(memory + rooms.starts),
                          flags};
  if (points.near) {
    codec.values ? encode_tiles_of<FieldOrder::values, true>(encode, stream)
                 : encode_tiles_of<FieldOrder::keys, true>(encode, stream);
  } else {
    codec.values ? encode_tiles_of<FieldOrder::values, false>(encode, stream)
                 : encode_tiles_of<FieldOrder::keys, false>(encode, stream);
  }
}

}  // namespace kakeya::kernels
