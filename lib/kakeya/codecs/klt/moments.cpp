// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/moments.h"

#include "kakeya/codecs/klt/point_energy.h"
#include "kakeya/entropy/point_model.h"

namespace kakeya {

double variance_of_quarters(int quarters) { return quarter_octaves(2 * quarters); }

std::int8_t quarters_of_variance(double variance) {
  static const std::vector<double> limits = [] {
    std::vector<double> made;
    for (int quarters = -32; quarters < 31; ++quarters) {
      made.push_back(quarter_octaves(2 * quarters + 1));
    }
    return made;
  }();
  const auto above = std::upper_bound(limits.begin(), limits.end(), variance);
  return static_cast<std::int8_t>(above - limits.begin() - 32);
}

LastPoints last_points(Lattice lattice, const CoordinateShape& shape, double squares, double count,
                       double expected) {
  constexpr double kTrust = 64;
  const double likely = kTrust * point_energy(lattice, shape, expected);
  const double energy = (squares + likely) / (count + kTrust);
  return {energy, variance_of_points(lattice, shape, energy, expected)};
}

float grain_of(double variance) {
  int exponent = 0;
  std::frexp(std::isfinite(variance) ? variance : 1.0, &exponent);
  return std::ldexp(1.0f, std::clamp((exponent + 1) >> 1, -50, 50) - 7);
}

}  // namespace kakeya
