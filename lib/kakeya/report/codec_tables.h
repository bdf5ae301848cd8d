// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// One row a codec of a group with likelihoods: its four rates, every metric, where it stands on
/// the (measured bits, KL divergence) plane by paired intervals.
Table codec_table(const ResultGroup& group);

/// One row a codec of a distortion-only group: its four rates, rel-MSE of K and V with intervals
/// over passages, their gap to the Shannon bound of white Gaussian data at the measured bits.
Table distortion_table(const ResultGroup& group);

/// One row a codec: what its measured bits were spent on, and what K and V cost each; "-" where a
/// sample has no ledger.
Table ledger_table(const ResultGroup& group);

/// The standing of every codec of a group for a metric: losses compared pairwise on common passages
/// (two-sided paired t-test, 5 %), Holm-corrected over all pairs in which one costs no more and
/// loses less by the means.
std::vector<Standing> standings(const ResultGroup& group, const Metric& metric);

}  // namespace kakeya
