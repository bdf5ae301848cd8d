// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kakeya/stats/interval.h"

namespace kakeya {

/// How two treatments of the same subjects differ.
struct PairedDifference {
  Interval difference;  ///< of a - b
  double t = 0;  ///< difference.mean / difference.standard_error; +-infinity when every difference
                 ///< is the same, 0 when all are 0
  double p_value = 1;  ///< two-sided, Student-t; 1 of a single pair
  /// -1 when a is lower with the interval's confidence, 1 when it is higher, 0 when the interval
  /// holds 0.
  int verdict() const { return difference.high() < 0 ? -1 : difference.low() > 0 ? 1 : 0; }
};

/// Paired t-test: entry i of both spans belongs to the same subject (passage). Throws InputError
/// when the lengths differ, and as t_interval().
PairedDifference paired_difference(std::span<const double> a, std::span<const double> b,
                                   double confidence = 0.95);

}  // namespace kakeya
