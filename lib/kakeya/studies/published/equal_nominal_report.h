// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "kakeya/report/document.h"
#include "kakeya/studies/published/equal_nominal.h"

namespace kakeya {

/// Adds the tables at equal nominal bits and their chart to a report.
void add_equal_nominal_bits(Document& document, std::span<const EqualNominal> rows,
                            std::size_t dim);

}  // namespace kakeya
