// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "kakeya/codec/paged_points.h"

namespace kakeya {

/// What klt of single heads does to the vectors of its site (codecs/klt/klt.cpp), for those who do the
/// same elsewhere: kernels. Points into the codec.
///
///     y = (x + negative_mean) forward      z = the point of format->lattice nearest to y
///     x = z backward + mean                sums in the order of multiply_tile() (simd/tile.h)
///
/// A vector is kept beside its page, in section "exact" as bfloat16, where a coordinate of y is above
/// `largest` or z may take more than 8 `kept_bytes` bits (DearVectors).
struct TransformPlan {
  std::span<const float> mean, negative_mean;  ///< [dim]
  std::span<const float> forward, backward;    ///< [dim, dim], row-major, in steps
  const PagedFormat* format;                   ///< with known_classes
  std::span<const std::byte> site;             ///< the section "site" of every frame
  float largest;
  std::size_t kept_bytes;
};

/// A codec that has such a plan.
class TransformCodec {
 public:
  virtual ~TransformCodec() = default;
  virtual TransformPlan transform_plan() const = 0;
};

}  // namespace kakeya
