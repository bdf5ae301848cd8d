// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/warp.cuh"

// What products of whole numbers take: digits on tensor cores, and four scalars of a result.

namespace kakeya::kernels {

/// Writes four finite values from scalar `at` on, a multiple of 4; those beyond a 16-bit type become its largest.
__device__ __forceinline__ void store4(const Vectors& y, std::int64_t at, const float* v) {
  if (y.type == Scalar::fp32) {
    *reinterpret_cast<float4*>(static_cast<float*>(y.data) + at) =
        make_float4(v[0], v[1], v[2], v[3]);
    return;
  }
  const float most = y.type == Scalar::bf16 ? 0x1.fep127f : 65504.0f;
  std::uint32_t word[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const float first = fminf(fmaxf(v[2 * i], -most), most),
                second = fminf(fmaxf(v[2 * i + 1], -most), most);
    word[i] = y.type == Scalar::bf16 ? two_bfloat16(first, second) : two_halves(first, second);
  }
  *reinterpret_cast<uint2*>(static_cast<std::uint16_t*>(y.data) + at) =
      make_uint2(word[0], word[1]);
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
