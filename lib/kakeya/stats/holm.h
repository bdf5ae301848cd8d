// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace kakeya {

/// P-values adjusted for their number by Holm's step-down rule, in the order given: of the i-th
/// smallest of m, the largest of (m - j + 1) p_j over j <= i, at most 1. Calling significant what
/// is below alpha errs anywhere among the m with a probability of at most alpha, however the tests
/// depend on each other (Holm, "A simple sequentially rejective multiple test procedure", 1979).
/// Throws InputError when a p-value is not in [0, 1].
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace kakeya
