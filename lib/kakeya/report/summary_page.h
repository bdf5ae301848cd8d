// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "kakeya/report/baseline_tables.h"
#include "kakeya/report/sweep_report.h"

namespace kakeya {

/// report.md, one screen: warnings, what to use (choices_table() of report.choices), the leading
/// chart of every mode, a line a group (what it was measured on, what stays exact, what profiles
/// cost, `in_brief`, one a group, may be ""; where that is more than 300 words, its BD-rate alone),
/// the tables of report.at_kl, for groups without likelihoods the settings of fewest measured bits
/// at a rel-MSE of keys from 0.1 down to 0.001 (on so many of these levels that there are at most 25
/// rows, but always at one), and links to the rest.
std::string summary_page(const SweepReport& report, std::span<const ResultGroup> groups,
                         std::span<const InBrief> in_brief);

}  // namespace kakeya
