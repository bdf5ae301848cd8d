// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/warp.cuh"

// Barriers of a few warps, and Hopper's products of four, a warpgroup, with a matrix in shared memory: sources that are
// compiled for sm_90a have them, unless KAKEYA_NO_WGMMA is defined.

#if defined(__CUDA_ARCH_FEAT_SM90_ALL) && !defined(KAKEYA_NO_WGMMA)
#define KAKEYA_WGMMA 1
#else
#define KAKEYA_WGMMA 0
#endif

namespace kakeya::kernels {
namespace {

/// Waits for all warps of a team of `threads` threads, which have this barrier to themselves.
__device__ __forceinline__ void team_barrier(int team, int threads) {
#if defined(__CUDACC__)
  __syncwarp();
  asm volatile("bar.sync %0, %1;" ::"r"(team + 1), "r"(threads) : "memory");
#else
  emulate::Block::current()->wait_for_team(static_cast<unsigned>(team),
                                           static_cast<unsigned>(threads));
#endif
}

/// What ordinary stores put into shared memory is seen by wgmma after a barrier that follows.
__device__ __forceinline__ void show_to_wgmma() {
#if KAKEYA_WGMMA
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

}  // namespace
}  // namespace kakeya::kernels
