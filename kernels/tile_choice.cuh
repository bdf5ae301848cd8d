// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/tile_bits.cuh"

// How a page of tiles is written: what choose_tiles() (entropy/tile_choice.h) says. A warp has a tile, and
// costs of entries of 3, 4, ... bits in its lanes; costs are whole numbers.

namespace kakeya::kernels {
namespace {

constexpr int kTileKindCount = static_cast<int>(kTileKinds);
constexpr int kMostPageTiles = kMostFieldGroups / static_cast<int>(kTileGroups);
constexpr int kMostTileWarps = 8;  // of a block

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

__device__ __forceinline__ std::uint32_t sum_of_lanes(std::uint32_t value) {
  return static_cast<std::uint32_t>(__reduce_add_sync(kAll, static_cast<std::int32_t>(value)));
}
__device__ __forceinline__ std::uint32_t least_of_tile_costs(std::uint32_t value) {
#pragma unroll
  for (int lanes = 1; lanes < 32; lanes *= 2) {
    const std::uint32_t other = __shfl_xor_sync(kAll, value, lanes);
    value = other < value ? other : value;
  }
  return value;
}

/// The numbers of a group of a block that a lane has: of coordinate lane / 4 those of 32 vectors, which are
/// eight apart but for pairs, less `shift`.
template <FieldOrder kOrder>
struct CoordinateNumbers {
  const TiledPage& page;
  int block, g, lane, shift;

  __device__ __forceinline__ int coordinate() const { return 8 * g + lane / 4; }
  /// Vector number n is first() + step(n): keys have t5 and t4 where in_position_order() puts coordinates.
  __device__ __forceinline__ int first() const {
    return 2 * ((kOrder == FieldOrder::values ? lane : lane - g) & 3);
  }
  static constexpr int step(int n) {
    return kOrder == FieldOrder::values
               ? n / 16 + 32 * (n / 4 % 4) + 8 * (n % 4)
               : n / 16 + 64 * (n / 8 % 2) + 8 * (n / 4 % 2) + 16 * (n % 4);
  }
  __device__ __forceinline__ std::int32_t operator()(int n) const {
    return page.one_at(4 * block + step(n) / 32, first() + step(n) % 32, coordinate()) - shift;
  }
  /// Those that are numbers of the page, a bit each.
  __device__ __forceinline__ std::uint32_t there() const {
    const int vectors = page.numbers.of_block(block);
    if (vectors == 128) return ~0u;
    std::uint32_t mask = 0;
    for (int n = 0; n < 32; ++n) mask |= first() + step(n) < vectors ? 1u << n : 0u;
    return mask;
  }
  __device__ __forceinline__ TileBits bits() const {
    std::int32_t x[32];
#pragma unroll
    for (int n = 0; n < 16; ++n) {
      const int2 two = page.two_at(4 * block + step(n) / 32, first() + step(n) % 32, coordinate());
      x[n] = two.x - shift, x[n + 16] = two.y - shift;
    }
    if (page.numbers.of_block(block) < 128) {
      const std::uint32_t mask = there();
#pragma unroll
      for (int n = 0; n < 32; ++n) x[n] = (mask >> n & 1) != 0 ? x[n] : 0;
    }
    return bits_of_numbers(x, *this);
  }
};

/// Bits of CoordinateNumbers, in the order of positions: 32 from 32 lane on.
template <FieldOrder kOrder>
__device__ __forceinline__ std::uint32_t in_position_order(std::uint32_t mask, int lane) {
  if constexpr (kOrder == FieldOrder::values) return runs_in_order(mask, lane);
  // Three bits of the lane's number, the coordinate's, against three of the bit's, the vector's.
  constexpr int kBits[3] = {3, 1, 0};
  constexpr std::uint32_t kLow[3] = {0x00ff00ffu, 0x33333333u, 0x55555555u};
#pragma unroll
  for (int stage = 0; stage < 3; ++stage) {
    const int apart = 1 << kBits[stage], lanes = 16 >> stage;
    const bool upper = (lane & lanes) != 0;
    const std::uint32_t other = __shfl_xor_sync(kAll, mask, lanes),
                        moved = __funnelshift_l(other, other, upper ? 32 - apart : apart);
    mask = chosen_bits(upper ? ~kLow[stage] : kLow[stage], mask, moved);
  }
  return mask;
}

/// The median of the coordinate of a lane within [-128, 127], of a page of one block.
__device__ __forceinline__ std::int32_t median_of(const TileBits& bits, std::uint32_t there,
                                                  int vectors) {
  const auto number_of_coordinate = [](std::uint32_t mask) {
    int count = __popc(mask);
    count += __shfl_xor_sync(kAll, count, 1);
    return count + __shfl_xor_sync(kAll, count, 2);
  };
  int wanted = vectors / 2;  // numbers below it
  const int negative = number_of_coordinate(there & bits.below);
  const bool below = wanted < negative;
  const std::uint32_t sign = below ? ~0u : 0u;
  std::uint32_t left = there & ~(bits.below ^ sign), found = 0;
  if (!below) wanted -= negative;
#pragma unroll
  for (int k = 6; k >= 0; --k) {
    found = 2 * found + (below ? 1u : 0u);
    if (__ballot_sync(kAll, bits.size[k] != 0) == 0) continue;
    // Numbers with a 0 there come first.
    const std::uint32_t ones = bits.size[k] ^ sign;
    const int zeros = number_of_coordinate(left & ~ones);
    const bool is_one = wanted >= zeros;
    if (is_one) wanted -= zeros;
    left &= is_one ? ones : ~ones;
    found = (found & ~1u) | (is_one ? 1u : 0u);
  }
  return static_cast<std::int32_t>(found) - (below ? 128 : 0);
}

/// How many entries that add nothing go between those of a group, in two words, of a lane: kinds 0 to 3 in
/// the first, others in the second. No sum over a group of a block outgrows its bits.
struct QuietCounts {
  std::uint32_t few, many;

