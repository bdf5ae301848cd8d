// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/stats/interval.h"

namespace kakeya {

/// The probability that a two-sided paired t-test of `count` differences at level `alpha` finds a
/// true mean of `effect` standard deviations (of a difference, not of a mean): T, of count - 1
/// degrees of freedom and noncentrality effect sqrt(count), lies beyond +-t(1 - alpha / 2) (Cohen,
/// Statistical Power Analysis, 1988, chapter 2; Owen 1965 for the noncentral t). Throws InputError
/// unless count >= 2, effect is finite and >= 0 and 0 < alpha < 1.
double paired_t_power(double effect, std::size_t count, double alpha = 0.05);

/// The minimum detectable effect: the true mean difference that such a test finds with probability
/// `power`, if differences scatter as they did in `difference`; in its unit. 0 when they do not
/// scatter, +infinity of one sample. Throws InputError unless 0 < alpha < power < 1.
double minimum_detectable_effect(const Interval& difference, double alpha = 0.05,
                                 double power = 0.8);

}  // namespace kakeya
