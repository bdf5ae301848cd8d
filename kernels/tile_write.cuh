// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/field_entries.cuh"
#include "kernels/tile_choice.cuh"

// Pages of tiles as they are written, by a warp each: a page's header, and a tile of 128 vectors.

namespace kakeya::kernels {
namespace {

/// The header of a page, by a warp.
__device__ void write_tile_header(const TileChoice& choice, const TiledPage& page, int lane,
                                  std::uint32_t* to) {
  const int groups = page.groups(), tiles = page.tiles(), bits_at = 1 + (groups + 7) / 8,
            shifted_at = bits_at + (tiles + 7) / 8, words = shifted_at + (groups + 31) / 32;
  if (lane < words) {  // there are at most 25
    std::uint32_t word = lane == 0 ? static_cast<std::uint32_t>(page.numbers.vectors - 1) : 0u;
    for (int i = 0; i < 8 && lane > 0 && lane < bits_at; ++i) {
      const int g = 8 * (lane - 1) + i;
      if (g < groups) word |= static_cast<std::uint32_t>(choice.width[g]) << (4 * i);
    }
    for (int i = 0; i < 8 && lane >= bits_at && lane < shifted_at; ++i) {
      const int tile = 8 * (lane - bits_at) + i;
      if (tile < tiles) word |= static_cast<std::uint32_t>(choice.bits[tile]) << (4 * i);
    }
    for (int i = 0; i < 32 && lane >= shifted_at; ++i) {
      const int g = 32 * (lane - shifted_at) + i;
      if (g < groups) word |= static_cast<std::uint32_t>(choice.shifted[g]) << i;
    }
    to[lane] = word;
  }
  std::uint32_t* shifts = to + words;
  for (int first = 0; first < groups; first += 32) {
    const bool shifted = first + lane < groups && choice.shifted[first + lane] != 0;
    const unsigned all = __ballot_sync(kAll, shifted);
    if (shifted) {
      const auto* const from =
          reinterpret_cast<const std::uint32_t*>(choice.shifts + 8 * (first + lane));
      std::uint32_t* const mine = shifts + 2 * __popc(all & ((1u << lane) - 1u));
      mine[0] = from[0], mine[1] = from[1];
    }
    shifts += 2 * __popc(all);
  }
}

/// The numbers of a group of a block in the order of positions: 16 a lane from 16 lane on, and 16 from 512
/// + 16 lane on.
template <FieldOrder kOrder>
struct PositionNumbers {
  const TiledPage& page;
  int block, g, lane;
  const std::int8_t* shifts;  // of the group

