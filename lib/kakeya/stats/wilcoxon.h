// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace kakeya {

/// P-value of Wilcoxon's signed-rank test, two-sided: entry i of both spans belongs to the same
/// subject (passage). Pairs without a difference are left out, equal differences share the mean of
/// their ranks, and the distribution is exact given these ranks: every sign is as likely as its
/// opposite. 1 where no pair differs. Throws InputError when the lengths differ, are 0, more than
/// 500 pairs differ, or a number is not finite.
double wilcoxon_p(std::span<const double> a, std::span<const double> b);

}  // namespace kakeya
