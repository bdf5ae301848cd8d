// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "kakeya/report/against_baseline.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// One row a family: its BD-rate against the baseline by each of the four rates, the measured one
/// with an interval; the mean difference in measured bits; the losses it was averaged over. No rows
/// without a baseline.
Table bd_rate_table(const ResultGroup& group, const Metric& metric, const std::string& baseline,
                    std::span<const FamilyBdRate> families);

/// One row a setting: its four rates, its loss over the baseline's at equal measured bits with both
/// intervals, the Holm-corrected p-value and verdict, what could have been detected; with
/// likelihoods the signed and the absolute difference in delta-ppl. The CSV has every test's raw
/// p-value and interval too. No rows without settings.
Table paired_table(const ResultGroup& group, const Metric& metric,
                   const BaselineComparisons& comparisons, const ComparisonOptions& options);

/// "better, within the margin"; out of the baseline's range with the bits: "no worse, at fewer
/// bits".
std::string verdict_text(const BaselineComparison& comparison);

/// "KL divergence" where there are likelihoods, else the metric's heading.
std::string loss_name(const Metric& metric);

/// What both say, in a few sentences: BD-rates, each with its range of losses, of families with at
/// least three settings or losses over a factor of four; verdicts, counted. "" where there is
/// nothing to compare.
std::string comparison_in_short(const Metric& metric, std::span<const FamilyBdRate> families,
                                const BaselineComparisons& comparisons,
                                const ComparisonOptions& options);

/// One sentence, and what is left of it where there is room for few words.
struct InBrief {
  std::string full, shorter;
};

/// Of the family of the lowest BD-rate alone. Both "" without one.
InBrief comparison_in_brief(const Metric& metric, std::span<const FamilyBdRate> families,
                            const BaselineComparisons& comparisons);

}  // namespace kakeya
