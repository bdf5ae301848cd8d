// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part of CUDA that kernels/*.cu use, on the host: types, instructions and launches over
// emulate_block.h. So the kernels' text is tested where there is no GPU, slowly.

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>

#include "device/emulate_block.h"
#include "kakeya/core/half.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)

struct float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct int2 {
  std::int32_t x, y;
};
struct uint2 {
  std::uint32_t x, y;
};
struct alignas(16) uint4 {
  std::uint32_t x, y, z, w;
};
struct alignas(16) int4 {
  std::int32_t x, y, z, w;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline uint2 make_uint2(std::uint32_t x, std::uint32_t y) { return {x, y}; }
inline int4 make_int4(std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t w) {
  return {x, y, z, w};
}
inline uint4 make_uint4(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t w) {
  return {x, y, z, w};
}

namespace kakeya::emulate {

// max.NaN (sign 1) or min.NaN (sign -1) of two words of one float (type 2) or two bf16 (0) or fp16.
inline std::uint32_t extreme_of(int type, std::uint32_t a, std::uint32_t b, float sign) {
  const auto pick = [&](float x, float y) {
    if (std::isnan(x) || std::isnan(y)) return std::bit_cast<float>(0x7fffffffu);
    const bool second = x == y ? std::signbit(x) == (sign > 0) : sign * y > sign * x;
    return second ? y : x;
  };
  if (type == 2)
    return std::bit_cast<std::uint32_t>(pick(std::bit_cast<float>(a), std::bit_cast<float>(b)));
  std::uint32_t both = 0;
  for (int shift = 0; shift < 32; shift += 16) {
    const auto x = static_cast<std::uint16_t>(a >> shift),
               y = static_cast<std::uint16_t>(b >> shift);
    const float found = type == 0 ? pick(bfloat16_to_float(x), bfloat16_to_float(y))
                                  : pick(half_to_float(x), half_to_float(y));
    both |= static_cast<std::uint32_t>(type == 0 ? float_to_bfloat16(found) : float_to_half(found))
            << shift;
  }
  return both;
}

// multiply_16() of kernels/warp.cuh: mma.m16n8k16 with the fragments of the PTX manual.
inline void multiply_16(const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1,
                        float (&product)[4]) {
  Block& block = *Block::current();
  const std::uint32_t given[6] = {a[0], a[1], a[2], a[3], b0, b1};
  float left[16][16], right[16][8];
  for (unsigned i = 0; i < 6; ++i) {
    block.exchange(given[i], 0);
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned part = 0; part < 2; ++part) {
        const std::uint32_t both = block.of_last_exchange(lane);
        const float value = half_to_float(static_cast<std::uint16_t>(both >> (16 * part)));
        const unsigned g = lane / 4, k = 2 * (lane % 4) + part;
        if (i < 4) left[g + 8 * (i % 2)][k + 8 * (i / 2)] = value;
        if (i >= 4) right[k + 8 * (i - 4)][g] = value;
      }
    }
  }
  const unsigned lane = block.thread() % 32;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned m = lane / 4 + 8 * (i / 2), n = 2 * (lane % 4) + i % 2;
    product[i] = 0;
    for (unsigned k = 0; k < 16; ++k) product[i] += left[m][k] * right[k][n];
  }
}

// multiply_columns() of kernels/rope_products.cuh: 16 rows a warp times 64 columns in memory, 16 rows of these a step.
template <unsigned kSteps>
void multiply_columns(const std::uint32_t (&a)[kSteps][4], const std::uint8_t* columns,
                      unsigned next_rows, float (&product)[8][4]) {
  Block& block = *Block::current();
  const unsigned lane = block.thread() % 32, g = lane / 4, q = lane % 4;
  for (auto& four : product) std::fill_n(four, 4, 0.0f);
  const auto half_at = [](const std::uint8_t* from) {
    return half_to_float(static_cast<std::uint16_t>(from[0] | from[1] << 8));
  };
  for (unsigned step = 0; step < kSteps; ++step) {
    float left[2][16], right[16][16];
    for (unsigned i = 0; i < 4; ++i) {
      block.exchange(a[step][i], 0);
      for (unsigned k = 0; k < 8; ++k) {
        const std::uint32_t both = block.of_last_exchange(4 * g + k / 2);
        left[i % 2][k + 8 * (i / 2)] =
            half_to_float(static_cast<std::uint16_t>(both >> (16 * (k % 2))));
      }
    }
    for (unsigned k = 0; k < 16; ++k) {
      for (unsigned n = 0; n < 16; ++n) {
        const unsigned column = 8 * (n / 2) + 2 * q + n % 2;
        right[n][k] = half_at(columns + (2 * step + k / 8) * next_rows + column / 8 * 128 +
                              column % 8 * 16 + k % 8 * 2);
      }
    }
    for (unsigned n = 0; n < 16; ++n) {
      for (unsigned row = 0; row < 2; ++row) {
        float sum = 0;
        for (unsigned k = 0; k < 16; ++k) sum += left[row][k] * right[n][k];
        product[n / 2][2 * row + n % 2] += sum;
      }
    }
  }
}

