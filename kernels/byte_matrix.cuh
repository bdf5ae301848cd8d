// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/byte_products.cuh"
#include "kernels/wgmma.cuh"

// Products of bytes with a matrix of signed bytes, exact, 16 rows a warp: on Hopper by wgmma, which reads the matrix from
// shared memory once for four warps, elsewhere by mma.m16n8k32.

namespace kakeya::kernels {
namespace {

/// Where a matrix of kDim by kDim has byte k of a column, in shared memory: 16 k of a column after the same of all other
/// columns, so that eight columns are 128 bytes.
template <int kDim>
constexpr int byte_matrix_place(int column, int k) {
  return k / 16 * (16 * kDim) + 16 * column + k % 16;
}

#if KAKEYA_WGMMA
/// d += a times columns [64 pass, 64 pass + 64) of the matrix `matrix` bytes behind the block's dynamic shared memory's
/// beginning, by a warpgroup; with kFresh d is what it becomes alone.
template <int kDim, bool kFresh>
__device__ __forceinline__ void add_columns_by_group(const std::uint32_t (&a)[kDim / 32][4],
                                                     int matrix, int pass,
                                                     std::int32_t (&d)[8][4]) {
  // So that the compiler knows that it is the same for all lanes.
  KAKEYA_DYNAMIC_SHARED(memory);
  // No swizzle: from 16 k to the next 16, and from 8 columns to the next 8.
  constexpr std::uint32_t kPlaces = std::uint32_t{kDim} << 16, kNextColumns = 128 / 16;
  const std::uint32_t first = kPlaces +
                              (static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)) +
                               static_cast<std::uint32_t>(matrix)) /
                                  16 +
                              64 * static_cast<std::uint32_t>(pass);
  __syncwarp();
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int step = 0; step < kDim / 32; ++step) {
    const std::uint64_t b = std::uint64_t{kNextColumns} << 32 | (first + 2 * kDim * step);
    if (kFresh && step == 0) {
      asm volatile(
          "{\n.reg .pred more;\nsetp.ne.b32 more, 0, 0;\n"
          "wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.s8 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, %34, %35}, %36, more;\n}"
          : "=r"(d[0][0]), "=r"(d[0][1]), "=r"(d[0][2]), "=r"(d[0][3]), "=r"(d[1][0]),
            "=r"(d[1][1]), "=r"(d[1][2]), "=r"(d[1][3]), "=r"(d[2][0]), "=r"(d[2][1]),
            "=r"(d[2][2]), "=r"(d[2][3]), "=r"(d[3][0]), "=r"(d[3][1]), "=r"(d[3][2]),
            "=r"(d[3][3]), "=r"(d[4][0]), "=r"(d[4][1]), "=r"(d[4][2]), "=r"(d[4][3]),
            "=r"(d[5][0]), "=r"(d[5][1]), "=r"(d[5][2]), "=r"(d[5][3]), "=r"(d[6][0]),
            "=r"(d[6][1]), "=r"(d[6][2]), "=r"(d[6][3]), "=r"(d[7][0]), "=r"(d[7][1]),
            "=r"(d[7][2]), "=r"(d[7][3])
          : "r"(a[step][0]), "r"(a[step][1]), "r"(a[step][2]), "r"(a[step][3]), "l"(b)
          : "memory");
    } else {
      asm volatile(
          "{\n.reg .pred more;\nsetp.ne.b32 more, 1, 0;\n"
          "wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.s8 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, %34, %35}, %36, more;\n}"
          : "+r"(d[0][0]), "+r"(d[0][1]), "+r"(d[0][2]), "+r"(d[0][3]), "+r"(d[1][0]),
            "+r"(d[1][1]), "+r"(d[1][2]), "+r"(d[1][3]), "+r"(d[2][0]), "+r"(d[2][1]),
            "+r"(d[2][2]), "+r"(d[2][3]), "+r"(d[3][0]), "+r"(d[3][1]), "+r"(d[3][2]),
            "+r"(d[3][3]), "+r"(d[4][0]), "+r"(d[4][1]), "+r"(d[4][2]), "+r"(d[4][3]),
            "+r"(d[5][0]), "+r"(d[5][1]), "+r"(d[5][2]), "+r"(d[5][3]), "+r"(d[6][0]),
            "+r"(d[6][1]), "+r"(d[6][2]), "+r"(d[6][3]), "+r"(d[7][0]), "+r"(d[7][1]),
            "+r"(d[7][2]), "+r"(d[7][3])
          : "r"(a[step][0]), "r"(a[step][1]), "r"(a[step][2]), "r"(a[step][3]), "l"(b)
          : "memory");
    }
  }
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}
#endif

/// The same by each warp alone; word_of(column, step, half): of lane 4 g + q the bytes [16 half + 4 q, ... + 4) of step
/// `step` of column g behind `column`.
template <int kDim, typename WordOf>
__device__ __forceinline__ void add_columns_by_warp(const std::uint32_t (&a)[kDim / 32][4],
                                                    int pass, std::int32_t (&d)[8][4],
                                                    const WordOf& word_of) {
#pragma unroll kDim < 256 ? kDim / 32 : 1
  for (int step = 0; step < kDim / 32; ++step) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int column = 64 * pass + 8 * j;
      multiply_two<true>(a[step][0], a[step][1], a[step][2], a[step][3], word_of(column, step, 0),
                         word_of(column, step, 1), d[j]);
    }
  }
}

}  // namespace
}  // namespace kakeya::kernels
