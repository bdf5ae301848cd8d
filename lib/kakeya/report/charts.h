// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "kakeya/report/figure.h"
#include "kakeya/report/result_group.h"

namespace kakeya {

/// The charts of a report, a panel for each folder: of every mode with likelihoods, kld_<mode>
/// (mean KL divergence against real bits per value) and delta_ppl_<mode> (mean |delta-ppl|); of
/// distortion-only sweeps, rel_mse_distortion (panels K and V, with the Shannon bound). Bars are 95
/// % t intervals; what is exactly 0 (identity) has no place on a logarithmic axis and is left out,
/// which the subtitle says. A chart in which nothing is above 0 is not made.
std::vector<Chart> hero_charts(std::span<const ResultGroup> groups);

/// How a mode is called in a sentence: "in-forward".
std::string mode_text(const std::string& mode);

/// "SmolLM2-135M", with the folder's name where several folders hold the same model.
std::string group_title(const ResultGroup& group, std::span<const ResultGroup> groups);

}  // namespace kakeya
