// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/rotated.cuh"

// bf16 vectors of 128 that are rotated from what is loaded, with half of rotated.cuh's instructions.
//
// Butterflies of distance 1, 2, 4 and 8 are a product with a Hadamard matrix of 16 by 16 on the
// tensor cores, wherever every sum in it is exact, so that their order is free. Where one might not
// be, the CPU's order is followed for those 32 coordinates. A warp has eight vectors. With g = lane /
// 4 and t = lane % 4 a thread loads coordinates 16 i + 4 t + (0 ... 3) of vector g, and gets
// coordinates 16 i + g and 16 i + g + 8 of vectors 2 t and 2 t + 1: i, and with it the last three
// butterflies, are within a thread. By way of shared memory the vectors come back
//
//   as columns   v[c][i] is coordinate 16 i + 4 t + c of vector g
//   in pieces    v[c][i] is coordinate 64 (t / 2) + 16 c + 8 (t % 2) + i of vector g

namespace kakeya::kernels {
namespace {

constexpr int kColumnDim = 128, kColumnLanes = 4, kColumnRows = kTileValues / kColumnDim;
// A vector in shared memory is [part][t][i]: a part is one of the four interleaved sums of squares.
// With these strides, and the halves of i exchanged in some rows, no access has a conflict.
constexpr int kPartWords = 40, kRowWords = 3 * kPartWords + 32;
constexpr int kWarpWords = 8 * kRowWords;
static_assert(kRowWords * kColumnRows <= kSharedWords);

/// Sums of 16 bf16 are exact where the exponents of these are within so many: of 24 bits a sum
/// takes 4 beyond its largest term's, and a term 7 below its exponent.
constexpr std::uint32_t kExactExponents = 24 - 1 - 4 - 7;

// Where i = 0 ... 3 (half 0) or 4 ... 7 of coordinates 16 i + 4 t + part of a row begin.
__device__ __forceinline__ float* column_in(Shared& shared, int row, int part, int t, int half) {
  return reinterpret_cast<float*>(shared.words) + row * kRowWords + part * kPartWords + 8 * t +
         4 * (half ^ ((row ^ row >> 2) & 1));
}

// Sums of squares, and the largest: squares have the order of their patterns.
__device__ __forceinline__ void measure_columns(const Seat& seat, Shared& shared) {
  float sum = 0.0f;
  int largest = 0;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float4 four[kColumnLanes];
#pragma unroll
    for (int lane = 0; lane < kColumnLanes; ++lane) {
      four[lane] =
          *reinterpret_cast<const float4*>(column_in(shared, seat.row, seat.lane, lane, half));
    }
    const auto take = [&](const float(&a)[kColumnLanes]) {
      float square[kColumnLanes];
#pragma unroll
      for (int i = 0; i < kColumnLanes; ++i) {
        square[i] = a[i] * a[i];
        sum = sum + square[i];
      }
#pragma unroll
      for (int i = 0; i < kColumnLanes; i += 2) {
        largest = __vimax3_s32(largest, __float_as_int(square[i]), __float_as_int(square[i + 1]));
      }
    };
    take({four[0].x, four[1].x, four[2].x, four[3].x});
    take({four[0].y, four[1].y, four[2].y, four[3].y});
    take({four[0].z, four[1].z, four[2].z, four[3].z});
    take({four[0].w, four[1].w, four[2].w, four[3].w});
  }
  sum += __shfl_xor_sync(kAll, sum, 2);
  sum += __shfl_xor_sync(kAll, sum, 1);
#pragma unroll
  for (int lanes = 1; lanes < kColumnLanes; lanes *= 2) {
    largest = __vimax3_s32(largest, largest, __shfl_xor_sync(kAll, largest, lanes));
  }
  if (seat.lane == 0) {
    shared.sum_of_squares[seat.row] = sum;
    shared.largest[seat.row] = __int_as_float(largest);
  }
  __syncthreads();
}

// The CPU's order of additions in 32 coordinates: those of i and i + 1. `root` is that of vectors 2 t
// and 2 t + 1.
__device__ __forceinline__ void sums_of_two_blocks(const uint2 (&raw)[8], int i,
                                                   const float (&root)[2], float (&v)[4][8]) {
  const int lane = static_cast<int>(threadIdx.x) & 31, g = lane >> 2, t = lane & 3;
#pragma unroll
  for (int j = i; j < i + 2; ++j) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int from = 4 * (2 * t + k % 2) + (g >> 2) + 2 * (k / 2);
      const std::uint32_t x = __shfl_sync(kAll, raw[j].x, from),
                          y = __shfl_sync(kAll, raw[j].y, from);
      v[k][j] =
          value_of(Scalar::bf16, (g & 2) != 0 ? y : x, (g & 1) != 0) * root[k % 2] * root[k % 2];
    }
#pragma unroll
    for (int half = 1; half < 8; half *= 2) {
      const float sign = (g & half) != 0 ? -1.0f : 1.0f;
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        v[k][j] = __fmaf_rn(v[k][j], sign, __shfl_xor_sync(kAll, v[k][j], 4 * half));
      }
    }
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const float a = v[k][j], b = v[k + 2][j];
      v[k][j] = a + b;
      v[k + 2][j] = a - b;
    }
  }
}

