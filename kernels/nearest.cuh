// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/lattice/quantise.h"
#include "kernels/rotated.cuh"

// Nearest points of a tile's rotated vectors, in their place.

namespace kakeya::kernels {
namespace {

// The points of the box nearest to the vectors times their inverse steps, in the place of these:
// quantise_block() of lattice/quantise.h, but where it has a short way and a long one, the long one
// is kept for the few pieces that need it.
//
// A rotated vector's largest coordinate is at most a little beyond the box, so that all t are within
// q + 1/2 and rounding stays inside. `reach` bounds |t|.
__device__ __forceinline__ void nearest_z(float* v, float inverse_step, float reach, float bound) {
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = round_half_even(v[i] * inverse_step);
  if (!(reach < bound + 0.5f)) {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = fminf(fmaxf(v[i], -bound), bound);
  }
}

__device__ __forceinline__ void nearest_d4(float* v, float inverse_step, float reach, float bound) {
  float t[8], point[8], most = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) t[i] = v[i] * inverse_step;
  nearest_dn<4>(t, point);
  nearest_dn<4>(t + 4, point + 4);
#pragma unroll
  for (int i = 0; i < 8; ++i) most = fmaxf(most, fabsf(point[i]));
  if (!(reach < bound + 0.5f) || most > bound) {
    nearest_dn_in_box<4>(t, -bound, bound, point);
    nearest_dn_in_box<4>(t + 4, -bound, bound, point + 4);
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = point[i];
}

// Coordinate `lane % 8` of nearest_dn_in_box<8>() of the eight lanes' `y`.
__device__ __forceinline__ float nearest_d8_of_lanes(float y, float low, float high) {
  const int first = static_cast<int>(threadIdx.x) & 24, lane = static_cast<int>(threadIdx.x) & 7;
  const float rounded = round_half_even(y);
  const float above = rounded < low ? low : rounded;
  float point = above > high ? high : above;
  const float residue = y - point;
  const float outward = residue < 0.0f ? -1.0f : 1.0f;
  const float moved = point + outward;
  const float low_step = moved < low ? 1.0f : outward;
  const float step = moved > high ? -1.0f : low_step;
  const float gain = residue * step;
  float best = gain;
#pragma unroll
  for (int bit = 1; bit < 8; bit *= 2) best = fmaxf(best, __shfl_xor_sync(kAll, best, bit));
  const unsigned odd = __ballot_sync(kAll, (static_cast<int>(point) & 1) != 0) >> first & 0xffu;
  const unsigned bests = __ballot_sync(kAll, gain == best) >> first & 0xffu;
  const bool chosen = lane == __ffs(bests) - 1;
  return chosen && (__popc(odd) & 1) != 0 ? point + step : point;
}

// squared_distance8() of eight lanes.
__device__ __forceinline__ float distance_of_lanes(float a, float b) {
  const int first = static_cast<int>(threadIdx.x) & 24;
  const float square = (a - b) * (a - b);
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += __shfl_sync(kAll, square, first + i);
  return sum;
}

// nearest_e8_in_box() of 32 pieces at most, four at a time, eight lanes each: in and out of `t`.
__device__ __forceinline__ void nearest_e8_in_box_of_lanes(float* t, int pieces, float bound) {
  const int lane = static_cast<int>(threadIdx.x) & 31;
  for (int first = 0; first < pieces; first += 4) {
    float* place = t + 8 * first + lane;
    const float y = *place;
    const float integers = nearest_d8_of_lanes(y, -bound, bound);
    const float halves = nearest_d8_of_lanes(y - 0.5f, -bound, bound - 1.0f) + 0.5f;
    *place = distance_of_lanes(y, integers) <= distance_of_lanes(y, halves) ? integers : halves;
  }
}

// `spare` is shared memory for 32 pieces of this warp.
__device__ __forceinline__ void nearest_e8_of_lanes(float (&v)[kPieces][8], float inverse_step,
                                                    float reach, float bound, float* spare) {
  unsigned outside = 0;  // pieces whose nearest point is not in the box
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    float point[8], most = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; ++i) v[c][i] *= inverse_step;
    nearest_e8_by_residues(v[c], point);
#pragma unroll
    for (int i = 0; i < 8; ++i) most = fmaxf(most, fabsf(point[i]));
    bool inside = most <= bound;
    if (!(reach <= bound + 1.0f)) {
#pragma unroll
      for (int i = 0; i < 8; ++i) inside = inside && fabsf(v[c][i]) <= bound + 1.0f;
    }
    if (!inside) outside |= 1u << c;
#pragma unroll
    for (int i = 0; i < 8; ++i) v[c][i] = inside ? point[i] : v[c][i];
  }
  // In each turn every lane hands in one such piece, if it has one.
  const int lane = static_cast<int>(threadIdx.x) & 31;
  for (unsigned lanes; (lanes = __ballot_sync(kAll, outside != 0)) != 0;) {
    float* mine = spare + 8 * __popc(lanes & ((1u << lane) - 1));
    const int turn = __ffs(outside) - 1;
    if (outside != 0) {
#pragma unroll
      for (int c = 0; c < kPieces; ++c) {
        if (c != turn) continue;
#pragma unroll
        for (int i = 0; i < 8; ++i) mine[i] = v[c][i];
      }
    }
    __syncwarp();
    nearest_e8_in_box_of_lanes(spare, __popc(lanes), bound);
    __syncwarp();
    if (outside != 0) {
#pragma unroll
      for (int c = 0; c < kPieces; ++c) {
        if (c != turn) continue;
#pragma unroll
        for (int i = 0; i < 8; ++i) v[c][i] = mine[i];
      }
      outside &= outside - 1;
    }
    __syncwarp();
  }
}

// Where the packed fields of a tile end at the latest, 88 bits each, and spare memory begins.
constexpr int kSpareWords = kPieces * kThreads * 88 / 32;
static_assert(kSpareWords + kThreads * 8 <= kSharedWords);

template <int kLattice>
__device__ __forceinline__ void quantise(float (&v)[kPieces][8], const Plan& plan, int row,
                                         Shared& shared) {
  const float inverse_step = shared.inverse_step[row], bound = static_cast<float>(plan.q);
  const float reach = shared.largest[row] * inverse_step;
  if constexpr (kLattice == FixedRate::e8) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    float* spare = reinterpret_cast<float*>(shared.words) + kSpareWords + warp * 32 * 8;
    nearest_e8_of_lanes(v, inverse_step, reach, bound, spare);
  } else {
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
      if constexpr (kLattice == FixedRate::z) {
        nearest_z(v[c], inverse_step, reach, bound);
      } else {
        nearest_d4(v[c], inverse_step, reach, bound);
      }
    }
  }
}

}  // namespace
}  // namespace kakeya::kernels
