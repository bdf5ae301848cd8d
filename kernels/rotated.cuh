// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "kakeya/codec/window.h"
#include "kernels/extremes.cuh"
#include "kernels/lattice_book.cuh"

// Vectors of d4, e8 and tq in registers, before and after the quantiser: rotation, scales, and back.
//
// A tile is 4096 values of one head: 64, 32, 16 or 8 vectors of 64, 128, 256 or 512. A thread has 32
// values of one vector, four pieces of eight neighbours that are dim / 4 apart, and dim / 32 lanes
// share a vector:
//
//   dim 128, vector of lanes 0-3     |l0 l1 l2 l3|l0 l1 l2 l3|l0 l1 l2 l3|l0 l1 l2 l3|
//                                      piece 0     piece 1     piece 2     piece 3
//
// Butterflies of distance 1, 2 and 4 are within a piece, those of 8 ... dim / 8 between lanes, the
// last two between pieces: the CPU's order (simd/tile.h). The squares of a vector are added in four
// interleaved parts, each from the first to the last: a thread adds a part, by way of shared memory.
// One thread then makes the scales of a vector.

namespace kakeya::kernels {
namespace {

constexpr int kMostRows = 64;
// Four parts a vector of dim / 4 + 4 squares each; the four keep lanes on different banks.
constexpr int kSharedWords = 4 * kMostRows * (64 / 4 + 4) + 4;

struct Plan {
  Book book;
  int q;
  int lanes;     // that share a vector: dim / 32
  float unit;    // 1 / sqrt(dim)
  float square;  // 1 / dim
};

Plan plan_of(const FixedRate& codec, int dim) {
  Plan plan;
  plan.book = book_of(codec);
  plan.q = codec.q;
  plan.lanes = dim / 32;
  plan.unit = static_cast<float>(1.0 / std::sqrt(static_cast<double>(dim)));
  plan.square = 1.0f / static_cast<float>(dim);
  return plan;
}

// Where a thread's values are.
struct Seat {
  int lane;  // among those of its vector
  int row;   // of the tile
};

__device__ __forceinline__ Seat seat_of(int lanes) {
  const int thread = static_cast<int>(threadIdx.x);
  return {thread & (lanes - 1), thread / lanes};
}

/// What the threads of a tile tell each other, by vector.
struct Shared {
  alignas(16) std::uint32_t words[kSharedWords];
  float sum_of_squares[kMostRows], largest[kMostRows];
  float inverse_step[kMostRows], factor[kMostRows];
  int window[kMostRows];
};

// Butterflies between neighbours, then pairs, then fours.
template <typename Number>
__device__ __forceinline__ void sums_of_eight(Number* v) {
#pragma unroll
  for (int half = 1; half < 8; half *= 2) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if ((i & half) != 0) continue;
      const Number a = v[i], b = v[i + half];
      v[i] = a + b;
      v[i + half] = a - b;
    }
  }
}

// Butterflies between lanes, from those that are `half` apart. Products with 1 and -1 are exact.
__device__ __forceinline__ void sums_of_lanes(float (&v)[kPieces][8], int half, int lanes,
                                              int lane) {
#pragma unroll
  for (int turn = 0; turn < 4; ++turn, half *= 2) {
    if (half >= lanes) break;
    const float sign = (lane & half) != 0 ? -1.0f : 1.0f;
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        v[c][i] = __fmaf_rn(v[c][i], sign, __shfl_xor_sync(kAll, v[c][i], half));
      }
    }
  }
}

// The Hadamard transform without its 1 / sqrt(dim).
__device__ __forceinline__ void sums(float (&v)[kPieces][8], int lanes, int lane) {
#pragma unroll
  for (int c = 0; c < kPieces; ++c) sums_of_eight(v[c]);
  sums_of_lanes(v, 1, lanes, lane);
#pragma unroll
  for (int half = 1; half < kPieces; half *= 2) {
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
      if ((c & half) != 0) continue;
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const float a = v[c][i], b = v[c + half][i];
        v[c][i] = a + b;
        v[c + half][i] = a - b;
      }
    }
  }
}

