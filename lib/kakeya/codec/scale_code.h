// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kakeya {

// One positive scale in 16 or 8 bits, over all of float's range.
//
//   half   a binary16, relative error at most 2^-11
//   log8   code c in [1, 255] means 2^((c - 128) / 16): neighbours are 4.4 % apart, so a scale
//          rounded to nearest is off by at most 2.2 %, one rounded up is up to 4.4 % larger
//
// Code 0 is zero. Between the largest code of a window and the smallest of the next lies one step
// without a code: there a log8 scale is off by up to 4.4 % or 9.1 %, one scale in 256. A scale that
// does not fit is stored times 2^(-16 window), its window a signed byte in a section of its own
// that is empty while all windows are 0.

enum class ScaleFormat { half, log8 };

constexpr std::size_t scale_bytes(ScaleFormat format) {
  return format == ScaleFormat::half ? 2 : 1;
}

struct ScaleCode {
  std::uint16_t code = 0;
  int window = 0;
};

/// A window, 16 octaves, in sixteenths of an octave.
inline constexpr int kWindowSixteenths = 256;

/// Sixteenths of an octave: the whole number nearest to 16 log2(value), or for `up` the least that
/// is not below it. `value` is a positive normal float. Exact comparisons, no logarithm: the same
/// everywhere.
int sixteenths_of_octave(float value, bool up);

/// The code of `value` times 2^(16 window); `value` is 0 or a normal float. For log8 `up` rounds
/// up.
ScaleCode encode_scale(ScaleFormat format, float value, int window, bool up);

/// The log8 code of 2^(sixteenths / 16).
ScaleCode log8_code(int sixteenths);

/// The scale without its window: the true one is this times 2^(16 window).
float decode_scale(ScaleFormat format, std::uint16_t code);

/// Writes and reads the code of scale `item` at its place. read_scale_code throws CorruptStream on
/// an infinite, NaN or negative binary16.
void write_scale_code(std::span<std::byte> section, std::size_t item, ScaleFormat format,
                      std::uint16_t code);
std::uint16_t read_scale_code(std::span<const std::byte> section, std::size_t item,
                              ScaleFormat format);

}  // namespace kakeya
