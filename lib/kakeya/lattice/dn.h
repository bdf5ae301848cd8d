// SPDX-License-Identifier: Apache-2.0
#pragma once

// The nearest point of D_n (integer vectors with even coordinate sum), free and within a box. Plain
// constexpr C++17 without the standard library, so that the same text compiles for the CPU and for
// CUDA and gives the same bits; build both with floating-point contraction off. Conway and Sloane,
// "Fast quantizing and decoding algorithms for lattice quantizers and codes", IEEE Trans. Inform.
// Theory 28 (1982), section III.
//
// Ties, everywhere in this project: a coordinate halfway between two integers goes to the even one;
// of several equally bad coordinates the one with the lowest index is changed; a coordinate that
// lies on an integer is changed upwards.

namespace kakeya {

/// The integer nearest to `value`, ties to even, as a float. Any finite value. By adding and taking
/// away 2^23 rather than by the library's rint, which no compiler may call in a constant expression
/// and which obeys the rounding mode.
constexpr float round_half_even(float value) {
  const float magnitude = value < 0.0f ? -value : value;
  const float rounded = magnitude < 8388608.0f ? (magnitude + 8388608.0f) - 8388608.0f : magnitude;
  return value < 0.0f ? -rounded : rounded;
}

/// Largest coordinate magnitude that nearest_dn and nearest_e8 take: up to here a float is exact to
/// a quarter.
constexpr float kLargestCoordinate = 2097152.0f;

/// Writes to point[0, N) the point of D_N nearest to y[0, N). Coordinates are at most
/// kLargestCoordinate in magnitude.
template <int N>
constexpr void nearest_dn(const float* y, float* point) {
  int parity = 0, worst = 0;
  float worst_distance = -1.0f, step = 1.0f;
  for (int i = 0; i < N; ++i) {
    const float rounded = round_half_even(y[i]);
    const float residue = y[i] - rounded;
    const float distance = residue < 0.0f ? -residue : residue;
    point[i] = rounded;
    parity ^= static_cast<int>(rounded);
    if (distance > worst_distance) {
      worst_distance = distance;
      worst = i;
      step = residue < 0.0f ? -1.0f : 1.0f;
    }
  }
  if ((parity & 1) != 0) point[worst] += step;
}

/// Writes to point[0, N) the point of D_N with every coordinate in [low, high] that is nearest to
/// y[0, N). `low` < `high` are integers; y may lie outside. Where nearest_dn stays within the box
/// the two agree.
///
/// Why this is the nearest: squared distance is a sum over axes, and on each axis a convex function
/// of the coordinate. Without the parity condition the best point clamps each rounded coordinate.
/// If its sum is odd, an odd number of axes must move to the other parity; each such move costs at
/// least nothing, so one axis moves, by convexity to a neighbour: outwards, towards y, at extra
/// cost 1 - 2|residue|, or, where the box forbids that, back at extra cost 1 + 2|residue|. The
/// cheapest axis is the one with the largest `gain`, +|residue| or -|residue|.
template <int N>
constexpr void nearest_dn_in_box(const float* y, float low, float high, float* point) {
  int parity = 0, best = 0;
  float best_gain = -3.0e38f, best_step = 1.0f;
  for (int i = 0; i < N; ++i) {
    float rounded = round_half_even(y[i]);
    rounded = rounded < low ? low : (rounded > high ? high : rounded);
    const float residue = y[i] - rounded;
    float step = residue < 0.0f ? -1.0f : 1.0f;
    float gain = residue < 0.0f ? -residue : residue;
    if (rounded + step < low || rounded + step > high) {
      step = -step;
      gain = -gain;
    }
    point[i] = rounded;
    parity ^= static_cast<int>(rounded);
    if (gain > best_gain) {
      best_gain = gain;
      best = i;
      best_step = step;
    }
  }
  if ((parity & 1) != 0) point[best] += best_step;
}

}  // namespace kakeya