  /// Coordinates of a target are those of the group.
  __device__ __forceinline__ TileTarget target(int n) const {
    const int vector = 32 * before(n) + within(n);
    return {coordinate(n), vector - 128 * block};
  }
  __device__ __forceinline__ int coordinate(int n) const {
    return kOrder == FieldOrder::values ? lane / 4 : 4 * (n / 8 % 2) + n % 4;
  }
  /// Vector number n is `within` 32, after `before` times 32 of the page.
  __device__ __forceinline__ int before(int n) const {
    return 4 * block + (kOrder == FieldOrder::values ? n / 4 % 4 : 2 * (n / 16) + lane / 16);
  }
  __device__ __forceinline__ int within(int n) const {
    return kOrder == FieldOrder::values
               ? 2 * (lane % 4) + n / 16 + 8 * (n % 4)
               : 16 * (lane / 8 % 2) + 8 * (n / 4 % 2) + ((lane - 2 * g) & 7);
  }
  __device__ __forceinline__ std::int32_t operator()(int n) const {
    return page.one_at(before(n), within(n), 8 * g + coordinate(n)) - shifts[coordinate(n)];
  }
  __device__ __forceinline__ void read(std::int32_t (&x)[32]) const {
    if constexpr (kOrder == FieldOrder::values) {
      const std::int32_t shift = shifts[lane / 4];
#pragma unroll
      for (int n = 0; n < 16; ++n) {
        const int2 two = page.two_at(before(n), within(n), 8 * g + lane / 4);
        x[n] = two.x - shift, x[n + 16] = two.y - shift;
      }
    } else {
#pragma unroll
      for (int n = 0; n < 32; ++n) x[n] = (*this)(n);
    }
    const int vectors = page.numbers.of_block(block);
    if (vectors == 128) return;
#pragma unroll
    for (int n = 0; n < 32; ++n) x[n] = target(n).vector < vectors ? x[n] : 0;
  }
  /// Where the lane's word of a row is.
  __device__ __forceinline__ int word() const {
    return kOrder == FieldOrder::values ? lane : (lane & ~7) + ((lane - 2 * g) & 7);
  }
};

/// Rows of fields of a width, a word a lane of each.
template <int kWidth>
__device__ __forceinline__ void write_tile_rows(const std::int32_t (&x)[32], std::uint32_t* rows) {
  constexpr std::uint32_t kHalf = ((1u << kWidth) >> 1) * 0x01010101u,
                          kMask = ((1u << kWidth) - 1u) * 0x01010101u;
  std::uint32_t u[kTileRegisters];
#pragma unroll
  for (int reg = 0; reg < static_cast<int>(kTileRegisters); ++reg) {
    const std::int32_t* const of = x + 4 * reg;
    const std::uint32_t low = permute(static_cast<std::uint32_t>(of[0]),
                                      static_cast<std::uint32_t>(of[1]), 0x0040),
                        high = permute(static_cast<std::uint32_t>(of[2]),
                                       static_cast<std::uint32_t>(of[3]), 0x0040),
                        bytes = permute(low, high, 0x5410);
    // Nothing carries to the next byte.
    u[reg] = kWidth == 8 ? bytes ^ kHalf : ((bytes & kMask) + kHalf) & kMask;
  }
#pragma unroll
  for (int k = 0; k < kWidth; ++k) {
    std::uint32_t word = 0;
#pragma unroll
    for (int reg = 0; reg < static_cast<int>(kTileRegisters); ++reg) {
#pragma unroll
      for (int n = 0; n < 7; ++n) {
        if (n >= tile_pieces(kWidth, reg)) continue;
        const TilePiece piece = tile_piece(kWidth, reg, n);
        if (piece.word != k) continue;
        word |= (u[reg] >> piece.to & ((1u << piece.bits) - 1u) * 0x01010101u) << piece.from;
      }
    }
    rows[32 * k] = word;
  }
}
__device__ __forceinline__ void write_tile_group(const std::int32_t (&x)[32], int width,
                                                 std::uint32_t* rows) {
  switch (width) {
    case 1:
      return write_tile_rows<1>(x, rows);
    case 2:
      return write_tile_rows<2>(x, rows);
    case 3:
      return write_tile_rows<3>(x, rows);
    case 4:
      return write_tile_rows<4>(x, rows);
    case 5:
      return write_tile_rows<5>(x, rows);
    case 6:
      return write_tile_rows<6>(x, rows);
    case 7:
      return write_tile_rows<7>(x, rows);
    case 8:
      return write_tile_rows<8>(x, rows);
    default:
      return;
  }
}

/// A tile's list as it grows, by a warp: bits that are 0.
struct TileList {
  std::uint32_t *words, *room;  // in device memory; in shared memory, of lists that fit there
  bool in_room;
  int bits, behind;  // bits of an entry; the last position, from the beginning of the group
  std::uint32_t entries, inverse;

