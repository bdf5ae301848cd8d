// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kakeya/codec/key_bias.h"
#include "kakeya/codec/paged_points.h"
#include "kakeya/codec/scale_rules.h"

namespace kakeya {

/// What a scale is of. With `frame` there is none: the factor is the step.
enum class SharedBy { vector, page, frame };

/// What a codec of entropy-coded points with steps of their own does to vectors
/// (codecs/entropy_coded/entropy_coded.cpp), for those who do the same elsewhere: kernels. Points into
/// the codec.
///
///     y = R ((x - mean) signs)      z = the point of format->lattice nearest to y / (scale factor)
///     x = R z scale factor reconstruct signs + mean
///
/// R is the Hadamard transform, or nothing; means are those of the frame's first page, those that are
/// known, or nothing. Of
/// vectors that share a scale one may be kept in section "exact" beside its page, whose point is then 0.
struct StepPlan {
  const PagedFormat* format;  ///< a class for all coordinates or one for each, of the first page
  SharedBy scale;             ///< what shares one
  ScaleFormat scales;
  double factor, reconstruct;
  bool rotates, centres;
  std::span<const float> signs;  ///< [dim], or nothing
  std::size_t outliers;          ///< coordinates of a vector that are kept beside it
  const KnownCentre* known;      ///< of center=bias: the means, of one site; else null
};

/// A codec that has such a plan.
class StepCodec {
 public:
  virtual ~StepCodec() = default;
  virtual StepPlan step_plan() const = 0;
};

}  // namespace kakeya
