// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "kakeya/bitstream/rans.h"

namespace kakeya {

/// [f] is log2((f + 1) / f): what one more slot saves a symbol that has f, in bits. By the series of
/// the inverse hyperbolic tangent, at compile time, because the C library's logarithm differs between
/// machines in the last bit, and frequencies must not.
inline constexpr auto kFrequencyGain = [] {
  constexpr double kLog2E = 1.4426950408889634;
  std::array<double, kFrequencyTotal> gain{};
  for (std::size_t f = 1; f < kFrequencyTotal; ++f) {
    const double y = 1.0 / static_cast<double>(2 * f + 1), square = y * y;
    double sum = 0.0, power = y;
    for (int term = 1; term < 64 && power > 1e-20; term += 2) {
      sum += power / term;
      power *= square;
    }
    gain[f] = 2.0 * kLog2E * sum;
  }
  return gain;
}();

}  // namespace kakeya