// What a block of the device that is current may have: as on an H200, on the second device as on GPUs with less.
constexpr std::size_t kMuchShared = 227 * 1024, kLittleShared = 99 * 1024;
inline std::size_t most_shared_bytes = kMuchShared;

// multiply_32() of kernels/klt_exact.cuh: mma.m16n8k32 of signed bytes.
inline void multiply_32(const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1,
                        std::int32_t (&sums)[4]) {
  Block& block = *Block::current();
  const std::uint32_t given[6] = {a[0], a[1], a[2], a[3], b0, b1};
  std::int32_t left[16][32], right[32][8];
  for (unsigned i = 0; i < 6; ++i) {
    block.exchange(given[i], 0);
    for (unsigned lane = 0; lane < 32; ++lane) {
      const std::uint32_t four = block.of_last_exchange(lane);
      for (unsigned byte = 0; byte < 4; ++byte) {
        const auto value = static_cast<std::int8_t>(four >> (8 * byte));
        const unsigned g = lane / 4, k = 4 * (lane % 4) + byte;
        if (i < 4) left[g + 8 * (i % 2)][k + 16 * (i / 2)] = value;
        if (i >= 4) right[k + 16 * (i - 4)][g] = value;
      }
    }
  }
  const unsigned lane = block.thread() % 32;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned m = lane / 4 + 8 * (i / 2), n = 2 * (lane % 4) + i % 2;
    for (unsigned k = 0; k < 32; ++k) sums[i] += left[m][k] * right[k][n];
  }
}

// kernels/shared_matrices.cuh: where the rows are that the lanes of a warp name.
inline std::array<std::uint16_t*, 32> rows_of_lanes(const void* row) {
  Block& block = *Block::current();
  const auto mine = reinterpret_cast<std::uintptr_t>(row);
  std::array<std::uintptr_t, 32> all{};
  for (unsigned half = 0; half < 2; ++half) {
    block.exchange(static_cast<std::uint32_t>(mine >> (32 * half)), 0);
    for (unsigned lane = 0; lane < 32; ++lane) {
      all[lane] |= std::uintptr_t{block.of_last_exchange(lane)} << (32 * half);
    }
  }
  std::array<std::uint16_t*, 32> rows{};
  for (unsigned lane = 0; lane < 32; ++lane)
    rows[lane] = reinterpret_cast<std::uint16_t*>(all[lane]);
  return rows;
}
// ldmatrix and stmatrix with .trans.
inline void load_turned(const void* row, std::uint32_t (&word)[4]) {
  const auto rows = rows_of_lanes(row);
  const unsigned lane = Block::current()->thread() % 32, g = lane / 4, q = lane % 4;
  for (unsigned m = 0; m < 4; ++m) {
    word[m] = rows[8 * m + 2 * q][g] | std::uint32_t{rows[8 * m + 2 * q + 1][g]} << 16;
  }
  Block::current()->exchange(0, 0);
}
// ldmatrix without it.
inline void load_rows(const void* row, std::uint32_t (&word)[4]) {
  const auto rows = rows_of_lanes(row);
  const unsigned lane = Block::current()->thread() % 32, g = lane / 4, q = lane % 4;
  for (unsigned m = 0; m < 4; ++m) {
    word[m] = rows[8 * m + g][2 * q] | std::uint32_t{rows[8 * m + g][2 * q + 1]} << 16;
  }
  Block::current()->exchange(0, 0);
}
inline void store_turned(void* row, const std::uint32_t (&word)[4]) {
  const auto rows = rows_of_lanes(row);
  const unsigned lane = Block::current()->thread() % 32, g = lane / 4, q = lane % 4;
  for (unsigned m = 0; m < 4; ++m) {
    rows[8 * m + 2 * q][g] = static_cast<std::uint16_t>(word[m]);
    rows[8 * m + 2 * q + 1][g] = static_cast<std::uint16_t>(word[m] >> 16);
  }
  Block::current()->exchange(0, 0);
}

