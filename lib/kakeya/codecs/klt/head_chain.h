// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/codecs/klt/chain_codec.h"
#include "kakeya/codecs/klt/exact_product.h"
#include "kakeya/core/rows.h"
#include "kakeya/entropy/readable_pages.h"
#include "kakeya/lattice/lattice.h"
#include "kakeya/profile/profile.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

/// From the vectors of a site to lattice points and back (klt.cpp says how): a Chain of chain_codec.h, a tile
/// at a time.
class HeadChain {
 public:
  struct Memory {
    Memory(const HeadChain& chain, std::size_t)
        : points{TileBuffer(chain.dim())}, other(chain.dim()) {}
    static constexpr std::size_t kMostVectors = kTileRows;
    std::array<TileBuffer, 1> points;
    TileBuffer other;  // what is multiplied
  };
  static constexpr char kRecord[] = "site", kAnother[] = "another site or step";
  static constexpr bool kMayOverflow = false;

  /// With `exact`, in whole numbers. Throws InputError where the transform has none (exact_product.h).
  HeadChain(const SiteTransform& transform, Lattice lattice, int fineness, bool exact);

  std::size_t dim() const { return mean_.size(); }
  std::size_t width() const { return dim(); }
  const std::vector<float>& mean() const { return mean_; }
  const std::vector<float>& negative_mean() const { return negative_; }
  const std::vector<float>& forward() const { return forward_; }
  const std::vector<float>& backward() const { return backward_; }
  const std::vector<std::uint8_t>& classes() const { return classes_; }
  const ExactProduct* exact() const { return exact_ ? &*exact_ : nullptr; }
  /// A coordinate of a point is at most 1 further out.
  float largest() const {
    constexpr int kHalfWhole = kLargestWhole / 2;
    return exact_ ? kHalfWhole - 1 : kLargestPoint;
  }
  /// Mean in float32, one matrix as it is stored, classes, and the step.
  std::size_t profile_bytes() const { return 4 * dim() + matrix_bytes_ + dim() + 2; }

  /// Bytes of the numbers that a copy has of its own.
  std::size_t held_bytes() const;

  void encode(Rows<const float> x, Memory& memory, float* largest) const;

  /// Leaves the points as they are.
  void decode(Memory& memory, Rows<float> x) const;

  /// Adds to `x` the vectors whose points add up to `points`, and their weights to `weight`.
  void restore_sum(std::span<const float> points, float weight, std::span<float> x) const;

  /// What points are to be multiplied with for the products of their vectors and a query, but for the product of
  /// the mean, which is returned.
  float turn_query(std::span<const float> query, std::span<float> turned) const;

 private:
  void to_coordinates(float* x, float* y) const;
  void from_points(const float* points, float* x) const;
  // Of point i, what a step of coordinate `to` of its vector is, but for scale_back(to).
  float back(std::size_t i, std::size_t to) const {
    return exact_ ? static_cast<float>(exact_->backward.at(i, to)) : backward_[i * dim() + to];
  }
  float scale_back(std::size_t to) const {
    return exact_ ? 2.0f * exact_->backward_scale[to] : 1.0f;
  }

  Lattice lattice_;
  std::optional<ExactProduct> exact_;
  std::size_t matrix_bytes_;
  std::vector<float> mean_, negative_, forward_, backward_;
  std::vector<std::uint8_t> classes_;
};

/// What codes the pages of a chain, by the key `pages`; null of pages=rans.
std::shared_ptr<const ReadablePages> readable_pages(const std::string& pages,
                                                    const std::vector<std::uint8_t>& classes,
                                                    Lattice lattice, Part part);

}  // namespace kakeya
