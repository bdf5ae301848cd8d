// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// A row a control (ControlSample) of the group's folder: what another forward does to its passages with
/// nothing coded, and the settings whose KL divergence is not surely above that: logarithms paired over the passages
/// that both have, two-sided t-test at 5 %, uncorrected. Without rows where
/// there are no controls.
Table noise_floor_table(const ResultGroup& group);

}  // namespace kakeya
