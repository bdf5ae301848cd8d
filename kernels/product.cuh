// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/heads.cuh"
#include "kernels/klt.h"
#include "kernels/warp.cuh"

// Products of many vectors with a matrix in the CPU's order (multiply_tile() of simd/tile.h): each
// sum is one chain, product after product, from 0 on, and every product is rounded.
//
// A block has 64 vectors and 64 or 128 columns, a thread 8 of each: 64 chains, which hide the
// latency of additions. A warp has 32 vectors, a group of points, and 64 columns. Per step a thread
// reads 8 + 8 numbers from shared memory and does 64 multiplications and 64 additions.

namespace kakeya::kernels {
namespace {

constexpr int kProductRows = 64;

template <int kColumns>
constexpr int kProductThreads = kProductRows / 8 * kColumns / 8;

/// Of kKltSteps steps: the vectors' coordinates, and the rows of the matrix (klt_place()).
template <int kColumns>
struct ProductShared {
  float left[kKltSteps][kProductRows];
  float right[kKltSteps][kColumns];
};

/// Of the vectors of each head with a matrix of its own, or of one head.
struct Product {
  const float* matrix;  ///< [heads][klt_matrix_values(dim)]
  int dim;              ///< rows and columns of a matrix
  std::int64_t heads, tokens;
  HeadPlans plans = {};                   ///< which matrix a head has
  const std::uint32_t* counts = nullptr;  ///< Klt::counts

  __device__ __forceinline__ std::int64_t tokens_of(std::int64_t head) const {
    return counts == nullptr ? tokens : std::int64_t{counts[head]};
  }
};

/// Which tile a block has. Tiles of columns vary fastest, then heads.
struct ProductTile {
  std::int64_t head, first;  ///< the first vector
  int tile;                  ///< of columns
  std::int64_t plan;         ///< of the head
};
__device__ __forceinline__ ProductTile product_tile(const Product& product) {
  const auto tiles = static_cast<unsigned>(klt_tiles(product.dim)),
             heads = static_cast<unsigned>(product.heads);
  const unsigned place = blockIdx.x / tiles, rows = place / heads;
  const std::int64_t head = place - rows * heads;
  return {head, static_cast<std::int64_t>(rows) * kProductRows,
          static_cast<int>(blockIdx.x % tiles), plan_number(product.plans, head)};
}
inline std::int64_t product_blocks(const Product& product) {
  return (product.tokens + kProductRows - 1) / kProductRows * product.heads *
         klt_tiles(product.dim);
}

/// A thread's vectors and columns: eight neighbours of each.
template <int kColumns>
struct ProductSeat {
  int row, slot;

  __device__ __forceinline__ ProductSeat() {
    constexpr int kAcross = kColumns / 64;
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    row = 32 * (warp / kAcross) + lane / 8 * 8;
    slot = 8 * (warp % kAcross) + lane % 8;
  }
  __device__ __forceinline__ int column() const { return 8 * slot; }
};

/// sum[r][c] of vector r and column c of this thread's seat. `left` brings the vectors: after begin()
/// fetch(i) has read what keep(i, shared.left) writes of coordinates [i, i + kKltSteps), zeros where there are
/// none.
template <int kColumns, typename Left>
__device__ __forceinline__ void multiply(Left& left, const Product& product,
                                         const ProductTile& tile, const ProductSeat<kColumns>& seat,
                                         ProductShared<kColumns>& shared, float (&sum)[8][8]) {
  constexpr int kThreadsHere = kProductThreads<kColumns>;
  constexpr int kPieces = kKltSteps * kColumns / 4 / kThreadsHere;
  const int thread = static_cast<int>(threadIdx.x), dim = product.dim;
  const float* matrix = product.matrix + (tile.plan * klt_tiles(dim) + tile.tile) *
                                             std::int64_t{klt_rows(dim)} * kColumns;
  uint4 right[kPieces];
  const auto fetch = [&](int i) {
    left.fetch(i);
#pragma unroll
    for (int p = 0; p < kPieces; ++p) {
      right[p] = reinterpret_cast<const uint4*>(matrix + i * kColumns)[thread + p * kThreadsHere];
    }
  };
  fetch(0);
#pragma unroll
  for (int r = 0; r < 8; ++r) {
#pragma unroll
    for (int c = 0; c < 8; ++c) sum[r][c] = 0.0f;
  }
  left.begin();
  for (int i = 0; i < dim; i += kKltSteps) {
    if (i != 0) __syncthreads();
    left.keep(i, shared.left);
#pragma unroll
    for (int p = 0; p < kPieces; ++p) {
      reinterpret_cast<uint4*>(shared.right[0])[thread + p * kThreadsHere] = right[p];
    }
    __syncthreads();
    if (i + kKltSteps < dim) fetch(i + kKltSteps);
#pragma unroll 2
    for (int step = 0; step < kKltSteps; ++step) {
      const auto* vectors = reinterpret_cast<const float4*>(&shared.left[step][seat.row]);
      const auto* columns = reinterpret_cast<const float4*>(shared.right[step]);
      const float4 a0 = vectors[0], a1 = vectors[1];
      const float4 b0 = columns[seat.slot], b1 = columns[kColumns / 8 + seat.slot];
      const float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int r = 0; r < 8; ++r) {
#pragma unroll
        for (int c = 0; c < 8; ++c) sum[r][c] = sum[r][c] + a[r] * b[c];
      }
    }
  }
}

}  // namespace
}  // namespace kakeya::kernels
