// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/warp.cuh"

namespace kakeya::kernels {
namespace {

/// sums += A B, exact: A of 16 by 16 unsigned and B of 16 by 8 signed bytes. Lane 4 g + q gives A's rows g and
/// g + 8, [4 q, 4 q + 4), and those of column g of B, and gets the sums' [g][2 q, 2 q + 1] and
/// [g + 8][2 q, 2 q + 1].
__device__ __forceinline__ void multiply_keys(std::uint32_t a0, std::uint32_t a1, std::uint32_t b,
                                              std::int32_t (&sums)[4]) {
#if defined(__CUDACC__)
  asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
      "{%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(a0), "r"(a1), "r"(b));
#else
  emulate::multiply_bytes<1, true>({a0, a1}, {b}, sums);
#endif
}

/// The same of 16 by 32 and 32 by 8 unsigned bytes, rows g + 8 of A all 0: a[0] are [4 q, 4 q + 4) of row g
/// and a[1] those 16 further on, b likewise of column g.
__device__ __forceinline__ void multiply_values(std::uint32_t a0, std::uint32_t a1,
                                                std::uint32_t b0, std::uint32_t b1,
                                                std::int32_t (&sums)[4]) {
#if defined(__CUDACC__)
  asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %8, %5, %8}, "
      "{%6, %7}, {%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(a0), "r"(a1), "r"(b0), "r"(b1), "r"(0));
#else
  emulate::multiply_bytes<2, false>({a0, 0, a1, 0}, {b0, b1}, sums);
#endif
}

/// The same of 16 by 32 unsigned and 32 by 8 bytes, these signed or not: a[0] are [4 q, 4 q + 4) of row g, a[1]
/// those of row g + 8, a[2] and a[3] those 16 further on.
template <bool kSigned>
__device__ __forceinline__ void multiply_two(std::uint32_t a0, std::uint32_t a1, std::uint32_t a2,
                                             std::uint32_t a3, std::uint32_t b0, std::uint32_t b1,
                                             std::int32_t (&sums)[4]) {
#if defined(__CUDACC__)
  if constexpr (kSigned) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  } else {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  }
#else
  emulate::multiply_bytes<2, kSigned>({a0, a1, a2, a3}, {b0, b1}, sums);
#endif
}

}  // namespace
}  // namespace kakeya::kernels
