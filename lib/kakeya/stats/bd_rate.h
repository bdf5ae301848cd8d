// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "kakeya/stats/pareto.h"

namespace kakeya {

/// What one family of operating points costs against another at equal loss, averaged over the
/// losses that both reach.
struct BdRate {
  double ratio = 1;  ///< geometric mean of rate / anchor's rate; the BD-rate in percent is 100
                     ///< (ratio - 1), below 0 where fewer bits are needed
  double bits = 0;   ///< arithmetic mean of rate - anchor's rate
  double low_loss = 0, high_loss = 0;  ///< the common range
};

/// The Bjontegaard delta rate (VCEG-M33, 2001; piecewise cubic as in VCEG-AI11, 2008): ln(rate) as
/// a curve over ln(loss), averaged over the common range of loss; peak signal to noise ratio, the
/// original's abscissa, is linear in ln(mean squared error) too. The points of each family are
/// isotonic_curve(), the curve between them MonotoneCubic. Nothing where a family has fewer than
/// two distinct points or the ranges do not overlap; never extrapolates. Throws InputError when a
/// point is negative or not finite, or has rate 0.
std::optional<BdRate> bd_rate(std::span<const OperatingPoint> family,
                              std::span<const OperatingPoint> anchor);

}  // namespace kakeya
