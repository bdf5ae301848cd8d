// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/pages.cuh"

// Matrices of 8 by 8 numbers of 16 bits between shared memory and the registers of a warp, rows of one being columns
// of the other.

namespace kakeya::kernels {
namespace {

/// Four matrices. Lane 8 m + r says where row r of matrix m is, at a multiple of 16 bytes (shared_number()); lane 4 g + q
/// gets [2 q][g] and [2 q + 1][g] of matrix m in word m, the first below.
__device__ __forceinline__ void load_turned(std::uint32_t row, std::uint32_t (&word)[4]) {
#if defined(__CUDACC__)
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
               : "r"(row)
               : "memory");
#else
  emulate::load_turned(shared_at(row), word);
#endif
}

/// And back: a lane gives [g][2 q] and [g][2 q + 1] of matrix m, which become rows 2 q and 2 q + 1. GPUs before sm_90 have
/// no instruction for it: each lane writes its numbers there, from what lanes say of rows.
__device__ __forceinline__ void store_turned(std::uint32_t row, const std::uint32_t (&word)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row),
               "r"(word[0]), "r"(word[1]), "r"(word[2]), "r"(word[3])
               : "memory");
#elif defined(__CUDACC__)
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int m = 0; m < 4; ++m) {
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const std::uint32_t to = __shfl_sync(kAll, row, 8 * m + 2 * (lane % 4) + k);
      asm volatile("st.shared.u16 [%0], %1;" ::"r"(to + 2 * (lane / 4)),
                   "h"(static_cast<std::uint16_t>(word[m] >> (16 * k)))
                   : "memory");
    }
  }
#else
  emulate::store_turned(shared_at(row), word);
#endif
}

}  // namespace
}  // namespace kakeya::kernels
