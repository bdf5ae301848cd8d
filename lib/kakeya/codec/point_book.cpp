// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/point_book.h"

namespace kakeya {
namespace {

template <typename Book>
void number_blocks(const Book& book, const float* tile, std::size_t dim,
                   std::span<PointIndex> indices) {
  constexpr std::size_t kBlock = Book::kDim;
  const std::size_t blocks = dim / kBlock;
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t b = 0; b < blocks; ++b) {
      float point[kBlock];
      for (std::size_t i = 0; i < kBlock; ++i) point[i] = tile[(b * kBlock + i) * kTileRows + r];
      indices[r * blocks + b] = book.index(point);
    }
  }
}

template <typename Book>
void write_points(const Book& book, std::span<const PointIndex> indices, std::size_t vectors,
                  std::size_t dim, float* tile) {
  constexpr std::size_t kBlock = Book::kDim;
  const std::size_t blocks = dim / kBlock;
  for (std::size_t r = 0; r < vectors; ++r) {
    for (std::size_t b = 0; b < blocks; ++b) {
      float point[kBlock];
      book.point(indices[r * blocks + b], point);
      for (std::size_t i = 0; i < kBlock; ++i) tile[(b * kBlock + i) * kTileRows + r] = point[i];
    }
  }
}

}  // namespace

PointBook::PointBook(Lattice lattice, int q)
    : lattice_(lattice), q_(q), count_(static_cast<PointIndex>(2 * q + 1)) {
  if (lattice == Lattice::d4) count_ = book_.emplace<D4Book>(q).count();
  if (lattice == Lattice::e8) count_ = book_.emplace<E8Book>(q, q).count();
}

void PointBook::number(const float* tile, std::size_t dim, std::span<PointIndex> indices) const {
  if (const auto* d4 = std::get_if<D4Book>(&book_)) return number_blocks(*d4, tile, dim, indices);
  if (const auto* e8 = std::get_if<E8Book>(&book_)) return number_blocks(*e8, tile, dim, indices);
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t i = 0; i < dim; ++i) {
      indices[r * dim + i] =
          static_cast<PointIndex>(static_cast<int>(tile[i * kTileRows + r]) + q_);
    }
  }
}

bool PointBook::points(std::span<const PointIndex> indices, std::size_t vectors, std::size_t dim,
                       float* tile) const {
  const std::size_t used = vectors * dim / static_cast<std::size_t>(block_length(lattice_));
  bool valid = true;
  for (const PointIndex index : indices.first(used)) valid &= index < count_;
  if (!valid) return false;
  if (const auto* d4 = std::get_if<D4Book>(&book_)) {
    write_points(*d4, indices, vectors, dim, tile);
  } else if (const auto* e8 = std::get_if<E8Book>(&book_)) {
    write_points(*e8, indices, vectors, dim, tile);
  } else {
    for (std::size_t r = 0; r < vectors; ++r) {
      for (std::size_t i = 0; i < dim; ++i) {
        tile[i * kTileRows + r] = static_cast<float>(static_cast<int>(indices[r * dim + i]) - q_);
      }
    }
  }
  return true;
}

}  // namespace kakeya
