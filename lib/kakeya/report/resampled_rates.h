// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kakeya/report/family_curves.h"
#include "kakeya/stats/bootstrap.h"

namespace kakeya {

/// The resamples of passages that bits at a loss are given intervals by: resample(passages,
/// kRateSeed, 0 ... kRateResamples - 1).
inline constexpr std::uint64_t kRateResamples = 1000, kRateSeed = 1;

/// The rate at `loss` of every resample of the `passages` passages that all settings are weighed on,
/// infinite (of either sign) where they do not enclose it. Empty below kFewestPassages, and where a
/// resample has no loss.
std::vector<double> resampled_rates(std::span<const Weighed> settings, std::size_t passages,
                                    double loss);

/// Their 95 % percentile interval; nothing of none.
std::optional<Range> interval_of(std::vector<double> rates);

/// That of `rates` over `others`, resample by resample. Nothing of none, or where a resample takes
/// `others` out of its range: it says nothing of the ratio.
std::optional<Range> interval_of_ratio(std::vector<double> rates, std::span<const double> others);

}  // namespace kakeya
