// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/power.h"

#include <boost/math/distributions/non_central_t.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {

double paired_t_power(double effect, std::size_t count, double alpha) {
  if (count < 2) {
    throw InputError("power: " + std::to_string(count) + " differences: expected at least 2");
  }
  if (!(effect >= 0) || !std::isfinite(effect)) {
    throw InputError("power: effect " + std::to_string(effect) + ": expected a number >= 0");
  }
  const auto n = static_cast<double>(count);
  const double critical = student_t_critical(n - 1, 1 - alpha);
  const boost::math::non_central_t distribution(n - 1, effect * std::sqrt(n));
  return boost::math::cdf(boost::math::complement(distribution, critical)) +
         boost::math::cdf(distribution, -critical);
}

double minimum_detectable_effect(const Interval& difference, double alpha, double power) {
  if (!(0 < alpha && alpha < power && power < 1)) {
    throw InputError("power: level " + std::to_string(alpha) + " and power " +
                     std::to_string(power) + ": expected 0 < level < power < 1");
  }
  if (difference.count < 2) return std::numeric_limits<double>::infinity();
  // The power rises from alpha, at no effect, to 1.
  double low = 0, high = 1;
  while (paired_t_power(high, difference.count, alpha) < power) low = high, high *= 2;
  for (int step = 0; step < 60 && high - low > 1e-14 * high; ++step) {
    const double middle = (low + high) / 2;
    (paired_t_power(middle, difference.count, alpha) < power ? low : high) = middle;
  }
  const double deviation =
      difference.standard_error * std::sqrt(static_cast<double>(difference.count));
  return (low + high) / 2 * deviation;
}

}  // namespace kakeya
