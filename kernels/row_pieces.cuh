// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/row_codes.cuh"

// Nearest points of D4 and E8 of rotated rows, a lane's from shared memory piece by piece: a loop,
// whose instructions stay in the cache. All of it is called by whole warps.

namespace kakeya::kernels {
namespace {

/// What a warp has of its rows: as they are read and written; rotated; bits. One after another.
template <typename U>
union RowSpace {
  static constexpr int kValueRows = U::kLattice == FixedRate::z ? 1 : kPartsOfWarp / U::kLanes;
  Rows<U::kDim> rows;
  float values[kValueRows][U::kDim + 4];  // 4: other banks a row
  RowBits<U> bits;
};

/// Pieces of the warp's whose nearest point is perhaps not in the box. They wait in their place.
template <typename U>
struct Outside {
  std::uint32_t count;
  std::uint16_t piece[kPartsOfWarp * U::kPieces];
};

/// Piece `c` of lane `l` is piece U::kPieces * l + c of the warp's.
template <typename U>
__device__ __forceinline__ float* place_of_piece(RowSpace<U>& space, int piece) {
  constexpr int kPieces = U::kDim / 8;
  return space.values[piece / kPieces] + 8 * (piece % kPieces);
}
__device__ __forceinline__ void get8(const float* from, float (&v)[8]) {
  const auto* fours = reinterpret_cast<const float4*>(from);
  const float4 a = fours[0], b = fours[1];
  v[0] = a.x, v[1] = a.y, v[2] = a.z, v[3] = a.w;
  v[4] = b.x, v[5] = b.y, v[6] = b.z, v[7] = b.w;
}
__device__ __forceinline__ void put8(float* to, const float (&v)[8]) {
  auto* fours = reinterpret_cast<float4*>(to);
  fours[0] = make_float4(v[0], v[1], v[2], v[3]);
  fours[1] = make_float4(v[4], v[5], v[6], v[7]);
}

/// Rotated rows into shared memory; all lanes have read their rows.
template <typename U>
__device__ __forceinline__ void put_values(RowSpace<U>& space, const float (&v)[U::kPart]) {
  __syncwarp();
  const int lane = static_cast<int>(threadIdx.x);
  if constexpr (U::kLanes == 1) {
    auto* to = reinterpret_cast<float4*>(space.values[lane]);
#pragma unroll
    for (int i = 0; i < U::kPart / 4; ++i) {
      to[i] = make_float4(v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]);
    }
  } else {
    float* const to = space.values[lane / 2] + lane % 2;
#pragma unroll
    for (int i = 0; i < U::kPart; ++i) to[2 * i] = v[i];
    __syncwarp();
  }
}

/// The point nearest to a piece, in its place, each coordinate rounded down, plus kShift; false where
/// it is perhaps another. `t` is the piece times its step. Without branches.
template <int kLattice>
__device__ __forceinline__ bool nearest_point(float (&piece)[8], float step, float reach,
                                              float bound, float (&t)[8], bool* half, bool* tiny) {
  *half = *tiny = false;
  if constexpr (kLattice == FixedRate::d4) {
    return nearest_d4_inside(piece, step, reach, bound, t);
  } else {
#pragma unroll
    for (int i = 0; i < 8; ++i) t[i] = piece[i] * step;
    const E8Point point = nearest_e8(t, tiny);
#pragma unroll
    for (int i = 0; i < 8; ++i) piece[i] = point.shifted[i];
    *half = point.half;
    return static_cast<bool>(static_cast<int>(is_inside(point, bound)) &
                             static_cast<int>(reach <= bound + 1.0f) & static_cast<int>(!*tiny));
  }
}

// Of pieces whose vector is so far from the box that points are not looked at, or with tiny residues:
// points that are in the box are what they are without it.
__device__ __forceinline__ void nearest_e8_after_all(float* place, float bound) {
  float t[8];
  get8(place, t);
  const E8Point point = nearest_e8(t);
  if (!is_near(t, bound) || !is_inside(point, bound)) return;
#pragma unroll
  for (int k = 0; k < 8; ++k) t[k] = point.shifted[k] - kShift + (point.half ? 0.5f : 0.0f);
  put8(place, t);
}

/// Pieces that a lane works on side by side: one waits for its own sums too long.
constexpr int kPiecesAtOnce = 2;

/// Nearest points of the rows that put_values() has put there. Calls put(place, point, half) for every
/// piece, by any lane, once or twice: `place` are the eight words of the piece, `point` as of
/// nearest_point().
template <typename U, typename Put>
__device__ __forceinline__ void nearest_points(RowSpace<U>& space, Outside<U>& outside, float step,
                                               float reach, float bound, const Put& put) {
  constexpr int kLattice = U::kLattice;
  const int lane = static_cast<int>(threadIdx.x);
  float* const mine = place_of_piece(space, U::kPieces * lane);
  bool look = !(reach <= bound + 1.0f);
#pragma unroll 1
  for (int c = 0; c < U::kPieces; c += kPiecesAtOnce) {
    float piece[kPiecesAtOnce][8], t[kPiecesAtOnce][8];
    bool half[kPiecesAtOnce], tiny[kPiecesAtOnce], inside[kPiecesAtOnce], all = true;
#pragma unroll
    for (int k = 0; k < kPiecesAtOnce; ++k) {
      float* const place = mine + 8 * (c + k);
      get8(place, piece[k]);
      inside[k] = nearest_point<kLattice>(piece[k], step, reach, bound, t[k], &half[k], &tiny[k]);
      put(place, piece[k], half[k]);
      all = all && inside[k];
    }
    if (all) continue;
#pragma unroll
    for (int k = 0; k < kPiecesAtOnce; ++k) {
      if (inside[k]) continue;
      look = look || tiny[k];
      put8(mine + 8 * (c + k), t[k]);
      outside.piece[atomicAdd(&outside.count, 1u)] =
          static_cast<std::uint16_t>(U::kPieces * lane + c + k);
    }
  }
  __syncwarp();
  const int count = static_cast<int>(outside.count);
  if (count == 0) return;
  const auto place_of = [&](int i) { return place_of_piece(space, outside.piece[i]); };
  if constexpr (kLattice == FixedRate::e8) {
    if (__ballot_sync(kAll, look) != 0) {
#pragma unroll 1
      for (int i = lane; i < count; i += 32) nearest_e8_after_all(place_of(i), bound);
      __syncwarp();
    }
    nearest_e8_in_box_of_lanes(place_of, count, bound);
    __syncwarp();
  }
#pragma unroll 1
  for (int i = lane; i < count; i += 32) {
    float point[8], t[8];
    get8(place_of(i), t);
    if constexpr (kLattice == FixedRate::d4) {
      nearest_dn_in_box<4>(t, -bound, bound, point);
      nearest_dn_in_box<4>(t + 4, -bound, bound, point + 4);
    } else {
#pragma unroll
      for (int k = 0; k < 8; ++k) point[k] = t[k];
    }
    // Near 1.5 * 2^22 the lowest bit counts halves.
    const bool half = (__float_as_uint(point[0] + 0x1.8p22f) & 1u) != 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) point[k] = __fadd_rd(point[k], kShift);
    put(place_of(i), point, half);
  }
  __syncwarp();
}

}  // namespace
}  // namespace kakeya::kernels