// sums() of lattice points, in which every sum is exact, so that the order is free. A product with a
// Hadamard matrix of 16 by 16 does four bits of the coordinates' numbers at once: those of the pieces
// and those of the four lowest lanes, of which k = 2 lane + (piece & 1) + 8 (piece / 2) is the row.
// What is left, the three bits within a piece, comes first where binary16 holds those sums, otherwise
// after it.
__device__ __forceinline__ void sums_of_points(float (&v)[kPieces][8], const Plan& plan, int lane) {
  const unsigned thread = threadIdx.x & 31u, row = 2 * (thread & 3u), column = thread >> 2;
  // Lanes of other vectors do not meet.
  const unsigned others =
      plan.lanes >= 4 ? 0u : 6u & ~(2u * static_cast<unsigned>(plan.lanes) - 1u);
  std::uint32_t matrix = 0, minus = 0;
#pragma unroll
  for (unsigned i = 0; i < 2; ++i) {
    if ((((row + i) ^ column) & others) != 0) continue;
    const std::uint32_t one = (__popc((row + i) & column & ~others) & 1) != 0 ? 0xbc00u : 0x3c00u;
    matrix |= one << (16 * i);
    minus |= (one ^ 0x8000u) << (16 * i);
  }
  TwoHalves pair[2][8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    pair[0][i] = {two_halves(v[0][i], v[1][i])};
    pair[1][i] = {two_halves(v[2][i], v[3][i])};
  }
  const bool first = plan.q <= 128;  // eight halves of 128 are 1024 halves
  if (first) sums_of_eight(pair[0]), sums_of_eight(pair[1]);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t rows[4] = {pair[0][i].bits, pair[0][i + 4].bits, pair[1][i].bits,
                                   pair[1][i + 4].bits};
    float low[4], high[4];
    multiply_16(rows, matrix, matrix, low);
    multiply_16(rows, matrix, minus, high);
    v[0][i] = low[0], v[1][i] = low[1], v[0][i + 4] = low[2], v[1][i + 4] = low[3];
    v[2][i] = high[0], v[3][i] = high[1], v[2][i + 4] = high[2], v[3][i + 4] = high[3];
  }
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    if (!first) sums_of_eight(v[c]);
  }
  sums_of_lanes(v, 4, plan.lanes, lane);
}

// Loads the vectors and rotates them. What is not finite becomes a zero vector.
__device__ __forceinline__ void load_rotated(const Vectors& x, const Tile& tile, const Seat& seat,
                                             int lanes, float (&v)[kPieces][8], Shared& shared,
                                             std::uint32_t* flags) {
  const bool valid = seat.row < tile.valid;
  const std::int64_t at =
      (tile.first + seat.row) * x.token_stride + tile.head * x.head_stride + 8 * seat.lane;
  Extremes e[kPieces];
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    load_piece(x, valid, at + c * (x.dim / kPieces), v[c], e[c]);
  }
#pragma unroll
  for (int c = 1; c < kPieces; ++c) widen(x.type, e[0], e[c]);
  std::uint32_t largest =
      __float_as_uint(largest_or_nan(fabsf(lowest_of(x.type, e[0])), highest_of(x.type, e[0]))) &
      0x7fffffffu;
#pragma unroll
  for (int half = 1; half < lanes; half *= 2) {
    const std::uint32_t other = __shfl_xor_sync(kAll, largest, half);
    largest = other > largest ? other : largest;
  }
  int window = 0;
  if (largest >= 0x7f800000u) {
    atomicOr(flags + tile.head, kNotFinite);
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = 0.0f;
    }
  } else {
    window = window_of(__uint_as_float(largest));
    if (window != 0) {
      const float root = root_of_window(-window);
#pragma unroll
      for (int c = 0; c < kPieces; ++c) {
#pragma unroll
        for (int i = 0; i < 8; ++i) v[c][i] = v[c][i] * root * root;
      }
    }
  }
  if (seat.lane == 0) shared.window[seat.row] = window;
  sums(v, lanes, seat.lane);
}

