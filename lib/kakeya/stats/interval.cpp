// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/interval.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {

double student_t_critical(double degrees, double confidence) {
  if (!(degrees >= 1) || !std::isfinite(degrees)) {
    throw InputError("interval: " + std::to_string(degrees) +
                     " degrees of freedom: expected at least 1");
  }
  if (!(confidence > 0 && confidence < 1)) {
    throw InputError("interval: confidence " + std::to_string(confidence) +
                     ": expected a number in (0, 1)");
  }
  return boost::math::quantile(
      boost::math::complement(boost::math::students_t(degrees), (1 - confidence) / 2));
}

Interval t_interval(std::span<const double> samples, double confidence) {
  if (samples.empty()) throw InputError("interval: no samples: expected at least one");
  const auto count = static_cast<double>(samples.size());
  double sum = 0;
  for (double x : samples) {
    if (!std::isfinite(x)) throw InputError("interval: a sample is not finite");
    sum += x;
  }
  Interval result;
  result.count = samples.size();
  result.mean = sum / count;
  if (samples.size() == 1) {
    result.standard_error = result.half_width = std::numeric_limits<double>::infinity();
    return result;
  }
  double squares = 0;
  for (double x : samples) squares += (x - result.mean) * (x - result.mean);
  result.standard_error = std::sqrt(squares / (count - 1) / count);
  result.half_width = student_t_critical(count - 1, confidence) * result.standard_error;
  return result;
}

Interval weighted_t_interval(std::span<const double> values, std::span<const double> weights,
                             double confidence) {
  if (values.empty() || values.size() != weights.size()) {
    throw InputError(std::to_string(values.size()) + " values and " +
                     std::to_string(weights.size()) + " weights: expected as many, at least one");
  }
  double total = 0, sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(weights[i] > 0) || !std::isfinite(weights[i]) || !std::isfinite(values[i]))
      throw InputError("weight " + std::to_string(weights[i]) + " of value " +
                       std::to_string(values[i]) + ": expected finite ones, the weight above 0");
    total += weights[i];
    sum += weights[i] * values[i];
  }
  Interval interval;
  interval.count = values.size();
  interval.mean = sum / total;
  interval.standard_error = interval.half_width = std::numeric_limits<double>::infinity();
  if (values.size() < 2) return interval;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = weights[i] * (values[i] - interval.mean);
    squares += off * off;
  }
  const auto n = static_cast<double>(values.size());
  interval.standard_error = std::sqrt(n / (n - 1) * squares) / total;
  interval.half_width = interval.standard_error * student_t_critical(n - 1, confidence);
  return interval;
}

}  // namespace kakeya
