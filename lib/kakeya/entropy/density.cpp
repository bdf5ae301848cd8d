// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/density.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace kakeya {

double exp_minus(double t) {
  if (t >= 700.0) return 0.0;
  // e^-t = 2^-n e^r, |r| <= ln(2) / 2. ln(2) in two parts, the first with zeros at its end, so that
  // n times it is exact.
  constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;
  const auto n = static_cast<std::int64_t>(t * 1.4426950408889634 + 0.5);
  const auto whole = static_cast<double>(n);
  const double r = (whole * kLn2High - t) + whole * kLn2Low;
  constexpr int kTerms = 13;  // r^14 / 14! < 1e-17
  double sum = 1.0;
  for (int k = kTerms; k > 0; --k) sum = 1.0 + sum * r / k;
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(1023 - n) << 52);
}

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

double GridDensity::operator()(double z) const {
  double sum = 0.0;
  for (const Normal& part : parts_) {
    const double distance = z - part.mean;
    sum += part.height * exp_minus(distance * distance * part.precision);
  }
  return sum;
}

}  // namespace kakeya
