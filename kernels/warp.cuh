// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the kernels have in common: the CUDA runtime, or where they are compiled for the host as a
// test (tests/device/emulate.h) its stand-in, loads and stores of eight scalars, bit fields in
// shared memory.
//
// Kernels are built with -fmad=false, so that sums of products round as on the CPU. __fmaf_rn stands
// only where the product is exact.

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#define KAKEYA_LAUNCH(kernel, grid, threads, stream, ...)                                 \
  kernel<<<static_cast<unsigned>(grid), threads, 0, static_cast<cudaStream_t>(stream)>>>( \
      __VA_ARGS__);                                                                       \
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess) {             \
    throw ::kakeya::Error(std::string("CUDA: launch: ") + cudaGetErrorString(status));    \
  }
/// Declares `name`, the block's dynamic shared memory: bytes, at a multiple of 16.
#define KAKEYA_DYNAMIC_SHARED(name) extern __shared__ __align__(16) std::uint8_t name[]
#else
#include "device/emulate.h"
#endif

#include <cstdint>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kernels/kernels.h"

namespace kakeya::kernels {

constexpr unsigned kAll = 0xffffffffu;
constexpr int kThreads = 128;      // a block of threads: 4 warps
constexpr int kTileValues = 4096;  // of one head: 32 a thread, in 4 pieces of 8
constexpr int kPieces = 4;
using Wide = unsigned __int128;

/// The vectors of a tile are tokens [first, first + rows) of head `head`, as many as there are.
struct Tile {
  std::int64_t head, first;
  int rows, valid;
};

__device__ __forceinline__ Tile tile_of(const Vectors& x) {
  // Heads vary fastest: tiles that run together read whole tokens.
  const auto heads = static_cast<unsigned>(x.heads);
  const unsigned place = blockIdx.x / heads;
  Tile tile;
  tile.head = blockIdx.x - place * heads;
  tile.rows = kTileValues / x.dim;
  tile.first = static_cast<std::int64_t>(place) * tile.rows;
  const std::int64_t left = x.tokens - tile.first;
  tile.valid = left < tile.rows ? static_cast<int>(left) : tile.rows;
  return tile;
}

inline std::int64_t tiles_of(const Vectors& x) {
  const std::int64_t rows = kTileValues / x.dim;
  return (x.tokens + rows - 1) / rows * x.heads;
}

__device__ __forceinline__ float half_value(std::uint32_t pattern) {
#if defined(__CUDACC__)
  return __half2float(__ushort_as_half(static_cast<unsigned short>(pattern)));
#else
  return half_to_float(static_cast<std::uint16_t>(pattern));
#endif
}

/// Two floats as binary16 patterns, `low` in the low bits; rounded to nearest, ties to even.
__device__ __forceinline__ std::uint32_t two_halves(float low, float high) {
#if defined(__CUDACC__)
  const __half2 both = __floats2half2_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&both);
#else
  return float_to_half(low) | static_cast<std::uint32_t>(float_to_half(high)) << 16;
#endif
}

__device__ __forceinline__ std::uint32_t two_bfloat16(float low, float high) {
#if defined(__CUDACC__)
  std::uint32_t both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
  return both;
#else
  return float_to_bfloat16(low) | static_cast<std::uint32_t>(float_to_bfloat16(high)) << 16;
#endif
}

/// Eight scalars as they are in memory; `high` is of fp32 alone.
struct Raw8 {
  uint4 low, high;
};

/// Those from scalar `at` on, a multiple of 8.
__device__ __forceinline__ Raw8 fetch8(const Vectors& x, std::int64_t at) {
  Raw8 raw;
  if (x.type == Scalar::fp32) {
    const auto* from = reinterpret_cast<const uint4*>(static_cast<const float*>(x.data) + at);
    raw.low = from[0], raw.high = from[1];
  } else {
    raw.low = *reinterpret_cast<const uint4*>(static_cast<const std::uint16_t*>(x.data) + at);
    raw.high = make_uint4(0, 0, 0, 0);
  }
  return raw;
}

__device__ __forceinline__ void values8(Scalar type, const Raw8& raw, float* v) {
  const std::uint32_t word[8] = {raw.low.x,  raw.low.y,  raw.low.z,  raw.low.w,
                                 raw.high.x, raw.high.y, raw.high.z, raw.high.w};
  if (type == Scalar::fp32) {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = __uint_as_float(word[i]);
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (type == Scalar::bf16) {
      v[2 * i] = __uint_as_float(word[i] << 16);
      v[2 * i + 1] = __uint_as_float(word[i] & 0xffff0000u);
    } else {
      v[2 * i] = half_value(word[i] & 0xffffu);
      v[2 * i + 1] = half_value(word[i] >> 16);
    }
  }
}

/// Eight scalars from scalar `at` on, a multiple of 8.
__device__ __forceinline__ void load8(const Vectors& x, std::int64_t at, float* v) {
  values8(x.type, fetch8(x, at), v);
}

