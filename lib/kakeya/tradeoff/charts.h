// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "kakeya/report/figure.h"
#include "kakeya/tradeoff/measure.h"

namespace kakeya {

/// The charts of a report, a panel for each source: rate_distortion (rel-MSE against real bits,
/// bounds dashed), gap (decibels above the white Gaussian bound, sources of independent values) and
/// gap_captured (the same, captured ones). Codecs beyond 10 real bits and exact copies are in the
/// tables only; a chart in which nothing is left is not made.
std::vector<Chart> tradeoff_charts(std::span<const SourceResult> results);

}  // namespace kakeya
