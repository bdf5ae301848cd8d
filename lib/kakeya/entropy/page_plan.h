// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/bitstream/rans.h"
#include "kakeya/entropy/point_model.h"
#include "kakeya/entropy/value_table.h"
#include "kakeya/lattice/lattice.h"

namespace kakeya {

/// Integers (0) or half-integers (1): the first symbol of a block of E8.
struct CosetTable {
  std::array<RansSymbol, 2> encoders;
  std::uint32_t integers = 0;  ///< frequency of 0
};

/// The table of a block whose coordinates have these classes.
CosetTable make_coset_table(std::span<const ClassTables* const> block);

/// What a page is coded with, classes resolved to tables.
struct PagePlan {
  Lattice lattice = Lattice::z;
  /// One a coordinate: the tables of its contexts, in the order of ClassTables.
  std::vector<const ValueTable*> tables;
  /// E8: one a block.
  std::vector<CosetTable> cosets;
};

/// Builds the tables that are not built yet. Throws InputError on a class the model does not have
/// or a number of classes that is no multiple of the block.
PagePlan make_page_plan(const PointModel& model, std::span<const std::uint8_t> classes);

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

/// The scale_bits of its tables' grids.
constexpr int scale_bits(Lattice lattice, std::size_t coordinate) {
  return is_last(lattice, coordinate) ? 2 : 1;
}

}  // namespace kakeya
