// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya {

/// The lattices that codecs quantise with: the integers, D4, and E8; and a trellis of eight states
/// in their place (trellis.h), with one path a vector or, of whole tokens, a group of layers.
enum class Lattice { z, d4, e8, trellis };

/// Coordinates a block: what the nearest-point rule and the parity of the last coordinate span; of
/// the trellis 1.
constexpr int block_length(Lattice lattice) {
  return lattice == Lattice::d4 ? 4 : (lattice == Lattice::e8 ? 8 : 1);
}

/// Volume of a cell per block: 1 for Z, E8 and the trellis, 2 for D4.
constexpr int cell_volume(Lattice lattice) { return lattice == Lattice::d4 ? 2 : 1; }

/// Mean squared error per coordinate, in steps squared, of a point uniform in its cell: 1/12, and
/// for D4 13/120, for E8 929/12960 (Conway and Sloane, "Sphere packings, lattices and groups",
/// chapter 21); of the trellis as measured on paths of 256 normal numbers.
constexpr double cell_second_moment(Lattice lattice) {
  if (lattice == Lattice::trellis) return 0.0653;
  return lattice == Lattice::z ? 1.0 / 12 : (lattice == Lattice::d4 ? 13.0 / 120 : 929.0 / 12960);
}

}  // namespace kakeya
