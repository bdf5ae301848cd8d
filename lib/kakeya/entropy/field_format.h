// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kakeya/entropy/field_codes.h"

namespace kakeya {

// Pages of fields: every coordinate of a vector has a field of a width that the page says, the same
// for all its vectors, so that a vector is found by arithmetic and read by shifts and masks. What
// does not fit its field is corrected from lists.
//
//     page    | header | counts of block 0, 1, ... | fields of block 0, 1, ... | lists of block 0, 1, ...
//
//     header  u16: bits of an entry of lists 0, 1, 2, four bits each (0: nothing is in it) | u16 vectors - 1
//             a byte a group of 8 coordinates: code (6 bits) | list << 6 (3: none, far entries alone)
//             a bit a group: it is shifted
//             s8 x 8 for each shifted group: what is subtracted from its coordinates
//             zeros to a multiple of 4 bytes
//     block   128 vectors, the last those that are left
//     counts  u16 x 4: far entries, and entries of lists 0, 1, 2
//
// A coordinate is a whole number v (field_coder.h). With the levels L of its group's code and its
// shift s
//
//     v = s - L/2 + u + L q        0 <= u < L
//
// u is in the field and q, which is 0 for most, in the lists: a coordinate beyond its field keeps its
// low part there. L is 2^k or 3 2^k. Of u the lowest bits go to planes of 8 bits (one or two), the
// next to planes of 4, 2 and 1, as the binary digits of k say, and a third, where there is one, to the
// plane of trits:
//
//     u (3 x 2^7 levels)      trit | 1 bit | 2 bits | 4 bits
//
// A plane is rows of 32 words of 32 bits, a word a lane: row 0 of lanes 0 to 31, row 1, ... A lane has
// ceil(n / 16) registers of each group, n the vectors of the block, 4 coordinates each, a byte of a word
// for each. Registers follow one another, group after group: 8 / p of them share a word of a plane of
// p bits, 5 share one of trits:
//
//                    byte 3     byte 2     byte 1     byte 0
//     p = 2        | d c b a  | d c b a  | d c b a  | d c b a  |      a: the first register, b: the second
//     trits        | 5 trits  | 5 trits  | 5 trits  | 5 trits  |      a byte: ceil((81 a + ... + e) 256 / 243)
//
// So register j of four planes is (word >> 2 j) & 0x03030303, and of trits x = word, then for each:
// (byte of x) * 3 / 256 is the trit and (byte of x) * 3 % 256 what is left. Which coordinate is where,
// with byte b of register r of lane l as slot 4 r + b:
//
//     keys      coordinate 2 (l % 4) + slot % 2 of vector l / 4 + 8 (slot / 2)
//     values    coordinate l / 4 of vector l % 4 + 4 slot
//
// How a warp reads a block: all planes are copied as they are (rows are 128 bytes, each lane loads the
// words of its own number: no bank conflicts). With registers of two groups of keys, a byte permutation
// gives four coordinates of one vector to a lane: a row of an operand of mma.m16n8k32.s8 for the vectors,
// the four lanes of a quad having its sixteen coordinates. Registers of values are four vectors of one
// coordinate: a row of that operand for the coordinates. Which vector is which k does not matter, as
// the other operand has the same order. Rows of planes follow from the codes alone, once a page.
//
// Lists of a block: u32 far entries | the bits of list 0, 1, 2, end to end | zeros to a multiple of 4 bytes
//
//     far entry   position (16 bits) | q, signed (16 bits)      position: coordinate x n + vector
//     entry       b bits: distance (b - 1 bits) | sign << (b - 1)
//
// The positions of a list go through the vectors of coordinate after coordinate of its groups. An entry
// with a distance below D = 2^(b-1) - 1 goes on by so many positions, adds q = 1 or, with its sign, -1
// there, and stands behind that. Distance D: without sign, D positions go by; with it, the entry
// before, which adds, adds once more. Entries add up modulo 2^32, so a warp may take them in any
// order: their positions are a prefix sum. An entry changes a score by q L times the query's coordinate and a sum of values by q L
// times the weight of its vector, so that tiles need not be changed.

/// Units of each plane, of some groups.
using PlaneUnits = std::array<std::size_t, kFieldPlanes>;

/// Bytes of the fields of a block.
constexpr std::size_t field_bytes(const PlaneUnits& units, std::size_t vectors) {
  std::size_t rows = 0;
  for (std::size_t plane = 0; plane < kFieldPlanes; ++plane) {
    rows += plane_rows(units[plane] * field_registers(vectors), plane);
  }
  return rows * kRowBytes;
}

/// Where the rows of each plane begin, in bytes.
constexpr PlaneUnits plane_starts(const PlaneUnits& units, std::size_t registers) {
  PlaneUnits starts{};
  std::size_t at = 0;
  for (std::size_t plane = 0; plane < kFieldPlanes; ++plane) {
    starts[plane] = at;
    at += plane_rows(units[plane] * registers, plane) * kRowBytes;
  }
  return starts;
}

/// Calls work(plane, register number, r, first bit of u) for each of the `registers` of all units of a
/// group with this code. `before`: registers of each plane that the groups before have; this one's are
/// added.
template <typename Work>
void for_each_plane(std::size_t code, std::size_t registers, PlaneUnits& before, const Work& work) {
  int bit = 0;
  for (std::size_t plane = 0; plane < kFieldPlanes; ++plane) {
    for (std::size_t unit = 0; unit < plane_units(code, plane); ++unit) {
      for (std::size_t r = 0; r < registers; ++r) work(plane, before[plane] + r, r, bit);
      before[plane] += registers;
      if (plane != kTritPlane) bit += plane_bits(plane);
    }
  }
}

inline constexpr std::size_t kMostFieldVectors = 65536;

/// The header of a page.
struct FieldHeader {
  FieldHeader(std::size_t dim, std::size_t vectors);

