// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kakeya {

// Small floating-point formats as bit patterns. Every conversion to fewer bits rounds to nearest,
// ties to even, keeps subnormals, and is written with integers alone, so that no compiler flag or
// instruction set changes a bit. Plain constexpr C++17: the same text compiles for CUDA.
//
//   format        sign exponent mantissa  bias   largest      smallest normal  smallest subnormal
//   binary16        1      5       10       15     65504          2^-14            2^-24
//   bfloat16        1      8        7      127     3.39e38        2^-126           2^-133
//   E4M3FN          1      4        3        7     448            2^-6             2^-9
//   E8M0            -      8        -      127     2^127          2^-127           -

/// The pattern of a float, and the float of a pattern (std::bit_cast is C++20).
constexpr std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }
constexpr float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

/// IEEE 754 binary16 nearest to `value`; from 65520 on infinity; a NaN stays a (quiet) NaN.
constexpr std::uint16_t float_to_half(float value) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  std::uint32_t half = 0;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u;
  } else if (magnitude >= 0x477ff000u) {  // 65520, halfway between 65504 and 65536
    half = 0x7c00u;
  } else if (magnitude >= 0x38800000u) {  // 2^-14
    half = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  } else if (magnitude >= 0x33000000u) {  // 2^-25: rounds to a multiple of 2^-24
    const std::uint32_t shift = 126u - (magnitude >> 23);
    const std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t rest = mantissa & ((1u << shift) - 1u), tie = 1u << (shift - 1u);
    half = mantissa >> shift;
    half += (rest > tie || (rest == tie && (half & 1u) != 0)) ? 1u : 0u;
  }
  return static_cast<std::uint16_t>(sign | half);
}

/// The finite binary16 nearest to `value`, a finite number: what would overflow becomes 65504.
constexpr std::uint16_t float_to_finite_half(float value) {
  const std::uint16_t half = float_to_half(value);
  return static_cast<std::uint16_t>((half & 0x7fffu) == 0x7c00u ? half - 1 : half);
}

/// The value of a binary16 pattern, exactly.
constexpr float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t magnitude = half & 0x7fffu;
  if (magnitude >= 0x7c00u) {
    return float_of(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
  }
  if (magnitude >= 0x400u) return float_of(sign | ((magnitude << 13) + 0x38000000u));
  const float small = static_cast<float>(magnitude) * 0x1p-24f;
  return sign != 0 ? -small : small;
}

/// bfloat16 nearest to `value`; overflow gives infinity; a NaN stays a (quiet) NaN.
constexpr std::uint16_t float_to_bfloat16(float value) {
  const std::uint32_t bits = bits_of(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

/// The finite bfloat16 nearest to `value`, a finite number: what would overflow becomes the
/// largest.
constexpr std::uint16_t float_to_finite_bfloat16(float value) {
  const std::uint16_t pattern = float_to_bfloat16(value);
  return static_cast<std::uint16_t>((pattern & 0x7fffu) == 0x7f80u ? pattern - 1 : pattern);
}

/// The value of a bfloat16 pattern, exactly.
constexpr float bfloat16_to_float(std::uint16_t pattern) {
  return float_of(static_cast<std::uint32_t>(pattern) << 16);
}

/// FP8 E4M3FN (OCP OFP8: no infinity, one NaN a sign) nearest to `value`; magnitudes above 448
/// saturate to 448; a NaN gives 0x7f.
constexpr std::uint8_t float_to_e4m3(float value) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t sign = (bits >> 24) & 0x80u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fu;
  std::uint32_t code = 0;
  if (magnitude >= 0x43e00000u) {  // 448
    code = 0x7eu;
  } else if (magnitude >= 0x3c800000u) {  // 2^-6
    code = (magnitude - 0x3c000000u + 0x7ffffu + ((magnitude >> 20) & 1u)) >> 20;
  } else if (magnitude >= 0x3a800000u) {  // 2^-10: rounds to a multiple of 2^-9
    const std::uint32_t shift = 141u - (magnitude >> 23);
    const std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t rest = mantissa & ((1u << shift) - 1u), tie = 1u << (shift - 1u);
    code = mantissa >> shift;
    code += (rest > tie || (rest == tie && (code & 1u) != 0)) ? 1u : 0u;
  }
  return static_cast<std::uint8_t>(sign | code);
}

/// The value of an E4M3FN code, exactly; 0x7f and 0xff are NaN.
constexpr float e4m3_to_float(std::uint8_t code) {
  const std::uint32_t sign = static_cast<std::uint32_t>(code & 0x80u) << 24;
  const std::uint32_t magnitude = code & 0x7fu;
  if (magnitude == 0x7fu) return float_of(sign | 0x7fc00000u);
  if (magnitude >= 8u) return float_of(sign | ((magnitude << 20) + 0x3c000000u));
  const float small = static_cast<float>(magnitude) * 0x1p-9f;
  return sign != 0 ? -small : small;
}

/// The E8M0 code of the smallest power of two that is not below `value`, kept within [2^-126,
/// 2^127]: scales so rounded never make anything saturate. `value` is finite and not negative.
constexpr std::uint8_t float_to_e8m0_up(float value) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t exponent = (bits + 0x7fffffu) >> 23;
  return static_cast<std::uint8_t>(exponent < 1u ? 1u : (exponent > 254u ? 254u : exponent));
}

/// 2^(code - 127); code 255 is NaN.
constexpr float e8m0_to_float(std::uint8_t code) {
  if (code == 255u) return float_of(0x7fc00000u);
  if (code == 0u) return 0x1p-127f;
  return float_of(static_cast<std::uint32_t>(code) << 23);
}

}  // namespace kakeya
