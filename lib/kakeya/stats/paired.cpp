// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/paired.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {

PairedDifference paired_difference(std::span<const double> a, std::span<const double> b,
                                   double confidence) {
  if (a.size() != b.size()) {
    throw InputError("paired: " + std::to_string(a.size()) + " samples against " +
                     std::to_string(b.size()) + ": expected the same subjects");
  }
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = a[i] - b[i];
  PairedDifference result;
  result.difference = t_interval(differences, confidence);
  if (a.size() == 1 || result.difference.mean == 0) return result;
  result.t = result.difference.mean / result.difference.standard_error;
  if (std::isinf(result.t)) {
    result.p_value = 0;
    return result;
  }
  const boost::math::students_t distribution(static_cast<double>(a.size() - 1));
  result.p_value = 2 * boost::math::cdf(boost::math::complement(distribution, std::fabs(result.t)));
  return result;
}

}  // namespace kakeya
