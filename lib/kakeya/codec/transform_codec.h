// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "kakeya/codec/paged_points.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

/// The largest magnitude of whole numbers that are two signed digits of base 256.
inline constexpr int kLargestWhole = 127 * 257;

/// A transform in whole numbers, none above kLargestWhole, whose sums are exact (codecs/klt/exact_product.h).
struct ExactProduct {
  WholeMatrix forward;                               ///< [dim, dim], 8 bits
  WholeMatrix backward;                              ///< [dim, dim], 16 bits
  std::vector<float> to_whole;                       ///< [dim], powers of two
  std::vector<float> forward_scale, backward_scale;  ///< [dim], in steps; and for twice a point
};

// What klt does to its vectors, for those who do the same elsewhere: kernels. Spans point into the
// codec. Sums have the order of multiply_tile() (simd/tile.h), where they are not exact.

/// A vector is kept beside its page, in section "exact" as bfloat16, where a coordinate is above
/// `largest` before it is rounded, or where its point may take more than 8 `kept_bytes` bits
/// (DearVectors).
struct TransformFrames {
  const PagedFormat* format;          ///< with known_classes
  std::string_view record_name;       ///< the first section of every frame,
  std::span<const std::byte> record;  ///< and what it is
  float largest;
  std::size_t kept_bytes;
};

/// Of single heads (codecs/klt/klt.cpp):
///
///     y = (x + negative_mean) forward      z = the point of format->lattice nearest to y
///     x = z backward + mean
///
/// With `exact`, sums in whole numbers (multiply_whole_tile()) take the place of both matrices:
///
///     y = ((x + negative_mean) to_whole) exact->forward times forward_scale
///     x = (2 z) exact->backward times backward_scale + mean
///
/// A vector is kept then, too, where a coordinate that is to be rounded is above kLargestWhole. A frame
/// with 2 z above it is damaged.
struct TransformPlan : TransformFrames {
  std::span<const float> mean, negative_mean;  ///< [dim]
  std::span<const float> forward, backward;    ///< [dim, dim], row-major, in steps
  const ExactProduct* exact;                   ///< or null
};

/// Of whole layers (codecs/klt/layer_chain.h), group after group. With w what was decoded of the groups
/// before, the last first, and p = w[0] predictors[0] + w[1] predictors[1]:
///
///     u = (x + negative_mean) forward - p      z = the point nearest to u analysis
///     w = z synthesis + p                      x = w backward + mean
struct LayersPlan : TransformFrames {
  /// [width, width], in panels of kPanel columns, each row after row.
  using Panels = std::span<const float>;
  static constexpr std::size_t kPanel = 8;

  struct Group {
    std::span<const float> mean, negative_mean;             ///< [width]
    std::vector<std::span<const float>> forward, backward;  ///< each [head_dim, head_dim]
    std::vector<Panels> predictors;
    Panels analysis, synthesis;
  };
  std::size_t head_dim, width;  ///< of a head, of a group
  std::vector<Group> groups;
};

/// A codec that has one of these plans.
class TransformCodec {
 public:
  virtual ~TransformCodec() = default;
  virtual TransformPlan transform_plan() const = 0;
};
class LayersCodec {
 public:
  virtual ~LayersCodec() = default;
  virtual LayersPlan layers_plan() const = 0;
};

}  // namespace kakeya
