// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// "development", "held-out", or "split not said".
std::string split_text(const SweepPlan& plan);

/// Where groups of the same model and mode are of different splits: a table for each such model and
/// mode with a row a setting that two of them have, and each group's passages, bits, KL divergence
/// (of dumps: rel-MSE of keys) and change of perplexity in columns of its own. Nothing is pooled.
std::vector<Table> splits_tables(std::span<const ResultGroup> groups);

/// Passages that groups of different splits have in common, a sentence each: the same text, cut the
/// same way into passages as long; and where groups of one model have other lines for the splits of a text.
std::vector<std::string> shared_between_splits(std::span<const ResultGroup> groups);

}  // namespace kakeya
