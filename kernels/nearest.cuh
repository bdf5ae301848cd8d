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
  for (int i = 0; i < 8; ++i) v[i] = v[i] * inverse_step + kShift;
  if (!(reach < bound + 0.5f)) {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = fminf(fmaxf(v[i], kShift - bound), kShift + bound);
  }
}

// A residue is t less its rounded value, and never -0, so that its sign says how to move.
__device__ __forceinline__ float residue_of(float t, float shifted) {
  return t + (kShift - shifted);
}
__device__ __forceinline__ float with_sign(float value, float sign) {
  return __uint_as_float(__float_as_uint(value) ^ (__float_as_uint(sign) & 0x80000000u));
}

__device__ __forceinline__ void nearest_d4(float* v, float inverse_step, float reach, float bound) {
  float t[8], most = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; k += 4) {
    float residue[4], largest = 0.0f;
    std::uint32_t parity = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      t[k + i] = v[k + i] * inverse_step;
      v[k + i] = t[k + i] + kShift;
      residue[i] = residue_of(t[k + i], v[k + i]);
      largest = fmaxf(largest, fabsf(residue[i]));
      parity ^= __float_as_uint(v[k + i]);
    }
    bool move = (parity & 1u) != 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const bool moved = move && fabsf(residue[i]) == largest;
      if (moved) v[k + i] += with_sign(1.0f, residue[i]);
      move = move && !moved;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) most = fmaxf(most, fabsf(v[k + i] - kShift));
  }
  if (!(reach < bound + 0.5f) || most > bound) {
    nearest_dn_in_box<4>(t, -bound, bound, v);
    nearest_dn_in_box<4>(t + 4, -bound, bound, v + 4);
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] += kShift;
  }
}

// nearest_e8_by_residues(). Returns the largest magnitude of a coordinate.
__device__ __forceinline__ float nearest_e8(const float* t, float* point) {
  float shifted[8], residue[8], sum = 0.0f, largest = 0.0f, smallest = 1.0f;
  std::uint32_t parity = 0, signs = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    shifted[i] = t[i] + kShift;
    residue[i] = residue_of(t[i], shifted[i]);
    parity ^= __float_as_uint(shifted[i]);
    signs ^= __float_as_uint(residue[i]);
    sum += fabsf(residue[i]);
    largest = fmaxf(largest, fabsf(residue[i]));
    smallest = fminf(smallest, fabsf(residue[i]));
  }
  const bool odd_integers = (parity & 1u) != 0, odd_halves = ((parity ^ signs >> 31) & 1u) != 0;
  const float integers = odd_integers ? largest - 0.5f : 0.0f;
  const float halves = odd_halves ? smallest : 0.0f;
  const bool take_halves = integers + halves < sum * 0.5f - 1.0f;
  const float target = take_halves ? smallest : largest;
  const float nearest = take_halves ? 0.5f : 0.0f, second = take_halves ? -0.5f : 1.0f;
  bool move = take_halves ? odd_halves : odd_integers;
  float most = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const bool moved = move && fabsf(residue[i]) == target;
    point[i] = (shifted[i] - kShift) + with_sign(moved ? second : nearest, residue[i]);
    move = move && !moved;
    most = fmaxf(most, fabsf(point[i]));
  }
  return most;
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

// Words of shared memory that a warp needs for 128 pieces.
constexpr int kSpareWords = 32 * kPieces * 8;
static_assert(kSpareWords * kThreads / 32 <= kSharedWords);

// A piece whose nearest point is not in the box waits in `spare` until the warp has all of these.
__device__ __forceinline__ void nearest_e8_of_lanes(float (&v)[kPieces][8], float inverse_step,
                                                    float reach, float bound, float* spare) {
  const unsigned below = (1u << (threadIdx.x & 31u)) - 1;
  float* mine[kPieces];
  unsigned outside = 0;
  int pieces = 0;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    float t[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) t[i] = v[c][i] * inverse_step;
    bool inside = nearest_e8(t, v[c]) <= bound;
    if (!(reach <= bound + 1.0f)) {
#pragma unroll
      for (int i = 0; i < 8; ++i) inside = inside && fabsf(t[i]) <= bound + 1.0f;
    }
    const unsigned lanes = __ballot_sync(kAll, !inside);
    mine[c] = spare + 8 * (pieces + __popc(lanes & below));
    pieces += __popc(lanes);
    if (!inside) {
      outside |= 1u << c;
      *reinterpret_cast<float4*>(mine[c]) = make_float4(t[0], t[1], t[2], t[3]);
      *reinterpret_cast<float4*>(mine[c] + 4) = make_float4(t[4], t[5], t[6], t[7]);
    }
  }
  if (pieces == 0) return;
  __syncwarp();
  nearest_e8_in_box_of_lanes(spare, pieces, bound);
  __syncwarp();
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    if ((outside >> c & 1u) == 0) continue;
#pragma unroll
    for (int i = 0; i < 8; ++i) v[c][i] = mine[c][i];
  }
}

// Points in the place of vectors; of tq and D4 each coordinate plus kShift. Overwrites
// shared.words.
template <int kLattice>
__device__ __forceinline__ void quantise(float (&v)[kPieces][8], const Plan& plan, int row,
                                         Shared& shared) {
  const float inverse_step = shared.inverse_step[row], bound = static_cast<float>(plan.q);
  const float reach = shared.largest[row] * inverse_step;
  if constexpr (kLattice == FixedRate::e8) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    float* spare = reinterpret_cast<float*>(shared.words) + kSpareWords * warp;
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
