// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/packed_sums.h"

#include <algorithm>
#include <utility>

#include "kakeya/core/clones.h"
#include "kakeya/core/error.h"
#include "kakeya/core/float_lanes.h"

namespace kakeya {
namespace {

static_assert(kTileRows == kFloatLanes);

constexpr std::size_t kRoom = kTileRows * PackedSums::kMostTiles;

// What add() is given: points of tiles, weights of some queries and their sums.
struct Adding {
  const float* points;
  std::size_t tiles, dim;
  const float* weights;
  float* sums;
};

// kCoordinates from `i` on, whose sums stay in registers.
template <std::size_t kQueries, std::size_t kCoordinates>
KAKEYA_INLINE void add(const Adding& of, std::size_t i) {
  FloatLanes sums[kQueries][kCoordinates];
  for (std::size_t q = 0; q < kQueries; ++q) {
    for (std::size_t k = 0; k < kCoordinates; ++k)
      sums[q][k] = load_lanes(of.sums + (q * of.dim + i + k) * kTileRows);
  }
  for (std::size_t tile = 0; tile < of.tiles; ++tile) {
    FloatLanes weights[kQueries];
    for (std::size_t q = 0; q < kQueries; ++q)
      weights[q] = load_lanes(of.weights + q * kRoom + tile * kTileRows);
    for (std::size_t k = 0; k < kCoordinates; ++k) {
      const FloatLanes point = load_lanes(of.points + (tile * of.dim + i + k) * kTileRows);
      for (std::size_t q = 0; q < kQueries; ++q) sums[q][k] += weights[q] * point;
    }
  }
  for (std::size_t q = 0; q < kQueries; ++q) {
    for (std::size_t k = 0; k < kCoordinates; ++k)
      store_lanes(sums[q][k], of.sums + (q * of.dim + i + k) * kTileRows);
  }
}

template <std::size_t kQueries>
KAKEYA_INLINE void add_all(const Adding& of) {
  std::size_t i = 0;
  for (; i + 4 <= of.dim; i += 4) add<kQueries, 4>(of, i);
  for (; i < of.dim; ++i) add<kQueries, 1>(of, i);
}

KAKEYA_CLONES void add_tiles_of(Adding of, std::size_t queries) {
  const auto next = [&of](std::size_t taken) {
    of.weights += taken * kRoom;
    of.sums += taken * of.dim * kTileRows;
  };
  std::size_t q = 0;
  for (; q + 3 <= queries; q += 3, next(3)) add_all<3>(of);
  for (; q < queries; ++q, next(1)) add_all<1>(of);
}

// Products of kQueries with kTiles tiles, whose sums stay in registers. turned: [queries, dim].
template <std::size_t kQueries, std::size_t kTiles>
KAKEYA_INLINE void multiply(const float* points, std::size_t dim, const float* turned,
                            float* scores) {
  FloatLanes sums[kQueries][kTiles] = {};
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t tile = 0; tile < kTiles; ++tile) {
      const FloatLanes point = load_lanes(points + (tile * dim + i) * kTileRows);
      for (std::size_t q = 0; q < kQueries; ++q) sums[q][tile] += turned[q * dim + i] * point;
    }
  }
  for (std::size_t q = 0; q < kQueries; ++q) {
    for (std::size_t tile = 0; tile < kTiles; ++tile)
      store_lanes(sums[q][tile], scores + q * kRoom + tile * kTileRows);
  }
}

template <std::size_t kQueries>
KAKEYA_INLINE void multiply_all(const float* points, std::size_t tiles, std::size_t dim,
                                const float* turned, float* scores) {
  std::size_t tile = 0;
  for (; tile + 4 <= tiles; tile += 4)
    multiply<kQueries, 4>(points + tile * dim * kTileRows, dim, turned, scores + tile * kTileRows);
  for (; tile < tiles; ++tile)
    multiply<kQueries, 1>(points + tile * dim * kTileRows, dim, turned, scores + tile * kTileRows);
}

