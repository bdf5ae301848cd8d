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

// Three at once are one instruction.
__device__ __forceinline__ std::uint32_t parity_of(const float* three) {
  return __float_as_uint(three[0]) ^ __float_as_uint(three[1]) ^ __float_as_uint(three[2]);
}

// The first coordinate whose residue is `target` in magnitude, from kTiny on, goes to its other
// neighbour: by the sign of its residue, or against it. What is added is about 1 and rounded to 1.
constexpr float kTiny = 0x1p-100f;
template <int kCount>
__device__ __forceinline__ void move_first(float* shifted, const float* residue, float target,
                                           bool against, bool move) {
  const float inverse = rough_inverse(target);
  const float factor = against ? -inverse : inverse;
  if (!move) target = -1.0f;  // no magnitude
  bool found = false;
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    const bool moved = !found && fabsf(residue[i]) == target;
    if (moved) shifted[i] = __fmaf_rn(residue[i], factor, shifted[i]);
    found = found || moved;
  }
}

// A coordinate leaves the box only when it moves outwards, and then its residue, the largest, is what
// it is beyond `bound` already. Returns false where that may be; then only `t`, the vectors times
// their inverse steps, is of use.
__device__ __forceinline__ bool nearest_d4_inside(float* v, float inverse_step, float reach,
                                                  float bound, float (&t)[8]) {
  bool boxed = !(reach < bound + 0.5f);
  const float least = fmaxf(reach - bound, kTiny);
#pragma unroll
  for (int k = 0; k < 8; k += 4) {
    float residue[4], largest = 0.0f;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      t[k + i] = v[k + i] * inverse_step;
      v[k + i] = t[k + i] + kShift;
      residue[i] = residue_of(t[k + i], v[k + i]);
      largest = i == 0 ? fabsf(residue[0]) : fmaxf(largest, fabsf(residue[i]));
    }
    const std::uint32_t parity = parity_of(v + k) ^ __float_as_uint(v[k + 3]);
    const bool odd = (parity & 1u) != 0;
    move_first<4>(v + k, residue, largest, false, odd);
    boxed = boxed || (odd && largest <= least);
  }
  return !boxed;
}

// nearest_dn_in_box() is right for all.
__device__ __forceinline__ void nearest_d4(float* v, float inverse_step, float reach, float bound) {
  float t[8];
  if (!nearest_d4_inside(v, inverse_step, reach, bound, t)) {
    nearest_dn_in_box<4>(t, -bound, bound, v);
    nearest_dn_in_box<4>(t + 4, -bound, bound, v + 4);
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] += kShift;
  }
}

/// A point of E8: kShift plus each coordinate rounded down, and whether these are halves.
struct E8Point {
  float shifted[8];
  bool half;
};

// nearest_e8_by_residues(). A half-integer point has the coordinates' floors and a half. With `tiny`,
// which then becomes whether the residue of what is to move is too small to be divided by, nothing
// moves in that case.
__device__ __forceinline__ E8Point nearest_e8(const float* t, bool* tiny = nullptr) {
  E8Point point;
  float residue[8], sum = 0.0f, largest = 0.0f, smallest = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    point.shifted[i] = t[i] + kShift;
    residue[i] = residue_of(t[i], point.shifted[i]);
    const float size = fabsf(residue[i]);
    sum = i == 0 ? size : sum + size;
    largest = i == 0 ? size : fmaxf(largest, size);
    smallest = i == 0 ? size : fminf(smallest, size);
  }
  const float *s = point.shifted, *r = residue;
  const std::uint32_t parity =
      parity_of(s) ^ parity_of(s + 3) ^ (__float_as_uint(s[6]) ^ __float_as_uint(s[7]));
  const std::uint32_t signs =
      parity_of(r) ^ parity_of(r + 3) ^ (__float_as_uint(r[6]) ^ __float_as_uint(r[7]));
  const bool odd_integers = (parity & 1u) != 0, odd_halves = ((parity ^ signs >> 31) & 1u) != 0;
  const float integers = odd_integers ? largest - 0.5f : 0.0f;
  const float halves = odd_halves ? smallest : 0.0f;
  point.half = integers + halves < sum * 0.5f - 1.0f;
  add8_down(point.half, t, kShift, point.shifted);
  const float target = point.half ? smallest : largest;
  bool move = point.half ? odd_halves : odd_integers;
  if (tiny != nullptr) {
    *tiny = move && target < kTiny;
  } else if (move && target < kTiny) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const bool moved = move && fabsf(residue[i]) == target;
      if (moved) point.shifted[i] += with_sign(point.half ? -1.0f : 1.0f, residue[i]);
      move = move && !moved;
    }
  }
  move_first<8>(point.shifted, residue, target, point.half, move);
  return point;
}

