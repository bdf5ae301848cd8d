// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "kakeya/measure/measure_source.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// One row a source: what was drawn or taken, how much, and what bounds it.
Table sources_table(std::span<const SourceResult> results);

/// One row a codec: measured, nominal, codebook and entropy rate, rel-MSE, SQNR, effective bits, and the
/// gaps at the measured rate to every bound of the source; of K and V with queries the error of
/// attention outputs with both coded. In the CSV also where the written bits are.
Table points_table(const SourceResult& result);

/// One row a family of codecs (report/result_group.h) with two points or more: its gap to the white
/// Gaussian bound at 2, 3, 4, 5, 6 and 8 measured bits, interpolated between its own points, never
/// beyond them. No rows when no family reaches one of those rates.
Table equal_rate_table(const SourceResult& result);

/// One row a family, one column a source: that gap at 4 measured bits; of a family with one point the gap at its
/// own bits. Of no CSV: equal_rate_table()
/// has the cells.
Table gaps_table(std::span<const SourceResult> results);

}  // namespace kakeya
