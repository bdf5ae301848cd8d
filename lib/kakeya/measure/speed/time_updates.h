// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace kakeya {

/// The linear algebra of one update of klt with adapt=N, of a group of `width` coordinates on one
/// thread: medians of seconds. Tokens' moments are not part of it.
struct UpdateTime {
  std::size_t width = 0;
  double eigenvectors = 0;  ///< of what the group before does not say
  double rest = 0;          ///< predictor, what it says, and what rounding took
  std::size_t rounds = 0;

  double seconds() const { return eigenvectors + rest; }
  /// 12 n^3, about 9 of them of eigenvectors: what codecs/klt/adapt.md counts.
  double operations() const;
};

/// Times it as a codec computes it (fixed_order.h), in `rounds` rounds, on matrices made for the
/// purpose: sums of n products of normal vectors whose deviations fall over six octaves, and as the
/// group before another. `told` hears of each round that ended.
UpdateTime time_update(std::size_t width, std::size_t rounds, const std::function<void()>& told);

}  // namespace kakeya
