// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "kakeya/report/document.h"
#include "kakeya/studies/published/equal_charge.h"

namespace kakeya {

/// Adds the equal-charge table and its chart to a report.
void add_equal_charges(Document& document, std::span<const EqualCharge> rows, std::size_t dim);

}  // namespace kakeya
