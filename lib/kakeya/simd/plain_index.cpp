// SPDX-License-Identifier: Apache-2.0
// Numbers of points, block by block, from the books of lattice/enumerate.h: the portable target,
// and the oracle of the others' tests.
#include "kakeya/lattice/enumerate.h"
#include "kakeya/simd/kernels.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

// The integers with the members of a book.
class ZBook {
 public:
  static constexpr int kDim = 1;
  explicit ZBook(int bound) : bound_(bound) {}
  PointIndex index(const float* point) const {
    return static_cast<PointIndex>(static_cast<int>(point[0]) + bound_);
  }
  void point(PointIndex index, float* point) const {
    point[0] = static_cast<float>(static_cast<int>(index) - bound_);
  }

 private:
  int bound_;
};

template <typename Book>
void number_with(const Book& book, const float* tile, std::size_t dim, std::uint64_t* low,
                 std::uint64_t* high) {
  constexpr std::size_t kBlock = Book::kDim;
  for (std::size_t place = 0; place < dim / kBlock * kTileRows; ++place) {
    const float* coordinate = tile + place / kTileRows * kBlock * kTileRows + place % kTileRows;
    float point[kBlock];
    for (std::size_t i = 0; i < kBlock; ++i) point[i] = coordinate[i * kTileRows];
    const PointIndex index = book.index(point);
    low[place] = static_cast<std::uint64_t>(index);
    if (high != nullptr) high[place] = static_cast<std::uint64_t>(index >> 64);
  }
}

template <typename Book>
bool points_with(const Book& book, PointIndex count, const std::uint64_t* low,
                 const std::uint64_t* high, std::size_t dim, float* tile) {
  constexpr std::size_t kBlock = Book::kDim;
  for (std::size_t place = 0; place < dim / kBlock * kTileRows; ++place) {
    PointIndex index = low[place];
    if (high != nullptr) index |= static_cast<PointIndex>(high[place]) << 64;
    if (index >= count) return false;
    float* coordinate = tile + place / kTileRows * kBlock * kTileRows + place % kTileRows;
    float point[kBlock];
    book.point(index, point);
    for (std::size_t i = 0; i < kBlock; ++i) coordinate[i * kTileRows] = point[i];
  }
  return true;
}

void number(const TileBook::Constants& book, const float* tile, std::size_t dim, std::uint64_t* low,
            std::uint64_t* high) {
  switch (book.lattice) {
    case Lattice::z:
      return number_with(ZBook(book.bound), tile, dim, low, high);
    case Lattice::d4:
      return number_with(D4Book(book.bound), tile, dim, low, high);
    case Lattice::e8:
      return number_with(E8Book(book.bound, book.bound), tile, dim, low, high);
    case Lattice::trellis:  // has no book
      break;
  }
}

bool points(const TileBook::Constants& book, const std::uint64_t* low, const std::uint64_t* high,
            std::size_t dim, float* tile) {
  switch (book.lattice) {
    case Lattice::z:
      return points_with(ZBook(book.bound), book.count, low, high, dim, tile);
    case Lattice::d4:
      return points_with(D4Book(book.bound), book.count, low, high, dim, tile);
    case Lattice::e8:
    case Lattice::trellis:  // has no book
      break;
  }
  return points_with(E8Book(book.bound, book.bound), book.count, low, high, dim, tile);
}

}  // namespace

IndexKernels plain_index_kernels() { return {number, points}; }

}  // namespace kakeya
