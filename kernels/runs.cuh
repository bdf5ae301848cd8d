// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/extremes.cuh"

// Runs of 32 neighbouring values of a vector, one a thread: a tile of 4096 values has 128, in their
// order. A warp reads and writes its runs in turns of 16 bytes a lane, side by side, and hands them
// to their lanes by way of shared memory.

namespace kakeya::kernels {
namespace {

constexpr int kRun = kTileValues / kThreads;
static_assert(kRun == 8 * kPieces);

/// Memory for the runs of a block of threads, in pieces of eight values of 16 bits.
struct Exchange {
  uint4 pieces[kThreads * kPieces];
};

// Where piece `c` of a lane's run waits: any eight lanes that turn to their piece c meet no bank twice, nor
// do eight neighbouring pieces.
__device__ __forceinline__ uint4& piece_of(Exchange& exchange, int run, int c) {
  return exchange.pieces[kPieces * run + (c ^ (run >> 1 & 3))];
}

// Where a thread's run is, and what it reads and writes for its warp: in turn c eight values that are
// 256 c behind the first, hence in the same place of a row.
struct RunPlace {
  int row;  // of the run, in the tile
  int turn_row;
  std::int64_t run, turn;  // scalars
};

__device__ __forceinline__ RunPlace run_place_of(const Vectors& x, const Tile& tile) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread & 31;
  const int run = kRun * thread, turn = kRun * (thread - lane) + 8 * lane;
  RunPlace place;
  place.row = run / x.dim;
  place.turn_row = turn / x.dim;
  const std::int64_t first = tile.first * x.token_stride + tile.head * x.head_stride;
  place.run = first + place.row * x.token_stride + run % x.dim;
  place.turn = first + place.turn_row * x.token_stride + turn % x.dim;
  return place;
}
__device__ __forceinline__ bool turn_valid(const Vectors& x, const Tile& tile,
                                           const RunPlace& place, int c) {
  return place.turn_row + 256 * c / x.dim < tile.valid;
}
__device__ __forceinline__ std::int64_t turn_at(const Vectors& x, const RunPlace& place, int c) {
  return place.turn + 256 * c / x.dim * x.token_stride + 256 * c % x.dim;
}

/// A lane's run, and the extremes of its pieces.
struct Run {
  float v[kPieces][8];
  Extremes e[kPieces];
};

__device__ __forceinline__ void load_run(const Vectors& x, const Tile& tile, Exchange& exchange,
                                         Run& run) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread & 31, warp = thread - lane;
  const RunPlace place = run_place_of(x, tile);
  if (x.type == Scalar::fp32) {
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
      load_piece(x, place.row < tile.valid, place.run + 8 * c, run.v[c], run.e[c]);
    }
    return;
  }
  uint4 raw[kPieces];
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    raw[c] = make_uint4(0, 0, 0, 0);
    if (turn_valid(x, tile, place, c)) {
      raw[c] = *reinterpret_cast<const uint4*>(static_cast<const std::uint16_t*>(x.data) +
                                               turn_at(x, place, c));
    }
  }
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    piece_of(exchange, warp + 8 * c + lane / kPieces, lane % kPieces) = raw[c];
  }
  __syncwarp();
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    raw[c] = piece_of(exchange, thread, c);
    const std::uint32_t word[4] = {raw[c].x, raw[c].y, raw[c].z, raw[c].w};
    take_piece(x.type, word, run.v[c], run.e[c]);
  }
}

/// Writes finite values, none above bound[c] in magnitude in piece c, as store8() does.
__device__ __forceinline__ void store_run(const Vectors& y, const Tile& tile, Exchange& exchange,
                                          const float (&v)[kPieces][8],
                                          const float (&bound)[kPieces]) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread & 31, warp = thread - lane;
  const RunPlace place = run_place_of(y, tile);
  if (y.type == Scalar::fp32) {
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
      if (place.row < tile.valid) store8(y, place.run + 8 * c, v[c], bound[c]);
    }
    return;
  }
  __syncwarp();
#pragma unroll
  for (int c = 0; c < kPieces; ++c)
    piece_of(exchange, thread, c) = sixteen_bytes(y.type, v[c], bound[c]);
  __syncwarp();
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    if (!turn_valid(y, tile, place, c)) continue;
    *reinterpret_cast<uint4*>(static_cast<std::uint16_t*>(y.data) + turn_at(y, place, c)) =
        piece_of(exchange, warp + 8 * c + lane / kPieces, lane % kPieces);
  }
}

}  // namespace
}  // namespace kakeya::kernels
