// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/measure/grid.h"
#include "kakeya/measure/sweep.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// Prints what a sweep would measure: its plan, and every codec; as JSON where `json`.
void print_plan(const SweepPlan& plan, const std::vector<GridCell>& grid,
                const std::vector<std::string>& modes, int first_passage, int passages, bool json);

/// Prints where the results are, what was done and a compact table of means over the passages
/// stored, of a shard what others have measured too; as JSON where `json`. `written`: the shards whose
/// files they are in, `shard` itself or its parts.
void print_summary(const std::string& folder, const SweepOutcome& outcome,
                   const StoredResults& results, const Shard& shard,
                   const std::vector<Shard>& written, bool json);

}  // namespace kakeya
