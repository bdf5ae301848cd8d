// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// One row a codec of a group with likelihoods: real and charged bits, every metric, where it
/// stands on the (bits, KL divergence) plane by paired intervals.
Table codec_table(const ResultGroup& group);

/// One row a codec of a distortion-only group: bits, rel-MSE of K and V with intervals over
/// passages, their gap to the Shannon bound of white Gaussian data at the bits really written.
Table distortion_table(const ResultGroup& group);

/// The standing of every codec of a group for a metric, losses compared pairwise on common passages
/// (95 %).
std::vector<Standing> standings(const ResultGroup& group, const Metric& metric);

}  // namespace kakeya
