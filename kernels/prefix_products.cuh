// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/klt_exact.cuh"
#include "kernels/prefix_read.cuh"
#include "kernels/shared_matrices.cuh"

// From coordinates as a warp decodes them, a lane a vector, to operands of products of bytes: 16 coordinates of 32
// vectors at a time, by way of 512 bytes of the warp's shared memory.

namespace kakeya::kernels {
namespace {

constexpr std::uint32_t kPrefixStage = 16 * kPageLanes;
/// The largest coordinate that two bytes with signs hold.
constexpr std::int32_t kMostTwoBytes = 127 * 256 + 127;

// As load_shared().
#if defined(__CUDACC__)
__device__ __forceinline__ void store_shared(std::uint32_t at, const std::uint32_t (&word)[4]) {
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(word[0]), "r"(word[1]),
               "r"(word[2]), "r"(word[3])
               : "memory");
}
__device__ __forceinline__ void store_shared(std::uint32_t at, float2 two) {
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(at), "f"(two.x), "f"(two.y) : "memory");
}
__device__ __forceinline__ float2 load_floats(std::uint32_t at) {
  float2 two;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(two.x), "=f"(two.y) : "r"(at) : "memory");
  return two;
}
#else
inline void store_shared(std::uint32_t at, const std::uint32_t (&word)[4]) {
  std::memcpy(shared_at(at), word, 16);
}
inline void store_shared(std::uint32_t at, float2 two) { std::memcpy(shared_at(at), &two, 8); }
inline float2 load_floats(std::uint32_t at) {
  float2 two;
  std::memcpy(&two, shared_at(at), 8);
  return two;
}
#endif

/// Four matrices as they are: lane 4 g + q gets [g][2 q] and [g][2 q + 1] of matrix m in word m. As load_turned().
__device__ __forceinline__ void load_rows(std::uint32_t row, std::uint32_t (&word)[4]) {
#if defined(__CUDACC__)
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
               : "r"(row)
               : "memory");
#else
  emulate::load_rows(shared_at(row), word);
#endif
}

/// As multiply_32(), of 16 by 16 and 16 by 8 bytes: a0 of row g and a1 of row g + 8.
__device__ __forceinline__ void multiply_16_bytes(std::uint32_t a0, std::uint32_t a1,
                                                  std::uint32_t b, std::int32_t (&sums)[4]) {
#if defined(__CUDACC__)
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
      "{%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(a0), "r"(a1), "r"(b));
#else
  emulate::multiply_bytes<1, true, true>({a0, a1}, {b}, sums);
#endif
}

/// The coordinates of 16 that a lane takes of its vector, four a word: of take_page() those of two groups.
struct PrefixWords {
  std::uint32_t stage;     ///< this lane's 16 bytes of the warp's kPrefixStage, shared_number()
  std::uint32_t low[4];    ///< lowest bytes, with signs
  std::uint32_t high[4];   ///< where wide: what is left of each, a 256th
  std::uint32_t wide = 0;  ///< of these 16: 1 where not all are bytes
  std::uint32_t far = 0;   ///< 1: one was none that two bytes hold

  template <int kFour>
  __device__ __forceinline__ void put_four(std::uint32_t values) {
    low[kFour] = values;
  }
  template <int kFour>
  __device__ __forceinline__ void put_four_more(std::uint32_t values, std::uint32_t signs) {
    widen();
    const std::uint32_t bytes = values ^ signs, below = permute(bytes, 0, 0xba98);
    low[kFour] = bytes;
    high[kFour] = (below & ~signs & 0x01010101u) | (signs & ~below);
  }
  template <int kEight>
  __device__ __forceinline__ void put_eight(const std::int32_t (&values)[8]) {
    widen();
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      std::uint32_t lows = 0, highs = 0;
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        const std::int32_t value = values[4 * half + c];
        far |= value > kMostTwoBytes || value < -kMostTwoBytes ? 1u : 0u;
        lows |= (static_cast<std::uint32_t>(value) & 0xffu) << (8 * c);
        highs |= (static_cast<std::uint32_t>(value + 128) >> 8 & 0xffu) << (8 * c);
      }
      low[2 * kEight + half] = lows;
      high[2 * kEight + half] = highs;
    }
  }
  /// To operands by load_rows() or load_turned(), `load`; of the 32 vectors of the warp, each in a row.
  template <typename Load>
  __device__ __forceinline__ void turn(const std::uint32_t (&words)[4], std::uint32_t (&operand)[4],
                                       const Load& load) const {
    store_shared(stage, words);
    __syncwarp();
    load(stage, operand);
    __syncwarp();
  }

 private:
  __device__ __forceinline__ void widen() {
    if (wide != 0) return;
    wide = 1;
#pragma unroll
    for (std::uint32_t& word : high) word = 0;
  }
};

/// Calls work() in the lanes with `mine`, those with the same `key`, below 2^31, one after another.
template <typename Work>
__device__ __forceinline__ void in_turns(bool mine, std::uint32_t key, const Work& work) {
  const int lane = lane_number();
  const std::uint32_t same =
      __match_any_sync(kAll, mine ? key : ~0u - static_cast<std::uint32_t>(lane));
  const std::uint32_t before = same & lanes_below(lane);
  std::uint32_t done = 0;
  for (bool left = mine; any_lane(left);) {
    const bool now = left && (before & ~done) == 0;
    if (now) work(), left = false;
    done |= __ballot_sync(kAll, now);
    __syncwarp();
  }
}

}  // namespace
}  // namespace kakeya::kernels
