// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// Controls below so much of the least that a codec of a panel loses are in tables alone: a chart down to
/// them would press its points together.
inline constexpr double kLowestFloor = 0.1;

/// "bf16 arithmetic", "another attention (fused)": a control as reports name it.
std::string control_text(const std::string& control);

/// A row a control (ControlSample) of the group's folder: what another forward does to its passages with
/// nothing coded, and the settings whose KL divergence is not surely above that: logarithms paired over the passages
/// that both have, two-sided t-test at 5 %, uncorrected. Without rows where
/// there are no controls.
Table noise_floor_table(const ResultGroup& group);

/// A row a codec: its KL divergence, and how many times that of each control it is, the geometric mean over
/// the passages that both have with its 95 % interval. Without rows where there are no controls.
Table above_floor_table(const ResultGroup& group);

/// The controls of a group as its tables name them, with their mean KL divergence in nats.
std::vector<std::pair<std::string, double>> noise_floors(const ResultGroup& group);

}  // namespace kakeya
