// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/bulk_copy.cuh"
#include "kernels/nearest.cuh"

// Vectors of 128 bf16, one a lane: all of a vector's coordinates are in registers of one thread, so
// that butterflies, squares, points and bits need no other lane. A warp is a block, and has 32
// vectors of one head: a tile. Rows are read and written by the whole warp, 16 bytes a lane, by way
// of shared memory.

namespace kakeya::kernels {
namespace {

constexpr int kRowDim = 128, kRowPieces = kRowDim / 8, kRowsOfWarp = 32;
static_assert(kRowDim * kRowsOfWarp == kTileValues);

/// The rows of a warp. A piece more a row keeps lanes on different banks.
struct Rows {
  uint4 pieces[kRowsOfWarp][kRowPieces + 1];
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
__device__ __forceinline__ void load_rows(const Vectors& x, const Tile& tile, Rows& rows) {
  const int lane = static_cast<int>(threadIdx.x), piece = lane % kRowPieces,
            first = lane / kRowPieces;
  const auto* from = static_cast<const std::uint16_t*>(x.data) +
                     (tile.first + first) * x.token_stride + tile.head * x.head_stride + 8 * piece;
  uint4* to = &rows.pieces[first][piece];
  if (tile.valid == kRowsOfWarp) {
#pragma unroll
    for (int i = 0; i < kRowsOfWarp; i += 2) {
      copy_16(to + i * (kRowPieces + 1), from);
      from += 2 * x.token_stride;
    }
  } else {
#pragma unroll 1
    for (int i = 0; i < kRowsOfWarp; i += 2) {
      if (first + i < tile.valid) {
        copy_16(to + i * (kRowPieces + 1), from + i * x.token_stride);
      } else {
        to[i * (kRowPieces + 1)] = make_uint4(0, 0, 0, 0);
      }
    }
  }
  finish_copies();
}

/// Writes the tile's rows, which all lanes have put there.
__device__ __forceinline__ void store_rows(const Vectors& y, const Tile& tile, const Rows& rows) {
  __syncwarp();
  const int lane = static_cast<int>(threadIdx.x), piece = lane % kRowPieces,
            first = lane / kRowPieces;
  auto* to = static_cast<std::uint16_t*>(y.data) + (tile.first + first) * y.token_stride +
             tile.head * y.head_stride + 8 * piece;
  const uint4* from = &rows.pieces[first][piece];
  if (tile.valid == kRowsOfWarp) {
#pragma unroll
    for (int i = 0; i < kRowsOfWarp; i += 2) {
      *reinterpret_cast<uint4*>(to) = from[i * (kRowPieces + 1)];
      to += 2 * y.token_stride;
    }
  } else {
#pragma unroll 1
    for (int i = 0; first + i < tile.valid; i += 2) {
      *reinterpret_cast<uint4*>(to + i * y.token_stride) = from[i * (kRowPieces + 1)];
    }
  }
}

/// The largest magnitude of a row as a bit pattern; of a NaN among them that of a NaN.
__device__ __forceinline__ std::uint32_t largest_of_row(const uint4* row) {
  float most = 0.0f;
#pragma unroll 1
  for (int c = 0; c < kRowPieces; ++c) {
    const std::uint32_t word[4] = {row[c].x, row[c].y, row[c].z, row[c].w};
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
  int window;
};

/// The row's coordinates after the Hadamard transform without its 1 / sqrt(128). What is not finite
/// becomes a zero vector. The squares are added as measure() does.
///
/// Every coordinate is at most the row's norm and at least one of them is 1 / sqrt(128) of it, so
/// that a sum of squares (of the rotated row, 128 times that of the row) well inside of what needs no
/// window says that none is needed. Other rows are looked at and, where they need one, done again.
__device__ __forceinline__ RowFacts rotate_row(uint4* row, float (&v)[kRowDim],
                                               std::uint32_t* flag) {
  RowFacts facts{0.0f, 0.0f, 0};
  float root = 1.0f;
#pragma unroll 1
  for (bool again = false;; again = true) {
#pragma unroll
    for (int c = 0; c < kRowPieces; ++c) {
      const uint4 piece = row[c];
      const std::uint32_t word[4] = {piece.x, piece.y, piece.z, piece.w};
#pragma unroll
      for (int i = 0; i < 8; ++i) v[8 * c + i] = value_of(Scalar::bf16, word[i / 2], i % 2 != 0);
    }
    if (again) {
#pragma unroll
      for (int i = 0; i < kRowDim; ++i) v[i] = v[i] * root * root;
    }
#pragma unroll
    for (int c = 0; c < kRowPieces; ++c) sums_of_eight(v + 8 * c);
#pragma unroll
    for (int half = 8; half < kRowDim; half *= 2) {
#pragma unroll
      for (int i = 0; i < kRowDim; ++i) {
        if ((i & half) != 0) continue;
        const float a = v[i], b = v[i + half];
        v[i] = a + b;
        v[i + half] = a - b;
      }
    }
    // No two magnitudes have one rounded square, whose rounded root is therefore the magnitude.
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    int most = 0;
#pragma unroll
    for (int i = 0; i < kRowDim; i += 2) {
      const float a = v[i] * v[i], b = v[i + 1] * v[i + 1];
      sum[i % 4] = i < 4 ? a : sum[i % 4] + a;
      sum[i % 4 + 1] = i < 4 ? b : sum[i % 4 + 1] + b;
      most = __vimax3_s32(most, __float_as_int(a), __float_as_int(b));
    }
    facts.sum_of_squares = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    facts.largest = sqrt(__int_as_float(most));
    const bool plain = facts.sum_of_squares >= 0x1p-13f && facts.sum_of_squares < 0x1.fp26f;
    if (again || __ballot_sync(kAll, !plain) == 0) return facts;
    const std::uint32_t largest = largest_of_row(row);
    if (largest >= 0x7f800000u) {
      atomicOr(flag, kNotFinite);
#pragma unroll 1
      for (int c = 0; c < kRowPieces; ++c) row[c] = make_uint4(0, 0, 0, 0);
    } else {
      facts.window = window_of(__uint_as_float(largest));
      root = root_of_window(-facts.window);
    }
  }
}

}  // namespace
}  // namespace kakeya::kernels
