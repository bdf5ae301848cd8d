// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kakeya/report/document.h"
#include "kakeya/studies/published/derive.h"

namespace kakeya {

/// The report of re-derived tables, made but not written: how many cells of each verdict, the
/// statements that the record contradicts, then every table with its formulas. The same data give
/// the same bytes.
Document make_published_report(std::span<const DerivedTable> tables);

}  // namespace kakeya
