// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "kakeya/measure/attention_error.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// One row a codec of a dump with queries: measured bits and rel-MSE of its K and of its V, from
/// `results`, the relative MSE of attention outputs with both coded, and the layer where it is
/// largest; in the CSV of each layer. The note says what was computed, by which scale. No rows where
/// nothing was measured.
Table attention_table(const AttentionResult& attention, std::span<const SourceResult> results);

/// "No attention error of K and V of nano (d): why.": where nothing was measured.
std::string missing_attention_text(const AttentionResult& attention);

}  // namespace kakeya
