// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/bulk_copy.cuh"
#include "kernels/nearest.cuh"

// Vectors of 64 or 128 bf16, one a lane, or of 256, one for two lanes: coordinates are in registers of
// one thread, so that butterflies, squares, points and bits hardly need another lane. A warp is a
// block, and has 32 or 16 vectors of one head. Rows are read and written by the whole warp, 16 bytes a
// lane, by way of shared memory.
//
// Of 256 lane 2r + p has coordinates 2j + p of row r while it is rotated: it reads the whole row and
// makes the first butterfly as it does. Before and after that it has part p, coordinates 128p and on,
// and parts are to a warp what rows of 128 are.

namespace kakeya::kernels {
namespace {

constexpr int kPartsOfWarp = 32;
template <int kDim>
constexpr int kRowLanes = kDim <= 128 ? 1 : kDim / 128;
template <int kDim>
constexpr int kPartDim = kDim / kRowLanes<kDim>;
template <int kDim>
constexpr int kPartPieces = kPartDim<kDim> / 8;

/// The vectors of this warp, and how many warps all vectors take.
template <int kDim>
__device__ __forceinline__ Tile rows_of_warp(Vectors x) {
  x.dim = kTileValues / kPartsOfWarp * kRowLanes<kDim>;  // of which a tile has as many
  return tile_of(x);
}
template <int kDim>
std::int64_t warps_of(Vectors x) {
  x.dim = kTileValues / kPartsOfWarp * kRowLanes<kDim>;
  return tiles_of(x);
}
template <int kDim>
__device__ __forceinline__ bool is_whole(const Tile& tile) {
  return tile.valid == kPartsOfWarp / kRowLanes<kDim>;
}

/// The rows of a warp, by parts. A piece more a part keeps lanes on different banks.
template <int kDim>
struct Rows {
  uint4 pieces[kPartsOfWarp][kPartPieces<kDim> + 1];
};

/// Calls run(Index<0>), run(Index<1>), ...: what depends on the index is constant in each.
template <int kIndex>
struct Index {
  static constexpr int value = kIndex;
};
template <int kCount, int kFirst = 0, typename Run>
__device__ __forceinline__ void for_each_index(const Run& run) {
  if constexpr (kFirst < kCount) {
    run(Index<kFirst>{});
    for_each_index<kCount, kFirst + 1>(run);
  }
}

/// Reads the tile's rows; those beyond its last vector are zeros.
template <int kDim>
__device__ __forceinline__ void load_rows(const Vectors& x, const Tile& tile, Rows<kDim>& rows) {
  constexpr int kAtOnce = 32 / kPartPieces<kDim>, kPlaces = kPartPieces<kDim> + 1;
  constexpr int kRowsAtOnce = kAtOnce / kRowLanes<kDim>;
  const int lane = static_cast<int>(threadIdx.x), piece = lane % kPartPieces<kDim>,
            part = lane / kPartPieces<kDim>, first = part / kRowLanes<kDim>;
  const auto* from = static_cast<const std::uint16_t*>(x.data) +
                     (tile.first + first) * x.token_stride + tile.head * x.head_stride +
                     8 * (lane % (kDim / 8));
  uint4* to = &rows.pieces[part][piece];
  if (is_whole<kDim>(tile)) {
#pragma unroll
    for (int i = 0; i < kPartsOfWarp; i += kAtOnce) {
      copy_16(to + i * kPlaces, from);
      from += kRowsAtOnce * x.token_stride;
    }
  } else {
#pragma unroll 1
    for (int i = 0; i < kPartsOfWarp; i += kAtOnce) {
      if (first + i / kRowLanes<kDim> < tile.valid) {
        copy_16(to + i * kPlaces, from + i / kRowLanes<kDim> * x.token_stride);
      } else {
        to[i * kPlaces] = make_uint4(0, 0, 0, 0);
      }
    }
  }
  finish_copies();
}

/// Writes the tile's rows, which all lanes have put there.
template <int kDim>
__device__ __forceinline__ void store_rows(const Vectors& y, const Tile& tile,
                                           const Rows<kDim>& rows) {
  __syncwarp();
  constexpr int kAtOnce = 32 / kPartPieces<kDim>, kPlaces = kPartPieces<kDim> + 1;
  constexpr int kRowsAtOnce = kAtOnce / kRowLanes<kDim>;
  const int lane = static_cast<int>(threadIdx.x), piece = lane % kPartPieces<kDim>,
            part = lane / kPartPieces<kDim>, first = part / kRowLanes<kDim>;
  auto* to = static_cast<std::uint16_t*>(y.data) + (tile.first + first) * y.token_stride +
             tile.head * y.head_stride + 8 * (lane % (kDim / 8));
  const uint4* from = &rows.pieces[part][piece];
  if (is_whole<kDim>(tile)) {
#pragma unroll
    for (int i = 0; i < kPartsOfWarp; i += kAtOnce) {
      *reinterpret_cast<uint4*>(to) = from[i * kPlaces];
      to += kRowsAtOnce * y.token_stride;
    }
  } else {
#pragma unroll 1
    for (int i = 0; first + i / kRowLanes<kDim> < tile.valid; i += kAtOnce) {
      *reinterpret_cast<uint4*>(to + i / kRowLanes<kDim> * y.token_stride) = from[i * kPlaces];
    }
  }
}

/// The largest magnitude of a part as a bit pattern; of a NaN among them that of a NaN.
__device__ __forceinline__ std::uint32_t largest_of_part(const uint4* part, int pieces) {
  float most = 0.0f;
#pragma unroll 1
  for (int c = 0; c < pieces; ++c) {
    const std::uint32_t word[4] = {part[c].x, part[c].y, part[c].z, part[c].w};
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      most = largest_or_nan(most, value_of(Scalar::bf16, word[i / 2], i % 2 != 0));
    }
  }
  return __float_as_uint(most) & 0x7fffffffu;
}

/// What is known of a rotated row.
struct RowFacts {
  float sum_of_squares, largest;
  int window;  // kNotFiniteRow where it was not finite
};
constexpr int kNotFiniteRow = kHighestWindow + 1;

/// A lane's coordinates of its row, each as scaled() has it; of two lanes after their first butterfly.
template <int kDim, typename Scaled>
__device__ __forceinline__ void read_row(const Rows<kDim>& rows, const Scaled& scaled,
                                         float (&v)[kPartDim<kDim>]) {
  const int lane = static_cast<int>(threadIdx.x);
  const auto read = [&](const uint4* part, const auto& take) {
#pragma unroll
    for (int c = 0; c < kPartPieces<kDim>; ++c) {
      const uint4 piece = part[c];
      const std::uint32_t word[4] = {piece.x, piece.y, piece.z, piece.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        take(4 * c + i, scaled(value_of(Scalar::bf16, word[i], false)),
             scaled(value_of(Scalar::bf16, word[i], true)));
      }
    }
  };
  if constexpr (kRowLanes<kDim> == 1) {
    read(rows.pieces[lane], [&](int i, float a, float b) { v[2 * i] = a, v[2 * i + 1] = b; });
  } else {
    const float sign = (lane & 1) != 0 ? -1.0f : 1.0f;
    const auto sum = [&](int i, float a, float b) { v[i] = __fmaf_rn(b, sign, a); };
    read(rows.pieces[lane & ~1], sum);
    read(rows.pieces[lane | 1],
         [&](int i, float a, float b) { sum(kPartDim<kDim> / 2 + i, a, b); });
  }
}

/// The butterflies that are left, and the squares' sum and the largest magnitude.
template <int kDim>
__device__ __forceinline__ void rotate_and_measure(float (&v)[kPartDim<kDim>], RowFacts& facts) {
  constexpr int kPart = kPartDim<kDim>, kLanes = kRowLanes<kDim>;
#pragma unroll
  for (int c = 0; c < kPart / 8; ++c) sums_of_eight(v + 8 * c);
#pragma unroll
  for (int half = 8; half < kPart; half *= 2) {
#pragma unroll
    for (int i = 0; i < kPart; ++i) {
      if ((i & half) != 0) continue;
      const float a = v[i], b = v[i + half];
      v[i] = a + b;
      v[i + half] = a - b;
    }
  }
  // No two magnitudes have one rounded square, whose rounded root is therefore the magnitude.
  constexpr int kSums = 4 / kLanes;  // a lane's of the four
  float sum[kSums];
  int most = 0;
#pragma unroll
  for (int i = 0; i < kPart; i += 2) {
    const float a = v[i] * v[i], b = v[i + 1] * v[i + 1];
    sum[i % kSums] = i < kSums ? a : sum[i % kSums] + a;
    sum[i % kSums + 1] = i < kSums ? b : sum[i % kSums + 1] + b;
    most = __vimax3_s32(most, __float_as_int(a), __float_as_int(b));
  }
  if constexpr (kLanes == 1) {
    facts.sum_of_squares = (sum[0] + sum[2]) + (sum[1] + sum[3]);
  } else {
    const float mine = sum[0] + sum[1];
    facts.sum_of_squares = mine + __shfl_xor_sync(kAll, mine, 1);
    const int other = __shfl_xor_sync(kAll, most, 1);
    most = other > most ? other : most;
  }
  facts.largest = sqrt(__int_as_float(most));
}

/// The row's coordinates after the Hadamard transform without its 1 / sqrt(kDim). What is not finite
/// becomes a zero vector. The squares are added as measure() does.
///
/// Every coordinate is at most the row's norm and at least one of them is 1 / sqrt(kDim) of it, so
/// that a sum of squares (of the rotated row, kDim times that of the row) well inside of what needs
/// no window says that none is needed. Other rows are looked at and, where they need one, done again.
template <int kDim>
__device__ __forceinline__ RowFacts rotate_row(Rows<kDim>& rows, float (&v)[kPartDim<kDim>]) {
  constexpr float kLeast = 0x1p-27f * kDim * kDim, kMost = 0x1.fp19f * kDim;
  RowFacts facts{0.0f, 0.0f, 0};
#pragma unroll 1
  for (bool again = false;; again = true) {
    const float root = again ? root_of_window(-facts.window) : 1.0f;
    const auto plain_value = [](float value) { return value; };
    const auto scaled_value = [&](float value) { return value * root * root; };
    if (kRowLanes<kDim> == 1 || !again) read_row<kDim>(rows, plain_value, v);
    if (kRowLanes<kDim> == 2 && again) read_row<kDim>(rows, scaled_value, v);
    if (kRowLanes<kDim> == 1 && again) {
#pragma unroll
      for (int i = 0; i < kPartDim<kDim>; ++i) v[i] = scaled_value(v[i]);
    }
    rotate_and_measure<kDim>(v, facts);
    const bool plain = facts.sum_of_squares >= kLeast && facts.sum_of_squares < kMost;
    if (again || __ballot_sync(kAll, !plain) == 0) return facts;
    uint4* const part = rows.pieces[threadIdx.x];
    std::uint32_t largest = largest_of_part(part, kPartPieces<kDim>);
    if constexpr (kRowLanes<kDim> == 2) {
      const std::uint32_t other = __shfl_xor_sync(kAll, largest, 1);
      largest = other > largest ? other : largest;
    }
    if (largest >= 0x7f800000u) {
      facts.window = kNotFiniteRow;
#pragma unroll 1
      for (int c = 0; c < kPartPieces<kDim>; ++c) part[c] = make_uint4(0, 0, 0, 0);
    } else {
      facts.window = window_of(__uint_as_float(largest));
    }
    if constexpr (kRowLanes<kDim> == 2) __syncwarp();
  }
}

}  // namespace
}  // namespace kakeya::kernels
