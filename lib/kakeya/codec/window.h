// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kakeya/core/half.h"

// Scales of 16 bits that cover all of float's range. A binary16 reaches from 2^-14 to 65504 at full
// precision; a scale outside is stored as a binary16 times 2^(16 window), its window (a signed
// byte, in an optional section, absent when all are 0) in [kLowestWindow, kHighestWindow]. A window
// of 0 is the plain binary16 of the published codecs, to the bit. Plain constexpr C++17: shared with
// CUDA.

namespace kakeya {

inline constexpr int kLowestWindow = -9, kHighestWindow = 8;

/// 2^(8 window): twice as a factor it stays within float's exponents for every window.
constexpr float root_of_window(int window) {
  return float_of(static_cast<std::uint32_t>(127 + 8 * window) << 23);
}

/// `value` times 2^(16 window), saturating at the largest float: exact but for results outside the
/// normal floats.
constexpr float times_window(float value, int window) {
  if (window == 0) return value;
  const float factor = root_of_window(window), largest = 0x1.fffffep127f;
  const float scaled = value * factor * factor;
  return scaled < -largest ? -largest : (scaled > largest ? largest : scaled);
}

/// The exponent of `value`, a finite number above 0: floor(log2(value)).
constexpr int exponent_of(float value) {
  const bool normal = value >= 0x1p-126f;
  const float scaled = normal ? value : value * 0x1p24f;
  return static_cast<int>(bits_of(scaled) >> 23) - (normal ? 127 : 127 + 24);
}

/// The window of a vector or block whose largest magnitude is `largest` (finite): 0 where a
/// binary16 serves, that is for `largest` in [2^-14, 2^10), else the one that brings `largest` into
/// [2^-14, 4).
constexpr int window_of(float largest) {
  if (largest == 0.0f || (largest >= 0x1p-14f && largest < 0x1p10f)) return 0;
  // Rounds down: exponent - 16 window is in [-14, 1].
  return (exponent_of(largest) + 14 + 16 * 16) / 16 - 16;
}

}  // namespace kakeya
