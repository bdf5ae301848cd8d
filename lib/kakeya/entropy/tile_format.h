// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/entropy/field_format.h"
#include "kakeya/entropy/tile_codes.h"

namespace kakeya {

// Pages of tiles: pages of fields (field_format.h) that attention reads with the fewest instructions. A
// coordinate is a byte there, 32 coordinates of 128 vectors are a tile, and tiles follow one another, each
// with its fields and the list of what is beyond them.
//
//     page     | header | block 0 | block 1 | ...
//     header   u32 vectors - 1
//              a nibble a group of 8 coordinates, eight a word: bits of its fields, w of 0 to 8
//              a nibble a tile, eight a word: bits of an entry, b of 3 to 12, or 0: it has no entries
//              a bit a group, 32 a word: it is shifted
//              s8 x 8 for each shifted group: what is subtracted from its coordinates, s
//     block    128 vectors; what the last one lacks of them is zeros
//              | counts | tile 0 | tile 1 | ... | far entries |
//     counts   u32 far entries | u16 a tile: a 32nd of its entries | zeros to a multiple of 4 bytes
//     tile     | fields of its groups, one after another | entries, b bits each, a multiple of 32 |
//
// A coordinate v and its byte x, in a group with fields of w bits, u of 0 to 2^w - 1:
//
//     w < 8    x = 128 + u + 2^w q     v = s + x - 128 - 2^w / 2
//     w = 8    x = u + 256 q           v = s + x - 128
//
// u is in the field. q, which is 0 for most, is in the tile's list where x stays a byte, and otherwise far.
//
// Fields of a group: w rows of 32 words, a word a lane. A lane has eight registers of four bytes. Each
// byte of a word holds the fields of floor(8 / w) registers, and the bits that are left in its words, in
// order, are those of the other registers:
//
//              byte: bit 7 ... bit 0                               registers
//     w = 1    h g f e d c b a                                     8 of one word
//     w = 2    d d c c b b a a | h h g g f f e e                   8 of two
//     w = 3    g g b b b a a a | h g d d d c c c | h h f f f e e e     6, and g and h of what is left
//     w = 4    b b b b a a a a | ...                               8 of four
//     w = 5    f f f a a a a a | g f f b b b b b | g g g c c c c c | h h g d d d d d | h h h e e e e e
//     w = 6    six, and two of 2 bits from each of three words; w = 7: seven, and one of a bit from each
//
// Which coordinate c and which vector t are byte b of register r of lane l:
//
//     keys     c = 4 (r / 2 % 2) + b               t = 64 (r / 4) + 16 (l / 8) + 8 (r % 2) + l % 8
//     values   c = l / 4                           t = 2 (l % 4) + r / 4 + 8 (4 (r % 4) + b)
//
// A warp puts four registers at a time, 16 bytes a lane, into a tile of 4096 bytes in shared memory, adds the
// list to it, and reads whole operands of mma.m16n8k32 back, 16 bytes a lane again, neither with bank
// conflicts:
//
//     keys     1024 group + 128 (t / 16) + 16 ((t % 8 + 2 group) % 8) + 4 (r % 4) + b    lane 4 g + k reads those
//              of vectors g and g + 8 of 16 and of group k: rows of an operand, 32 coordinates
//     values   1024 group + 512 (r / 4) + 16 l + 4 (r % 4) + b    a lane reads what it wrote: rows are coordinates,
//              and which vector is which k does not matter
//
// These places are the positions that entries count:
//
//     entry       distance (b - 1 bits) | sign << (b - 1)
//     far entry   position (16 bits): 128 coordinate + vector | q, signed (16 bits)
//
// An entry goes on by its distance, from position 0 or from that of the entry before, and there adds 1 to q or,
// with its sign, subtracts 1. One with the distance 2^(b-1) - 1 goes on and adds nothing; such ones, which may go
// beyond the tile, fill lists up to as many for each lane. q of 2 is two entries, the second of distance 0. So
// positions are a prefix sum, and an entry is one atomic sum to a word of the tile.

/// The header of a page.
struct TileHeader {
  TileHeader(std::size_t dim, std::size_t vectors);

  std::size_t groups() const { return widths.size(); }
  std::size_t tiles() const { return entry_bits.size(); }
  std::size_t bytes() const;
  /// Bytes of the fields of tile `tile`.
  std::size_t field_bytes(std::size_t tile) const;

  void write(std::span<std::byte> out) const;
  /// Reads it from the beginning of `in`, which is of as many vectors. Throws CorruptStream.
  void read(std::span<const std::byte> in);

  std::size_t vectors;
  std::vector<std::uint8_t> widths, shifted;  ///< a group each
  std::vector<std::uint8_t> entry_bits;       ///< a tile each
  std::vector<std::int8_t> shifts;            ///< [dim]
};

/// Appends a block of at most 128 vectors.
void put_tile_block(const TileHeader& header, FieldOrder order, const FieldBlock& block,
                    std::vector<std::byte>& out);

/// Reads a block from the beginning of `in`: v of its vectors. Lanes behind the last vector have
/// whatever stands there. Returns how many bytes it has. Throws CorruptStream.
std::size_t take_tile_block(const TileHeader& header, FieldOrder order,
                            std::span<const std::byte> in, const FieldLanes& block);

}  // namespace kakeya