// Sums of squares and largest magnitudes of the tile's vectors, into `shared`.
__device__ __forceinline__ void measure(const float (&v)[kPieces][8], const Seat& seat, int lanes,
                                        int rows, Shared& shared) {
  const int quarter = 8 * lanes;  // dim / 4
  const int stride = quarter + 4;
  float* squares = reinterpret_cast<float*>(shared.words);
  float most = 0.0f;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      auto* to = reinterpret_cast<float2*>(squares + (4 * seat.row + k) * stride +
                                           c * (quarter / 4) + 2 * seat.lane);
      *to = make_float2(v[c][k], v[c][k + 4]);
      most = fmaxf(most, fmaxf(fabsf(v[c][k]), fabsf(v[c][k + 4])));
    }
  }
#pragma unroll
  for (int half = 1; half < lanes; half *= 2) {
    most = fmaxf(most, __shfl_xor_sync(kAll, most, half));
  }
  if (seat.lane == 0) shared.largest[seat.row] = most;
  __syncthreads();
  for (int part = static_cast<int>(threadIdx.x); part < 4 * rows; part += kThreads) {
    const auto* from = reinterpret_cast<const float4*>(squares + part * stride);
    float sum = 0.0f;
    for (int i = 0; i < quarter / 4; ++i) {
      const float4 four = from[i];
      sum = sum + four.x * four.x;
      sum = sum + four.y * four.y;
      sum = sum + four.z * four.z;
      sum = sum + four.w * four.w;
    }
    sum += __shfl_xor_sync(kAll, sum, 2);
    sum += __shfl_xor_sync(kAll, sum, 1);
    if (part % 4 == 0) shared.sum_of_squares[part / 4] = sum;
  }
  __syncthreads();
}

// The published scales of a rotated vector (two_scales_tile() of simd/tile.h): two binary16 patterns,
// the norm in the low bits.
struct TwoScales {
  std::uint32_t pair;
  float inverse_step, factor;
};
__device__ __forceinline__ TwoScales two_scales_of(const Plan& plan, float sum_of_squares,
                                                   float largest_sum) {
  TwoScales made{0, 0.0f, 0.0f};
  const float largest = largest_sum * plan.unit;
  if (largest == 0.0f) return made;
  const double norm = sqrt(static_cast<double>(sum_of_squares * plan.square));
  made.pair = two_halves(static_cast<float>(norm), static_cast<float>(double{largest} / norm));
  const float maximum = half_value(made.pair >> 16), levels = static_cast<float>(plan.q);
  const double unit = plan.unit;
  made.factor = half_value(made.pair & 0xffffu) * (maximum / levels) * plan.unit;
  made.inverse_step = static_cast<float>(plan.q * unit / (maximum * norm));
  return made;
}

// Those of vector `row` of the tile.
__device__ __forceinline__ std::uint32_t choose_scales(const Plan& plan, int row, Shared& shared) {
  const TwoScales made = two_scales_of(plan, shared.sum_of_squares[row], shared.largest[row]);
  if (shared.largest[row] * plan.unit == 0.0f) shared.window[row] = 0;
  shared.inverse_step[row] = made.inverse_step;
  shared.factor[row] = made.factor;
  return made.pair;
}

// Vectors from points: their sums times `factor`, +0 where one of the two is 0, times 2^(16 window).
template <typename AnyShared>
__device__ __forceinline__ void store_rotated(const Plan& plan, const Vectors& y, const Tile& tile,
                                              const Seat& seat, const AnyShared& shared,
                                              float (&v)[kPieces][8]) {
  sums_of_points(v, plan, seat.lane);
  if (seat.row >= tile.valid) return;
  const float factor = shared.factor[seat.row];
  const int window = shared.window[seat.row];
  // Nothing underflows: a factor is 0 or at least 2^-65.
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[c][i] = __fmaf_rn(v[c][i], factor, 0.0f);
  }
  float bound = factor * static_cast<float>(plan.q * y.dim);
  if (window != 0) {
    bound = 0x1.fffffep127f;
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = times_window(v[c][i], window);
    }
  }
  const std::int64_t at =
      (tile.first + seat.row) * y.token_stride + tile.head * y.head_stride + 8 * seat.lane;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) store8(y, at + c * (y.dim / kPieces), v[c], bound);
}

}  // namespace
}  // namespace kakeya::kernels
