// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kakeya/core/half.h"
#include "kakeya/lattice/dn.h"
#include "kakeya/lattice/e8.h"
#include "kakeya/lattice/lattice.h"

// The quantiser of the tile kernels (simd/tile.h), one block at a time: what they must reproduce to
// the last bit on every instruction set, and CUDA too. Plain constexpr C++17 as in dn.h.

namespace kakeya {

/// Writes to point[0, 8) the point of E8 nearest to t[0, 8), coordinates at most kLargestCoordinate
/// in magnitude: the point that nearest_e8() finds, from a third of the work. Where two points are
/// equally near up to rounding the two may choose differently.
///
/// With r the rounded coordinates, d = t - r and a = |d|, both cosets are measured from the same
/// residues. The half-integers nearest to t are r + 1/2 where d >= 0 and r - 1/2 elsewhere, with
/// residues 1/2 - a. Half of the squared distances, less half the sum of a^2 that they share:
///
///                  even sum          odd sum: one coordinate moves to its second neighbour
///   integers       0                 1/2 - max a, that of the largest a
///   half-integers  1 - sum a / 2     1 - sum a / 2 + min a, that of the smallest a
///
/// as (1 - a)^2 - a^2 = 1 - 2a and (1/2 + a)^2 - (1/2 - a)^2 = 2a. The sum of a half-integer point
/// is even when that of the coordinates rounded down, r - (d < 0), is: eight halves are 4.
constexpr void nearest_e8_by_residues(const float* t, float* point) {
  float rounded[8] = {}, residue[8] = {}, size[8] = {};
  std::uint32_t odd_integers = 0, odd_halves = 0;
  float sum = 0.0f, largest = 0.0f, smallest = 1.0f;
  for (int i = 0; i < 8; ++i) {
    const float shifted = t[i] + 12582912.0f;  // round_half_even(); its last bit is the parity
    rounded[i] = shifted - 12582912.0f;
    residue[i] = t[i] - rounded[i];
    size[i] = residue[i] < 0.0f ? -residue[i] : residue[i];
    const std::uint32_t parity = bits_of(shifted);
    odd_integers ^= parity;
    odd_halves ^= parity ^ (residue[i] < 0.0f ? 1u : 0u);
    sum += size[i];
    largest = size[i] > largest ? size[i] : largest;
    smallest = size[i] < smallest ? size[i] : smallest;
  }
  odd_integers &= 1u, odd_halves &= 1u;
  const float integers = odd_integers != 0 ? largest - 0.5f : 0.0f;
  const float halves = odd_halves != 0 ? smallest : 0.0f;
  const bool take_halves = integers + halves < sum * 0.5f - 1.0f;
  const float target = take_halves ? smallest : largest;
  bool move = (take_halves ? odd_halves : odd_integers) != 0;
  for (int i = 0; i < 8; ++i) {
    const bool moved = move && size[i] == target;
    const float nearest = take_halves ? 0.5f : 0.0f, second = take_halves ? -0.5f : 1.0f;
    const float outward = moved ? second : nearest;
    point[i] = rounded[i] + (residue[i] < 0.0f ? -outward : outward);
    move = move && !moved;
  }
}

/// Writes to point[0, block_length(lattice)) the point of `lattice`, Z, D4 or E8, nearest to t.
///
/// bound = 0: coordinates are at most kLargestCoordinate in magnitude. bound > 0, a whole number of
/// at most 2^20: the nearest point with |coordinate| <= bound; t is any finite number or infinite.
///
///   Z   each coordinate rounded, ties to even, then clamped
///   D4  nearest_dn<4>() or nearest_dn_in_box<4>()
///   E8  nearest_e8_by_residues(); where that leaves the box, nearest_e8_in_box()
constexpr void quantise_block(Lattice lattice, const float* t, float bound, float* point) {
  const bool bounded = bound > 0.0f;
  if (lattice == Lattice::z) {
    point[0] = round_half_even(t[0]);
    if (bounded && point[0] > bound) point[0] = bound;
    if (bounded && point[0] < -bound) point[0] = -bound;
    return;
  }
  if (lattice == Lattice::d4) {
    if (bounded) {
      nearest_dn_in_box<4>(t, -bound, bound, point);  // is nearest_dn() where that stays within
    } else {
      nearest_dn<4>(t, point);
    }
    return;
  }
  // A point is at most 1 from t, so what is further than bound + 1 need not be tried.
  bool near = true, within = true;
  for (int i = 0; i < 8 && bounded; ++i)
    near = near && t[i] <= bound + 1.0f && t[i] >= -bound - 1.0f;
  if (near) nearest_e8_by_residues(t, point);
  for (int i = 0; i < 8 && bounded && near; ++i) {
    within = within && point[i] <= bound && point[i] >= -bound;
  }
  if (!near || !within) nearest_e8_in_box(t, bound, point);
}

}  // namespace kakeya
