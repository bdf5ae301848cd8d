// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kakeya/entropy/density.h"
#include "kakeya/lattice/lattice.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

// What those who learn from decoded vectors have in common. The same numbers on every machine.

/// 2^(quarters / 4), squared.
double variance_of_quarters(int quarters);

/// The nearest number of quarter octaves to the deviation of this variance, as profiles have them: -32 to 31.
std::int8_t quarters_of_variance(double variance);

/// Of the last points of a coordinate, in steps.
struct LastPoints {
  double energy;    ///< the mean of their squares, what was expected counting as 64 of them
  double variance;  ///< of a source whose points have it
};

/// Of `count` points, the sum of their squares, and the variance that was expected.
LastPoints last_points(Lattice lattice, const CoordinateShape& shape, double squares, double count,
                       double expected);

/// A power of two: a deviation of this variance has 64 to 128 of it.
float grain_of(double variance);

/// One coordinate of sixteen vectors.
using Lanes = std::array<float, kTileRows>;

/// Zeros for those that are not there; `there` is none where all are.
inline Lanes lanes_of(const float* values, const bool* there) {
  Lanes lanes;
  if (there == nullptr) {
    std::copy_n(values, kTileRows, lanes.begin());
    return lanes;
  }
  for (std::size_t t = 0; t < kTileRows; ++t) lanes[t] = there[t] ? values[t] : 0.0f;
  return lanes;
}

/// In floats, in halves.
inline double sum_of(Lanes lanes) {
  for (std::size_t half = kTileRows / 2; half > 0; half /= 2) {
    for (std::size_t t = 0; t < half; ++t) lanes[t] += lanes[t + half];
  }
  return double{lanes[0]};
}

inline double sum_of_squares(Lanes lanes) {
  for (float& value : lanes) value *= value;
  return sum_of(lanes);
}

/// Vectors whose products, of numbers from to_pairs(), may be summed in 32 bits.
inline constexpr std::size_t kSummedTogether = 256;

/// Two vectors a number, each value times `grains` to the nearest whole number, and to the largest that
/// there is: add_pair_product() takes them (simd/matrix.h).
inline void to_pairs(const Lanes& values, float grains, std::int32_t* pairs) {
  constexpr float kMost = 2896;  // of 256 vectors sums of squares stay below 2^31
  std::array<std::int32_t, kTileRows> whole;
  for (std::size_t t = 0; t < kTileRows; ++t) {
    const float value = std::max(-kMost, std::min(values[t] * grains, kMost));
    whole[t] = static_cast<std::int32_t>(value + (value < 0 ? -0.5f : 0.5f));
  }
  for (std::size_t t = 0; t < kTileRows; t += 2) {
    pairs[t / 2] = (whole[t] & 0xffff) |
                   static_cast<std::int32_t>(static_cast<std::uint32_t>(whole[t + 1]) << 16);
  }
}

/// Bytes of the numbers in vectors.
template <typename... Numbers>
std::size_t bytes_held(const std::vector<Numbers>&... vectors) {
  return (std::size_t{0} + ... + (vectors.size() * sizeof(Numbers)));
}

template <typename Number>
bool all_finite(const std::vector<Number>& values) {
  return std::ranges::all_of(values, [](Number value) { return std::isfinite(value); });
}

}  // namespace kakeya
