// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya {

/// The lattices that codecs quantise with: the integers, D4, and E8.
enum class Lattice { z, d4, e8 };

/// Coordinates a block: what the nearest-point rule and the parity of the last coordinate span.
constexpr int block_length(Lattice lattice) {
  return lattice == Lattice::z ? 1 : (lattice == Lattice::d4 ? 4 : 8);
}

/// Volume of a cell per block: 1 for Z and E8, 2 for D4.
constexpr int cell_volume(Lattice lattice) { return lattice == Lattice::d4 ? 2 : 1; }

/// Mean squared error per coordinate, in steps squared, of a point uniform in its cell: 1/12, and
/// for D4 13/120, for E8 929/12960 (Conway and Sloane, "Sphere packings, lattices and groups",
/// chapter 21).
constexpr double cell_second_moment(Lattice lattice) {
  return lattice == Lattice::z ? 1.0 / 12 : (lattice == Lattice::d4 ? 13.0 / 120 : 929.0 / 12960);
}

}  // namespace kakeya