  __device__ __forceinline__ void put(std::uint32_t bit, std::uint32_t entry) const {
    if (in_room) {
      put_entry(room, bit, entry, bits);
    } else {
      put_entry(words, bit, entry, bits);
    }
  }
  // Entries of a group: a lane's positions are 32 from 32 lane on.
  __device__ __forceinline__ void add(const Overflows& found, std::uint32_t below, int lane) {
    const std::uint32_t quiet = tile_quiet(bits), listed = runs_in_order(found.listed, lane);
    const std::uint32_t minus = runs_in_order(below, lane);
    std::uint32_t twice = 0, thrice = 0;
    if (__ballot_sync(kAll, found.twice != 0) != 0) {
      twice = runs_in_order(found.twice, lane), thrice = runs_in_order(found.thrice, lane);
    }
    int last = 0;
    int before = behind_lane(listed, lane, behind, &last);
    const std::uint32_t mine =
        static_cast<std::uint32_t>(__popc(listed) + __popc(twice) + __popc(thrice)) +
        __umulhi(distance_to_first(listed, lane, before), inverse) + quiet_within(listed, bits);
    std::uint32_t all = 0;
    std::uint32_t bit =
        static_cast<std::uint32_t>(bits) * (entries + sum_before_lane(mine, lane, &all));
    const auto put_next = [&](std::uint32_t entry) {
      put(bit, entry);
      bit += static_cast<std::uint32_t>(bits);
    };
    for (std::uint32_t left = listed; left != 0; left &= left - 1) {
      const int n = __ffs(static_cast<int>(left)) - 1, position = 32 * lane + n;
      auto distance = static_cast<std::uint32_t>(position - before);
      const std::uint32_t sign = (minus >> n & 1) != 0 ? quiet + 1 : 0u;
      before = position;
      for (; distance >= quiet; distance -= quiet) put_next(quiet);
      put_next(distance | sign);
      if ((twice >> n & 1) != 0) put_next(sign);
      if ((thrice >> n & 1) != 0) put_next(sign);
    }
    entries += all;
    behind = last;
  }
  __device__ __forceinline__ void fill(int lane) {
    const std::uint32_t number = entries + static_cast<std::uint32_t>(lane);
    if (number < (entries + 31) / 32 * 32) {
      put(number * static_cast<std::uint32_t>(bits), tile_quiet(bits));
    }
  }
};

/// The far entries of a group to `to`, by a warp; how many there are.
template <FieldOrder kOrder>
__device__ __forceinline__ std::uint32_t write_far(const PositionNumbers<kOrder>& numbers,
                                                   std::uint32_t far, int width,
                                                   std::uint32_t* to) {
  std::uint32_t count = 0;
  // Positions of the group's second half come behind all of the first.
  for (const std::uint32_t half : {far & 0xffffu, far & 0xffff0000u}) {
    const std::uint32_t mine =
        static_cast<std::uint32_t>(__popc(half)) + more_far(half, width, numbers);
    std::uint32_t all = 0;
    std::uint32_t* at = to + count + sum_before_lane(mine, numbers.lane, &all);
    for (std::uint32_t left = half; left != 0; left &= left - 1) {
      const int n = __ffs(static_cast<int>(left)) - 1;
      const TileTarget target = numbers.target(n);
      const auto place =
          static_cast<std::uint32_t>(128 * (8 * numbers.g + target.coordinate) + target.vector);
      for (std::int32_t q = tile_overflow(numbers(n), width); q != 0;) {
        const std::int32_t part = q > kMostFarQuotient    ? kMostFarQuotient
                                  : q < -kMostFarQuotient ? -kMostFarQuotient
                                                          : q;
        *at++ = place | static_cast<std::uint32_t>(part) << 16;
        q -= part;
      }
    }
    count += all;
  }
  return count;
}

constexpr int kListRoom = 256;  // words of a list that a warp makes in shared memory

/// A tile of a block, by a warp: its fields and its list from `to` on, its far entries from `far` on.
template <FieldOrder kOrder>
__device__ __forceinline__ void write_tile(const TiledPage& page, const TileChoice& choice,
                                           int block, int tile, int lane, std::uint32_t* to,
                                           std::uint32_t* far, std::uint32_t list_words,
                                           std::uint32_t* room) {
  std::uint32_t* const list_at = to + tile_field_bytes(page, choice, tile) / 4;
  const bool near = list_words <= static_cast<std::uint32_t>(kListRoom);
  const int bits = choice.bits[tile];
  TileList list{list_at, room, near, bits, 0, 0, bits == 0 ? 0u : quiet_inverse(bits)};
  for (auto i = static_cast<std::uint32_t>(lane); i < list_words; i += 32) {
    (near ? room : list_at)[i] = 0;
  }
  if (!near) __threadfence();
  __syncwarp();
  for (int g = 4 * tile; g < 4 * tile + page.groups_of(tile); ++g) {
    const PositionNumbers<kOrder> numbers{page, block, g, lane, choice.shifts + 8 * g};
    const int width = choice.width[g];
    std::int32_t x[32];
    numbers.read(x);
    const TileBits all = bits_of_numbers(x, numbers);
    write_tile_group(x, width, to + numbers.word());
    to += 32 * width;
    const Overflows found = overflows_of(all, width, bits);
    if (__ballot_sync(kAll, found.listed != 0) != 0) list.add(found, all.below, lane);
    list.behind -= 1024;
    if (__ballot_sync(kAll, found.far != 0) != 0) far += write_far(numbers, found.far, width, far);
  }
  if (bits != 0) list.fill(lane);
  __syncwarp();
  if (!near) return;
  for (auto i = static_cast<std::uint32_t>(lane); i < list_words; i += 32) list_at[i] = room[i];
}

}  // namespace
}  // namespace kakeya::kernels
