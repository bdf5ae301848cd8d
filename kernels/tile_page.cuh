// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/entropy/tile_codes.h"
#include "kernels/fields.cuh"
#include "kernels/pages.h"

// A page of tiles of up to 128 vectors (entropy/tile_format.h draws it) as attention opens it: all lanes of a
// warp have the header, and tile after tile is put into 4096 bytes of shared memory.

namespace kakeya::kernels {
namespace {

/// What a byte has more than what it is of, in fields of less than 8 bits.
constexpr std::uint32_t kTileBias = 0x80808080u;

/// Element `i` of a small array in registers.
template <int kCount>
__device__ __forceinline__ std::uint32_t picked(const std::uint32_t (&from)[kCount], int i) {
  std::uint32_t found = from[0];
#pragma unroll
  for (int n = 1; n < kCount; ++n) found = i == n ? from[n] : found;
  return found;
}

/// An open page: what its header says, the same in all lanes.
template <int kDim>
struct TilePage {
  static constexpr int kTiles = kDim / 32, kWords = kDim / 64;
  static_assert(kTiles <= 8);
  std::uint32_t width[kWords];  ///< a nibble a group
  std::uint32_t count[kWords];  ///< of each lane's entries: 16 bits a tile
  std::uint32_t bits;           ///< of an entry: a nibble a tile
  std::uint32_t shifted;        ///< a bit a group
  std::uint32_t far;            ///< far entries
  int shifts, tiles, end;       ///< where in the page shifts, tiles and far entries begin, in bytes

  __device__ __forceinline__ int width_of(int group) const {
    return static_cast<int>(picked(width, group / 8) >> (4 * (group % 8)) & 15u);
  }
};

/// A tile of an open page.
struct TilePart {
  std::uint32_t widths;       ///< a nibble a group
  std::uint32_t bits, count;  ///< of an entry; a lane's entries
  int field_bytes, list_bytes;
};

/// Bytes of a tile's fields, a nibble a group.
__device__ __forceinline__ int tile_field_bytes(std::uint32_t widths) {
  const std::uint32_t two = (widths & 0x0f0fu) + (widths >> 4 & 0x0f0fu);
  return static_cast<int>(((two + (two >> 8)) & 0xffu) * 128u);
}

/// The tiles of an open page, from the first to the last or from the last to the first.
template <int kDim>
struct TileWalk {
  static constexpr int kWords = TilePage<kDim>::kWords;
  std::uint32_t width[kWords], count[kWords], bits;

  __device__ __forceinline__ TileWalk(const TilePage<kDim>& page, bool forwards) {
    std::uint32_t turned = permute(page.bits, 0u, 0x0123);
    turned = (turned & 0x0f0f0f0fu) << 4 | (turned >> 4 & 0x0f0f0f0fu);
    bits = forwards ? page.bits : turned >> (32 - 4 * TilePage<kDim>::kTiles);
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      const int other = kWords - 1 - i;
      width[i] = forwards ? page.width[i] : permute(page.width[other], 0u, 0x1032);
      count[i] = forwards ? page.count[i] : permute(page.count[other], 0u, 0x1032);
    }
  }
  __device__ __forceinline__ TilePart next() {
    TilePart part;
    part.widths = width[0] & 0xffffu;
    part.count = count[0] & 0xffffu;
    part.bits = bits & 15u;
    bits >>= 4;
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      const int after = i + 1 < kWords ? i + 1 : i;
      width[i] = i + 1 < kWords ? __funnelshift_r(width[i], width[after], 16) : width[i] >> 16;
      count[i] = i + 1 < kWords ? __funnelshift_r(count[i], count[after], 16) : count[i] >> 16;
    }
    part.field_bytes = tile_field_bytes(part.widths);
    part.list_bytes = static_cast<int>(4u * part.bits * part.count);
    return part;
  }
};

