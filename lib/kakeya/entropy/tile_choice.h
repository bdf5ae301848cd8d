// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/entropy/tile_format.h"

namespace kakeya {

/// The header that a page is written with: widths, shifts and bits of entries with which it takes the least
/// sum of bits and of kTileCharge for each entry. Distances are counted from the beginning of each group.
TileHeader choose_tiles(const FieldBlock& page, FieldOrder order, std::size_t dim);

}  // namespace kakeya
