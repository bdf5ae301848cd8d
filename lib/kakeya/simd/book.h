// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kakeya/lattice/enumerate.h"
#include "kakeya/lattice/lattice.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

/// The numbers of the points of a lattice with every |coordinate| <= bound, a tile at a time: those
/// of D4Book(bound) and E8Book(bound, bound), and for the integers coordinate + bound.
class TileBook {
 public:
  /// `bound` is in [1, 1023].
  TileBook(Lattice lattice, int bound);

  PointIndex count() const { return count_; }

  /// True when numbers take more than 64 bits, of which the upper ones then have an array of their
  /// own: count() > 2^64.
  bool has_high_words() const { return (count_ - 1) >> 64 != 0; }

  /// Writes the number of block b of vector r to low[16 b + r], and what is above 64 bits to
  /// high[16 b + r] unless `high` is null. The points lie in the box; `dim` is a multiple of the
  /// block.
  void number(const float* tile, std::size_t dim, std::uint64_t* low, std::uint64_t* high) const;

  /// The way back; `high` null stands for zeros. Returns false when a number is not below count():
  /// the tile then holds nothing of use.
  bool points(const std::uint64_t* low, const std::uint64_t* high, std::size_t dim,
              float* tile) const;

  /// What a digit and a pair, quad or octet of digits are multiplied and divided by.
  struct Radix {
    float radix, inverse, offset;         ///< digit = coordinate + offset
    double square, inverse_square;        ///< of the radix
    double fourth_double, octet_inverse;  ///< fourth, and 1 / fourth
    std::uint64_t fourth;                 ///< its fourth power
    /// What turns sums of coordinates into sums of digits: of a quad, of the upper quad of an
    /// octet, and into the index of a block (the number halved where that is even).
    double quad_base, upper_base, index_base;
    double inverse_fourth;  ///< 2^shift / fourth
  };
  /// Everything the kernels have to know.
  struct Constants {
    Lattice lattice;
    int bound;
    Radix kinds[2];         ///< of integer and of half-integer points
    PointIndex first_half;  ///< numbers of half-integer points follow those of integer points
    PointIndex count;
    double first_half_double;  ///< the same, exact if octets_in_double
    int shift;                 ///< leaves at most 53 bits of a number
    bool quads_in_float;       ///< radix^4 < 2^22
    bool octets_in_double;     ///< radix^8 < 2^51
  };

 private:
  Constants constants_;
  PointIndex count_;
};

}  // namespace kakeya
