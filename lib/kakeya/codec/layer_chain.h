// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kakeya/codec/klt_plan.h"
#include "kakeya/core/rows.h"
#include "kakeya/lattice/lattice.h"
#include "kakeya/profile/profile.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

class LayerChain;

/// Memory for sixteen tokens.
struct TokenTile {
  explicit TokenTile(const LayerChain& chain);

  TileBuffer points;                ///< lattice points of all layers, one after another
  TileBuffer one, two, three;       ///< of one layer each
  std::vector<TileBuffer> decoded;  ///< w of the last layers, [layer % (kMostOrder + 1)]
};

/// From the keys and values of a token in consecutive layers to lattice points and back, layer by
/// layer, each predicted from those before (Profile, LayerTransform; klt_layers.cpp says how).
class LayerChain {
 public:
  /// `order` layers predict the next, fewer the first ones; `rate`: which of kLayerRates; the step
  /// is step_of_fineness(fineness).
  LayerChain(const Profile& profile, const KltChoice& choice, LayerRange layers, int order,
             int fineness, std::size_t rate);

  /// Coordinates of a token in one layer, and in all of them.
  std::size_t width() const { return width_; }
  std::size_t dim() const { return width_ * layers_.size(); }

  /// The class of every coordinate's points among those of klt_model().
  std::vector<std::uint8_t> classes() const;

  /// Bytes of means in float32, matrices as they are stored, classes and octaves.
  std::size_t profile_bytes() const;

  /// Fills tile.points from at most 16 tokens, finite, and the largest magnitude that each has as
  /// coordinate of a point: rows that have more than 2^20 there, or NaN, have no points.
  void encode(Rows<const float> x, TokenTile& tile, float* largest) const;

  /// The tokens whose points `tile` holds: as many as `x` has rows, at most 16.
  void decode(TokenTile& tile, Rows<float> x) const;

 private:
  struct Layer {
    std::size_t order = 0, matrix_bytes = 0;
    std::vector<float> mean, negative_mean;             // [width]
    std::vector<std::vector<float>> forward, backward;  // [head of K, then of V][dim, dim]
    std::vector<std::vector<float>> predictors;         // [order][width, width]
    std::vector<float> analysis, synthesis;             // [width, width]
    std::vector<std::uint8_t> classes;
  };

  // w of layer `index` from its points and what was decoded before it, which the prediction in
  // tile.three is made of.
  void predict(std::size_t index, TokenTile& tile) const;
  void close_loop(std::size_t index, TokenTile& tile) const;

  std::size_t width_, head_dim_;
  Lattice lattice_;
  std::vector<Layer> layers_;
};

}  // namespace kakeya
