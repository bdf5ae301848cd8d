// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace kakeya {

/// P-values adjusted for their number by Holm's step-down rule, in the order given: of the i-th
/// smallest of m, the largest of (m - j + 1) p_j over j <= i, at most 1. Calling significant what
/// is below alpha errs anywhere among the m with a probability of at most alpha, however the tests
/// depend on each other (Holm, "A simple sequentially rejective multiple test procedure", 1979).
/// Throws InputError when a p-value is not in [0, 1].
std::vector<double> holm_adjusted(std::span<const double> p_values);

/// Of p_value(test) for each of `tests`.
template <typename Tests, typename PValue>
std::vector<double> holm_adjusted(Tests& tests, const PValue& p_value) {
  std::vector<double> p_values(tests.size());
  std::transform(tests.begin(), tests.end(), p_values.begin(), p_value);
  return holm_adjusted(p_values);
}

}  // namespace kakeya
