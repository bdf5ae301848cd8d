// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/entropy/tile_codes.h"
#include "kernels/field_choice.cuh"

// How a page of tiles is written: what choose_tiles() (entropy/tile_choice.h) says, found by a block of threads.
// A warp has a group of coordinates, or a tile; costs are whole numbers.

namespace kakeya::kernels {
namespace {

constexpr int kTileKindCount = static_cast<int>(kTileKinds);
constexpr int kMostPageTiles = kMostFieldGroups / static_cast<int>(kTileGroups);

/// The header of a page, and what its tiles have.
struct TileChoice {
  std::uint8_t width[kMostFieldGroups], shifted[kMostFieldGroups], bits[kMostPageTiles];
  std::int8_t shifts[kMostFieldDim];  // 0 in groups that are not shifted
  std::uint32_t bytes, pad[3];
};

/// What a tile of a block has: entries in its list, a multiple of 32, and far ones.
struct TileCount {
  std::uint32_t entries, far;
};

/// Of a group with entries of each number of bits: what it takes at least, and with what.
struct GroupBest {
  std::uint32_t cost[kMostFieldGroups][kTileKindCount];
  std::uint8_t width[kMostFieldGroups][kTileKindCount], shifted[kMostFieldGroups][kTileKindCount];
};

/// The numbers of a page by positions in its tiles. Of a page of one block they may stand in shared memory in that
/// order: every pass over them reads neighbours then.
struct TileNumbersOf {
  FieldNumbers page;
  FieldOrder order;
  const std::int16_t* near = nullptr;  // [tile][position]

  __device__ __forceinline__ int tiles() const {
    return static_cast<int>(tile_count(static_cast<std::size_t>(page.groups())));
  }
  __device__ __forceinline__ int groups_of(int tile) const {
    const int left = page.groups() - 4 * tile;
    return left < 4 ? left : 4;
  }
  /// That at a position of a tile of a block, less its shift; 0 where there is none.
  __device__ __forceinline__ std::int32_t at(int block, int tile, int position,
                                             const std::int8_t* shifts) const {
    const TileTarget to = tile_target(order, position);
    if (to.vector >= page.of_block(block)) return 0;
    const int i = 32 * tile + to.coordinate;
    const std::int32_t x = near == nullptr
                               ? page.at(128 * block + to.vector, i)
                               : near[static_cast<int>(kTilePositions) * tile + position];
    return x - (shifts == nullptr ? 0 : shifts[i]);
  }