  std::size_t groups() const { return codes.size(); }
  std::int32_t levels(std::size_t group) const { return field_levels(codes[group]); }
  PlaneUnits units() const;
  std::size_t bytes() const;

  void write(std::span<std::byte> out) const;
  /// Reads it from the beginning of `in`, which is of as many vectors. Throws CorruptStream.
  void read(std::span<const std::byte> in);

  std::size_t vectors;
  std::array<std::uint8_t, kFieldLists> entry_bits{};
  std::vector<std::uint8_t> codes, lists, shifted;  ///< a group each
  std::vector<std::int8_t> shifts;                  ///< [dim]
};

/// Whole numbers of a block of a page: coordinate i of its vector t is v[i * stride + t].
struct FieldBlock {
  std::int32_t* v;
  std::size_t stride, vectors;
};

/// The same where they are read: coordinate i of vector t is v[lane_value(t, i, dim)] (lanes.h).
struct FieldLanes {
  std::int32_t* v;
  std::size_t dim, vectors;
};

/// Writes the fields of a block, field_bytes() zeros.
void put_fields(const FieldHeader& header, FieldOrder order, const FieldBlock& block,
                std::span<std::byte> out);

/// Reads them: v without L q, of whole groups of 16 vectors, so that lanes behind the last vector have
/// whatever stands there.
void take_fields(const FieldHeader& header, FieldOrder order, std::span<const std::byte> in,
                 const FieldLanes& block);

/// Entries of a block: far ones, and of each list.
using FieldCounts = std::array<std::uint16_t, 1 + kFieldLists>;

/// Appends the lists of a block; nothing is returned, and anything appended, where counts exceed 16 bits.
std::optional<FieldCounts> put_lists(const FieldHeader& header, const FieldBlock& block,
                                     std::vector<std::byte>& out);

/// Bytes of the lists that `counts` tell of.
std::size_t list_bytes(const FieldHeader& header, const FieldCounts& counts);

/// Adds L q to what take_fields() left. `in` is as long as list_bytes() says. Throws CorruptStream.
void take_lists(const FieldHeader& header, const FieldCounts& counts, std::span<const std::byte> in,
                const FieldLanes& block);

}  // namespace kakeya
