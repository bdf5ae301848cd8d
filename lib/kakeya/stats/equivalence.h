// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kakeya/stats/interval.h"

namespace kakeya {

/// Whether a mean is surely within a margin around 0.
struct Equivalence {
  double margin = 0;
  double p_lower = 1;  ///< of the mean being at or below -margin, one-sided
  double p_upper = 1;  ///< of the mean being at or above +margin, one-sided
  /// Of the two one-sided tests together: below alpha exactly when the two-sided interval of
  /// confidence 1 - 2 alpha lies inside the margins.
  double p_value() const { return p_lower > p_upper ? p_lower : p_upper; }
};

/// Two one-sided t-tests of the mean of paired differences (Schuirmann, "A comparison of the two
/// one-sided tests procedure and the power approach", 1987): t = (mean +- margin) / standard error,
/// n - 1 degrees of freedom. Of one sample both p are 1. Not finding a difference is no
/// equivalence; this is. Throws InputError unless margin is finite and > 0, and as t_interval().
Equivalence equivalence_test(std::span<const double> differences, double margin);

}  // namespace kakeya
