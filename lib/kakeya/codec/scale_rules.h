// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kakeya/codec/window.h"
#include "kakeya/core/half.h"

// One positive scale in 16 or 8 bits, over all of float's range, and the step that follows from it.
// Plain constexpr C++17: the same text compiles for CUDA.
//
//   half   a binary16, relative error at most 2^-11
//   log8   code c in [1, 255] means 2^((c - 128) / 16): neighbours are 4.4 % apart, so a scale
//          rounded to nearest is off by at most 2.2 %, one rounded up is up to 4.4 % larger
//
// Code 0 is zero. Between the largest code of a window and the smallest of the next lies one step
// without a code: there a log8 scale is off by up to 4.4 % or 9.1 %, one scale in 256. A scale that
// does not fit is stored times 2^(-16 window), its window a signed byte in a section of its own
// that is empty while all windows are 0.

namespace kakeya {

enum class ScaleFormat { half, log8 };

struct ScaleCode {
  std::uint16_t code = 0;
  int window = 0;
};

/// A window, 16 octaves, in sixteenths of an octave.
inline constexpr int kWindowSixteenths = 256;

/// The log8 code of 1.
inline constexpr int kCodeOfOne = 128;

/// 2^(k/32) to the last bit of a float; k in [0, 32).
constexpr float root_of_octave(int k) {
  constexpr float kRoots[32] = {
      1.0f,         1.021897149f, 1.044273782f, 1.067140401f, 1.090507733f, 1.114386743f,
      1.138788635f, 1.163724858f, 1.189207115f, 1.215247360f, 1.241857812f, 1.269050957f,
      1.296839555f, 1.325236644f, 1.354255547f, 1.383909882f, 1.414213562f, 1.445180807f,
      1.476826146f, 1.509164428f, 1.542210825f, 1.575980845f, 1.610490332f, 1.645755478f,
      1.681792831f, 1.718619298f, 1.756252160f, 1.794709075f, 1.834008086f, 1.874167634f,
      1.915206561f, 1.957144124f};
  return kRoots[k];
}

/// Sixteenths of an octave: the whole number nearest to 16 log2(value), or for `up` the least that
/// is not below it. `value` is a positive normal float. Exact comparisons, no logarithm: the same
/// everywhere.
constexpr int sixteenths_of_octave(float value, bool up) {
  const std::uint32_t bits = bits_of(value);
  const int exponent = static_cast<int>(bits >> 23) - 127;
  const float mantissa = float_of((bits & 0x7fffffu) | 0x3f800000u);
  int k = 0;  // how many of the thresholds the mantissa exceeds
  if (up) {
    while (k < 16 && mantissa > root_of_octave(2 * k)) ++k;
  } else {
    while (k < 16 && mantissa >= root_of_octave(2 * k + 1)) ++k;
  }
  return 16 * exponent + k;
}

/// The log8 code of 2^(sixteenths / 16).
constexpr ScaleCode log8_code(int sixteenths) {
  for (;;) {
    // The window that leaves a code in [1, 255]: 0 if it can be, else the one nearest to 0.
    int window = 0;
    while (sixteenths - kWindowSixteenths * window > 255 - kCodeOfOne) ++window;
    while (sixteenths - kWindowSixteenths * window < 1 - kCodeOfOne) --window;
    window = window < kLowestWindow ? kLowestWindow : window;
    window = window > kHighestWindow ? kHighestWindow : window;
    const int code = sixteenths - kWindowSixteenths * window + kCodeOfOne;
    // One in 256 falls between two windows (code 0 is zero): the next larger takes its place.
    if (code == 256) {
      ++sixteenths;
      continue;
    }
    const int kept = code < 1 ? 1 : (code > 255 ? 255 : code);
    return {static_cast<std::uint16_t>(kept), window};
  }
}

/// The code of `value` times 2^(16 window); `value` is 0 or a normal float. For log8 `up` rounds
/// up.
constexpr ScaleCode encode_scale(ScaleFormat format, float value, int window, bool up) {
  if (value == 0.0f) return {};
  if (format == ScaleFormat::log8) {
    return log8_code(sixteenths_of_octave(value, up) + kWindowSixteenths * window);
  }
  const int further = window_of(value);
  return {float_to_half(times_window(value, -further)), window + further};
}

/// The scale without its window: the true one is this times 2^(16 window).
constexpr float decode_scale(ScaleFormat format, std::uint16_t code) {
  if (format == ScaleFormat::half) return half_to_float(code);
  if (code == 0) return 0.0f;
  const int sixteenths = code - kCodeOfOne + 16 * 16;  // positive
  const auto exponent = static_cast<std::uint32_t>(127 + sixteenths / 16 - 16);
  return root_of_octave(2 * (sixteenths % 16)) * float_of(exponent << 23);
}

/// Whether a stored code is a finite number from 0 on.
constexpr bool is_scale_code(ScaleFormat format, std::uint16_t code) {
  return format == ScaleFormat::log8 || code < 0x7c00u;
}

/// A channel's mean beyond this is taken as 0, so that subtracting and adding means cannot overflow.
inline constexpr float kLargestMean = 0x1p96f;

// Scales that vectors share (per=head-page): one for a page, from the vectors before it. The first page,
// which has nothing before it, begins anew at its vectors 1, 2, 4, 8, ...; vector 0 has its own.

/// Which stored scale holds for vector `vector` of a frame.
constexpr std::int64_t shared_scale(std::int64_t vector, std::int64_t page) {
  const bool first = vector < page;
  std::int64_t rung = 0;
  for (std::int64_t left = first ? vector : page - 1; left != 0; left /= 2) ++rung;
  return first ? rung : rung + vector / page;
}

/// Whether one begins at this vector.
constexpr bool begins_scale(std::int64_t vector, std::int64_t page) {
  return vector % page == 0 || (vector < page && (vector & (vector - 1)) == 0);
}

/// The scale that `seen` vectors agree on, the sum of whose root mean squares is `sum` in sixteenths of
/// an octave: their geometric mean. 0 of none.
constexpr ScaleCode mean_scale(ScaleFormat format, std::int64_t sum, std::int64_t seen) {
  if (seen == 0) return {};
  const std::int64_t twice = 2 * sum + seen;  // rounds half up, also below 0
  const std::int64_t floor =
      twice >= 0 ? twice / (2 * seen) : -((2 * seen - 1 - twice) / (2 * seen));
  const ScaleCode code = log8_code(static_cast<int>(floor));
  if (format == ScaleFormat::log8) return code;
  return encode_scale(format, decode_scale(ScaleFormat::log8, code.code), code.window, false);
}

// Steps of codecs without a range (codecs/entropy_coded): a stored scale, decode_scale() of it,
// times a factor.

/// Coordinates beyond this many steps have no points: half of what nearest-point rules and coders
/// take.
inline constexpr double kMostSteps = 1048576.0;

/// The step of decoded vectors, in terms of 2^(16 window).
constexpr float decoded_step(double unit, double factor, double reconstruct) {
  return static_cast<float>(unit * factor * reconstruct);
}

/// What a vector is multiplied with before it is quantised.
struct InverseStep {
  float inverse = 0.0f;
  bool beyond = false;  ///< a coordinate is beyond kMostSteps; then `inverse` is 0
};

/// `step` is unit times factor; `windows` that of the scale less that of the vector, whose largest
/// magnitude, above 0, is `largest`. What is multiplied is the vector over `sums`.
constexpr InverseStep inverse_step(double step, int windows, float largest, double sums) {
  for (; windows > 0; --windows) step *= 65536.0;
  for (; windows < 0; ++windows) step *= 1.0 / 65536.0;
  const double inverse = 1.0 / step;  // infinite for a scale of 0
  if (!(static_cast<double>(largest) * inverse <= kMostSteps)) return {0.0f, true};
  return {static_cast<float>(inverse * sums), false};
}

}  // namespace kakeya
