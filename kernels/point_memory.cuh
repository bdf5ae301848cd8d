// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// Points in device memory: twice their coordinates, as numbers of 32 bits or, where they are near, of 16.

namespace kakeya::kernels {

/// Numbers from some point of a page on. One beyond 16 bits is kept as the largest of its sign, which product=exact
/// refuses.
struct PointMemory {
  void* data = nullptr;
  bool near = false;

  __device__ __forceinline__ PointMemory from(std::int64_t values) const {
    return {static_cast<std::uint8_t*>(data) + (near ? 2 : 4) * values, near};
  }
  __device__ __forceinline__ std::int32_t at(std::int64_t i) const {
    return near ? static_cast<const std::int16_t*>(data)[i]
                : static_cast<const std::int32_t*>(data)[i];
  }
  __device__ __forceinline__ void put(std::int64_t i, std::int32_t twice) const {
    if (near) {
      static_cast<std::int16_t*>(data)[i] = in_16_bits(twice);
    } else {
      static_cast<std::int32_t*>(data)[i] = twice;
    }
  }
  /// Those at 0, step, 2 step, ...
  template <int kCount>
  __device__ __forceinline__ void get(std::int64_t step, std::int32_t (&twice)[kCount]) const {
    if (near) {
      const auto* const from = static_cast<const std::int16_t*>(data);
#pragma unroll
      for (int k = 0; k < kCount; ++k) twice[k] = from[k * step];
    } else {
      const auto* const from = static_cast<const std::int32_t*>(data);
#pragma unroll
      for (int k = 0; k < kCount; ++k) twice[k] = from[k * step];
    }
  }
  /// kFew: numbers of no more than 16 bits.
  template <bool kFew, int kCount>
  __device__ __forceinline__ void set(std::int64_t step,
                                      const std::int32_t (&twice)[kCount]) const {
    if (near) {
      auto* const to = static_cast<std::int16_t*>(data);
#pragma unroll
      for (int k = 0; k < kCount; ++k) {
        to[k * step] = kFew ? static_cast<std::int16_t>(twice[k]) : in_16_bits(twice[k]);
      }
    } else {
      auto* const to = static_cast<std::int32_t*>(data);
#pragma unroll
      for (int k = 0; k < kCount; ++k) to[k * step] = twice[k];
    }
  }

  static __device__ __forceinline__ std::int16_t in_16_bits(std::int32_t twice) {
    const std::int32_t low = twice < -32768 ? -32768 : twice;
    return static_cast<std::int16_t>(low > 32767 ? 32767 : low);
  }
};

}  // namespace kakeya::kernels
