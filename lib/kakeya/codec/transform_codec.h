// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "kakeya/codec/paged_points.h"

namespace kakeya {

// What klt does to its vectors, for those who do the same elsewhere: kernels. Spans point into the
// codec. Sums have the order of multiply_tile() (simd/tile.h).

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
struct TransformPlan : TransformFrames {
  std::span<const float> mean, negative_mean;  ///< [dim]
  std::span<const float> forward, backward;    ///< [dim, dim], row-major, in steps
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
