// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kakeya/studies/published/record.h"
#include "kakeya/studies/published/tables.h"
#include "kakeya/studies/published/verdict.h"

namespace kakeya {

/// A published cell beside ours.
struct DerivedCell {
  std::size_t row = 0, column = 0;
  std::string published;
  std::vector<FormulaValue> ours;  ///< one a part
  Verdict verdict = Verdict::no_data;
  std::string ours_text() const { return in_digits_of(published, ours); }
};

/// A table with every cell computed.
struct DerivedTable {
  const PublishedTable* table = nullptr;
  std::vector<DerivedCell> cells;  ///< row by row; those that were published
  std::vector<DerivedCell> ours;   ///< those of columns that nobody published: not judged
};

/// How many cells of each verdict, and tables that have any.
struct VerdictCounts {
  std::size_t tables = 0, cells = 0, reproduces = 0, rounding = 0, differs = 0, no_data = 0;
};

/// Computes every cell. The result points into `tables`. Throws InputError naming table, row and
/// column where a formula is wrong, or where a `$name` of the table is never used.
std::vector<DerivedTable> derive(std::span<const PublishedTable> tables,
                                 const PublishedRecord& record);

/// Of what was published as cells, or (`claims`) of the tables of claims in words alone.
VerdictCounts count_verdicts(std::span<const DerivedTable> tables, bool claims = false);

}  // namespace kakeya
