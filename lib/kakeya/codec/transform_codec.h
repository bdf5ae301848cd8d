// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kakeya/codec/paged_points.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

/// The largest magnitude of whole numbers that are two signed digits of base 256.
inline constexpr int kLargestWhole = 127 * 257;

/// A transform in whole numbers, none above kLargestWhole, whose sums are exact (codecs/klt/exact_product.h).
struct ExactProduct {
  WholeMatrix forward;   ///< [dim, dim], 8 bits
  WholeMatrix backward;  ///< [dim, dim], 16 bits
  std::vector<float> to_whole;                       ///< [dim], powers of two
  std::vector<float> forward_scale, backward_scale;  ///< [dim], in steps; and for twice a point
};

/// What klt of single heads does to the vectors of its site (codecs/klt/klt.cpp), for those who do the
/// same elsewhere: kernels. Points into the codec.
///
///     y = (x + negative_mean) forward      z = the point of format->lattice nearest to y
///     x = z backward + mean                sums in the order of multiply_tile() (simd/tile.h)
///
/// With `exact`, sums in whole numbers (multiply_whole_tile()) take the place of both matrices:
///
///     y = ((x + negative_mean) to_whole) exact->forward times forward_scale
///     x = (2 z) exact->backward times backward_scale + mean
///
/// A vector is kept beside its page, in section "exact" as bfloat16, where a coordinate of y is above
/// `largest` or z may take more than 8 `kept_bytes` bits (DearVectors), or, with `exact`, where a
/// coordinate that is to be rounded is above kLargestWhole. A frame with 2 z above it is damaged.
struct TransformPlan {
  std::span<const float> mean, negative_mean;  ///< [dim]
  std::span<const float> forward, backward;    ///< [dim, dim], row-major, in steps
  const PagedFormat* format;                   ///< with known_classes
  std::span<const std::byte> site;             ///< the section "site" of every frame
  float largest;
  std::size_t kept_bytes;
  const ExactProduct* exact;  ///< or null
};

/// A codec that has such a plan.
class TransformCodec {
 public:
  virtual ~TransformCodec() = default;
  virtual TransformPlan transform_plan() const = 0;
};

}  // namespace kakeya
