// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <variant>

#include "kakeya/lattice/enumerate.h"
#include "kakeya/lattice/lattice.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

/// The points of a lattice with every |coordinate| <= q, numbered: D4Book, E8Book, or for the
/// integers coordinate + q.
class PointBook {
 public:
  PointBook(Lattice lattice, int q);

  Lattice lattice() const { return lattice_; }
  int q() const { return q_; }
  PointIndex count() const { return count_; }

  /// The numbers of the points of all 16 vectors of a tile: indices[vector * (dim / block) +
  /// block].
  void number(const float* tile, std::size_t dim, std::span<PointIndex> indices) const;

  /// The way back for vectors [0, vectors). Returns false when an index is not below count().
  bool points(std::span<const PointIndex> indices, std::size_t vectors, std::size_t dim,
              float* tile) const;

 private:
  Lattice lattice_;
  int q_;
  std::variant<std::monostate, D4Book, E8Book> book_;
  PointIndex count_;
};

}  // namespace kakeya