/// What the header of a page says, but for open.end: of open_tiles().
template <int kDim>
__device__ __forceinline__ bool open_tile_header(const std::uint8_t* page, int bytes, int least,
                                                 TilePage<kDim>& open) {
  constexpr int kWords = TilePage<kDim>::kWords;
  constexpr auto kHeader = static_cast<int>(tile_header_words(kDim / 8));
  static_assert(kHeader == 1 + kWords + 2 && tile_count_words(kDim / 8) == 1 + kWords);
  if (bytes < 4 * (kHeader + 1 + kWords)) return false;
  const auto* words = reinterpret_cast<const std::uint32_t*>(page);
  const std::uint32_t more = words[0];
  bool bad = more >= kFieldBlock || static_cast<int>(more) + 1 < least;
#pragma unroll
  for (int i = 0; i < kWords; ++i) {
    const std::uint32_t all = words[1 + i];
    open.width[i] = all;
    bad = bad || ((all >> 3) & (all | all >> 1 | all >> 2) & 0x11111111u) != 0;  // beyond 8
  }
  open.bits = words[1 + kWords];
  open.shifted = words[2 + kWords];
  if constexpr (kDim < 256) open.shifted &= (1u << (kDim / 8)) - 1u;
  open.shifts = 4 * kHeader;
  const int counts = kHeader + 2 * __popc(open.shifted);
  if (bytes < 4 * (counts + 1 + kWords)) return false;
  open.far = words[counts];
#pragma unroll
  for (int i = 0; i < kWords; ++i) open.count[i] = words[counts + 1 + i];
  open.tiles = 4 * (counts + 1 + kWords);
  return !bad;
}

/// Whether a tile is none.
__device__ __forceinline__ bool is_bad(const TilePart& part) {
  return part.bits > kMostEntryBits || (part.bits < kLeastEntryBits && part.count != 0);
}

/// Opens a page of `bytes`, a multiple of 16, which begins at a multiple of 16; by a warp. False where it is
/// damaged or has fewer than `least` vectors.
template <int kDim>
__device__ __forceinline__ bool open_tiles(const std::uint8_t* page, int bytes, int least,
                                           TilePage<kDim>& open) {
  constexpr int kTiles = TilePage<kDim>::kTiles;
  if (!open_tile_header<kDim>(page, bytes, least, open)) return false;
  bool bad = false;
  open.end = open.tiles;
  TileWalk<kDim> walk(open, true);
#pragma unroll
  for (int tile = 0; tile < kTiles; ++tile) {
    const TilePart part = walk.next();
    bad = bad || is_bad(part);
    open.end += part.field_bytes + part.list_bytes;
  }
  return !bad && open.end <= bytes && open.far <= static_cast<std::uint32_t>(bytes - open.end) / 4;
}

/// A far entry: what it adds to a coordinate, which may be none, of a vector.
struct FarEntry {
  int coordinate, vector;
  std::int32_t step;

  template <int kDim>
  static __device__ __forceinline__ FarEntry of(std::uint32_t word, const TilePage<kDim>& page) {
    constexpr auto kVectors = static_cast<int>(kFieldBlock);
    const auto position = static_cast<int>(word & 0xffffu);
    const int coordinate = position / kVectors;
    return {coordinate, position % kVectors,
            (static_cast<std::int32_t>(word) >> 16) *
                (1 << (coordinate < kDim ? page.width_of(coordinate / 8) : 0))};
  }
};

/// x with what pieces kPiece and on have of register kReg.
template <int kWidth, int kReg, int kPiece>
__device__ __forceinline__ std::uint32_t with_pieces(const std::uint32_t (&word)[kWidth],
                                                     std::uint32_t x) {
  if constexpr (kPiece == tile_pieces(kWidth, kReg)) {
    return x;
  } else {
    constexpr TilePiece kOf = tile_piece(kWidth, kReg, kPiece);
    constexpr std::uint32_t kMask = ((1u << kOf.bits) - 1u) * 0x01010101u << kOf.to;
    constexpr int kRight = kOf.from > kOf.to ? kOf.from - kOf.to : 0,
                  kLeft = kOf.to > kOf.from ? kOf.to - kOf.from : 0;
    return with_pieces<kWidth, kReg, kPiece + 1>(word,
                                                 x | (word[kOf.word] >> kRight << kLeft & kMask));
  }
}