/// Writes eight finite scalars from scalar `at` on, none above `bound` in magnitude; what a 16-bit
/// type cannot hold becomes its largest.
__device__ __forceinline__ void store8(const Vectors& y, std::int64_t at, const float* v,
                                       float bound) {
  if (y.type == Scalar::fp32) {
    auto* to = reinterpret_cast<float4*>(static_cast<float*>(y.data) + at);
    to[0] = make_float4(v[0], v[1], v[2], v[3]);
    to[1] = make_float4(v[4], v[5], v[6], v[7]);
    return;
  }
  const float most = y.type == Scalar::bf16 ? 0x1.fep127f : 65504.0f;
  float kept[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) kept[i] = v[i];
  if (!(bound < most)) {
#pragma unroll
    for (int i = 0; i < 8; ++i) kept[i] = fminf(fmaxf(v[i], -most), most);
  }
  std::uint32_t word[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    word[i] = y.type == Scalar::bf16 ? two_bfloat16(kept[2 * i], kept[2 * i + 1])
                                     : two_halves(kept[2 * i], kept[2 * i + 1]);
  }
  *reinterpret_cast<uint4*>(static_cast<std::uint16_t*>(y.data) + at) =
      make_uint4(word[0], word[1], word[2], word[3]);
}

/// max(a, |b|), NaN where one of them is NaN.
__device__ __forceinline__ float largest_or_nan(float a, float b) {
#if defined(__CUDACC__)
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(a) : "f"(a), "f"(fabsf(b)));
  return a;
#else
  return a != a || b != b ? __uint_as_float(0x7fffffffu) : fmaxf(a, fabsf(b));
#endif
}

/// The largest magnitude of eight numbers as a bit pattern; of a NaN among them that of a NaN.
__device__ __forceinline__ std::uint32_t largest8(const float* v) {
  float most = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) most = largest_or_nan(most, v[i]);
  return __float_as_uint(most) & 0x7fffffffu;
}

/// Added to a number below 2^22 in magnitude it rounds to a whole one, ties to even; the pattern is
/// then that of kShift plus the whole number. Taken away again it leaves a float.
constexpr float kShift = 0x1.8p23f;
constexpr std::uint32_t kShiftPattern = 0x4b400000u;

/// a / b, correctly rounded; `inverse` is 1 / b, and neither is near the ends of float's exponents.
__device__ __forceinline__ float quotient(float a, float b, float inverse) {
  const float near = a * inverse;
  return __fmaf_rn(__fmaf_rn(-near, b, a), inverse, near);
}

/// The whole part of a number from 0 to 2^22, and a code's value.
__device__ __forceinline__ int truncated(float value) {
#if defined(__CUDACC__)
  return __float_as_int(__fadd_rz(value, 0x1p23f)) & 0x7fffff;
#else
  return static_cast<int>(value);
#endif
}
__device__ __forceinline__ float float_of_code(int code) {
  return __uint_as_float(static_cast<std::uint32_t>(code) | kShiftPattern) - kShift;
}

/// Puts the low `width` bits of `field`, whose other bits are 0, at bit `at` of zeroed words.
template <typename Field>
__device__ __forceinline__ void put_bits(std::uint32_t* words, int at, int width, Field field) {
  std::uint32_t* word = words + at / 32;
  if (width % 32 == 0) {
    for (int i = 0; i < width / 32; ++i) word[i] = static_cast<std::uint32_t>(field >> (32 * i));
    return;
  }
  const int shift = at % 32;
  atomicOr(word, static_cast<std::uint32_t>(field) << shift);
  int done = 32 - shift;
  while (done < width) {  // at least one bit: done is in [1, 32] at first
    atomicOr(++word, static_cast<std::uint32_t>(field >> done));
    done += 32;
  }
}

/// The field of `width` bits at bit `at`; reads up to a word beyond it.
template <typename Field>
__device__ __forceinline__ Field get_bits(const std::uint32_t* words, int at, int width) {
  const std::uint32_t* word = words + at / 32;
  const int shift = at % 32;
  Field field = __funnelshift_r(word[0], word[1], shift);
#pragma unroll
  for (int i = 1; i < static_cast<int>(sizeof(Field)) / 4; ++i) {
    if (32 * i < width) {
      field |= static_cast<Field>(__funnelshift_r(word[i], word[i + 1], shift)) << (32 * i);
    }
  }
  const int above = static_cast<int>(8 * sizeof(Field)) - width;
  return static_cast<Field>(field << above) >> above;
}

/// Copies `bytes` bytes between shared memory, at a multiple of 16, and global memory, likewise;
/// never touches global memory beyond.
__device__ __forceinline__ void copy_bytes(void* to, const void* from, std::int64_t bytes) {
  const auto whole_pieces = static_cast<int>(bytes / 16);
  for (int i = static_cast<int>(threadIdx.x); i < whole_pieces; i += static_cast<int>(blockDim.x)) {
    static_cast<uint4*>(to)[i] = static_cast<const uint4*>(from)[i];
  }
  const int rest = static_cast<int>(bytes) - 16 * whole_pieces,
            lane = static_cast<int>(threadIdx.x);
  if (lane < rest) {
    static_cast<std::uint8_t*>(to)[16 * whole_pieces + lane] =
        static_cast<const std::uint8_t*>(from)[16 * whole_pieces + lane];
  }
}

}  // namespace kakeya::kernels
