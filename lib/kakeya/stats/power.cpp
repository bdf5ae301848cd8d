// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/power.h"

#include <array>
#include <boost/math/distributions/non_central_t.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// In standard deviations of a difference.
double detectable_effect(std::size_t count, double alpha, double power) {
  // The power rises from alpha, at no effect, to 1.
  double low = 0, high = 1;
  while (paired_t_power(high, count, alpha) < power) low = high, high *= 2;
  for (int step = 0; step < 60 && high - low > 1e-14 * high; ++step) {
    const double middle = (low + high) / 2;
    (paired_t_power(middle, count, alpha) < power ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

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
  const auto count = static_cast<double>(difference.count);
  // A report asks for those of a few counts, thousands of times: a third of its time.
  thread_local std::map<std::array<double, 3>, double> known;
  const std::array<double, 3> asked{count, alpha, power};
  auto effect = known.find(asked);
  if (effect == known.end())
    effect = known.emplace(asked, detectable_effect(difference.count, alpha, power)).first;
  return effect->second * (difference.standard_error * std::sqrt(count));
}

}  // namespace kakeya
