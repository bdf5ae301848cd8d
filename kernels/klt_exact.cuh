// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/warp.cuh"

// What products of whole numbers take: four scalars, and digits on tensor cores.

namespace kakeya::kernels {

/// Four scalars from scalar `at` on, a multiple of 4.
__device__ __forceinline__ void load4(const Vectors& x, std::int64_t at, float (&v)[4]) {
  if (x.type == Scalar::fp32) {
    const float4 raw = *reinterpret_cast<const float4*>(static_cast<const float*>(x.data) + at);
    v[0] = raw.x, v[1] = raw.y, v[2] = raw.z, v[3] = raw.w;
    return;
  }
  const uint2 raw = *reinterpret_cast<const uint2*>(static_cast<const std::uint16_t*>(x.data) + at);
#pragma unroll
  for (int c = 0; c < 4; ++c) v[c] = value_of(x.type, c < 2 ? raw.x : raw.y, c % 2 != 0);
}

/// sums += A B, exact: A of 16 by 32 and B of 32 by 8 signed bytes, sums of 32 bits. Lane 4 g + q gives
/// A's rows g and g + 8, [4 q, 4 q + 4) in a[0] and a[1] and 16 further on in a[2] and a[3], and those of
/// column g of B in b0 and b1; it gets the sums' [g][2 q, 2 q + 1] and [g + 8][2 q, 2 q + 1].
__device__ __forceinline__ void multiply_32(const std::uint32_t (&a)[4], std::uint32_t b0,
                                            std::uint32_t b1, std::int32_t (&sums)[4]) {
#if defined(__CUDACC__)
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
  emulate::multiply_32(a, b0, b1, sums);
#endif
}

}  // namespace kakeya::kernels
