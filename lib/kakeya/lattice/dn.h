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

/// The integer nearest to `value`, ties to even, as a float; |value| is at most 2^22. Adding 1.5 *
/// 2^23 leaves no bits for the fraction, so the addition itself rounds. (The library's rint is no
/// constant expression and obeys the rounding mode.)
constexpr float round_half_even(float value) { return (value + 12582912.0f) - 12582912.0f; }

/// Largest coordinate magnitude that nearest_dn and nearest_e8 take: up to here a float is exact to
/// a quarter.
constexpr float kLargestCoordinate = 2097152.0f;

/// Moves coordinate i of point[0, N), i the lowest with the largest gain[i], by step[i] if the
/// coordinate sum is odd. Without branches, which here would be taken at random.
template <int N>
constexpr void make_sum_even(const float* gain, const float* step, float* point) {
  int parity = 0, best = 0;
  float best_gain = gain[0];
  for (int i = 0; i < N; ++i) parity ^= static_cast<int>(point[i]);
  for (int i = 1; i < N; ++i) best_gain = gain[i] > best_gain ? gain[i] : best_gain;
  for (int i = N - 1; i >= 0; --i) best = gain[i] == best_gain ? i : best;
  const float odd = static_cast<float>(parity & 1);
  for (int i = 0; i < N; ++i) point[i] += i == best ? odd * step[i] : 0.0f;
}

/// Writes to point[0, N) the point of D_N nearest to y[0, N). Coordinates are at most
/// kLargestCoordinate in magnitude.
template <int N>
constexpr void nearest_dn(const float* y, float* point) {
  float gain[N] = {}, step[N] = {};
  for (int i = 0; i < N; ++i) {
    point[i] = round_half_even(y[i]);
    const float residue = y[i] - point[i];
    step[i] = residue < 0.0f ? -1.0f : 1.0f;
    gain[i] = residue * step[i];
  }
  make_sum_even<N>(gain, step, point);
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
/// cheapest axis is the one with the largest gain, residue * step: +|residue| or -|residue|.
template <int N>
constexpr void nearest_dn_in_box(const float* y, float low, float high, float* point) {
  float gain[N] = {}, step[N] = {};
  for (int i = 0; i < N; ++i) {
    const float rounded = round_half_even(y[i]);
    const float above = rounded < low ? low : rounded;
    point[i] = above > high ? high : above;
    const float residue = y[i] - point[i];
    const float outward = residue < 0.0f ? -1.0f : 1.0f;
    const float moved = point[i] + outward;
    const float low_step = moved < low ? 1.0f : outward;
    step[i] = moved > high ? -1.0f : low_step;
    gain[i] = residue * step[i];
  }
  make_sum_even<N>(gain, step, point);
}

}  // namespace kakeya
