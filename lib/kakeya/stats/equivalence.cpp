// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/equivalence.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

/// The probability that a Student-t variable exceeds distance / standard_error.
double beyond(double distance, const Interval& interval) {
  if (interval.standard_error == 0) return distance > 0 ? 0 : 1;
  const boost::math::students_t distribution(static_cast<double>(interval.count - 1));
  return boost::math::cdf(
      boost::math::complement(distribution, distance / interval.standard_error));
}

}  // namespace

Equivalence equivalence_test(std::span<const double> differences, double margin) {
  if (!(margin > 0) || !std::isfinite(margin)) {
    throw InputError("equivalence: margin " + std::to_string(margin) + ": expected a number > 0");
  }
  const Interval interval = t_interval(differences);
  Equivalence result;
  result.margin = margin;
  if (interval.count < 2) return result;
  result.p_lower = beyond(margin + interval.mean, interval);
  result.p_upper = beyond(margin - interval.mean, interval);
  return result;
}

}  // namespace kakeya
