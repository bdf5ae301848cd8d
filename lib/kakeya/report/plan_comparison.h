// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/report/against_baseline.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// Every plan of one family of codecs against that family without a plan, at equal measured bits:
/// compare_with_baseline() of the plans' samples and the family's, passage by passage, Holm-corrected
/// over the plans of a family. No rows where there is no plan, where a plan has several families, and
/// of coded bits where it codes other layers than they do.
Table plan_comparison_table(const ResultGroup& group, const ComparisonOptions& options);

}  // namespace kakeya
