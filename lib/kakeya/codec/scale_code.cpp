// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/scale_code.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "kakeya/codec/scaled.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

constexpr int kZeroCode = 128;  // log8: the code of 1

// 2^(k/32) to the last bit of a float.
constexpr float kRoots[32] = {1.0f,         1.021897149f, 1.044273782f, 1.067140401f, 1.090507733f,
                              1.114386743f, 1.138788635f, 1.163724858f, 1.189207115f, 1.215247360f,
                              1.241857812f, 1.269050957f, 1.296839555f, 1.325236644f, 1.354255547f,
                              1.383909882f, 1.414213562f, 1.445180807f, 1.476826146f, 1.509164428f,
                              1.542210825f, 1.575980845f, 1.610490332f, 1.645755478f, 1.681792831f,
                              1.718619298f, 1.756252160f, 1.794709075f, 1.834008086f, 1.874167634f,
                              1.915206561f, 1.957144124f};

float power_of_two(int exponent) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(127 + exponent) << 23);
}

}  // namespace

int sixteenths_of_octave(float value, bool up) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const int exponent = static_cast<int>(bits >> 23) - 127;
  const float mantissa = std::bit_cast<float>((bits & 0x7fffffu) | 0x3f800000u);
  int k = 0;  // how many of the thresholds the mantissa exceeds
  if (up) {
    while (k < 16 && mantissa > (k == 0 ? 1.0f : kRoots[2 * k])) ++k;
  } else {
    while (k < 16 && mantissa >= kRoots[2 * k + 1]) ++k;
  }
  return 16 * exponent + k;
}

ScaleCode log8_code(int sixteenths) {
  // The window that leaves a code in [1, 255]: 0 if it can be, else the one nearest to 0.
  int window = 0;
  while (sixteenths - kWindowSixteenths * window > 255 - kZeroCode) ++window;
  while (sixteenths - kWindowSixteenths * window < 1 - kZeroCode) --window;
  window = std::clamp(window, kLowestWindow, kHighestWindow);
  // One in 256 falls between two windows (code 0 is zero): the next larger takes its place.
  if (sixteenths - kWindowSixteenths * window + kZeroCode == 256) return log8_code(sixteenths + 1);
  const int code = sixteenths - kWindowSixteenths * window + kZeroCode;
  return {static_cast<std::uint16_t>(std::clamp(code, 1, 255)), window};
}

ScaleCode encode_scale(ScaleFormat format, float value, int window, bool up) {
  if (value == 0.0f) return {};
  if (format == ScaleFormat::log8) {
    return log8_code(sixteenths_of_octave(value, up) + kWindowSixteenths * window);
  }
  const int further = window_of(value);
  return {float_to_half(times_window(value, -further)), window + further};
}

float decode_scale(ScaleFormat format, std::uint16_t code) {
  if (format == ScaleFormat::half) return half_to_float(code);
  if (code == 0) return 0.0f;
  const int sixteenths = code - kZeroCode + 16 * 16;  // positive
  return kRoots[2 * (sixteenths % 16)] * power_of_two(sixteenths / 16 - 16);
}

void write_scale_code(std::span<std::byte> section, std::size_t item, ScaleFormat format,
                      std::uint16_t code) {
  std::memcpy(section.data() + item * scale_bytes(format), &code, scale_bytes(format));
}

std::uint16_t read_scale_code(std::span<const std::byte> section, std::size_t item,
                              ScaleFormat format) {
  std::uint16_t code = 0;
  std::memcpy(&code, section.data() + item * scale_bytes(format), scale_bytes(format));
  if (format == ScaleFormat::half && code >= 0x7c00u) {
    throw CorruptStream("scale " + std::to_string(item) + ": not a finite number from 0 on");
  }
  return code;
}

}  // namespace kakeya
