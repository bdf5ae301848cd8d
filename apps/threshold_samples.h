// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report_thresholds.h"

namespace kakeya {

/// Codes every layer and head of the dumps with `specs` and the profiles that are given, as
/// kakeya-sweep --dump does without layers, sinks or a window kept: samples, one folder a dump, in
/// OUT/samples. What is there already is not coded again. Throws SpecError without --out, and what
/// prepare_sweep() throws; Error where a cell failed.
std::vector<std::string> sweep_dumps(const ReportThresholdsOptions& options,
                                     const std::vector<std::string>& specs,
                                     const std::vector<std::string>& arguments);

}  // namespace kakeya