// This lane's part of the Hadamard matrix of 16 by 16, as multiply_16() takes it. Column k of it is
// for the coordinate that a lane loads there.
__device__ __forceinline__ void hadamard_16(std::uint32_t (&matrix)[4]) {
  const unsigned lane = threadIdx.x & 31u, g = lane >> 2, t = lane & 3u;
  std::uint32_t first = 0x3f803f80u;
  if ((__popc(4 * t & g) & 1) != 0) first ^= 0x80008000u;
  if ((g & 1u) != 0) first ^= 0x80000000u;
  const std::uint32_t below = (t & 2u) << 14 | (t & 2u) << 30, right = (g & 2u) << 14 | (g & 2u)
                                                                                            << 30;
  matrix[0] = first;
  matrix[1] = first ^ below;
  matrix[2] = first ^ right;
  matrix[3] = first ^ below ^ right;
}

/// load_rotated() and measure() of such vectors, but shared.largest is of their squares. The vectors
/// are in shared memory afterwards, a warp's where only it writes.
__device__ __forceinline__ void load_columns(const Vectors& x, const Tile& tile, const Seat& seat,
                                             Shared& shared, std::uint32_t* flags) {
  const bool valid = seat.row < tile.valid;
  const auto* from = static_cast<const std::uint16_t*>(x.data) +
                     (tile.first + seat.row) * x.token_stride + tile.head * x.head_stride +
                     4 * seat.lane;
  uint2 raw[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    raw[i] = valid ? *reinterpret_cast<const uint2*>(from + 16 * i) : make_uint2(0, 0);
  }
  // Magnitudes, two at a time; their signs have no meaning.
  std::uint32_t least[4], most = largest_magnitudes(raw[0].x, raw[0].y);
#pragma unroll
  for (int i = 1; i < 8; ++i) {
    most = largest_magnitudes(most, raw[i].x);
    most = largest_magnitudes(most, raw[i].y);
  }
#pragma unroll
  for (int i = 0; i < 8; i += 2) {
    least[i / 2] = smallest_magnitudes(smallest_magnitudes(raw[i].x, raw[i].y),
                                       smallest_magnitudes(raw[i + 1].x, raw[i + 1].y));
  }
#pragma unroll
  for (int half = 1; half < kColumnLanes; half *= 2) {
    most = largest_magnitudes(most, __shfl_xor_sync(kAll, most, half));
  }
  most = largest_magnitudes(most, most >> 16 | most << 16) << 16 & 0x7fffffffu;
  int window = 0;
  if (most >= 0x7f800000u) {
    atomicOr(flags + tile.head, kNotFinite);
#pragma unroll
    for (int i = 0; i < 8; ++i) raw[i] = make_uint2(0, 0);
    most = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) least[i] = 0;
  } else {
    window = window_of(__uint_as_float(most));
  }
  if (seat.lane == 0) shared.window[seat.row] = window;
  // A vector of zeros is exact; zeros beside numbers are not looked at closer.
  const std::uint32_t exponent = most >> 23;
  std::uint32_t bound =
      exponent > kExactExponents ? (exponent - kExactExponents) << 7 : (most != 0 ? 1u : 0u);
  if (window != 0) bound = 0x7fffu;
  bound |= bound << 16;

  std::uint32_t matrix[4];
  hadamard_16(matrix);
  float v[4][8];
#pragma unroll
  for (int i = 0; i < 8; i += 2) {
    const std::uint32_t enough = ((least[i / 2] | 0x80008000u) - bound) & 0x80008000u;
    if (__ballot_sync(kAll, enough != 0x80008000u) == 0) {
#pragma unroll
      for (int j = i; j < i + 2; ++j) {
        float product[4];
        multiply_16<Scalar::bf16>(matrix, raw[j].x, raw[j].y, product);
#pragma unroll
        for (int k = 0; k < 4; ++k) v[k][j] = product[k];
      }
    } else {
      const float mine = root_of_window(-window);
      float root[2];
#pragma unroll
      for (int k = 0; k < 2; ++k) root[k] = __shfl_sync(kAll, mine, 8 * seat.lane + 4 * k);
      sums_of_two_blocks(raw, i, root, v);
    }
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) sums_of_eight(v[k]);

  const int g = (static_cast<int>(threadIdx.x) & 31) >> 2,
            warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int row = 8 * warp + 2 * seat.lane + k % 2;
      *reinterpret_cast<float4*>(column_in(shared, row, g & 3, (g >> 2) + 2 * (k / 2), half)) =
          make_float4(v[k][4 * half], v[k][4 * half + 1], v[k][4 * half + 2], v[k][4 * half + 3]);
    }
  }
  __syncwarp();
  measure_columns(seat, shared);
}

/// The vectors of load_columns() as columns.
__device__ __forceinline__ void read_columns(Shared& shared, const Seat& seat, float (&v)[4][8]) {
#pragma unroll
  for (int c = 0; c < 4; ++c) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float4 four =
          *reinterpret_cast<const float4*>(column_in(shared, seat.row, c, seat.lane, half));
      v[c][4 * half] = four.x, v[c][4 * half + 1] = four.y;
      v[c][4 * half + 2] = four.z, v[c][4 * half + 3] = four.w;
    }
  }
}

/// In pieces of eight neighbours.
__device__ __forceinline__ void read_pieces(Shared& shared, const Seat& seat,
                                            float (&v)[kPieces][8]) {
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const float4 four = *reinterpret_cast<const float4*>(
        column_in(shared, seat.row, i % 4, 2 * (seat.lane & 1) + i / 4, seat.lane >> 1));
    v[0][i] = four.x, v[1][i] = four.y, v[2][i] = four.z, v[3][i] = four.w;
  }
}

}  // namespace
}  // namespace kakeya::kernels
