// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kakeya/report/figure.h"
#include "kakeya/report/result_group.h"

namespace kakeya {

/// The charts of a report, a panel for each folder: of every mode with likelihoods, kld_<mode>
/// (mean KL divergence against measured bits per value) and delta_ppl_<mode> (mean |delta-ppl|); of
/// distortion-only sweeps, rel_mse_distortion (panels K and V, with the Shannon bound). Bars are 95
/// % t intervals; what is exactly 0 (identity) has no place on a logarithmic axis and is left out,
/// which the subtitle says. A chart in which nothing is above 0 is not made.
///
/// A chart shows the chart_families() of its mode, by KL divergence or by the rel-MSE of keys, and
/// with these patterns; in a mode of which no family matches one, as without. Where that leaves
/// families out, a second chart has them all, right behind it: its name ends in kAllFamilies. A
/// family looks the same in all charts of a mode. Throws SpecError when no family of any group
/// matches a pattern.
std::vector<Chart> hero_charts(std::span<const ResultGroup> groups,
                               std::span<const std::string> patterns = {});

inline constexpr char kAllFamilies[] = "_all";

/// Mean |delta-ppl|, in percent, against the ratio of bf16 to bytes of a whole cache of 131,072 tokens
/// (cache_storage()), as published charts have it: a panel for each folder, the families that
/// `patterns` match (chart_families()), 95 % t intervals. What changes nothing is left out. Throws
/// SpecError when no family of any group matches a pattern, InputError when no group has
/// likelihoods or a sample lacks the bytes of its cache.
Chart compression_chart(std::span<const ResultGroup> groups, std::span<const std::string> patterns);

/// A broken line across the panel for each control (noise_floor.h): what other forwards do with nothing coded. Not for
/// those below kLowestFloor times the least that a point of the panel, which has one at least, loses.
void add_floors(Chart& chart, ChartPanel& panel, const ResultGroup& group);

/// What a legend calls a family: without profiles where the group has one of each codec.
std::string legend_name(const ResultGroup& group, const std::string& family);

/// A family, or the label of a codec, without the digests of its profiles, which differ from model
/// to model. "profile=none" stays. A text that is neither stays as it is.
std::string without_profiles(const std::string& family);

/// The codec of a family.
std::string codec_of(const std::string& family);

/// Whether a family is of codecs that need a profile.
bool names_profile(const std::string& family);

/// How a mode is called in a sentence: "in-forward".
std::string mode_text(const std::string& mode);

/// "SmolLM2-135M", with the folder's name where several folders hold the same model, and with the
/// split where the plan names one: "SmolLM2-135M (hot-held-out, held-out)".
std::string group_title(const ResultGroup& group, std::span<const ResultGroup> groups);

}  // namespace kakeya
