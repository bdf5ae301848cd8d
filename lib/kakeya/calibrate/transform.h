// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace kakeya {

/// The Karhunen-Loève transform of one head, in no unit yet.
struct KarhunenLoeve {
  std::vector<double> forward;    ///< [dim, dim], row-major: y = x forward
  std::vector<double> deviation;  ///< [dim], standard deviations of y, falling
};

/// The transform M^(1/2) V for vectors of covariance `covariance` and an error metric `metric`
/// (both [dim, dim], symmetric): V are the eigenvectors of M^(1/2) C M^(1/2), so that y has
/// uncorrelated coordinates and a plain squared error of y is what the metric says of x.
/// Eigenvalues of the metric below 1e-4 of its largest are raised to that. An empty `metric` is
/// the identity.
KarhunenLoeve karhunen_loeve(std::span<const double> covariance, std::span<const double> metric,
                             std::size_t dim);

/// The geometric mean of the deviations of several heads, those below 1e-5 of the largest counted
/// as that.
double geometric_mean_deviation(std::span<const KarhunenLoeve> heads);

}  // namespace kakeya
