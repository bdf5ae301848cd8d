// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/lattice/dn.h"

// E8 = D8 and D8 + (1/2, ..., 1/2). Plain constexpr C++17 as in dn.h: shared with CUDA.

namespace kakeya {

/// Sum of (a[i] - b[i])^2 over 8 coordinates, added in the order of i.
constexpr float squared_distance8(const float* a, const float* b) {
  float sum = 0.0f;
  for (int i = 0; i < 8; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// Copies to point[0, 8) the nearer to `y` of an integer point and a half-integer point; the
/// integer point wins a tie.
constexpr void nearer8(const float* y, const float* integers, const float* halves, float* point) {
  const bool take_integers = squared_distance8(y, integers) <= squared_distance8(y, halves);
  for (int i = 0; i < 8; ++i) point[i] = take_integers ? integers[i] : halves[i];
}

/// Writes to point[0, 8) the point of E8 nearest to y[0, 8). Coordinates are at most
/// kLargestCoordinate in magnitude.
constexpr void nearest_e8(const float* y, float* point) {
  float integers[8] = {}, shifted[8] = {}, halves[8] = {};
  nearest_dn<8>(y, integers);
  for (int i = 0; i < 8; ++i) shifted[i] = y[i] - 0.5f;
  nearest_dn<8>(shifted, halves);
  for (int i = 0; i < 8; ++i) halves[i] += 0.5f;
  nearer8(y, integers, halves, point);
}

/// Writes to point[0, 8) the point of E8 with every coordinate in [-bound, bound] that is nearest
/// to y[0, 8): the better of the best integer point and the best point of half-integers, whose
/// coordinates end at bound - 1/2. `bound` is a whole number from 1 on; y may lie outside.
constexpr void nearest_e8_in_box(const float* y, float bound, float* point) {
  float integers[8] = {}, shifted[8] = {}, halves[8] = {};
  nearest_dn_in_box<8>(y, -bound, bound, integers);
  for (int i = 0; i < 8; ++i) shifted[i] = y[i] - 0.5f;
  nearest_dn_in_box<8>(shifted, -bound, bound - 1.0f, halves);
  for (int i = 0; i < 8; ++i) halves[i] += 0.5f;
  nearer8(y, integers, halves, point);
}

}  // namespace kakeya
