// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/warp.cuh"

// The lowest and the highest of what is loaded, two numbers of 16 bits at a time, before they are
// floats.

namespace kakeya::kernels {
namespace {

/// The lowest and the highest of some numbers: two at a time as patterns of 16 bits, or one of 32.
/// NaN where one is. Of zeros the negative one is lower.
struct Extremes {
  std::uint32_t low, high;
};

__device__ __forceinline__ std::uint32_t lower_of(Scalar type, std::uint32_t a, std::uint32_t b) {
#if defined(__CUDACC__)
  std::uint32_t low;
  if (type == Scalar::bf16) asm("min.NaN.bf16x2 %0, %1, %2;" : "=r"(low) : "r"(a), "r"(b));
  if (type == Scalar::fp16) asm("min.NaN.f16x2 %0, %1, %2;" : "=r"(low) : "r"(a), "r"(b));
  if (type == Scalar::fp32) asm("min.NaN.f32 %0, %1, %2;" : "=r"(low) : "r"(a), "r"(b));
  return low;
#else
  return emulate::extreme_of(static_cast<int>(type), a, b, -1.0f);
#endif
}
__device__ __forceinline__ std::uint32_t higher_of(Scalar type, std::uint32_t a, std::uint32_t b) {
#if defined(__CUDACC__)
  std::uint32_t high;
  if (type == Scalar::bf16) asm("max.NaN.bf16x2 %0, %1, %2;" : "=r"(high) : "r"(a), "r"(b));
  if (type == Scalar::fp16) asm("max.NaN.f16x2 %0, %1, %2;" : "=r"(high) : "r"(a), "r"(b));
  if (type == Scalar::fp32) asm("max.NaN.f32 %0, %1, %2;" : "=r"(high) : "r"(a), "r"(b));
  return high;
#else
  return emulate::extreme_of(static_cast<int>(type), a, b, 1.0f);
#endif
}
__device__ __forceinline__ void widen(Scalar type, Extremes& e, const Extremes& other) {
  e.low = lower_of(type, e.low, other.low);
  e.high = higher_of(type, e.high, other.high);
}

__device__ __forceinline__ float lowest_of(Scalar type, const Extremes& e) {
  if (type == Scalar::fp32) return __uint_as_float(e.low);
  const float a = value_of(type, e.low, false), b = value_of(type, e.low, true);
  return __uint_as_float(lower_of(Scalar::fp32, __float_as_uint(a), __float_as_uint(b)));
}
__device__ __forceinline__ float highest_of(Scalar type, const Extremes& e) {
  if (type == Scalar::fp32) return __uint_as_float(e.high);
  const float a = value_of(type, e.high, false), b = value_of(type, e.high, true);
  return __uint_as_float(higher_of(Scalar::fp32, __float_as_uint(a), __float_as_uint(b)));
}

// Values and extremes of a piece from its words.
template <int kWords>
__device__ __forceinline__ void take_piece(Scalar type, const std::uint32_t (&word)[kWords],
                                           float* v, Extremes& e) {
  e = {word[0], word[0]};
#pragma unroll
  for (int i = 1; i < kWords; ++i) widen(type, e, {word[i], word[i]});
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    v[i] = kWords == 8 ? __uint_as_float(word[i * kWords / 8])
                       : value_of(type, word[i * kWords / 8], i % 2);
  }
}

// Eight scalars from scalar `at` on, or zeros.
__device__ __forceinline__ void load_piece(const Vectors& x, bool valid, std::int64_t at, float* v,
                                           Extremes& e) {
  if (x.type == Scalar::fp32) {
    std::uint32_t word[8] = {};
    if (valid) {
      const auto* from = reinterpret_cast<const uint4*>(static_cast<const float*>(x.data) + at);
      const uint4 a = from[0], b = from[1];
      word[0] = a.x, word[1] = a.y, word[2] = a.z, word[3] = a.w;
      word[4] = b.x, word[5] = b.y, word[6] = b.z, word[7] = b.w;
    }
    return take_piece(x.type, word, v, e);
  }
  uint4 raw = make_uint4(0, 0, 0, 0);
  if (valid) {
    raw = *reinterpret_cast<const uint4*>(static_cast<const std::uint16_t*>(x.data) + at);
  }
  const std::uint32_t word[4] = {raw.x, raw.y, raw.z, raw.w};
  take_piece(x.type, word, v, e);
}

}  // namespace
}  // namespace kakeya::kernels
