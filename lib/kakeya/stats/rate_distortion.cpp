// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/rate_distortion.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

void require_rate(double bits_per_value) {
  if (!std::isfinite(bits_per_value) || bits_per_value < 0) {
    throw InputError("rate-distortion: " + std::to_string(bits_per_value) +
                     " bits per value: expected a number >= 0");
  }
}

void require_distortion(double rel_mse) {
  if (!(rel_mse >= 0)) {
    throw InputError("rate-distortion: rel-MSE " + std::to_string(rel_mse) +
                     ": expected a number >= 0");
  }
}

}  // namespace

double shannon_rel_mse(double bits_per_value) {
  require_rate(bits_per_value);
  return std::exp2(-2 * bits_per_value);
}

double effective_bits(double rel_mse) {
  require_distortion(rel_mse);
  return std::max(0.0, -std::log2(rel_mse) / 2);
}

double shannon_gap_db(double rel_mse, double bits_per_value) {
  require_distortion(rel_mse);
  require_rate(bits_per_value);
  return 10 * std::log10(rel_mse) + 20 * bits_per_value * std::log10(2.0);
}

double lattice_gap_db(double normalised_second_moment) {
  if (!(normalised_second_moment > 0)) {
    throw InputError("rate-distortion: second moment " + std::to_string(normalised_second_moment) +
                     ": expected a number > 0");
  }
  return 10 * std::log10(2 * std::numbers::pi * std::numbers::e * normalised_second_moment);
}

}  // namespace kakeya
