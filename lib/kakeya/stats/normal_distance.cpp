// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/normal_distance.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/stats/central_moments.h"

namespace kakeya {

NormalDistance::NormalDistance(std::size_t samples) {
  if (samples == 0) throw InputError("distance to a normal: 0 samples, expected at least one");
  const boost::math::normal normal;
  const auto count = static_cast<double>(samples);
  midpoints_.resize(samples);
  steps_.resize(samples);
  double below = 0;  // the density at the lower end of a step: 0 at -infinity
  for (std::size_t k = 0; k < samples; ++k) {
    const auto place = static_cast<double>(k);
    midpoints_[k] = boost::math::quantile(normal, (place + 0.5) / count);
    const double above =
        k + 1 == samples
            ? 0
            : boost::math::pdf(normal, boost::math::quantile(normal, (place + 1) / count));
    steps_[k] = below - above;
    below = above;
  }
}

void NormalDistance::require_samples(std::span<const double> sorted) const {
  if (sorted.size() != samples()) {
    throw InputError("distance to a normal: " + std::to_string(sorted.size()) +
                     " samples, expected " + std::to_string(samples()));
  }
}

double NormalDistance::correlation(std::span<const double> sorted) const {
  double sum = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) sum += sorted[k] * steps_[k];
  return sum;
}

double NormalDistance::squared(std::span<const double> sorted, double mean, double sigma) const {
  require_samples(sorted);
  const CentralMoments moments = central_moments(sorted);
  const double deviation = std::sqrt(moments.variance);
  const double location = moments.mean - mean, scale = deviation - sigma;
  const double shape = 2 * sigma * (deviation - correlation(sorted));
  return location * location + scale * scale + std::max(shape, 0.0);
}

double NormalDistance::shape_squared(std::span<const double> sorted) const {
  require_samples(sorted);
  const CentralMoments moments = central_moments(sorted);
  if (!(moments.variance > 0)) {
    throw InputError("distance to a normal: all samples are equal, expected some that differ");
  }
  return std::max(0.0, 2 * (1 - correlation(sorted) / std::sqrt(moments.variance)));
}

double NormalDistance::midpoint_squared(std::span<const double> sorted, double sigma) const {
  require_samples(sorted);
  double sum = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const double distance = sorted[k] - sigma * midpoints_[k];
    sum += distance * distance;
  }
  return sum / static_cast<double>(sorted.size());
}

}  // namespace kakeya
