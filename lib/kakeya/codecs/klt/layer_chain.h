// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/codec/transform_codec.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/core/rows.h"
#include "kakeya/lattice/lattice.h"
#include "kakeya/profile/profile.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

class LayerChain;

/// Memory for so many tokens, or for kMostVectors where that is fewer, which go through the matrices
/// together: these are larger than caches are.
struct TokenTiles {
  TokenTiles(const LayerChain& chain, std::size_t tokens);

  static constexpr std::size_t kMostTiles = 4, kMostVectors = kMostTiles * kTileRows;

  using Tiles = std::vector<TileBuffer>;
  Tiles points;                ///< lattice points of all groups, one after another
  Tiles one, two, three;       ///< of one group each
  std::vector<Tiles> decoded;  ///< w of the last groups, or of all: [group % decoded.size()]
};

/// How a group is coded where not by its profile: the predictors of LayerTransform and its rotation in
/// float32, and of each of its n coordinates v what the profile says of its own.
struct GroupCoding {
  std::vector<float> predictor;         ///< [order * n, n]; or none: as before
  std::vector<float> offset;            ///< [n], added to what is predicted
  std::vector<float> rotation;          ///< [n, n]
  std::vector<std::int8_t> deviations;  ///< [n], as LayerTransform::deviations
  std::vector<std::uint8_t> classes;    ///< [n], as SiteTransform::classes
};

/// From the keys and values of tokens in consecutive layers to lattice points and back, group of
/// layers by group, each predicted from those before (Profile, LayerTransform; klt_layers.cpp says
/// how): a Chain of chain_codec.h.
class LayerChain {
 public:
  using Memory = TokenTiles;
  static constexpr char kRecord[] = "layers", kAnother[] = "other layers or another step";
  /// Points that no encoder wrote may add up to anything over many predicted layers.
  static constexpr bool kMayOverflow = true;

  /// `layers` are whole groups of the profile; `order` groups predict the next, fewer the first
  /// ones; the common step is step_of_fineness(fineness).
  LayerChain(const Profile& profile, const KltChoice& choice, LayerRange layers, int order,
             int fineness);

  /// Coordinates of a token in one group, and in all of them.
  std::size_t width() const { return width_; }
  std::size_t dim() const { return width_ * groups_.size(); }

  std::size_t head_dim() const { return head_dim_; }
  /// Codes group `index` in another way from now on, with as many predictors as before.
  void recode(std::size_t index, const GroupCoding& coding);

  /// From now on `decoded` of TokenTiles has what was decoded of every group, not of the last ones.
  void keep_decoded() { kept_groups_ = groups_.size(); }
  std::size_t kept_groups() const { return kept_groups_; }

  /// Its groups, for those who do the same elsewhere. Points into this object.
  std::vector<LayersPlan::Group> plans() const;

  /// The class of every coordinate's points among those of klt_model().
  std::vector<std::uint8_t> classes() const;

  /// Bytes of means in float32, matrices as they are stored, deviations, classes and octaves.
  std::size_t profile_bytes() const;

  /// Bytes of the numbers that a copy has of its own.
  std::size_t held_bytes() const;

  /// u of group `index` of up to sixteen tokens, a tile of width(); `in` has room for another.
  void head_coordinates(std::size_t index, Rows<const float> tokens, float* in, float* u) const;

  /// Fills tiles.points from tokens, as many as there is memory for at most, finite, and the
  /// largest magnitude that each has as coordinate of a point: tokens that have more than 2^20
  /// there, or NaN, have no points.
  void encode(Rows<const float> x, TokenTiles& tiles, float* largest) const;

  /// The tokens whose points `tiles` holds: as many as `x` has rows.
  void decode(TokenTiles& tiles, Rows<float> x) const;

 private:
  // [rows, columns] in panels of eight columns, each read from first to last.
  struct Matrix {
    std::size_t rows = 0, columns = 0;
    std::vector<float> panels;  // [columns / 8][rows][8]
  };
  struct Group {
    std::size_t order = 0, matrix_bytes = 0;
    std::vector<float> mean, negative_mean;             // [width]
    std::vector<std::vector<float>> forward, backward;  // [layer, head of K, then of V][dim, dim]
    std::vector<Matrix> predictors;                     // [order] of [width, width]
    std::vector<float> offset;                          // [width], or none: zeros
    Matrix analysis, synthesis;                         // [width, width], to steps and back
    std::vector<std::uint8_t> classes;
  };

  static Matrix in_panels(const std::vector<float>& values, std::size_t columns);
  static void multiply(const TokenTiles::Tiles& x, std::size_t from, const Matrix& matrix,
                       TokenTiles::Tiles& product, std::size_t to, std::size_t tiles);

  void add_heads(const Profile& profile, const KltChoice& choice, int layer, Group& group) const;
  void set_predictors(const std::vector<float>& predictor, Group& group) const;
  void add_rotation(const Profile& profile, const KltChoice& choice, const LayerTransform& made,
                    Group& group) const;
  // Of a rotation, deviations and the shaping of their steps, as classes in the profile's terms.
  void set_rotation(std::vector<float> rotation, std::span<const std::int8_t> deviations,
                    std::span<const std::uint8_t> classes, Group& group) const;

  // w of group `index` from its points and what was decoded before it, which the prediction in
  // tiles.three is made of.
  void predict(std::size_t index, std::size_t tiles, TokenTiles& memory) const;
  void close_loop(std::size_t index, std::size_t tiles, TokenTiles& memory) const;

  std::size_t layers_of_group_, width_, head_dim_;
  std::size_t kept_groups_ = kMostOrder + 1;
  Lattice lattice_;
  double shaping_;
  int fineness_;
  std::vector<Group> groups_;
};

}  // namespace kakeya