  /// Brings them to `room`, of near_tile_bytes(), by all threads of a block; `beyond`: a word of shared memory. Where any
  /// does not fit 16 bits they stay where they are.
  __device__ __forceinline__ void bring(std::int16_t* room, std::uint32_t& beyond) {
    const int threads = static_cast<int>(blockDim.x), thread = static_cast<int>(threadIdx.x);
    if (thread == 0) beyond = 0;
    __syncthreads();
    bool fits = true;
    for (int n = thread; n < 128 * page.dim; n += threads) {
      // Neighbouring threads read neighbouring numbers: 32 vectors of a coordinate.
      const int vector = n / (32 * page.dim) * 32 + n % 32, i = n / 32 % page.dim;
      const std::int32_t x = vector < page.vectors ? page.at(vector, i) : 0;
      fits = fits && x == static_cast<std::int16_t>(x);
      room[static_cast<int>(kTilePositions) * (i / 32) + tile_position(order, i % 32, vector)] =
          static_cast<std::int16_t>(x);
    }
    if (!fits) atomicOr(&beyond, 1u);
    __syncthreads();
    if (beyond == 0) near = room;
  }
};

/// Bytes of shared memory for the numbers of a page of up to so many vectors; 0 where it has several blocks.
inline std::size_t near_tile_bytes(int dim, int vectors) {
  return vectors > 128 ? 0 : 2 * kTilePositions * tile_count(static_cast<std::size_t>(dim / 8));
}

/// The last position of `mask`, 32 from `first` on, before this lane, or `behind` where there is none.
__device__ __forceinline__ int last_before(unsigned mask, int first, int behind, int lane) {
  const unsigned below = mask & ((1u << lane) - 1u);
  return below == 0 ? behind : first + 31 - __clz(static_cast<int>(below));
}

__device__ __forceinline__ std::uint32_t sum_of_lanes(std::uint32_t value) {
  return static_cast<std::uint32_t>(__reduce_add_sync(kAll, static_cast<std::int32_t>(value)));
}

/// Bits of a field that has room for x.
__device__ __forceinline__ int tile_width_of(std::int32_t x) {
  return x == 0 ? 0 : 33 - __clz(x < 0 ? ~x : x);
}

/// Calls work(first position, q) for 32 neighbouring positions of a group after another, block after block.
template <typename Work>
__device__ __forceinline__ void for_group_positions(const TileNumbersOf& numbers, int g,
                                                    const std::int8_t* shifts, int lane,
                                                    const Work& work) {
  for (int block = 0; block < numbers.page.blocks(); ++block) {
    for (int first = 0; first < 1024; first += 32) {
      work(first, numbers.at(block, g / 4, 1024 * (g % 4) + first + lane, shifts));
    }
  }
}

/// GroupNumbers::improve() of the CPU, by a warp.
__device__ inline void improve_group(const TileNumbersOf& numbers, int g, bool moved,
                                     const std::int8_t* shifts, int lane, GroupBest& best) {
  std::uint32_t beyond[kMostTileWidth + 2] = {};
  for_group_positions(numbers, g, shifts, lane, [&](int, std::int32_t x) {
    const int width = tile_width_of(x);
#pragma unroll
    for (int w = 0; w <= kMostTileWidth + 1; ++w) beyond[w] += width >= w ? 1u : 0u;
  });
  const std::uint32_t values = 1024u * static_cast<std::uint32_t>(numbers.page.blocks());
#pragma unroll
  for (int width = kMostTileWidth; width >= 0; --width) {
    const std::uint32_t fields = values * static_cast<std::uint32_t>(width) + (moved ? 64u : 0u),
                        least = sum_of_lanes(beyond[width + 1]);
    bool improves = false;
    for (int kind = 0; kind < kTileKindCount; ++kind) {
      const auto each =
          static_cast<std::uint32_t>(kind + static_cast<int>(kLeastEntryBits) + kTileCharge);
      improves = improves || fields + least * each < best.cost[g][kind];
    }
    if (!improves) continue;
    std::uint32_t quiet[kTileKindCount] = {}, near = 0, far = 0;
    int behind = 0;
    for_group_positions(numbers, g, shifts, lane, [&](int first, std::int32_t x) {
      if (first == 0) behind = 0;
      const std::int32_t q = tile_overflow(x, width);
      const bool listed = q != 0 && is_tile_near(q, width);
      const unsigned mask = __ballot_sync(kAll, listed);
      if (q != 0 && !listed) far += static_cast<std::uint32_t>(far_entries(q));
      if (mask == 0) return;
      if (listed) {
        const auto distance =
            static_cast<std::uint32_t>(first + lane - last_before(mask, first, behind, lane));
        near += static_cast<std::uint32_t>(q < 0 ? -q : q);
#pragma unroll
        for (int kind = 0; kind < kTileKindCount; ++kind) {
          const std::uint32_t most = tile_quiet(kind + static_cast<int>(kLeastEntryBits));
          if (distance < most) break;  // and less than that of more bits
          quiet[kind] += distance / most;
        }
      }
      behind = first + 31 - __clz(static_cast<int>(mask));
    });
    near = sum_of_lanes(near);
    far = sum_of_lanes(far);
#pragma unroll
    for (int kind = 0; kind < kTileKindCount; ++kind) {
      const auto each =
          static_cast<std::uint32_t>(kind + static_cast<int>(kLeastEntryBits) + kTileCharge);
      const std::uint32_t cost = fields + (sum_of_lanes(quiet[kind]) + near) * each +
                                 far * static_cast<std::uint32_t>(kFarBits + kTileCharge);
      __syncwarp();
      if (lane == 0 && cost < best.cost[g][kind]) {
        best.cost[g][kind] = cost;
        best.width[g][kind] = static_cast<std::uint8_t>(width);
        best.shifted[g][kind] = moved ? 1 : 0;
      }
      __syncwarp();
    }
  }
}

/// choose_tiles() of the CPU but for tiles without entries, by all threads of a block. `words`: room for 256
/// a warp.
__device__ inline void choose_tile_header(const TileNumbersOf& numbers, std::uint32_t* words,
                                          GroupBest& best, TileChoice& choice) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32,
            groups = numbers.page.groups();
  for (int g = warp; g < groups; g += kChoiceWarps) {
    const std::int32_t median = find_medians(numbers.page, g, lane, words + 256 * warp).median;
    if (lane < 8) choice.shifts[8 * g + lane] = static_cast<std::int8_t>(median);
    for (int kind = lane; kind < kTileKindCount; kind += 32) best.cost[g][kind] = ~0u;
    __syncwarp();
    improve_group(numbers, g, false, nullptr, lane, best);
    if (__ballot_sync(kAll, lane < 8 && median != 0) != 0) {
      improve_group(numbers, g, true, choice.shifts, lane, best);
    }
  }
  __syncthreads();
  for (int tile = thread; tile < numbers.tiles(); tile += kChoiceThreads) {
    const int first = 4 * tile, end = first + numbers.groups_of(tile);
    std::uint64_t least = ~std::uint64_t{0};
    int found = 0;
    for (int kind = 0; kind < kTileKindCount; ++kind) {
      std::uint64_t sum = 0;
      for (int g = first; g < end; ++g) sum += best.cost[g][kind];
      if (sum >= least) continue;
      least = sum;
      found = kind;
    }
    choice.bits[tile] = static_cast<std::uint8_t>(found + static_cast<int>(kLeastEntryBits));
    for (int g = first; g < end; ++g) {
      choice.width[g] = best.width[g][found];
      choice.shifted[g] = best.shifted[g][found];
      for (int c = 0; c < 8 && choice.shifted[g] == 0; ++c) choice.shifts[8 * g + c] = 0;
    }
  }
  __syncthreads();
}

/// Calls list(first position, q, listed, mask, distance) for 32 neighbouring positions of a tile of a block after
/// another, in which there is a q that is not 0; distance as entries count it.
template <typename List>
__device__ __forceinline__ void for_tile_overflows(const TileNumbersOf& numbers,
                                                   const TileChoice& choice, int block, int tile,
                                                   int lane, const List& list) {
  int behind = 0;
  for (int first = 0; first < 1024 * numbers.groups_of(tile); first += 32) {
    const int width = choice.width[4 * tile + first / 1024];
    const std::int32_t q =
        tile_overflow(numbers.at(block, tile, first + lane, choice.shifts), width);
    if (__ballot_sync(kAll, q != 0) == 0) continue;
    const bool listed = q != 0 && choice.bits[tile] != 0 && is_tile_near(q, width);
    const unsigned mask = __ballot_sync(kAll, listed);
    list(first, q, listed,
         static_cast<std::uint32_t>(first + lane - last_before(mask, first, behind, lane)));
    if (mask != 0) behind = first + 31 - __clz(static_cast<int>(mask));
  }
}

/// What a tile of a block has, by a warp.
__device__ inline TileCount count_tile(const TileNumbersOf& numbers, const TileChoice& choice,
                                       int block, int tile, int lane) {
  const std::uint32_t quiet = choice.bits[tile] == 0 ? 1u : tile_quiet(choice.bits[tile]);
  std::uint32_t entries = 0, far = 0;
  for_tile_overflows(numbers, choice, block, tile, lane,
                     [&](int, std::int32_t q, bool listed, std::uint32_t distance) {
                       if (listed) {
                         entries += distance / quiet + static_cast<std::uint32_t>(q < 0 ? -q : q);
                       } else if (q != 0) {
                         far += static_cast<std::uint32_t>(far_entries(q));
                       }
                     });
  return {(sum_of_lanes(entries) + 31) / 32 * 32, sum_of_lanes(far)};
}

/// Bytes of a header, and of the fields of a tile.
__device__ __forceinline__ int tile_header_bytes(const TileChoice& choice, int groups) {
  auto bytes = 4 * static_cast<int>(tile_header_words(static_cast<std::size_t>(groups)));
  for (int g = 0; g < groups; ++g) bytes += 8 * choice.shifted[g];
  return bytes;
}
__device__ __forceinline__ std::uint32_t tile_field_bytes(const TileNumbersOf& numbers,
                                                          const TileChoice& choice, int tile) {
  std::uint32_t bytes = 0;
  for (int g = 4 * tile; g < 4 * tile + numbers.groups_of(tile); ++g) {
    bytes += 128u * choice.width[g];
  }
  return bytes;
}
__device__ __forceinline__ std::uint32_t tile_list_bytes(const TileChoice& choice, int tile,
                                                         std::uint32_t entries) {
  return choice.bits[tile] * entries / 8;
}

/// Bytes of a block, `counts` those of its tiles.
__device__ __forceinline__ std::uint32_t tile_block_bytes(const TileNumbersOf& numbers,
                                                          const TileChoice& choice,
                                                          const TileCount* counts) {
  auto bytes = 4 * static_cast<std::uint32_t>(
                       tile_count_words(static_cast<std::size_t>(numbers.page.groups())));
  for (int tile = 0; tile < numbers.tiles(); ++tile) {
    bytes += tile_field_bytes(numbers, choice, tile) +
             tile_list_bytes(choice, tile, counts[tile].entries) + 4 * counts[tile].far;
  }
  return bytes;
}

}  // namespace
}  // namespace kakeya::kernels