  static constexpr int place(int kind) {
    return kind < 4 ? (19 * kind - kind * kind) / 2
                    : (11 * (kind - 4) - (kind - 4) * (kind - 4)) / 2;
  }
  /// That of a kind, of the sums over all lanes.
  __device__ __forceinline__ std::uint32_t of(int kind) const {
    return (kind < 4 ? few : many) >> place(kind) & ((1u << (9 - kind)) - 1u);
  }
};

/// Of a mask of positions. Those of kind 0 are a bound where not `all`: gaps of all entries less 2 each.
__device__ __forceinline__ QuietCounts count_quiet(std::uint32_t mask, int lane, bool all) {
  constexpr auto kLeast = static_cast<int>(kLeastEntryBits);
  int last = 0;
  const std::uint32_t distance = distance_to_first(mask, lane, behind_lane(mask, lane, 0, &last));
  QuietCounts quiet{0, 0};
  if (all) quiet.few = __umulhi(distance, quiet_inverse(kLeast)) + quiet_within(mask, kLeast);
#pragma unroll
  for (int kind = 1; kind < kTileKindCount - 1; ++kind) {
    std::uint32_t entries = __umulhi(distance, quiet_inverse(kind + kLeast));
    if (kind < 4) entries += quiet_within(mask, kind + kLeast);
    (kind < 4 ? quiet.few : quiet.many) += entries << QuietCounts::place(kind);
  }
  quiet = {sum_of_lanes(quiet.few), sum_of_lanes(quiet.many)};
  if (!all) {
    const int bound = last - 2 * static_cast<int>(sum_of_lanes(__popc(mask)));
    if (bound > 0) quiet.few += static_cast<std::uint32_t>(bound) / 3;
  }
  return quiet;
}

/// What a group costs at least with entries of a lane's kind, times 32; then whether it is shifted, and 8
/// less the width. So the least is what the CPU takes where several cost the same.
using GroupCost = std::uint32_t;
constexpr int kWidths = kMostTileWidth + 1;

/// Makes `best` the least of what it is and of costs of a group with numbers as they are or, `moved`, less
/// their medians. Costs of kinds that are not in `kinds`, a bit each, are bounds. `numbers` are those of the
/// first block, and `bits` theirs.
template <FieldOrder kOrder>
__device__ __forceinline__ void improve_group(CoordinateNumbers<kOrder> numbers, TileBits bits,
                                              bool moved, unsigned kinds, GroupCost& best) {
  const int lane = numbers.lane, blocks = numbers.page.blocks(),
            kind = lane < kTileKindCount ? lane : kTileKindCount - 1;
  const auto each =
      static_cast<std::uint32_t>(kind + static_cast<int>(kLeastEntryBits) + kTileCharge);
  GroupCost least[kWidths];
#pragma unroll
  for (int width = 0; width < kWidths; ++width) {
    least[width] = 1024u * static_cast<std::uint32_t>(blocks * width) + (moved ? 64u : 0u);
  }
  for (int block = 0; block < blocks; ++block) {
    numbers.block = block;
    if (blocks > 1) bits = numbers.bits();
#pragma unroll
    for (int width = 0; width < kWidths; ++width) {
      const Overflows found = overflows(bits, width);
      auto far = static_cast<std::uint32_t>(__popc(found.far));
      if (bits.large) far += more_far(found.far, width, numbers);
      // Of a lane 96 and 32 times 65 at most.
      const std::uint32_t both =
          sum_of_lanes(static_cast<std::uint32_t>(__popc(found.listed) + __popc(found.twice) +
                                                  __popc(found.thrice)) |
                       far << 12);
      least[width] += (both & 0xfffu) * each +
                      (both >> 12) * static_cast<std::uint32_t>(kFarBits + kTileCharge);
    }
  }
#pragma unroll
  for (int width = 0; width < kWidths; ++width) {
    least[width] = least[width] << 5 | (moved ? 16u : 0u) | static_cast<std::uint32_t>(8 - width);
    // There are no lists with fields of 7 and 8 bits.
    if (width >= 7 && least[width] < best) best = least[width];
  }
  const bool exact = (kinds >> kind & 1) != 0;
  while (true) {
    GroupCost next = least[0];
#pragma unroll
    for (int width = 1; width < 7; ++width) next = least[width] < next ? least[width] : next;
    const unsigned better = __ballot_sync(kAll, exact && next < best);
    if (better == 0) {
      if (next < best) best = next;
      return;
    }
    // First the width that suits entries of 6 bits.
    const GroupCost of =
        __shfl_sync(kAll, next, (better & 8) != 0 ? 3 : __ffs(static_cast<int>(better)) - 1);
    const int width = 8 - static_cast<int>(of & 15);
    std::uint32_t quiet = 0;
    for (int block = 0; block < blocks; ++block) {
      numbers.block = block;
      if (blocks > 1) bits = numbers.bits();
      std::uint32_t listed = 0;
#pragma unroll
      for (int w = 0; w < 7; ++w) listed = w == width ? overflows(bits, w).listed : listed;
      quiet +=
          count_quiet(in_position_order<kOrder>(listed, lane), lane, (kinds & 1) != 0).of(kind);
    }
#pragma unroll
    for (int w = 0; w < 7; ++w) {
      if (w != width) continue;
      least[w] += quiet * each << 5;
      if (exact && least[w] < best) best = least[w];
    }
  }
}

/// Room of a warp: `words` are for 256 where a page has several blocks.
struct TileRoom {
  GroupCost (&costs)[kTileGroups][kTileKindCount];
  std::uint32_t* words;
};

/// The header of a tile, by a warp, but for bits of a tile without entries.
template <FieldOrder kOrder>
__device__ inline void choose_tile(const TiledPage& page, int tile, int lane, const TileRoom& room,
                                   TileChoice& choice) {
  const int first = 4 * tile, groups = page.groups_of(tile);
  // Entries as most tiles have them; where bounds of others are less, once more with those.
  int kind = 0;
  for (unsigned kinds = 0x7c;;) {
    std::uint32_t sum = 0;
    for (int g = first; g < first + groups; ++g) {
      CoordinateNumbers<kOrder> numbers{page, 0, g, lane, 0};
      GroupCost best = ~0u;
      for (bool moved = false;; moved = true) {
        const TileBits bits = numbers.bits();
        std::int32_t median = 0;
        if (!moved) {
          median = page.blocks() == 1
                       ? median_of(bits, numbers.there(), page.numbers.vectors)
                       : __shfl_sync(kAll, find_medians(page.numbers, g, lane, room.words).median,
                                     lane / 4);
        }
        improve_group(numbers, bits, moved, kinds, best);
        if (moved || __ballot_sync(kAll, median != 0) == 0) break;
        numbers.shift = median;
      }
      if (lane % 4 == 0) choice.shifts[8 * g + lane / 4] = static_cast<std::int8_t>(numbers.shift);
      if (lane < kTileKindCount) room.costs[g - first][lane] = best;
      sum += best >> 5;
    }
    const bool exact = lane < kTileKindCount && (kinds >> lane & 1) != 0;
    const std::uint32_t least = least_of_tile_costs(exact ? sum : ~0u);
    kind = __ffs(static_cast<int>(__ballot_sync(kAll, exact && sum == least))) - 1;
    const unsigned others = __ballot_sync(
        kAll, lane < kTileKindCount && !exact && (sum < least || (sum == least && lane < kind)));
    if (others == 0) break;
    kinds |= others;
  }
  __syncwarp();
  if (lane == 0) {
    choice.bits[tile] = static_cast<std::uint8_t>(kind + static_cast<int>(kLeastEntryBits));
  }
  if (lane < 8 * groups) {
    const GroupCost cost = room.costs[lane / 8][kind];
    const bool shifted = (cost & 16) != 0;
    if (lane % 8 == 0) {
      choice.width[first + lane / 8] = static_cast<std::uint8_t>(8 - (cost & 15));
      choice.shifted[first + lane / 8] = shifted ? 1 : 0;
    }
    if (!shifted) choice.shifts[8 * first + lane] = 0;
  }
  __syncwarp();
}

/// What a tile of a block has, by a warp.
template <FieldOrder kOrder>
__device__ inline TileCount count_tile(const TiledPage& page, const TileChoice& choice, int block,
                                       int tile, int lane) {
  const int bits = choice.bits[tile];
  const std::uint32_t inverse = bits == 0 ? 0u : quiet_inverse(bits);
  std::uint32_t entries = 0, far = 0;
  int behind = 0;
  for (int g = 4 * tile; g < 4 * tile + page.groups_of(tile); ++g) {
    const CoordinateNumbers<kOrder> numbers{page, block, g, lane, choice.shifts[8 * g + lane / 4]};
    const TileBits all = numbers.bits();
    const Overflows found = overflows_of(all, choice.width[g], bits);
    far += static_cast<std::uint32_t>(__popc(found.far));
    if (all.large) far += more_far(found.far, choice.width[g], numbers);
    if (__ballot_sync(kAll, found.listed != 0) != 0) {
      const std::uint32_t mask = in_position_order<kOrder>(found.listed, lane);
      int last = 0;
      const int before = behind_lane(mask, lane, behind, &last);
      entries += static_cast<std::uint32_t>(__popc(found.listed) + __popc(found.twice) +
                                            __popc(found.thrice)) +
                 __umulhi(distance_to_first(mask, lane, before), inverse) +
                 quiet_within(mask, bits);
      behind = last;
    }
    behind -= 1024;
  }
  return {(sum_of_lanes(entries) + 31) / 32 * 32, sum_of_lanes(far)};
}

/// Bytes of a header before its shifts, of the fields of a tile of a block, and of its list.
__device__ __forceinline__ std::uint32_t tile_header_bytes(int groups) {
  return 4 * static_cast<std::uint32_t>(tile_header_words(static_cast<std::size_t>(groups)));
}
__device__ __forceinline__ std::uint32_t tile_field_bytes(const TiledPage& page,
                                                          const TileChoice& choice, int tile) {
  std::uint32_t bytes = 0;
  for (int g = 4 * tile; g < 4 * tile + page.groups_of(tile); ++g) bytes += 128u * choice.width[g];
  return bytes;
}
__device__ __forceinline__ std::uint32_t tile_list_bytes(const TileChoice& choice, int tile,
                                                         std::uint32_t entries) {
  return choice.bits[tile] * entries / 8;
}

}  // namespace
}  // namespace kakeya::kernels
