// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kakeya/report/attention_report.h"
#include "kakeya/report/result_group.h"

namespace kakeya {

/// Adds to a report of attention what each codec loses: of `losses`, groups of whole-cache bits, the KL
/// divergence of the settings that were timed (a spec without its profile), in a table, and a chart of it
/// against how many times as fast as over bf16 attention is, at the first shape and the most tokens, a
/// panel a batch, with whole-cache bits beside points and bf16 where its arithmetic is a control. Formats that were not timed have no point; the table has their KL divergence all the
/// same. Controls of the samples follow (noise_floor_table()). Throws InputError where no codec was both timed beside bf16 and measured, or a group has no
/// likelihoods.
void add_choice(Document& report, const AttentionSpeeds& speeds,
                std::span<const ResultGroup> losses);

}  // namespace kakeya