/// The eight registers of a group whose fields have kWidth bits, from its rows: bytes of tile_format.h.
template <int kWidth>
__device__ __forceinline__ void take_tile_group(const std::uint32_t* row, std::uint32_t bias,
                                                std::uint32_t (&x)[8]) {
  std::uint32_t word[kWidth];
#pragma unroll
  for (int k = 0; k < kWidth; ++k) word[k] = row[32 * k];
  if constexpr (kWidth == kMostTileWidth) bias = 0;
  x[0] = with_pieces<kWidth, 0, 0>(word, bias);
  x[1] = with_pieces<kWidth, 1, 0>(word, bias);
  x[2] = with_pieces<kWidth, 2, 0>(word, bias);
  x[3] = with_pieces<kWidth, 3, 0>(word, bias);
  x[4] = with_pieces<kWidth, 4, 0>(word, bias);
  x[5] = with_pieces<kWidth, 5, 0>(word, bias);
  x[6] = with_pieces<kWidth, 6, 0>(word, bias);
  x[7] = with_pieces<kWidth, 7, 0>(word, bias);
}

/// Puts the fields of a tile, from `fields` on, into `tile`; by a warp. `bias`: kTileBias where the compiler does
/// not see that, as an instruction has room for one constant, the mask.
__device__ __forceinline__ void expand_tile(const std::uint8_t* fields, std::uint32_t widths,
                                            std::uint32_t bias, bool of_keys, int lane,
                                            std::uint8_t* tile) {
  const auto* row = reinterpret_cast<const std::uint32_t*>(fields) + lane;
  std::uint8_t* to = tile + (of_keys ? 128 * (lane / 8) : 16 * lane);
  const std::uint8_t* const end = to + 1024 * kTileGroups;
  auto turn = static_cast<std::uint32_t>(of_keys ? 16 * (lane % 8) : 0);
  const std::uint32_t further = of_keys ? 32 : 0;
#pragma unroll 1
  for (; to != end; to += 1024) {
    std::uint32_t x[8];
    // A tree of branches, three at most, by the bits of the width.
    if ((widths & 4u) != 0) {
      if ((widths & 2u) != 0) {
        if ((widths & 1u) != 0) {
          take_tile_group<7>(row, bias, x);
        } else {
          take_tile_group<6>(row, bias, x);
        }
      } else if ((widths & 1u) != 0) {
        take_tile_group<5>(row, bias, x);
      } else {
        take_tile_group<4>(row, bias, x);
      }
    } else if ((widths & 2u) != 0) {
      if ((widths & 1u) != 0) {
        take_tile_group<3>(row, bias, x);
      } else {
        take_tile_group<2>(row, bias, x);
      }
    } else if ((widths & 1u) != 0) {
      take_tile_group<1>(row, bias, x);
    } else if ((widths & 8u) != 0) {
      take_tile_group<8>(row, bias, x);
    } else {
#pragma unroll
      for (int r = 0; r < 8; ++r) x[r] = bias;
    }
    *reinterpret_cast<uint4*>(to + turn) = make_uint4(x[0], x[1], x[2], x[3]);
    *reinterpret_cast<uint4*>(to + turn + 512) = make_uint4(x[4], x[5], x[6], x[7]);
    row += 32 * (widths & 15u);
    widths >>= 4;
    turn = (turn + further) % 128;
  }
}

/// The sums of `value` over this lane and those before it.
__device__ __forceinline__ std::uint32_t sum_to_lane(std::uint32_t value,
                                                     [[maybe_unused]] int lane) {
#if defined(__CUDACC__)
#pragma unroll
  for (int half = 1; half < 32; half *= 2) {
    asm volatile(
        "{\n.reg .pred there;\n.reg .b32 other;\nshfl.sync.up.b32 other|there, %0, %1, 0, -1;\n"
        "@there add.u32 %0, %0, other;\n}"
        : "+r"(value)
        : "r"(half));
  }
  return value;
#else
  std::uint32_t all = 0;
  return sum_before_lane(value, lane, &all) + value;
#endif
}

