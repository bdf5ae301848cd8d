// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kakeya/entropy/field_codes.h"
#include "kakeya/entropy/field_lists.h"

// What pages of tiles are made of (tile_format.h has the drawing), in C++17 for kernels.

namespace kakeya {

inline constexpr std::size_t kTileGroups = 4;     ///< groups of 8 coordinates a tile
inline constexpr std::size_t kTileDim = 32;       ///< coordinates a tile
inline constexpr std::size_t kTileRegisters = 8;  ///< of a group and lane
inline constexpr int kMostTileWidth = 8;          ///< bits a field
inline constexpr std::size_t kTilePositions = 4096;
inline constexpr std::size_t kTileKinds = kMostEntryBits - kLeastEntryBits + 1;

/// An entry counts as so many bits more than it has where widths are chosen: bits are weighed against the
/// time that readers need for it.
inline constexpr int kTileCharge = 2;

/// What is subtracted from the byte of a coordinate, less its shift, in a group with fields of so many bits.
constexpr std::int32_t tile_base(int width) { return 128 + ((1 << width) >> 1 & 127); }

/// q of a coordinate less its shift: how many times 2^width it is beyond its field.
constexpr std::int32_t tile_overflow(std::int32_t x, int width) {
  return (x + ((1 << width) >> 1)) >> width;
}

/// The most that q has in a tile's list.
inline constexpr std::int32_t kMostTileNear = 3;

/// Whether q, which is not 0, goes to a tile's list, once for each 1 that it has, or is far: bytes stay bytes.
constexpr bool is_tile_near(std::int32_t q, int width) {
  return q >= -kMostTileNear && q <= kMostTileNear && (q < 0 ? -q : q) << width < 128;
}

/// How far an entry of 3 to 12 bits that adds nothing goes on.
constexpr std::uint32_t tile_quiet(int entry_bits) { return (1u << (entry_bits - 1)) - 1; }

/// Bits of a register: `bits` of each byte of word `word` from bit `from` on are those of the register's
/// from bit `to` on.
struct TilePiece {
  int word, from, bits, to;
};

/// Registers of a group of this width that have whole fields in a word; each has 8 / width of them.
constexpr int tile_whole(int width) { return width == 0 ? 8 : 8 / width * width; }

/// How many pieces register `reg` has.
constexpr int tile_pieces(int width, int reg) {
  if (width == 0) return 0;
  if (reg < tile_whole(width)) return 1;
  const int spare = 8 % width, first = (reg - tile_whole(width)) * width;
  return (first + width - 1) / spare - first / spare + 1;
}

/// Piece number `piece` of register `reg`: whole fields come first in each word, and the bits that are left
/// make, word after word, those of the other registers.
constexpr TilePiece tile_piece(int width, int reg, int piece) {
  if (reg < tile_whole(width)) {
    const int each = 8 / width;
    return {reg / each, reg % each * width, width, 0};
  }
  const int spare = 8 % width, first = (reg - tile_whole(width)) * width;
  const int word = first / spare + piece;
  const int begin = word * spare > first ? word * spare : first;
  const int end = (word + 1) * spare < first + width ? (word + 1) * spare : first + width;
  return {word, 8 - spare + begin - word * spare, end - begin, begin - first};
}

/// Where a coordinate of a group and a vector of a block are: byte of register `reg` of lane `lane`.
struct TilePlace {
  int lane, reg, byte;
};
constexpr TilePlace tile_place(FieldOrder order, int coordinate, int vector) {
  if (order == FieldOrder::keys) {
    return {vector % 8 + 8 * (vector / 16 % 4),
            4 * (vector / 64) + vector / 8 % 2 + 2 * (coordinate / 4), coordinate % 4};
  }
  const int eighth = vector % 8, row = vector / 8;  // vector = 2 q + r / 4 + 8 (4 (r % 4) + byte)
  return {4 * coordinate + eighth / 2, 4 * (eighth % 2) + row / 4, row % 4};
}

/// Where in its tile a register of a lane begins, group `group` of the tile's.
constexpr int tile_word(FieldOrder order, int group, int lane, int reg) {
  const int half = reg / 4, within = 4 * (reg % 4);
  if (order == FieldOrder::keys) {
    return 1024 * group + 512 * half + 128 * (lane / 8) + 16 * ((lane + 2 * group) % 8) + within;
  }
  return 1024 * group + 512 * half + 16 * lane + within;
}

/// Where a coordinate of a vector is in its tile: its position in the list.
constexpr int tile_position(FieldOrder order, int coordinate, int vector) {
  const TilePlace place = tile_place(order, coordinate % 8, vector);
  return tile_word(order, coordinate / 8, place.lane, place.reg) + place.byte;
}

/// What tile_position() is of: a coordinate of the tile's, and a vector.
struct TileTarget {
  int coordinate, vector;
};
constexpr TileTarget tile_target(FieldOrder order, int position) {
  const int group = position / 1024, half = position / 512 % 2, word = position / 4 % 4,
            byte = position % 4, lane = position / 16 % 32;
  if (order == FieldOrder::keys) {
    return {8 * group + 4 * (word / 2) + byte,
            64 * half + 16 * (lane / 8) + 8 * (word % 2) + (lane - 2 * group + 8) % 8};
  }
  return {8 * group + lane / 4, 2 * (lane % 4) + half + 8 * (4 * word + byte)};
}

/// Words of a header before its shifts, of vectors of so many groups.
constexpr std::size_t tile_header_words(std::size_t groups) {
  return 1 + (groups + 7) / 8 + (groups + 31) / 32 + (groups + 31) / 32;
}
constexpr std::size_t tile_count(std::size_t groups) {
  return (groups + kTileGroups - 1) / kTileGroups;
}
/// Words of the counts of a block.
constexpr std::size_t tile_count_words(std::size_t groups) {
  return 1 + (tile_count(groups) + 1) / 2;
}

}  // namespace kakeya