// kernels/byte_products.cuh: mma.m16n8k16 (kSteps 1) and m16n8k32 of bytes, the first unsigned but for kBoth, and of such or
// signed ones.
template <unsigned kSteps, bool kSigned, bool kBoth = false>
void multiply_bytes(const std::uint32_t (&a)[2 * kSteps], const std::uint32_t (&b)[kSteps],
                    std::int32_t (&sums)[4]) {
  Block& block = *Block::current();
  std::int32_t left[16][16 * kSteps], right[16 * kSteps][8];
  for (unsigned i = 0; i < 3 * kSteps; ++i) {
    block.exchange(i < 2 * kSteps ? a[i] : b[i - 2 * kSteps], 0);
    for (unsigned lane = 0; lane < 32; ++lane) {
      const std::uint32_t four = block.of_last_exchange(lane);
      for (unsigned byte = 0; byte < 4; ++byte) {
        const auto value = static_cast<std::uint8_t>(four >> (8 * byte));
        const unsigned g = lane / 4, k = 4 * (lane % 4) + byte;
        if (i < 2 * kSteps) {
          left[g + 8 * (i % 2)][k + 16 * (i / 2)] =
              kBoth ? std::int32_t{static_cast<std::int8_t>(value)} : std::int32_t{value};
        } else {
          right[k + 16 * (i - 2 * kSteps)][g] =
              kSigned ? std::int32_t{static_cast<std::int8_t>(value)} : std::int32_t{value};
        }
      }
    }
  }
  const unsigned lane = block.thread() % 32;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned m = lane / 4 + 8 * (i / 2), n = 2 * (lane % 4) + i % 2;
    for (unsigned k = 0; k < 16 * kSteps; ++k) sums[i] += left[m][k] * right[k][n];
  }
}

inline std::uint32_t permute(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  std::uint32_t made = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t digit = selector >> (4 * i) & 15, byte = bytes >> (8 * (digit & 7)) & 0xff;
    made |= (digit < 8 ? byte : (byte >> 7) * 0xff) << (8 * i);
  }
  return made;
}

// a + b, rounded in a direction of <cfenv>.
inline float add(float a, float b, int direction) {
  const int before = std::fegetround();
  std::fesetround(direction);
  volatile float x = a, y = b;
  const volatile float sum = x + y;
  std::fesetround(before);
  return sum;
}

}  // namespace kakeya::emulate

inline kakeya::emulate::ThreadIndex threadIdx;
#define blockIdx (::kakeya::emulate::block_index)
#define gridDim (::Dim3{::kakeya::emulate::grid_blocks, 1, 1})
#define blockDim (::Dim3{::kakeya::emulate::block_threads, 1, 1})
#define KAKEYA_LAUNCH(kernel, grid, threads, stream, ...) \
  static_cast<void>(stream);                              \
  ::kakeya::emulate::launch(grid, threads, [&] { kernel(__VA_ARGS__); });

#define KAKEYA_DYNAMIC_SHARED(name) std::uint8_t* const name = ::kakeya::emulate::dynamic_shared()