/// Calls add(position, step, there) for the entries of a list, step 1 or -1 as words without sign, `there`: whether the
/// entry adds anything; by a warp, of which each lane has `count` in all. Positions may be beyond the tile.
template <typename Add>
__device__ __forceinline__ void for_tile_entries(const std::uint32_t* words, std::uint32_t bits,
                                                 std::uint32_t count, int lane, const Add& add) {
  // A lane has so many words at once, each with four of its entries, or two of more than 8 bits. What is behind
  // its last entry, and the upper half with two, is entries that add nothing.
  constexpr std::uint32_t kWords = 4;
  const bool wide = bits > 8;
  const std::uint32_t quiet = (1u << (bits - 1)) - 1, negative = quiet + 1, two = 2 * bits,
                      each = wide ? 2 : 4, most = kWords * each, last_word = bits * count - 1;
  // Distances of a word's entries, but for every other one.
  const std::uint32_t others = wide ? quiet : quiet | quiet << two, above = wide ? ~0u << two : 0u,
                      too_far = wide ? 2 * quiet : 0u;
  std::uint32_t position = 0;
#pragma unroll 1
  for (std::uint32_t first = 0; first < count; first += most) {
    const std::uint32_t mine = count - first < most ? count - first : most,
                        spare = (0u - mine) % each;
    const std::uint32_t last_above = spare != 0 ? ~0u << ((each - spare) * bits) : above;
    std::uint32_t word[kWords], distance = 0,
                                bit = (32 * first + static_cast<std::uint32_t>(lane) * mine) * bits;
#pragma unroll
    for (std::uint32_t i = 0; i < kWords; ++i) {
      word[i] = 0;
      if (i * each >= mine) break;
      const std::uint32_t at = bit / 32, next = at + 1 < last_word ? at + 1 : last_word;
      std::uint32_t some = __funnelshift_r(words[at], words[next], static_cast<int>(bit));
      some |= (i + 1) * each >= mine ? last_above : above;
      distance += (some & others) + (some >> bits & others);
      word[i] = some;
      bit += each * bits;
    }
    distance = (distance + (distance >> two)) & ((1u << two) - 1);
    distance -= spare * quiet;
    const std::uint32_t to_lane = sum_to_lane(distance, lane);
    std::uint32_t place = position + to_lane - distance;
    if (first + most < count) position += __shfl_sync(kAll, to_lane, 31);
#pragma unroll 1
    for (std::uint32_t taken = 0; taken < mine; taken += each) {
      auto some = static_cast<std::int32_t>(word[0]);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const std::uint32_t entry = static_cast<std::uint32_t>(some), go = entry & quiet;
        place += go;
        add(place, (entry & negative) != 0 ? ~0u : 1u, go != quiet);
        some >>= bits;
      }
      place -= too_far;
#pragma unroll
      for (std::uint32_t i = 0; i + 1 < kWords; ++i) word[i] = word[i + 1];
    }
  }
}

/// Adds the entries of a tile to its bytes, those beyond its end anywhere in it; by a warp.
__device__ __forceinline__ void add_tile_entries(const std::uint32_t* words, const TilePart& part,
                                                 int lane, std::uint8_t* tile) {
  // Widths as bytes: each is how far 1 is shifted to be what an entry adds.
  const std::uint32_t half = part.widths & 0x0f0fu, other = part.widths >> 4 & 0x0f0fu,
                      shifts = permute(half, other, 0x5140);
  for_tile_entries(words, part.bits, part.count, lane,
                   [&](std::uint32_t place, std::uint32_t step, bool there) {
                     // Shifts are modulo 32.
                     const std::uint32_t shift = permute(shifts, 0u, place >> 10) + 8 * place;
                     // A sum of 0 takes less than a branch.
                     atomicAdd(reinterpret_cast<std::uint32_t*>(tile + (place & 0xffcu)),
                               __funnelshift_l(0u, there ? step : 0u, static_cast<int>(shift)));
                   });
}

}  // namespace
}  // namespace kakeya::kernels
