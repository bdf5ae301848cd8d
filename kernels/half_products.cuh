// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/warp.cuh"

// Products of binary16 with sums in float, of warps whose operands are those of mma.m16n8k16.

namespace kakeya::kernels {
namespace {

/// multiply_16(), added to `sums`.
__device__ __forceinline__ void add_product_16(const std::uint32_t (&a)[4], std::uint32_t b0,
                                               std::uint32_t b1, float (&sums)[4]) {
#if defined(__CUDACC__)
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
  float product[4];
  emulate::multiply_16(a, b0, b1, product);
  for (int i = 0; i < 4; ++i) sums[i] += product[i];
#endif
}

/// Two numbers as binary16, and what is left of them.
struct SplitHalves {
  std::uint32_t high, low;
};
__device__ __forceinline__ SplitHalves split_halves(float a, float b) {
  const std::uint32_t high = two_halves(a, b);
  return {high, two_halves(a - half_value(high & 0xffffu), b - half_value(high >> 16))};
}

}  // namespace
}  // namespace kakeya::kernels