KAKEYA_CLONES void multiply_tiles_of(const float* points, std::size_t tiles, std::size_t dim,
                                     const float* turned, std::size_t queries, float* scores) {
  std::size_t q = 0;
  for (; q + 3 <= queries; q += 3)
    multiply_all<3>(points, tiles, dim, turned + q * dim, scores + q * kRoom);
  for (; q < queries; ++q)
    multiply_all<1>(points, tiles, dim, turned + q * dim, scores + q * kRoom);
}

float sum_of(const float* lanes) {
  float sum = 0;
  for (std::size_t r = 0; r < kTileRows; ++r) sum += lanes[r];
  return sum;
}

}  // namespace

PackedSums::PackedSums(std::size_t queries, std::size_t dim)
    : dim_(dim),
      points_(dim * kMostTiles),
      weights_(queries * kRoom),
      totals_(queries * kTileRows),
      sums_(queries * dim * kTileRows),
      vectors_(queries * dim) {}

void PackedSums::take_weights(Rows<const float> weights, std::size_t first, std::size_t count) {
  for (std::size_t q = 0; q < queries(); ++q) {
    float* const to = this->weights(q);
    std::copy_n(weights[q].begin() + static_cast<std::ptrdiff_t>(first), count, to);
    std::fill(to + count, to + kRoom, 0.0f);
  }
}

void PackedSums::add_tiles(std::size_t tiles) {
  add_tiles_of({points_.data(), tiles, dim_, weights_.data(), sums_.data()}, queries());
  for (std::size_t q = 0; q < queries(); ++q) {
    for (std::size_t t = 0; t < tiles * kTileRows; ++t)
      totals_[q * kTileRows + t % kTileRows] += weights(q)[t];
  }
}

void PackedSums::add_vector(std::size_t query, float weight, std::span<const float> x) {
  for (std::size_t i = 0; i < dim_; ++i) vectors_[query * dim_ + i] += weight * x[i];
}

std::vector<float> PackedSums::coordinates(std::size_t query) const {
  std::vector<float> sums(dim_);
  for (std::size_t i = 0; i < dim_; ++i) sums[i] = sum_of(&sums_[(query * dim_ + i) * kTileRows]);
  return sums;
}

float PackedSums::weight(std::size_t query) const { return sum_of(&totals_[query * kTileRows]); }

PackedScores::PackedScores(Rows<const float> queries, std::vector<float> turned,
                           std::vector<float> offsets)
    : queries_(queries),
      points_(queries.dim * kMostTiles),
      turned_(std::move(turned)),
      offsets_(std::move(offsets)),
      scores_(queries.count * kRoom) {}

void PackedScores::multiply_tiles(std::size_t tiles) {
  multiply_tiles_of(points_.data(), tiles, queries_.dim, turned_.data(), queries(), scores_.data());
}

void PackedScores::give(std::size_t count, std::size_t first, Rows<float> out) const {
  for (std::size_t q = 0; q < queries(); ++q) {
    for (std::size_t t = 0; t < count; ++t)
      out[q][first + t] = scores_[q * kRoom + t] + offsets_[q];
  }
}

void PackedScores::give_vector(std::span<const float> x, std::size_t at, Rows<float> out) const {
  for (std::size_t q = 0; q < queries(); ++q) {
    float sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += query(q)[i] * x[i];
    out[q][at] = sum;
  }
}

namespace {

[[noreturn]] void throw_of_page() {
  throw InputError("sums of a page of a codec without pages, expected those of a frame");
}
[[noreturn]] void throw_of_frame() {
  throw InputError("sums of a frame of a codec with pages, expected those of a page");
}

}  // namespace

void SummingCodec::add_page(const FrameView&, std::size_t, Rows<const float>, PackedSums&) const {
  throw_of_page();
}

void SummingCodec::add_frame(std::span<const std::byte>, Rows<const float>, PackedSums&) const {
  throw_of_frame();
}

void SummingCodec::score_page(const FrameView&, std::size_t, PackedScores&, Rows<float>) const {
  throw_of_page();
}

void SummingCodec::score_frame(std::span<const std::byte>, PackedScores&, Rows<float>) const {
  throw_of_frame();
}

}  // namespace kakeya
