// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/entropy/field_costs.h"
#include "kakeya/lattice/quantise.h"
#include "kernels/klt.h"
#include "kernels/nearest.cuh"
#include "kernels/point_memory.cuh"
#include "kernels/warp.cuh"

// Nearest points of klt, and what they may cost.

namespace kakeya::kernels {
namespace {

/// The point nearest to y[0, 8), below 2^21 in magnitude, and the sum of slope * |coordinate|.
template <int kPoints>
__device__ __forceinline__ float nearest(float (&y)[8], const float* slope, float (&point)[8]) {
  if constexpr (kPoints == Klt::e8) {
    nearest_e8_by_residues(y, point);
  } else {
#pragma unroll
    for (int c = 0; c < 8; ++c) point[c] = round_half_even(y[c]);
  }
  float bound = 0.0f;  // any order and rounding will do (klt_settle)
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    bound = __fmaf_rn(slope[c], fabsf(point[c]), bound);
  }
  return bound;
}
/// The same, and twice the point.
template <int kPoints>
__device__ __forceinline__ float nearest(float (&y)[8], const float* slope,
                                         std::int32_t (&twice)[8]) {
  float point[8];
  const float bound = nearest<kPoints>(y, slope, point);
#pragma unroll
  for (int c = 0; c < 8; ++c) twice[c] = twice_of(point[c]);
  return bound;
}

/// Whether a page of fields keeps this lane's vector beside it: FieldCoder::most_bits().
__device__ __forceinline__ bool is_dear_in_fields(const Klt& codec, std::int64_t plan,
                                                  const PointMemory& vector) {
  const float* const bits = codec.field_bits + plan * klt_padded(codec.dim);
  std::uint64_t sum = 0;
  for (int i = 0; i < codec.dim; ++i) {
    const float size = fabsf(coordinate_of(static_cast<std::uint32_t>(vector.at(32 * i))));
    sum += most_number_bits(size, static_cast<int>(bits[i]));
  }
  return sum > codec.most_bits;
}

constexpr float kBeyond = 0x1p127f;  ///< more than any vector costs

}  // namespace
}  // namespace kakeya::kernels
