// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kakeya/core/rows.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

struct FrameView;

// What attention makes of values is a sum of vectors times weights, and of keys their products with queries. Where
// a vector is a linear function of what is stored of it, x = factor z T + mean, with a factor for each vector, the sum
// of values is T of a sum of z, and the product of a key and q that of z and T q: T is applied once a query and not
// once a vector. Sums are added in another order than those of decoded vectors, which are rounded to bf16 besides.

/// Sums of vectors, as they are packed, for some queries.
class PackedSums {
 public:
  PackedSums(std::size_t queries, std::size_t dim);

  std::size_t queries() const { return vectors_.size() / dim_; }
  std::size_t dim() const { return dim_; }

  /// Room for the weights of kMostTiles tiles, [queries, 16 kMostTiles], and for their points, tile after tile.
  static constexpr std::size_t kMostTiles = 8;
  float* weights(std::size_t query) { return &weights_[query * kTileRows * kMostTiles]; }
  float* points(std::size_t tile) { return points_.data() + tile * dim_ * kTileRows; }

  /// Puts the weights of vectors [first, first + count) there, [queries, vectors]; zeros behind them.
  void take_weights(Rows<const float> weights, std::size_t first, std::size_t count);

  /// Adds those of the first `tiles` tiles, points times weights.
  void add_tiles(std::size_t tiles);

  /// Adds `weight` times a vector of which no points are stored.
  void add_vector(std::size_t query, float weight, std::span<const float> x);

  /// What the points of a query add up to, [dim]; what their weights do; and its other vectors, [dim].
  std::vector<float> coordinates(std::size_t query) const;
  float weight(std::size_t query) const;
  std::span<const float> vectors(std::size_t query) const {
    return std::span(vectors_).subspan(query * dim_, dim_);
  }

 private:
  std::size_t dim_;
  TileBuffer points_;
  std::vector<float> weights_, totals_, sums_,
      vectors_;  // totals: [queries, 16]; sums: [queries, dim, 16]
};

/// Products of vectors, as they are packed, with some queries.
class PackedScores {
 public:
  /// Of `queries`, [queries, dim], which must outlive it; `turned`: T q of each, [queries, dim]; `offsets`: the
  /// products of the mean.
  PackedScores(Rows<const float> queries, std::vector<float> turned, std::vector<float> offsets);

  std::size_t queries() const { return queries_.count; }
  std::span<const float> query(std::size_t query) const { return queries_[query]; }

  /// As in PackedSums; where products go, and with the offsets.
  static constexpr std::size_t kMostTiles = PackedSums::kMostTiles;
  float* points(std::size_t tile) { return points_.data() + tile * queries_.dim * kTileRows; }
  float* scores(std::size_t query) { return &scores_[query * kTileRows * kMostTiles]; }

  /// Products with the points of the first `tiles` tiles, without the offsets.
  void multiply_tiles(std::size_t tiles);

  /// Products of the first `count` of these vectors to out[query][first] and on, with the offsets.
  void give(std::size_t count, std::size_t first, Rows<float> out) const;

  /// out[query][at] = the product of a vector of which no points are stored.
  void give_vector(std::span<const float> x, std::size_t at, Rows<float> out) const;

 private:
  Rows<const float> queries_;
  TileBuffer points_;
  std::vector<float> turned_, offsets_, scores_;  // scores: [queries, 16 kMostTiles]
};

/// A codec whose vectors can be added up and multiplied so.
class SummingCodec {
 public:
  virtual ~SummingCodec() = default;

  /// Whether it can with its settings.
  virtual bool sums_packed() const = 0;

  /// Adds the vectors of page `page` of `view`, as Codec::recall_page() reads it, or of a codec without pages
  /// those of a frame, as Codec::recall(): vector t times weights[query][t]. Throws
  /// CorruptStream, and InputError where there are not as many weights as vectors.
  virtual void add_page(const FrameView& view, std::size_t page, Rows<const float> weights,
                        PackedSums& sums) const;
  virtual void add_frame(std::span<const std::byte> frame, Rows<const float> weights,
                         PackedSums& sums) const;

  /// Adds to out[query] what the sums are of.
  virtual void restore_sums(const PackedSums& sums, Rows<float> out) const = 0;

  /// Of these queries, [queries, dim], which must outlive it.
  virtual PackedScores packed_scores(Rows<const float> queries) const = 0;

  /// Writes the products of vector t of a page, or a frame, to out[query][t], as add_page() and add_frame() read them.
  virtual void score_page(const FrameView& view, std::size_t page, PackedScores& scores,
                          Rows<float> out) const;
  virtual void score_frame(std::span<const std::byte> frame, PackedScores& scores,
                           Rows<float> out) const;
};

}  // namespace kakeya
