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
/// Of functions that are rarely called: they keep their registers to themselves.
#define KAKEYA_NO_INLINE __noinline__
/// Declares `name`, the block's dynamic shared memory: bytes, at a multiple of 16.
#define KAKEYA_DYNAMIC_SHARED(name) extern __shared__ __align__(16) std::uint8_t name[]
#else
#include "device/emulate.h"
#define KAKEYA_NO_INLINE __attribute__((noinline))
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

/// Tile `number`; beyond the last its `valid` is at most 0.
__device__ __forceinline__ Tile tile_of(const Vectors& x, unsigned number) {
  // Heads vary fastest: tiles that run together read whole tokens.
  const auto heads = static_cast<unsigned>(x.heads);
  const unsigned place = number / heads;
  Tile tile;
  tile.head = number - place * heads;
  tile.rows = kTileValues / x.dim;
  tile.first = static_cast<std::int64_t>(place) * tile.rows;
  const std::int64_t left = x.tokens - tile.first;
  tile.valid = left < tile.rows ? static_cast<int>(left) : tile.rows;
  return tile;
}

__device__ __forceinline__ Tile tile_of(const Vectors& x) { return tile_of(x, blockIdx.x); }

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

/// The lower or the upper of a word's two 16-bit scalars.
__device__ __forceinline__ float value_of(Scalar type, std::uint32_t word, bool upper) {
  if (type == Scalar::bf16) return __uint_as_float(upper ? word & 0xffff0000u : word << 16);
  return half_value(upper ? word >> 16 : word & 0xffffu);
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
  for (int i = 0; i < 8; ++i) v[i] = value_of(type, word[i / 2], i % 2 != 0);
}

/// Eight scalars from scalar `at` on, a multiple of 8.
__device__ __forceinline__ void load8(const Vectors& x, std::int64_t at, float* v) {
  values8(x.type, fetch8(x, at), v);
}

/// Eight finite values as scalars of 16 bits, none above `bound` in magnitude; what the type cannot
/// hold becomes its largest.
__device__ __forceinline__ uint4 sixteen_bytes(Scalar type, const float* v, float bound) {
  const float most = type == Scalar::bf16 ? 0x1.fep127f : 65504.0f;
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
    word[i] = type == Scalar::bf16 ? two_bfloat16(kept[2 * i], kept[2 * i + 1])
                                   : two_halves(kept[2 * i], kept[2 * i + 1]);
  }
  return make_uint4(word[0], word[1], word[2], word[3]);
}

/// Writes such values from scalar `at` on.
__device__ __forceinline__ void store8(const Vectors& y, std::int64_t at, const float* v,
                                       float bound) {
  if (y.type == Scalar::fp32) {
    auto* to = reinterpret_cast<float4*>(static_cast<float*>(y.data) + at);
    to[0] = make_float4(v[0], v[1], v[2], v[3]);
    to[1] = make_float4(v[4], v[5], v[6], v[7]);
    return;
  }
  *reinterpret_cast<uint4*>(static_cast<std::uint16_t*>(y.data) + at) =
      sixteen_bytes(y.type, v, bound);
}

/// Writes scalar `at`; a number beyond a 16-bit type becomes its largest.
__device__ __forceinline__ void store_scalar(const Vectors& y, std::int64_t at, float value) {
  if (y.type == Scalar::fp32) {
    static_cast<float*>(y.data)[at] = value;
    return;
  }
  const float most = y.type == Scalar::bf16 ? 0x1.fep127f : 65504.0f;
  const float kept = fminf(fmaxf(value, -most), most);
  static_cast<std::uint16_t*>(y.data)[at] = static_cast<std::uint16_t>(
      y.type == Scalar::bf16 ? two_bfloat16(kept, 0.0f) : two_halves(kept, 0.0f));
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

/// Twice a coordinate of a point, a whole number below 2^22, and back. The products are exact.
__device__ __forceinline__ std::int32_t twice_of(float coordinate) {
  return static_cast<std::int32_t>(__float_as_uint(__fmaf_rn(coordinate, 2.0f, kShift)) -
                                   kShiftPattern);
}
__device__ __forceinline__ float coordinate_of(std::uint32_t twice) {
  return __fmaf_rn(__uint_as_float(twice + kShiftPattern), 0.5f, -0.5f * kShift);
}

/// a / b, correctly rounded; `inverse` is 1 / b, and neither is near the ends of float's exponents.
__device__ __forceinline__ float quotient(float a, float b, float inverse) {
  const float near = a * inverse;
  return __fmaf_rn(__fmaf_rn(-near, b, a), inverse, near);
}

/// Two binary16, which are added and subtracted at once.
struct TwoHalves {
  std::uint32_t bits;
};
__device__ __forceinline__ TwoHalves operator+(TwoHalves a, TwoHalves b) {
#if defined(__CUDACC__)
  asm("add.f16x2 %0, %0, %1;" : "+r"(a.bits) : "r"(b.bits));
  return a;
#else
  return {two_halves(half_value(a.bits & 0xffffu) + half_value(b.bits & 0xffffu),
                     half_value(a.bits >> 16) + half_value(b.bits >> 16))};
#endif
}
__device__ __forceinline__ TwoHalves operator-(TwoHalves a, TwoHalves b) {
#if defined(__CUDACC__)
  asm("sub.f16x2 %0, %0, %1;" : "+r"(a.bits) : "r"(b.bits));
  return a;
#else
  return a + TwoHalves{b.bits ^ 0x80008000u};
#endif
}

/// The sum of the two in the low bits, the lower less the upper in the high ones.
__device__ __forceinline__ TwoHalves sum_and_difference(TwoHalves a) {
#if defined(__CUDACC__)
  asm("{\n.reg .b16 low, high;\n.reg .b32 lows, highs;\nmov.b32 {low, high}, %0;\n"
      "mov.b32 lows, {low, low};\nmov.b32 highs, {high, high};\n"
      "fma.rn.f16x2 %0, highs, %1, lows;\n}"
      : "+r"(a.bits)
      : "r"(0xbc003c00u));
  return a;
#else
  const TwoHalves lows{(a.bits & 0xffffu) * 0x10001u}, highs{(a.bits >> 16) * 0x10001u};
  return lows + TwoHalves{highs.bits ^ 0x80000000u};
#endif
}

/// A warp's product of a [16, 16] and b [16, 8] in binary16, sums in float. With g = lane / 4 and
/// k = 2 (lane % 4) a lane gives a[g][k, k + 1], a[g + 8][k, k + 1], a[g][k + 8, k + 9] and
/// a[g + 8][k + 8, k + 9], then b[k, k + 1][g] and b[k + 8, k + 9][g], the first of two in the low
/// bits, and gets the product's [g][k, k + 1] and [g + 8][k, k + 1].
__device__ __forceinline__ void multiply_16(const std::uint32_t (&a)[4], std::uint32_t b0,
                                            std::uint32_t b1, float (&product)[4]) {
#if defined(__CUDACC__)
  __syncwarp();  // all lanes take part, also where a branch ended just before
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%10, %10, %10, %10};"
      : "=f"(product[0]), "=f"(product[1]), "=f"(product[2]), "=f"(product[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "f"(0.0f));
#else
  emulate::multiply_16(a, b0, b1, product);
#endif
}

/// 1 / a to about a part in 2^22.
__device__ __forceinline__ float rough_inverse(float a) {
#if defined(__CUDACC__)
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(a));
  return inverse;
#else
  return 1.0f / a;
#endif
}

