// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kakeya/entropy/field_format.h"

namespace kakeya {

/// The median of each of the first `dim` coordinates, half of its numbers on either side, at most 127 from 0: what
/// shifted groups subtract, of pages of tiles too.
std::vector<std::int8_t> page_medians(const FieldBlock& page, std::size_t dim);

/// The header with which a page takes the fewest bytes, its entries charged (field_lists.h), as far as
/// this search goes: codes and shifts by counting what each code leaves to lists of the best entries;
/// then lists and their entries by counting distances. The same on every machine.
FieldHeader choose_fields(const FieldBlock& page, std::size_t dim);

}  // namespace kakeya
