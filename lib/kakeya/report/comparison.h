// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// At the KL divergence of each reference point: a row for that point, and one for every family,
/// with the measured bits it needs there by log-linear interpolation on its isotonic fit, the other
/// three rates in the same way, and the ratio of its measured bits to the reference's with a
/// bootstrap interval, paired over passages. Reference points: the first of reference_families()
/// that the sweep has, at Q = 10, 15, 22, 38, or all its points where it has none of these; every
/// family of a single point (fp8); every setting of codecs that are always compared. Without a
/// reference family the one with most points serves. No rows when no family has two points. Cost:
/// 1,000 fits a row.
Table equal_kld_table(const ResultGroup& group);

/// For budgets of 0.5, 1, 2 and 5 % of perplexity: each family's highest compression of the whole
/// cache whose |delta-ppl| stays within, by three rules (mean + half width of the interval; the
/// isotonic fit of the means; as published, the mean alone), with the setting, its |delta-ppl| and
/// its rates; by the published rule also the advantage over the family `baseline` with the interval
/// of winner_advantage(), or "-" where it is "" or there are too few passages.
Table perplexity_budget_table(const ResultGroup& group, const std::string& baseline = "");

/// Pairs of settings of different families whose measured bits differ by at most 5 % and that are
/// each other's nearest: the four rates of both, the paired difference in KL divergence over common
/// passages, its p-value alone and Holm-corrected over the table, and the ratio with the difference
/// in rate taken out (KL divergence ~ 4^-bits).
Table equal_bits_table(const ResultGroup& group);

}  // namespace kakeya
