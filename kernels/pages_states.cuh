// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a page begins with: the states of its lanes (entropy/lane_states.h).

#include "kernels/pages.cuh"

namespace kakeya::kernels {

// The sum of the values of this lane and those below it.
__device__ __forceinline__ std::uint32_t sum_through(std::uint32_t value) {
  const int lane = lane_number();
  for (int distance = 1; distance < 32; distance *= 2) {
    const std::uint32_t before = __shfl_sync(kAll, value, (lane - distance) & 31);
    if (lane >= distance) value += before;
  }
  return value;
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
