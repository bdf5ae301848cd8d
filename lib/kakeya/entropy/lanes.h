// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/lattice/lattice.h"

namespace kakeya {

// The points of a page in memory, as integers: twice coordinate i of vector t is at
//
//     twice[(t / 32 * dim + i) * 32 + t % 32]
//
// so that the coordinates i of a group of 32 vectors, one a lane, are neighbours.

inline constexpr std::size_t kLanes = 32;

/// Room for the points of a page of `vectors`: whole groups.
constexpr std::size_t lane_values(std::size_t vectors, std::size_t dim) {
  return (vectors + kLanes - 1) / kLanes * kLanes * dim;
}

/// Where coordinate `i` of vector `vector` is.
constexpr std::size_t lane_value(std::size_t vector, std::size_t i, std::size_t dim) {
  return (vector / kLanes * dim + i) * kLanes + vector % kLanes;
}

/// Throws InputError unless there is a vector, `dim` is a multiple of the lattice's block, and
/// `values` numbers are room for them all.
void require_lanes(Lattice lattice, std::size_t values, std::size_t vectors, std::size_t dim);

/// Throws InputError, naming the group, unless all vectors are points of the lattice with
/// |coordinate| <= kLargestCoordinate (lattice/dn.h); of the trellis, paths of `path` coordinates
/// each. Lanes without a vector are not looked at.
void require_points(Lattice lattice, std::span<const std::int32_t> twice, std::size_t vectors,
                    std::size_t dim, std::size_t path);

}  // namespace kakeya