// Floats that are all positive have the order of their patterns.
__device__ __forceinline__ bool is_inside(const E8Point& point, float bound) {
  int low = __float_as_int(point.shifted[0]), high = low;
#pragma unroll
  for (int i = 1; i < 7; i += 2) {
    const int a = __float_as_int(point.shifted[i]), b = __float_as_int(point.shifted[i + 1]);
    low = __vimin3_s32(low, a, b);
    high = __vimax3_s32(high, a, b);
  }
  const float last = point.shifted[7];
  const bool low_enough =
      fmaxf(__int_as_float(high), last) <= (point.half ? kShift + bound - 1.0f : kShift + bound);
  return static_cast<bool>(static_cast<int>(low_enough) &
                           static_cast<int>(fminf(__int_as_float(low), last) >= kShift - bound));
}

// A point is at most 1 from t: what is further from the box need not be looked at.
__device__ __forceinline__ bool is_near(const float* t, float bound) {
  bool near = true;
#pragma unroll
  for (int i = 0; i < 8; ++i) near = near && fabsf(t[i]) <= bound + 1.0f;
  return near;
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

// nearest_e8_in_box() of pieces, four at a time, eight lanes each: in and out of place_of(piece).
template <typename Place>
__device__ __forceinline__ void nearest_e8_in_box_of_lanes(const Place& place_of, int pieces,
                                                           float bound) {
  const int lane = static_cast<int>(threadIdx.x) & 31;
  for (int first = 0; first < pieces; first += 4) {
    const int piece = first + lane / 8;
    float* const place = piece < pieces ? place_of(piece) + lane % 8 : nullptr;
    const float y = place != nullptr ? *place : 0.0f;
    const float integers = nearest_d8_of_lanes(y, -bound, bound);
    const float halves = nearest_d8_of_lanes(y - 0.5f, -bound, bound - 1.0f) + 0.5f;
    const float point =
        distance_of_lanes(y, integers) <= distance_of_lanes(y, halves) ? integers : halves;
    if (place != nullptr) *place = point;
  }
}

// Words of shared memory that a warp needs for 128 pieces.
constexpr int kSpareWords = 32 * kPieces * 8;
static_assert(kSpareWords * kThreads / 32 <= kSharedWords);

// A piece whose nearest point is not in the box waits in `spare` until the warp has all of these.
// Returns which pieces have halves, a bit each.
__device__ __forceinline__ unsigned nearest_e8_of_lanes(float (&v)[kPieces][8], float inverse_step,
                                                        float reach, float bound, float* spare) {
  const unsigned below = (1u << (threadIdx.x & 31u)) - 1;
  float* mine[kPieces];
  unsigned outside = 0, halves = 0;
  int pieces = 0;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    float t[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) t[i] = v[c][i] * inverse_step;
    const E8Point point = nearest_e8(t);
    const bool inside = is_inside(point, bound) && (reach <= bound + 1.0f || is_near(t, bound));
    if (point.half) halves |= 1u << c;
#pragma unroll
    for (int i = 0; i < 8; ++i) v[c][i] = point.shifted[i];
    const unsigned lanes = __ballot_sync(kAll, !inside);
    mine[c] = spare + 8 * (pieces + __popc(lanes & below));
    pieces += __popc(lanes);
    if (!inside) {
      outside |= 1u << c;
      *reinterpret_cast<float4*>(mine[c]) = make_float4(t[0], t[1], t[2], t[3]);
      *reinterpret_cast<float4*>(mine[c] + 4) = make_float4(t[4], t[5], t[6], t[7]);
    }
  }
  if (pieces == 0) return halves;
  __syncwarp();
  nearest_e8_in_box_of_lanes([&](int piece) { return spare + 8 * piece; }, pieces, bound);
  __syncwarp();
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    if ((outside >> c & 1u) == 0) continue;
    // Near 1.5 * 2^22 the lowest bit counts halves.
    halves = (halves & ~(1u << c)) | (__float_as_uint(mine[c][0] + 0x1.8p22f) & 1u) << c;
#pragma unroll
    for (int i = 0; i < 8; ++i) v[c][i] = __fadd_rd(mine[c][i], kShift);
  }
  return halves;
}

// Points in the place of vectors, each coordinate rounded down, plus kShift. Returns which pieces
// have halves. Overwrites shared.words.
template <int kLattice>
__device__ __forceinline__ unsigned quantise(float (&v)[kPieces][8], const Plan& plan, int row,
                                             Shared& shared) {
  const float inverse_step = shared.inverse_step[row], bound = static_cast<float>(plan.q);
  const float reach = shared.largest[row] * inverse_step;
  if constexpr (kLattice == FixedRate::e8) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    float* spare = reinterpret_cast<float*>(shared.words) + kSpareWords * warp;
    return nearest_e8_of_lanes(v, inverse_step, reach, bound, spare);
  } else {
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
      if constexpr (kLattice == FixedRate::z) {
        nearest_z(v[c], inverse_step, reach, bound);
      } else {
        nearest_d4(v[c], inverse_step, reach, bound);
      }
    }
    return 0;
  }
}

}  // namespace
}  // namespace kakeya::kernels