inline void __syncthreads() { kakeya::emulate::Block::current()->wait_for_all(); }
inline void __threadfence() {}
inline void __syncwarp() { kakeya::emulate::Block::current()->exchange(0, 0); }
template <typename T>
T __shfl_xor_sync(unsigned, T value, int lanes) {
  return kakeya::emulate::shuffle(value, (threadIdx.x % 32) ^ static_cast<unsigned>(lanes));
}
template <typename T>
T __shfl_sync(unsigned, T value, int lane) {
  return kakeya::emulate::shuffle(value, static_cast<unsigned>(lane));
}
inline int __popc(unsigned a) { return std::popcount(a); }
inline int __ffs(unsigned a) { return a == 0 ? 0 : std::countr_zero(a) + 1; }
inline unsigned __ballot_sync(unsigned, bool value) {
  unsigned all = 0;
  kakeya::emulate::Block::current()->exchange(static_cast<unsigned>(value), 0);
  for (unsigned lane = 0; lane < 32; ++lane) {
    all |= kakeya::emulate::Block::current()->of_last_exchange(lane) << lane;
  }
  return all;
}
inline unsigned __reduce_or_sync(unsigned, unsigned value) {
  unsigned all = 0;
  kakeya::emulate::Block::current()->exchange(value, 0);
  for (unsigned lane = 0; lane < 32; ++lane) {
    all |= kakeya::emulate::Block::current()->of_last_exchange(lane);
  }
  return all;
}
inline int __reduce_add_sync(unsigned, int value) {
  unsigned all = 0;
  kakeya::emulate::Block::current()->exchange(static_cast<unsigned>(value), 0);
  for (unsigned lane = 0; lane < 32; ++lane) {
    all += kakeya::emulate::Block::current()->of_last_exchange(lane);
  }
  return static_cast<int>(all);
}
inline unsigned __match_any_sync(unsigned, unsigned value) {
  unsigned all = 0;
  kakeya::emulate::Block::current()->exchange(value, 0);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned other = kakeya::emulate::Block::current()->of_last_exchange(lane);
    all |= static_cast<unsigned>(other == value) << lane;
  }
  return all;
}
inline unsigned __brev(unsigned a) {
  unsigned back = 0;
  for (int bit = 0; bit < 32; ++bit) back |= (a >> bit & 1u) << (31 - bit);
  return back;
}
inline int __dp4a(int a, int b, int sum) {
  for (int shift = 0; shift < 32; shift += 8) {
    sum += static_cast<std::int8_t>(a >> shift) * static_cast<std::int8_t>(b >> shift);
  }
  return sum;
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
  for (int shift = 0; shift < 32; shift += 8) sum += (a >> shift & 0xff) * (b >> shift & 0xff);
  return sum;
}
inline int __clz(int a) { return std::countl_zero(static_cast<unsigned>(a)); }
template <typename T>
T __ldg(const T* from) {
  return *from;
}
inline std::uint32_t atomicAdd(std::uint32_t* word, std::uint32_t add) {
  *word += add;
  return *word - add;
}
inline void atomicOr(std::uint32_t* word, std::uint32_t bits) { *word |= bits; }

inline float __int2float_rn(int a) { return static_cast<float>(a); }
inline float __ll2float_rn(long long a) { return static_cast<float>(a); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline int __vimax3_s32(int a, int b, int c) { return std::max(a, std::max(b, c)); }
inline unsigned __vsub4(unsigned a, unsigned b) {
  unsigned all = 0;
  for (unsigned at = 0; at < 32; at += 8) all |= (((a >> at) - (b >> at)) & 0xffu) << at;
  return all;
}
inline int __vimin3_s32(int a, int b, int c) { return std::min(a, std::min(b, c)); }
inline float __fadd_rz(float a, float b) { return kakeya::emulate::add(a, b, FE_TOWARDZERO); }
inline float __fadd_rd(float a, float b) { return kakeya::emulate::add(a, b, FE_DOWNWARD); }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline std::uint32_t __float_as_uint(float a) { return std::bit_cast<std::uint32_t>(a); }
inline int __float_as_int(float a) { return std::bit_cast<int>(a); }
inline float __uint_as_float(std::uint32_t a) { return std::bit_cast<float>(a); }
inline float __int_as_float(int a) { return std::bit_cast<float>(a); }
inline std::uint32_t __umulhi(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32);
}
inline std::uint64_t __umul64hi(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
}
inline std::uint32_t __funnelshift_l(std::uint32_t low, std::uint32_t high, int shift) {
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) << (shift & 31) >> 32);
}
inline std::uint32_t __funnelshift_r(std::uint32_t low, std::uint32_t high, int shift) {
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}
