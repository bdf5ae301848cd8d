// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a page begins with: the states of its lanes (entropy/lane_states.h).

#include "kernels/pages.cuh"

namespace kakeya::kernels {

/// A page in memory that may be read from a multiple of 16 before it to `readable_end`, another one.
struct PageBytes {
  const std::uint8_t *begin, *end, *readable_end;
};

/// The field of at most 31 bits at bit `at` of what lies at `bytes` of shared memory, by words.
__device__ __forceinline__ std::uint32_t shared_bits(std::uint32_t bytes, std::uint32_t at,
                                                     std::uint32_t width) {
  at += bytes % 4 * 8;
  const std::uint32_t word = bytes / 4 * 4 + at / 32 * 4;
  std::uint32_t low = 0, high = 0;
  load_shared(word, low, std::uint32_t());
  load_shared(word + 4, high, std::uint32_t());
  return __funnelshift_r(low, high, static_cast<int>(at % 32)) & ((1u << width) - 1);
}

// The sum of the values of this lane and those below it.
__device__ __forceinline__ std::uint32_t sum_through(std::uint32_t value) {
  const int lane = lane_number();
  for (int distance = 1; distance < 32; distance *= 2) {
    const std::uint32_t before = __shfl_sync(kAll, value, (lane - distance) & 31);
    if (lane >= distance) value += before;
  }
  return value;
}

/// Reads what a page begins with, at `page` of shared memory: sets this lane's state, 0 in those beyond
/// `lanes`, the lifted lanes and the header's bytes. False where it is damaged; `length`: the page's,
/// of which kMostStateBytes are there, and 8 bytes that may be read behind them.
__device__ __forceinline__ bool take_lane_states(std::uint32_t page, std::uint32_t length,
                                                 int lanes, std::uint32_t& state,
                                                 std::uint32_t& lifted, std::uint32_t& bytes) {
  const int lane = lane_number();
  const auto needed = static_cast<std::uint32_t>(lanes);
  const std::uint32_t some = shared_bits(page, 0, 8);
  std::uint32_t at = 8;
  if (length < 1 || some > 1) return false;
  if (std::uint64_t{length} * 8 < at + (some == 1 ? 5 : 4) * needed) return false;
  if (some == 1) {
    const std::uint32_t low = needed < 16 ? needed : 16;
    lifted = shared_bits(page, at, low) | shared_bits(page, at + low, needed - low) << low % 32;
    if (lifted == 0) return false;
    at += needed;
  }
  const std::uint32_t width =
      lane < lanes ? 16 + shared_bits(page, at + 4 * static_cast<std::uint32_t>(lane), 4) : 0;
  at += 4 * needed;
  const std::uint32_t through = sum_through(width);
  const std::uint32_t all = at + __shfl_sync(kAll, through, 31);
  bytes = (all + 7) / 8;
  if (length < bytes || (length - bytes) % 2 != 0) return false;
  if (all % 8 != 0 && shared_bits(page, all, 8 - all % 8) != 0) return false;
  if (lane < lanes) state = 1u << width | shared_bits(page, at + through - width, width);
  return true;
}

/// Words of shared memory that a warp lends for the states: 8 + 36 * 32 bits, and a word that they may
/// reach into.
constexpr int kHeaderWords = 38;

// Puts a field of at most 31 bits, all else 0, at bit `at`.
__device__ __forceinline__ void put_header(std::uint32_t* header, std::uint32_t at,
                                           std::uint32_t field) {
  const std::uint64_t placed = static_cast<std::uint64_t>(field) << (at % 32);
  atomicOr(header + at / 32, static_cast<std::uint32_t>(placed));
  atomicOr(header + at / 32 + 1, static_cast<std::uint32_t>(placed >> 32));
}

/// Writes the states of the lanes of a page of `vectors` to `header`, which is the warp's own, and
/// returns their bytes.
__device__ inline std::uint32_t put_lane_states(std::uint32_t* header, int vectors,
                                                std::uint32_t state, std::uint32_t lifted) {
  const int lane = lane_number();
  const auto lanes = static_cast<std::uint32_t>(vectors < kPageLanes ? vectors : kPageLanes);
  const bool ours = lane < vectors;
  const std::uint32_t width =
      ours ? 31 - static_cast<std::uint32_t>(__clz(static_cast<int>(state))) : 0;
  const std::uint32_t through = sum_through(width);
  const std::uint32_t at = 8 + (lifted != 0 ? lanes : 0);
  const std::uint32_t bytes = (at + 4 * lanes + __shfl_sync(kAll, through, 31) + 7) / 8;
  for (int k = lane; k < kHeaderWords; k += 32) header[k] = 0;
  __syncwarp();
  if (lane == 0 && lifted != 0) {
    put_header(header, 0, 1);
    put_header(header, 8, lifted);
  }
  if (ours) {
    put_header(header, at + 4 * static_cast<std::uint32_t>(lane), width - 16);
    put_header(header, at + 4 * lanes + through - width, state - (1u << width));
  }
  __syncwarp();
  return bytes;
}

}  // namespace kakeya::kernels
