// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/half_products.cuh"
#include "kernels/rope_attention.h"
#include "kernels/wgmma.cuh"

// Products of keys with a head's matrix, in binary16 with sums in float.
//
// A warp has 16 tokens, rows of A in its registers as mma.m16n8k16 has them; B is the matrix in shared memory,
// 64 columns of it at a time. Four warps of Hopper (sm_90a) that are a warpgroup do so with one wgmma a step, which
// reads B once for all of them; others with eight mma.m16n8k16 each.

namespace kakeya::kernels {
namespace {

/// product[j] = a times columns [64 pass + 8 j, ... + 8) of `matrix`, all steps, by a warp.
template <int kDim, int kSteps>
__device__ __forceinline__ void multiply_by_warp(const std::uint32_t (&a)[kSteps][4],
                                                 const std::uint8_t* columns,
                                                 [[maybe_unused]] int lane,
                                                 float (&product)[8][4]) {
  constexpr int kNextRows = kDim * 16;  // bytes from 8 rows to the next 8
#if defined(__CUDACC__)
#pragma unroll
  for (int j = 0; j < 8; ++j) {
#pragma unroll
    for (int i = 0; i < 4; ++i) product[j][i] = 0.0f;
  }
  __syncwarp();
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const auto* const words =
          reinterpret_cast<const std::uint32_t*>(columns + 2 * step * kNextRows + 128 * j);
      add_product_16(a[step], words[lane], words[lane + kNextRows / 4], product[j]);
    }
  }
#else
  emulate::multiply_columns<kSteps>(a, columns, kNextRows, product);
#endif
}

#if KAKEYA_WGMMA
/// The same by a warpgroup, of a matrix where the block's shared memory begins.
template <int kDim, int kSteps>
__device__ __forceinline__ void multiply_by_group(const std::uint32_t (&a)[kSteps][4], int pass,
                                                  float (&d)[8][4]) {
  constexpr int kNextRows = kDim * 16;
  // So that the compiler knows that it is the same for all lanes.
  KAKEYA_DYNAMIC_SHARED(memory);
  // No swizzle: from 8 columns to the next 8 it is 128 bytes.
  constexpr std::uint32_t kPlaces = std::uint32_t{kNextRows / 16} << 16;
  const auto first = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)) + 1024 * pass;
  __syncwarp();
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    const std::uint64_t b = std::uint64_t{8} << 32 | (first / 16 + kPlaces + step * kNextRows / 8);
    asm volatile(
        "{\n.reg .pred more;\nsetp.ne.b32 more, %37, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "{%32, %33, %34, %35}, %36, more, 1, 1, 0;\n}"
        : "+f"(d[0][0]), "+f"(d[0][1]), "+f"(d[0][2]), "+f"(d[0][3]), "+f"(d[1][0]), "+f"(d[1][1]),
          "+f"(d[1][2]), "+f"(d[1][3]), "+f"(d[2][0]), "+f"(d[2][1]), "+f"(d[2][2]), "+f"(d[2][3]),
          "+f"(d[3][0]), "+f"(d[3][1]), "+f"(d[3][2]), "+f"(d[3][3]), "+f"(d[4][0]), "+f"(d[4][1]),
          "+f"(d[4][2]), "+f"(d[4][3]), "+f"(d[5][0]), "+f"(d[5][1]), "+f"(d[5][2]), "+f"(d[5][3]),
          "+f"(d[6][0]), "+f"(d[6][1]), "+f"(d[6][2]), "+f"(d[6][3]), "+f"(d[7][0]), "+f"(d[7][1]),
          "+f"(d[7][2]), "+f"(d[7][3])
        : "r"(a[step][0]), "r"(a[step][1]), "r"(a[step][2]), "r"(a[step][3]), "l"(b),
          "r"(step == 0 ? 0 : 1)
        : "memory");
  }
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}
#endif

/// The same of columns [64 pass, 64 pass + 64) of `matrix`, where shared memory begins, by the warps of a team: with
/// 128 coordinates or more they are warpgroups.
template <int kDim, int kSteps>
__device__ __forceinline__ void multiply_columns(const std::uint32_t (&a)[kSteps][4],
                                                 const std::uint8_t* matrix, int pass, int lane,
                                                 float (&product)[8][4]) {
  const std::uint8_t* const columns = matrix + 1024 * pass;
#if KAKEYA_WGMMA
  if constexpr (kDim >= 128) {
    multiply_by_group<kDim>(a, pass, product);
  } else {
    multiply_by_warp<kDim>(a, columns, lane, product);
  }
#else
  multiply_by_warp<kDim>(a, columns, lane, product);
#endif
}

/// 2 products of 16 columns with the same rows, such as multiply_columns() made: a lane's of columns 8 j + k.
struct TurnedRows {
  std::uint32_t first[2],
      second[2];  ///< of rows g and g + 8: two coordinates, and what they are paired with
};

/// Two pairs of both rows turned by angles of cosine .x and sine .y, and .z and .w.
__device__ __forceinline__ TurnedRows turn_rows(const float (&first)[4], const float (&second)[4],
                                                const float4& row, const float4& row_8) {
  const float4 by[2] = {row, row_8};
  TurnedRows made;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const float a = first[2 * i], b = second[2 * i], c = first[2 * i + 1], d = second[2 * i + 1];
    made.first[i] =
        two_halves(__fmaf_rn(a, by[i].x, -(b * by[i].y)), __fmaf_rn(c, by[i].z, -(d * by[i].w)));
    made.second[i] =
        two_halves(__fmaf_rn(a, by[i].y, b * by[i].x), __fmaf_rn(c, by[i].w, d * by[i].z));
  }
  return made;
}

}  // namespace
}  // namespace kakeya::kernels
