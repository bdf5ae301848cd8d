// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "kakeya/measure/measure_source.h"
#include "kakeya/report/figure.h"

namespace kakeya {

/// The charts of a report, a panel for each source: rate_distortion (rel-MSE against measured bits,
/// bounds dashed), gap (decibels above the white Gaussian bound, sources of independent values) and
/// gap_captured (the same, captured ones). Exact copies, what lies beyond 10 measured bits or a gap
/// of 10 dB and, where there are more than a dozen families, those that are not charted among many
/// are in the tables only, which the subtitle says. A chart in which nothing is left is not made.
std::vector<Chart> tradeoff_charts(std::span<const SourceResult> results);

}  // namespace kakeya
