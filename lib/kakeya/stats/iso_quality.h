// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "kakeya/stats/pareto.h"

namespace kakeya {

/// The non-increasing sequence closest to `values` in weighted least squares, by pooling adjacent
/// violators (Ayer et al. 1955). `weights` are positive, one a value. Throws InputError when the
/// lengths differ, a value is not finite or a weight not positive.
std::vector<double> isotonic_decreasing(std::span<const double> values,
                                        std::span<const double> weights);

/// A family of operating points, ready to be read: distinct rates, rising, and the isotonic fit of
/// ln(loss), non-increasing.
struct IsotonicCurve {
  std::vector<double> rates, log_losses, weights;  ///< weight: how many points had that rate
};

/// ln(loss) of the points, averaged at equal rates and made non-increasing in the rate (equal
/// weights a point). Points of zero loss have no logarithm and are left out. Throws InputError
/// unless the points are finite and >= 0.
IsotonicCurve isotonic_curve(std::span<const OperatingPoint> points);

/// The rate at which a family of operating points reaches a loss.
struct RateAtLoss {
  enum class Where {
    inside,     ///< `rate` is the answer
    too_lossy,  ///< even the best measured point loses more: the family needs more than `rate`
                ///< bits, its highest
    too_fine,   ///< even the cheapest measured point loses less: the family needs fewer than `rate`
                ///< bits, its lowest
    unmeasured  ///< no point with a positive loss
  };
  Where where = Where::unmeasured;
  double rate = 0;  ///< bits per value
};

/// The bits that one codec family needs for `loss`: on its isotonic_curve(), interpolated linearly
/// in log(loss) between the two neighbouring points that enclose the target. Where the fit is flat
/// at the target, the lowest rate of the flat stretch. Never extrapolates. Throws InputError unless
/// `loss` > 0 and the points are finite and >= 0.
RateAtLoss rate_at_loss(std::span<const OperatingPoint> points, double loss);

}  // namespace kakeya
