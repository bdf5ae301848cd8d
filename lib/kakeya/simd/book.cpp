// SPDX-License-Identifier: Apache-2.0
#include "kakeya/simd/book.h"

#include <algorithm>
#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/simd/kernels.h"

namespace kakeya {
namespace {

PointIndex power(int radix, int exponent) {
  PointIndex product = 1;
  for (int i = 0; i < exponent; ++i) product *= static_cast<PointIndex>(radix);
  return product;
}

TileBook::Radix radix_constants(int radix, double offset, int shift) {
  const double number = radix, square = number * number;
  const PointIndex fourth = power(radix, 4);
  TileBook::Radix all{};
  all.radix = static_cast<float>(number);
  all.inverse = static_cast<float>(1.0 / number);
  all.offset = static_cast<float>(offset);
  all.square = square;
  all.inverse_square = 1.0 / square;
  all.fourth = static_cast<std::uint64_t>(fourth);
  all.fourth_double = square * square;
  all.octet_inverse = 1.0 / all.fourth_double;
  all.inverse_fourth = std::ldexp(all.octet_inverse, shift);
  all.quad_base = (all.fourth_double - 1) / 2;
  return all;
}

TileBook::Constants constants_of(Lattice lattice, int bound) {
  const int integers = 2 * bound + 1, halves = 2 * bound;
  TileBook::Constants all{};
  all.lattice = lattice;
  all.bound = bound;
  all.first_half = (power(integers, block_length(lattice)) + 1) / 2;
  if (lattice == Lattice::z) all.first_half = static_cast<PointIndex>(integers);
  all.first_half_double = static_cast<double>(all.first_half);
  all.count = all.first_half;
  if (lattice == Lattice::e8) all.count += power(halves, 8) / 2;
  all.quads_in_float = power(integers, 4) >> 22 == 0;
  all.octets_in_double = power(integers, 8) >> 51 == 0;
  all.shift = std::max(0, index_bits(2 * all.count) - 53);
  all.kinds[0] = radix_constants(integers, bound, all.shift);
  all.kinds[1] = radix_constants(halves, bound - 0.5, all.shift);
  TileBook::Radix &integer = all.kinds[0], &half = all.kinds[1];
  integer.upper_base = integer.quad_base;
  half.upper_base = (half.square * halves - 1) / 2;  // the last digit is halved and as it is
  const auto octet_base = [](const TileBook::Radix& kind) {
    return kind.quad_base + kind.fourth_double * kind.upper_base;
  };
  integer.index_base = (lattice == Lattice::e8 ? octet_base(integer) : integer.quad_base) / 2;
  half.index_base = octet_base(half) + all.first_half_double;
  return all;
}

}  // namespace

TileBook::TileBook(Lattice lattice, int bound)
    : constants_(constants_of(lattice, bound)), count_(constants_.count) {
  if (lattice == Lattice::trellis) throw InputError("book: expected Z, D4 or E8, not the trellis");
}

void TileBook::number(const float* tile, std::size_t dim, std::uint64_t* low,
                      std::uint64_t* high) const {
  kernels_in_use().index.number(constants_, tile, dim, low, high);
}

bool TileBook::points(const std::uint64_t* low, const std::uint64_t* high, std::size_t dim,
                      float* tile) const {
  return kernels_in_use().index.points(constants_, low, high, dim, tile);
}

}  // namespace kakeya
