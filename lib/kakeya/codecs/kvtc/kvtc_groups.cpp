// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/kvtc/kvtc_groups.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "kakeya/core/half.h"

namespace kakeya {
namespace {

// Scales that are tried, as parts of the one that reaches the largest magnitude. Of large groups
// the best clips a few coefficients: with four levels most groups want the lower half of this
// range.
constexpr float kFirstFraction2 = 0.15f, kFirstFraction4 = 0.4f, kFractionStep = 0.05f;
constexpr float kLastFraction = 1.05f;
constexpr float kLargestScale = 0x1p64f;
constexpr float kLargestFp8 = 448.0f;

// The nearest bfloat16 with `bits` bits of mantissa, at most 7, ties away from zero. Finite.
std::uint16_t round_scale(float scale, int bits) {
  const int dropped = 23 - bits;
  const std::uint32_t pattern = std::bit_cast<std::uint32_t>(scale) + (1u << (dropped - 1));
  return static_cast<std::uint16_t>((pattern >> dropped << dropped) >> 16);
}

// Codes of integer types for one scale, and their squared error.
struct IntegerGrid {
  float offset;   // of code 0
  float highest;  // the last code
  float reach;    // |first level|, in scales

  float code(float u) const {
    // Adding 1.5 * 2^23 rounds to a whole number, which a library's function takes a call for.
    constexpr float kRound = 0x1.8p23f;
    return (std::clamp(u - offset, 0.0f, highest) + kRound) - kRound;
  }
  float error_of(float value, float scale, float inverse) const {
    const float difference = value - (code(value * inverse) + offset) * scale;
    return difference * difference;
  }
  // In eight interleaved sums, which vector instructions can keep.
  double error(std::span<const float> y, float scale) const {
    const float inverse = 1.0f / scale;
    float sums[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= y.size(); i += 8) {
      for (std::size_t k = 0; k < 8; ++k) sums[k] += error_of(y[i + k], scale, inverse);
    }
    for (; i < y.size(); ++i) sums[i % 8] += error_of(y[i], scale, inverse);
    return std::accumulate(sums, sums + 8, 0.0);
  }
};

constexpr IntegerGrid kInt2{-1.5f, 3.0f, 1.5f}, kInt4{-8.0f, 15.0f, 8.0f};

std::uint16_t best_scale(const IntegerGrid& grid, std::span<const float> y, float largest) {
  const bool is_int2 = grid.highest == kInt2.highest;
  const int bits = y.size() == 1 ? 7 : 4;
  const float signed_largest =
      is_int2 ? std::fabs(largest) : -largest;  // int4: the largest gets code 0
  std::uint16_t best = 0;
  double least = 0;
  for (const float value : y) least += double{value} * value;  // of a scale of 0
  const auto consider = [&](float scale) {
    const std::uint16_t rounded = round_scale(scale, bits);
    const float value = bfloat16_to_float(rounded);
    if (rounded == best || !(std::fabs(value) >= 0x1p-100f)) return;
    const double error = grid.error(y, value);
    if (error < least) {
      least = error;
      best = rounded;
    }
  };
  const float whole = signed_largest / grid.reach;
  if (y.size() == 1) {
    consider(whole);
    return best;
  }
  // Sums of steps in float, as IEEE adds them, are what frames were written with.
  // NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter)
  for (float part = is_int2 ? kFirstFraction2 : kFirstFraction4; part < kLastFraction;
       part += kFractionStep) {
    consider(whole * part);
  }
  return best;
}

const IntegerGrid& grid_of(KvtcType type) { return type == KvtcType::int2 ? kInt2 : kInt4; }

}  // namespace

std::uint8_t zero_code(KvtcType type) {
  return type == KvtcType::int2 ? 2 : type == KvtcType::int4 ? 8 : 0;
}

std::uint16_t quantise_group(KvtcType type, std::span<const float> y,
                             std::span<std::uint8_t> codes) {
  float largest = 0;
  for (const float value : y) {
    if (std::fabs(value) > std::fabs(largest)) largest = value;
  }
  const std::uint16_t scale = type == KvtcType::fp8
                                  ? round_scale(std::fabs(largest) / kLargestFp8, 7)
                                  : best_scale(grid_of(type), y, largest);
  const float step = bfloat16_to_float(scale);
  if (!(std::fabs(step) >= 0x1p-100f)) {  // too small for its inverse to be a number
    std::fill(codes.begin(), codes.end(), zero_code(type));
    return 0;
  }
  const float inverse = 1.0f / step;
  for (std::size_t i = 0; i < y.size(); ++i) {
    codes[i] = type == KvtcType::fp8
                   ? float_to_e4m3(y[i] * inverse)
                   : static_cast<std::uint8_t>(grid_of(type).code(y[i] * inverse));
  }
  return scale;
}

bool is_group_scale(KvtcType type, std::uint16_t scale) {
  const float value = bfloat16_to_float(scale);
  return std::fabs(value) <= kLargestScale && (type == KvtcType::int4 || (scale & 0x8000u) == 0);
}

bool is_group_code(KvtcType type, std::uint8_t code) {
  return type != KvtcType::fp8 || (code & 0x7fu) != 0x7fu;
}

void restore_group(KvtcType type, std::uint16_t scale, std::span<const std::uint8_t> codes,
                   std::span<float> y) {
  const float step = bfloat16_to_float(scale);
  if (step == 0.0f) {
    std::fill(y.begin(), y.end(), 0.0f);
    return;
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = type == KvtcType::fp8 ? e4m3_to_float(codes[i]) * step
                                 : (static_cast<float>(codes[i]) + grid_of(type).offset) * step;
  }
}

double group_error(KvtcType type, std::span<const float> y) {
  double sum = 0;
  if (type == KvtcType::none) {
    for (const float value : y) sum += double{value} * value;
    return sum;
  }
  std::vector<std::uint8_t> codes(y.size());
  std::vector<float> back(y.size());
  restore_group(type, quantise_group(type, y, codes), codes, back);
  for (std::size_t i = 0; i < y.size(); ++i) sum += (double{y[i]} - back[i]) * (y[i] - back[i]);
  return sum;
}

void measure_group_errors(Rows<const float> y, std::size_t first, KvtcPart& part) {
  const auto mean_error = [&](std::size_t size, std::size_t type) {
    const std::size_t count = std::min(size, y.dim - first);
    double sum = 0;
    for (std::size_t token = 0; token < y.count; ++token) {
      sum += group_error(static_cast<KvtcType>(type), y[token].subspan(first, count));
    }
    return sum / static_cast<double>(y.count);
  };
  for (std::size_t type = 0; type < kKvtcTypes; ++type) {
    part.single_errors[first * kKvtcTypes + type] = mean_error(1, type);
    if (type == 0 || first % kKvtcStride != 0) continue;
    for (std::size_t larger = 0; larger < kKvtcLargerSizes; ++larger) {
      const std::size_t group = first / kKvtcStride * kKvtcLargerSizes + larger;
      part.group_errors[group * kKvtcStoredTypes + type - 1] =
          mean_error(kKvtcSizes[larger + 1], type);
    }
  }
}

}  // namespace kakeya
