// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/bitstream/rans.h"
#include "kakeya/entropy/lane_states.h"
#include "kakeya/entropy/lane_steps.h"
#include "kakeya/entropy/lanes.h"
#include "kakeya/entropy/point_model.h"
#include "kakeya/entropy/value_table.h"
#include "kakeya/lattice/lattice.h"

namespace kakeya {

/// Integers (0) or half-integers (1): the first symbol of a block of E8.
struct CosetTable {
  std::array<RansSymbol, 2> encoders;
  std::uint32_t integers = 0;  ///< frequency of 0

  /// RansSpread for two symbols, by Duda's formulas for uniform binary systems (section 2.2): slot
  /// s is a 1 when s p becomes a new whole number in the next slot, p the probability of a 1.
  std::uint32_t slot(std::uint32_t row_position) const {
    const std::uint32_t halves = kFrequencyTotal - integers;
    if (row_position < integers) return row_position * kFrequencyTotal / integers;
    return ((row_position - integers + 1) * kFrequencyTotal + halves - 1) / halves - 1;
  }
  std::uint32_t row_position(std::uint32_t slot) const {
    const std::uint32_t halves = kFrequencyTotal - integers;
    const std::uint32_t ones = slot * halves / kFrequencyTotal;
    const bool is_one = (slot + 1) * halves / kFrequencyTotal > ones;
    return is_one ? integers + ones : slot - ones;
  }
};

/// The table of a block whose coordinates have these classes.
CosetTable make_coset_table(std::span<const ClassModels* const> block);

/// What a page is coded with, classes resolved to tables.
struct PagePlan {
  Lattice lattice = Lattice::z;
  /// One a coordinate: the tables of its contexts, in the order of ClassModels.
  std::vector<const ValueTable*> tables;
  /// One a coordinate, of these tables.
  std::vector<LaneConstants> constants;
  /// E8: one a block.
  std::vector<CosetTable> cosets;
  /// The trellis: coordinates of a path.
  std::size_t path = 0;
};

/// Builds the tables that are not built yet. Throws InputError on a class the model does not have
/// or a number of classes that is no multiple of the block, or of `path` (0: one path a vector).
PagePlan make_page_plan(const PointModel& model, std::span<const std::uint8_t> classes,
                        std::size_t path = 0);

/// The coordinate that is decoded after `before` others of `dim`: the trellis goes from the last to
/// the first.
constexpr std::size_t coordinate_of_step(Lattice lattice, std::size_t before, std::size_t dim) {
  return lattice == Lattice::trellis ? dim - 1 - before : before;
}

/// True for a coordinate whose parity is known before it is coded: the last of a block.
constexpr bool is_last(Lattice lattice, std::size_t coordinate) {
  const auto length = static_cast<std::size_t>(block_length(lattice));
  return length > 1 && coordinate % length == length - 1;
}

/// The context of a coordinate, as an index of its tables, from twice its value.
constexpr std::uint32_t context_of(Lattice lattice, std::size_t coordinate, std::int32_t twice) {
  const auto low = static_cast<std::uint32_t>(twice) & (is_last(lattice, coordinate) ? 3 : 1);
  return lattice == Lattice::d4 ? low >> 1 : low;
}

/// How many contexts it has.
constexpr std::size_t contexts_of(Lattice lattice, std::size_t coordinate) {
  if (is_last(lattice, coordinate)) return lattice == Lattice::d4 ? 2 : 4;
  return lattice == Lattice::e8 || lattice == Lattice::trellis ? 2 : 1;
}

/// The scale_bits of its tables' grids.
constexpr int scale_bits(Lattice lattice, std::size_t coordinate) {
  return is_last(lattice, coordinate) ? 2 : 1;
}

// The two directions of PointCoder (the page's layout: point_coder.h); the caller has checked
// lengths, points and room.

/// Room that encode_page needs, in bytes; and the most that it needs with any plan of `dim`
/// coordinates.
std::size_t page_room(const PagePlan& plan, std::size_t vectors);
std::size_t largest_page_room(std::size_t vectors, std::size_t dim);

/// An upper bound, in 1 / kCostsABit of a bit, of what a symbol of this frequency and the raw bits
/// behind it add to the words of a page.
std::uint32_t most_cost_of(std::uint32_t frequency, int raw_bits);

/// A page of `vectors` is at most the sum of their most_cost_of() and this many bytes.
constexpr std::size_t most_page_overhead(std::size_t vectors) {
  const std::size_t lanes = vectors < kLanes ? vectors : kLanes;
  return kMostStateBytes + 2 * lanes;
}

/// Writes a page and returns its bytes.
std::size_t encode_page(const PagePlan& plan, std::span<const std::int32_t> twice,
                        std::size_t vectors, std::span<std::byte> out);

/// Reads a page that is exactly `in`. Throws CorruptStream.
void decode_page(const PagePlan& plan, std::span<const std::byte> in, std::size_t vectors,
                 std::span<std::int32_t> twice);

}  // namespace kakeya
