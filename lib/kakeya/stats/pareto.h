// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace kakeya {

/// What one setting of a codec costs and loses; less of both is better.
struct OperatingPoint {
  double rate = 0;  ///< bits per value
  double loss = 0;  ///< KL divergence, |delta-ppl|, rel-MSE, ...
};

/// Where a point stands among all points.
enum class Standing {
  front,       ///< no point is at most as costly and at most as lossy, and better in one of the two
  unresolved,  ///< some point is better by the means, none by more than the samples can tell
  dominated,   ///< some point costs no more and is surely less lossy
};

/// The Pareto front by the means: indices in order of rising rate. Of equal points all are on it.
/// Throws InputError when a number is NaN.
std::vector<std::size_t> pareto_front(std::span<const OperatingPoint> points);

/// The standing of every point. `surely_less(a, b)` says whether point a's loss is below b's beyond
/// doubt: a paired interval that excludes 0, or intervals that do not overlap. Asked only where
/// rate(a) <= rate(b) and loss(a) < loss(b).
std::vector<Standing> pareto_standing(
    std::span<const OperatingPoint> points,
    const std::function<bool(std::size_t, std::size_t)>& surely_less);

}  // namespace kakeya
