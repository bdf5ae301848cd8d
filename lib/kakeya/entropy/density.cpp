// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/density.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace kakeya {
namespace {

constexpr double kVanishes = 700.0;

// exp_minus() of several numbers at once: their chains of divisions overlap, and compilers use
// vectors.
template <std::size_t kCount>
std::array<double, kCount> exp_minus_of(const std::array<double, kCount>& t) {
  // e^-t = 2^-n e^r, |r| <= ln(2) / 2. ln(2) in two parts, the first with zeros at its end, so that
  // n times it is exact.
  constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;
  constexpr int kTerms = 13;  // r^14 / 14! < 1e-17
  std::array<double, kCount> r, sum, scale;
  for (std::size_t i = 0; i < kCount; ++i) {
    const double bounded = std::min(t[i], kVanishes);
    const auto n = static_cast<std::int32_t>(bounded * 1.4426950408889634 + 0.5);
    const auto whole = static_cast<double>(n);
    r[i] = (whole * kLn2High - bounded) + whole * kLn2Low;
    sum[i] = 1.0;
    scale[i] = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - n) << 52);
  }
  for (int k = kTerms; k > 0; --k) {
    for (std::size_t i = 0; i < kCount; ++i) sum[i] = 1.0 + sum[i] * r[i] / k;
  }
  for (std::size_t i = 0; i < kCount; ++i) sum[i] = t[i] < kVanishes ? sum[i] * scale[i] : 0.0;
  return sum;
}

}  // namespace

double exp_minus(double t) { return exp_minus_of<1>({t})[0]; }

GridDensity::GridDensity(const CoordinateShape& shape, double added_variance) {
  // Square roots and quotients are rounded correctly by IEEE 754: no machine differs.
  const double total = shape.deviation * shape.deviation;
  const double mean = std::sqrt(shape.separation * total);
  double widest = 0.0;
  for (int part = 0; part < 2; ++part) {
    const double sign = part == 0 ? -1.0 : 1.0;
    const double variance = total * (1.0 + sign * shape.spread - shape.separation) + added_variance;
    parts_[part] = {sign * mean, 0.5 / variance, 1.0 / std::sqrt(variance)};
    widest = std::sqrt(variance);
  }
  reach_ = mean + 6.5 * widest;
}

std::vector<double> GridDensity::sample(double spacing, double last) const {
  constexpr std::size_t kTogether = 8;
  const auto count = static_cast<std::size_t>(std::ceil(last / spacing)) + 1;
  std::vector<double> weights((count + kTogether - 1) / kTogether * kTogether);
  for (std::size_t first = 0; first < count; first += kTogether) {
    for (const Normal& part : parts_) {
      std::array<double, kTogether> t;
      for (std::size_t i = 0; i < kTogether; ++i) {
        const double distance = static_cast<double>(first + i) * spacing - part.mean;
        t[i] = distance * distance * part.precision;
      }
      const auto heights = exp_minus_of(t);
      for (std::size_t i = 0; i < kTogether; ++i) weights[first + i] += part.height * heights[i];
    }
  }
  weights.resize(count);
  return weights;
}

}  // namespace kakeya