/// Where `wanted`, sum[i] becomes a[i] + b, rounded down.
__device__ __forceinline__ void add8_down(bool wanted, const float* a, float b, float* sum) {
#if defined(__CUDACC__)
  asm("{\n.reg .pred p;\nsetp.ne.s32 p, %8, 0;\n"
      "@p add.rm.f32 %0, %9, %17;\n@p add.rm.f32 %1, %10, %17;\n"
      "@p add.rm.f32 %2, %11, %17;\n@p add.rm.f32 %3, %12, %17;\n"
      "@p add.rm.f32 %4, %13, %17;\n@p add.rm.f32 %5, %14, %17;\n"
      "@p add.rm.f32 %6, %15, %17;\n@p add.rm.f32 %7, %16, %17;\n}"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]), "+f"(sum[4]), "+f"(sum[5]),
        "+f"(sum[6]), "+f"(sum[7])
      : "r"(static_cast<int>(wanted)), "f"(a[0]), "f"(a[1]), "f"(a[2]), "f"(a[3]), "f"(a[4]),
        "f"(a[5]), "f"(a[6]), "f"(a[7]), "f"(b));
#else
  for (int i = 0; i < 8; ++i) sum[i] = wanted ? __fadd_rd(a[i], b) : sum[i];
#endif
}

/// The whole part of a number from 0 to 2^22, plus kWholePattern.
constexpr std::uint32_t kWholePattern = 0x4b000000u;
__device__ __forceinline__ std::uint32_t pattern_of_whole(float value) {
  return __float_as_uint(__fadd_rz(value, 0x1p23f));
}

/// Four bytes of eight, `a` the lower four: those that the digits of `selector` name, the lowest
/// first; with 8 added to a digit that byte's sign instead, eight times.
__device__ __forceinline__ std::uint32_t permute(std::uint32_t a, std::uint32_t b,
                                                 std::uint32_t selector) {
#if defined(__CUDACC__)
  std::uint32_t made;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(made) : "r"(a), "r"(b), "r"(selector));
  return made;
#else
  return emulate::permute(a, b, selector);
#endif
}

/// A code's value.
__device__ __forceinline__ float float_of_code(int code) {
  return __uint_as_float(static_cast<std::uint32_t>(code) | kShiftPattern) - kShift;
}

/// Puts the low `width` bits of `field`, whose other bits are 0, at bit `at` of zeroed words.
__device__ __forceinline__ void put_bits(std::uint32_t* words, int at, int width,
                                         std::uint64_t field) {
  std::uint32_t* word = words + at / 32;
  const auto low = static_cast<std::uint32_t>(field),
             high = static_cast<std::uint32_t>(field >> 32);
  if (width % 32 == 0) {
    word[0] = low;
    if (width > 32) word[1] = high;
    return;
  }
  const int shift = at % 32, end = shift + width;
  atomicOr(word, low << shift);
  if (end > 32) atomicOr(word + 1, __funnelshift_l(low, high, shift));
  if (end > 64) atomicOr(word + 2, __funnelshift_l(high, 0, shift));
}
__device__ __forceinline__ void put_bits(std::uint32_t* words, int at, int width, Wide field) {
  for (int i = 0; i < width; i += 31) {  // 31: no part is a whole word
    const int part = width - i < 31 ? width - i : 31;
    put_bits(words, at + i, part, static_cast<std::uint64_t>(field >> i) & ((1u << part) - 1));
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

/// Asks for `bytes` bytes of global memory in the L2 cache; both are multiples of 16. Where the GPU
/// has no such instruction, nothing.
__device__ __forceinline__ void prefetch_bytes(const void* from, int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
#else
  static_cast<void>(from), static_cast<void>(bytes);
#endif
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
