// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/paged_points.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

// The dearest points there are: every coordinate escaped from the widest class.
TEST(PagedPoints, TheBoundHoldsForEscapesWithRawBits) {
  const std::size_t dim = 16, vectors = 2048, page = 1024;
  for (const Lattice lattice : {Lattice::z, Lattice::d4, Lattice::e8}) {
    const auto model = std::make_shared<const PointModel>(
        lattice, std::vector<CoordinateShape>{{16384.0, 0.0, 0.0}});
    const PagedFormat format{model, lattice, dim, page, false};
    TileBuffer tile(dim);
    std::fill_n(tile.data(), dim * kTileRows, 0x1p20f);
    PagedWriter writer(format, vectors);
    for (std::size_t first = 0; first < vectors; first += kTileRows) {
      writer.add(tile.data(), first);
    }
    EXPECT_LE(writer.classes().size() + writer.pages().size() + writer.streams().size(),
              format.bound(vectors));
  }
}

}  // namespace
}  // namespace kakeya
