// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/distortion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::size_t kLanes = 4;

}  // namespace

void Distortion::add(std::span<const float> original, std::span<const float> decoded) {
  if (original.size() != decoded.size()) {
    throw InputError("distortion: " + std::to_string(decoded.size()) + " decoded scalars for " +
                     std::to_string(original.size()) + " original ones: expected equal lengths");
  }
  RunningSums sums;
  const std::size_t count = original.size();
  for (std::size_t first = 0; first < count; first += kLanes) {
    const std::size_t lanes = std::min(kLanes, count - first);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      sums.add(static_cast<int>(lane), original[first + lane], decoded[first + lane]);
    }
  }
  add(sums.total(), count);
}

void Distortion::add(const VectorSums& sums, std::size_t values) {
  const double norm_x = sums.energy, norm_y = sums.energy_decoded;
  // Squares of finite floats cannot overflow fp64, so a sum that is not finite means that an input
  // was not.
  if (!std::isfinite(norm_x) || !std::isfinite(norm_y)) {
    throw InputError("distortion: vector " + std::to_string(vectors_) + " of the " +
                     (std::isfinite(norm_x) ? "decoded" : "original") +
                     " ones holds NaN or infinity");
  }
  if (norm_x > 0 && norm_y > 0) {
    cosine_ += sums.product / (std::sqrt(norm_x) * std::sqrt(norm_y));
  } else if (norm_x == norm_y) {
    cosine_ += 1;
  }
  error_ += sums.error;
  energy_ += norm_x;
  max_abs_error_ = std::max(max_abs_error_, sums.largest);
  ++vectors_;
  values_ += values;
}

void Distortion::add(Rows<const float> original, Rows<const float> decoded) {
  for (std::size_t row = 0; row < original.count; ++row) add(original[row], decoded[row]);
}

void Distortion::merge(const Distortion& other) {
  vectors_ += other.vectors_;
  values_ += other.values_;
  error_ += other.error_;
  energy_ += other.energy_;
  cosine_ += other.cosine_;
  max_abs_error_ = std::max(max_abs_error_, other.max_abs_error_);
}

double Distortion::rel_mse() const {
  require_vectors();
  if (error_ == 0) return 0;
  if (energy_ == 0) return std::numeric_limits<double>::infinity();
  return error_ / energy_;
}

double Distortion::sqnr_db() const { return -10 * std::log10(rel_mse()); }

double Distortion::mean_cosine() const {
  require_vectors();
  return cosine_ / static_cast<double>(vectors_);
}

double Distortion::max_abs_error() const {
  require_vectors();
  return max_abs_error_;
}

void Distortion::require_vectors() const {
  if (vectors_ == 0) throw InputError("distortion: no vector was added");
}

}  // namespace kakeya
