// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace kakeya {

/// A mean and how well it is known.
struct Interval {
  std::size_t count = 0;  ///< samples
  double mean = 0;
  double standard_error =
      0;                  ///< sample standard deviation (n - 1) / sqrt(n); +infinity of one sample
  double half_width = 0;  ///< of the two-sided interval; +infinity of one sample: nothing is known
  double low() const { return mean - half_width; }
  double high() const { return mean + half_width; }
};

/// The t such that a Student-t variable of `degrees` degrees of freedom lies in [-t, t] with
/// probability `confidence`. Throws InputError unless degrees >= 1 and 0 < confidence < 1.
double student_t_critical(double degrees, double confidence);

/// Two-sided Student-t interval of the mean of independent samples. Throws InputError when there is
/// no sample, when one is not finite, or when confidence is not in (0, 1).
Interval t_interval(std::span<const double> samples, double confidence = 0.95);

/// The mean of `values` weighted with `weights`, and its Student-t interval: the standard error of a
/// ratio, sqrt(n / (n - 1) sum w^2 (x - mean)^2) / sum w, which for equal weights is t_interval()'s.
/// Throws InputError when there is no value, the lengths differ or a weight is not positive.
Interval weighted_t_interval(std::span<const double> values, std::span<const double> weights,
                             double confidence = 0.95);

}  // namespace kakeya
