// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/pages.cuh"

namespace kakeya::kernels {
namespace {

/// A copy from global into shared memory that runs while a warp does other things, again and again.
/// All of it is called by whole warps. Where the GPU has no such instruction it is done by finish().
class BulkCopy {
 public:
  /// `barrier`: 8 bytes of shared memory of its own. A barrier of the block comes between this and
  /// start().
  __device__ __forceinline__ BulkCopy(std::uint64_t* barrier, int lane)
      : barrier_(barrier), lane_(lane) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (lane == 0) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place_of(barrier_)) : "memory");
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncwarp();  // a warp makes a barrier as one, so that a lane's use of it comes after a barrier of the warp
#endif
  }

  /// Begins to copy `bytes` bytes; both ends and `bytes` are multiples of 16. The warp has read what
  /// was there before.
  __device__ __forceinline__ void start(void* to, const void* from, int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __syncwarp();
    if (lane_ == 0) {
      asm volatile(
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place_of(barrier_)),
          "r"(bytes)
          : "memory");
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
              "r"(place_of(to)),
          "l"(from), "r"(bytes), "r"(place_of(barrier_))
          : "memory");
    }
#else
    to_ = to, from_ = from, bytes_ = bytes;
#endif
  }

  /// In the place of start(): `bytes` bytes will be copied by piece(), after any barrier of the warp.
  __device__ __forceinline__ void expect([[maybe_unused]] int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (lane_ == 0) {
      asm volatile(
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place_of(barrier_)),
          "r"(bytes)
          : "memory");
    }
#endif
  }
  /// Begins to copy some of them, as start(); where the GPU has no such instruction, copies them.
  __device__ __forceinline__ void piece(void* to, const void* from, int bytes) {
    __syncwarp();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (lane_ == 0) {
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
              "r"(place_of(to)),
          "l"(from), "r"(bytes), "r"(place_of(barrier_))
          : "memory");
    }
#else
    for (int i = lane_; i < bytes / 16; i += 32) {
      static_cast<uint4*>(to)[i] = static_cast<const uint4*>(from)[i];
    }
#endif
  }

  /// Waits until all bytes are there for the warp to read.
  __device__ __forceinline__ void finish() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile(
        "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again;\n}" ::"r"(place_of(barrier_)),
        "r"(turn_)
        : "memory");
    turn_ ^= 1u;
#else
    __syncwarp();
    for (int i = lane_; i < bytes_ / 16; i += 32) {
      static_cast<uint4*>(to_)[i] = static_cast<const uint4*>(from_)[i];
    }
    __syncwarp();
#endif
  }

 private:
#if defined(__CUDACC__)
  static __device__ __forceinline__ std::uint32_t place_of(const void* shared) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  }
#endif
  std::uint64_t* barrier_;
  int lane_;
  std::uint32_t turn_ = 0;
  void* to_ = nullptr;
  const void* from_ = nullptr;
  int bytes_ = 0;
};

/// Begins to copy 16 bytes into shared memory; finish_copies() waits for the warp's.
__device__ __forceinline__ void copy_16(uint4* to, const void* from) {
#if defined(__CUDACC__)
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
#else
  *to = *static_cast<const uint4*>(from);
#endif
}
__device__ __forceinline__ void finish_copies() {
#if defined(__CUDACC__)
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  __syncwarp();
}

/// Copies into shared memory that a lane began are there, but for those of its last `kLeft` calls of
/// end_copies().
__device__ __forceinline__ void end_copies() {
#if defined(__CUDACC__)
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int kLeft>
__device__ __forceinline__ void wait_for_copies() {
#if defined(__CUDACC__)
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
#endif
}
__device__ __forceinline__ void copy_piece(std::uint32_t to, const std::uint8_t* from) {
#if defined(__CUDACC__)
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from)
               : "memory");
#else
  *reinterpret_cast<uint4*>(shared_at(to)) = *reinterpret_cast<const uint4*>(from);
#endif
}

/// Begins to copy 4 bytes into shared memory, as copy_16() does 16.
__device__ __forceinline__ void copy_4(std::uint32_t* to, const std::uint32_t* from) {
#if defined(__CUDACC__)
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                   static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
#else
  *to = *from;
#endif
}

}  // namespace
}  // namespace kakeya::kernels
