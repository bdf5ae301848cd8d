// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kakeya/entropy/prefix_tables.h"
#include "kakeya/entropy/readable_pages.h"

namespace kakeya {

// Pages of prefix codes: two or four coordinates a lookup, signs and low bits of wide coordinates in
// planes, and a string of its own for each of 32 lanes, so that no lane waits for another. Z alone: v is
// the coordinate. Vector t is of lane t % 32, as in pages of rANS.
//
//     page    | u32 corrections | u16 vectors - 1 | u16 least | u32 b | 32 x b bits | planes | corrections | strings
//
//     lane l's string is least + its b bits bytes long; strings stand end to end
//     planes      rows of 32 words of 32 bits, a word a lane. The bits of a lane go on from vector to vector
//                 and, in one, from group to group of eight coordinates: 8 signs, then 8 lowest bits of u,
//                 8 next ones, ... (prefix_tables.h), coordinate 0 the lowest
//     corrections u32: vector x dim + coordinate (21 bits) | what is added to it, signed (11 bits); they
//                 add up. Of coordinates beyond their table
//
// A lane's string holds two: codewords of groups 0, 2, 4, ... from its first bit on, vector after vector, and
// those of groups 1, 3, 5, ... from its last bit back. A lane thus decodes two at once, and only one length is
// stored. What is between them is less than a byte, of zeros.
//
//     byte     0          1                        n - 1
//          | AAAAAAAA | AAAAAAAA | ... AA000BBB | BBBBBBBB |       first bits of A: lowest of byte 0,
//                                                                  of B: highest of byte n - 1
//
// How a warp reads a page: it copies the strings to shared memory, with a prefix sum of 32 lengths for where
// they begin. A lane's step is a table entry by the next 11 bits of A, and one of B (bit-reversed words), which
// has the length and two or four digits; four digits and a word of planes make four coordinates. Where words of
// planes are follows from the vector's number alone.

/// Codes such pages, with the tables of its coordinates' shapes.
class PrefixCoder final : public ReadablePages {
 public:
  /// Of the coordinates, deviations in steps: a multiple of 8, at most kMostDim. Throws InputError.
  explicit PrefixCoder(std::span<const CoordinateShape> shapes);

  static constexpr std::size_t kMostDim = 512, kMostVectors = 4096;

  /// Of eight coordinates each.
  std::span<const PrefixGroup> groups() const { return groups_; }
  std::size_t dim() const override { return groups_.size() * PrefixGroup::kCoordinates; }
  std::vector<std::byte> encode(std::span<const std::int32_t> twice,
                                std::size_t vectors) const override;
  void decode(std::span<const std::byte> in, std::size_t vectors,
              std::span<std::int32_t> twice) const override;
  std::uint64_t most_bits(const float* z, std::size_t stride, std::size_t r) const override;
  std::size_t most_overhead(std::size_t vectors) const override;

 private:
  std::size_t plane_words(std::size_t vectors) const;
  std::uint64_t bits_of(const std::int32_t* v, const PrefixGroup& group) const;

  std::vector<PrefixGroup> groups_;
  std::size_t plane_bytes_ = 0;  // of a vector, in its lane
};

}  // namespace kakeya
