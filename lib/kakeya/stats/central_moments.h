// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace kakeya {

/// Of n numbers, all divided by n: the mean, and the second and fourth powers about it.
struct CentralMoments {
  double mean = 0, variance = 0, fourth = 0;

  /// fourth / variance^2, which is 3 for a normal distribution, 6 for Laplace's, 1.8 for a uniform
  /// one. Over n normal numbers its mean is 3 (n - 1) / (n + 1). Meaningless when variance is 0.
  double kurtosis() const { return fourth / (variance * variance); }
};

/// In two passes. Throws InputError when there is no number.
CentralMoments central_moments(std::span<const double> numbers);

}  // namespace kakeya
