// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kakeya/codec/window.h"
#include "kakeya/core/half.h"
#include "kakeya/lattice/dn.h"

// The arithmetic of the codecs that scale blocks of coordinates, a block and a value at a time: fp8,
// q4_0 and its like, kivi. Plain constexpr C++17: shared with CUDA.

namespace kakeya {

/// How fp8 stores a scale: the options of its key `scale`, in order.
enum class Fp8Scale { fp32, fp16, e8m0 };

constexpr int fp8_scale_bytes(Fp8Scale kind) {
  return kind == Fp8Scale::fp32 ? 4 : (kind == Fp8Scale::fp16 ? 2 : 1);
}

/// A scale as it is stored, and its value.
struct BlockScale {
  std::uint32_t pattern = 0;
  int window = 0;
  float value = 0.0f;
};

/// The scale of a block of fp8 whose largest magnitude is `largest`, finite.
constexpr BlockScale fp8_scale(Fp8Scale kind, float largest) {
  const float part = largest / 448.0f, wanted = part > 0x1p-126f ? part : 0x1p-126f;
  BlockScale scale;
  if (kind == Fp8Scale::fp32) {
    scale.pattern = bits_of(wanted);
    scale.value = wanted;
  } else if (kind == Fp8Scale::fp16) {
    // A subnormal binary16, rounded up, still serves: the codes are relative to the scale that is
    // stored. An empty block takes the smallest.
    const bool plain = largest == 0.0f || (wanted >= 0x1p-24f && wanted < 0x1p10f);
    scale.window = plain ? 0 : window_of(wanted);
    const float inside = times_window(wanted, -scale.window);
    std::uint16_t half = float_to_half(inside);
    if (half_to_float(half) < inside) ++half;  // the smallest that is not below
    scale.pattern = half;
    scale.value = times_window(half_to_float(half), scale.window);
  } else {
    scale.pattern = float_to_e8m0_up(wanted);
    scale.value = e8m0_to_float(static_cast<std::uint8_t>(scale.pattern));
  }
  return scale;
}

/// The value of a stored scale of fp8 whose window is `window`, in range. Not a positive finite
/// number where the scale is damaged.
constexpr float fp8_scale_value(Fp8Scale kind, std::uint32_t pattern, int window) {
  if (kind == Fp8Scale::fp32) return float_of(pattern);
  if (kind == Fp8Scale::e8m0) return e8m0_to_float(static_cast<std::uint8_t>(pattern));
  const float scale = half_to_float(static_cast<std::uint16_t>(pattern));
  return scale < 0x1p16f ? times_window(scale, window) : scale;
}

/// The scale of a block of q4_0, q5_0 and q8_0 and what values are multiplied by.
struct GgmlScale {
  std::uint16_t half = 0;
  int window = 0;
  float inverse = 0.0f;
};

/// The lowest window that a block may have in a rotation whose window is `rotation`: the two
/// together are in range.
constexpr int lowest_window_in(int rotation) {
  return rotation < 0 ? kLowestWindow - rotation : kLowestWindow;
}

/// What is left of a block's `window` in the highest of its rotation. Not below -15, where
/// times_window() ends: nothing is written so, and 2^-240 of the others is nothing in their sums.
constexpr int window_below(int window, int highest) {
  return window - highest < -15 ? -15 : window - highest;
}

/// Of a block whose coordinate of largest magnitude, the first of several, is `most`: finite, not
/// 0.
constexpr GgmlScale ggml_scale(int bits, float most, int lowest = kLowestWindow) {
  const float size = most < 0.0f ? -most : most, middle = static_cast<float>(1 << (bits - 1));
  const double wanted = bits == 8 ? double{size} / 127 : double{size} / double{middle};
  const auto step = static_cast<float>(wanted);
  GgmlScale made;
  made.window = step == 0.0f || window_of(step) < lowest ? lowest : window_of(step);
  const float inside = times_window(most, -made.window);
  const float scale = bits == 8 ? (inside < 0.0f ? -inside : inside) / 127.0f : inside / -middle;
  made.half = float_to_half(scale);
  made.inverse = 1.0f / scale;
  return made;
}

/// The code of `value` in a block of that scale.
constexpr int ggml_code(int bits, float value, const GgmlScale& scale) {
  const int middle = 1 << (bits - 1);
  const float level = times_window(value, -scale.window) * scale.inverse;
  if (bits != 8) {
    const int code = static_cast<int>(level + (static_cast<float>(middle) + 0.5f));
    return code < 2 * middle - 1 ? code : 2 * middle - 1;
  }
  const int whole = static_cast<int>(level);  // then half away from zero
  const float rest = level - static_cast<float>(whole);
  return whole + (rest >= 0.5f ? 1 : 0) - (rest <= -0.5f ? 1 : 0) + middle;
}

/// The value of a code; `scale` is that of the stored binary16.
constexpr float ggml_value(int bits, int code, float scale, int window) {
  return times_window(static_cast<float>(code - (1 << (bits - 1))) * scale, window);
}

/// What kivi stores of a group, and its values.
struct KiviGroup {
  std::uint16_t zero_half = 0, scale_half = 0;
  int window = 0;
  float zero = 0.0f, scale = 0.0f;
};

/// The group that these binary16 patterns and this window say.
constexpr KiviGroup kivi_group(std::uint16_t zero, std::uint16_t scale, int window) {
  return {zero, scale, window, half_to_float(zero), half_to_float(scale)};
}

/// The window of a group. A binary16 below 2^-14 is off by up to 2^-25, and the top of the group by
/// (2^b - 1) times that. It serves as it is, and the group needs no window, where that is no more
/// than an eighth of a step or than what rounding the zero may cost anyway; then, a window is rare.
/// Any other group is brought to magnitudes in [2^-2, 2^14), so that max - min does not overflow.
constexpr int kivi_window(int bits, float lowest, float highest,
                          int lowest_window = kLowestWindow) {
  const float low = lowest < 0.0f ? -lowest : lowest, high = highest < 0.0f ? -highest : highest;
  const float largest = low > high ? low : high;
  if (largest == 0.0f) return 0;
  const double step = (double{highest} - double{lowest}) / ((1 << bits) - 1);
  const double off = static_cast<double>(1 << bits) * 0x1p-25;
  if (largest < 0x1p14f && (off <= step / 8 || off <= double{largest} * 0x1p-12)) return 0;
  const int window = (exponent_of(largest) + 2 + 16 * 16) / 16 - 16;
  return window > lowest_window ? window : lowest_window;
}

/// The group of values from `lowest` to `highest`.
constexpr KiviGroup kivi_group_of(int bits, float lowest, float highest) {
  const int window = kivi_window(bits, lowest, highest);
  const float low = times_window(lowest, -window), high = times_window(highest, -window);
  const float levels = static_cast<float>((1 << bits) - 1);
  return kivi_group(float_to_half(low), float_to_half((high - low) / levels), window);
}

/// The code of `x` in a group; `levels` is 2^b - 1.
constexpr int kivi_code(float x, const KiviGroup& group, float levels) {
  if (group.scale == 0.0f) return 0;
  const float level = (times_window(x, -group.window) - group.zero) / group.scale;
  const float above = level < 0.0f ? 0.0f : level;
  return static_cast<int>(round_half_even(above > levels ? levels : above));
}

constexpr float kivi_value(int code, const KiviGroup& group) {
  return times_window(group.zero + static_cast<float>(code) * group.scale, group.window);
}

}  // namespace kakeya
