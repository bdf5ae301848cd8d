// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/entropy/tile_codes.h"
#include "kernels/field_choice.cuh"

// Numbers of pages of tiles as a warp looks at them: 32 a lane, a bit of each in a word. What is beyond
// fields of any width is a few logical operations then, and counts are counts of bits.

namespace kakeya::kernels {
namespace {

/// The numbers of a page by groups of 8 coordinates, and by tiles of 32.
struct TiledPage {
  FieldNumbers numbers;

  __device__ __forceinline__ int groups() const { return numbers.groups(); }
  __device__ __forceinline__ int blocks() const { return numbers.blocks(); }
  __device__ __forceinline__ int tiles() const {
    return static_cast<int>(tile_count(static_cast<std::size_t>(groups())));
  }
  __device__ __forceinline__ int groups_of(int tile) const {
    const int left = groups() - 4 * tile;
    return left < 4 ? left : 4;
  }
  /// Coordinate i of vector `vector` of 32, after `before` times 32 vectors; and that of the next one beside it, which
  /// is odd, of points of 32 bits or of 16.
  __device__ __forceinline__ std::int32_t one_at(int before, int vector, int i) const {
    return numbers.points.at((before * numbers.dim + i) * 32 + vector) >> 1;
  }
  __device__ __forceinline__ int2 two_at(int before, int vector, int i) const {
    const int at = (before * numbers.dim + i) * 32 + vector;
    if (numbers.points.near) {
      const auto two = static_cast<std::int32_t>(
          reinterpret_cast<const std::uint32_t*>(numbers.points.data)[at / 2]);
      return {two << 16 >> 17, two >> 17};
    }
    const int2 two = reinterpret_cast<const int2*>(numbers.points.data)[at / 2];
    return {two.x >> 1, two.y >> 1};
  }
};

/// Bits of 32 numbers that a lane has.
struct TileBits {
  std::uint32_t
      size[7];  ///< bits of x, or of ~x where it is below 0; all of them where no byte holds x
  std::uint32_t below;    ///< x is below 0
  std::uint32_t outside;  ///< no byte holds x
  bool large;             ///< a lane has a number that 16 bits do not hold
};

/// Four numbers as signed bytes, or the nearest to them, the first in the low bits.
__device__ __forceinline__ std::uint32_t four_nearest_bytes(std::int32_t a, std::int32_t b,
                                                            std::int32_t c, std::int32_t d) {
#if defined(__CUDACC__)
  std::uint32_t word;
  asm("{\n.reg .b32 high;\ncvt.pack.sat.s8.s32.b32 high, %4, %3, 0;\n"
      "cvt.pack.sat.s8.s32.b32 %0, %2, %1, high;\n}"
      : "=r"(word)
      : "r"(a), "r"(b), "r"(c), "r"(d));
  return word;
#else
  const auto byte = [](std::int32_t x) {
    return static_cast<std::uint32_t>(x < -128 ? -128 : (x > 127 ? 127 : x)) & 0xffu;
  };
  return byte(a) | byte(b) << 8 | byte(c) << 16 | byte(d) << 24;
#endif
}

/// `a` where bits of `mask` are 1, and `b`.
__device__ __forceinline__ std::uint32_t chosen_bits(std::uint32_t mask, std::uint32_t a,
                                                     std::uint32_t b) {
  return (a & mask) | (b & ~mask);
}

/// Bit k of the bytes of word p becomes bit p of those of word k.
__device__ __forceinline__ void turn_bits(std::uint32_t (&words)[8]) {
  constexpr std::uint32_t kMasks[3] = {0x55555555u, 0x33333333u, 0x0f0f0f0fu};
#pragma unroll
  for (int stage = 2; stage >= 0; --stage) {
    const int apart = 1 << stage;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if ((k & apart) != 0) continue;
      const std::uint32_t a = words[k], b = words[k + apart];
      words[k] = chosen_bits(kMasks[stage], a, b << apart);
      words[k + apart] = chosen_bits(kMasks[stage], a >> apart, b);
    }
  }
}

/// Bits of numbers x of a lane; number(n) is x[n] once more, for those that are rare.
template <typename Number>
__device__ __forceinline__ TileBits bits_of_numbers(const std::int32_t (&x)[32],
                                                    const Number& number) {
  std::uint32_t words[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    words[k] = four_nearest_bytes(x[k], x[k + 8], x[k + 16], x[k + 24]);
  }
  turn_bits(words);
  TileBits bits;
  bits.below = words[7];
  std::uint32_t largest = ~0u;
#pragma unroll
  for (int k = 0; k < 7; ++k) {
    bits.size[k] = words[k] ^ words[7];
    largest &= bits.size[k];
  }
  bits.outside = 0;
  bits.large = false;
  if (__ballot_sync(kAll, largest != 0) != 0) {
    bool large = false;
    for (; largest != 0; largest &= largest - 1) {
      const int n = __ffs(static_cast<int>(largest)) - 1;
      const std::int32_t value = number(n);
      if (value < -128 || value > 127) bits.outside |= 1u << n;
      large = large || value < -kMostFarQuotient || value > kMostFarQuotient;
    }
    bits.large = __ballot_sync(kAll, large) != 0;
  }
  return bits;
}

/// Where numbers go with fields of a width: a bit each.
struct Overflows {
  std::uint32_t listed, twice, thrice;  ///< to the list; with q of 2 or 3; of 3
  std::uint32_t far;
};

/// `width` is a constant to the compiler.
__device__ __forceinline__ Overflows overflows(const TileBits& bits, int width) {
  std::uint32_t any = 0;
#pragma unroll
  for (int k = 0; k < 7; ++k) any |= k >= width - 1 ? bits.size[k] : 0u;
  if (width == 8) return {0, 0, 0, bits.outside};
  if (width == 7) return {0, 0, 0, any};
  if (width == 6) {
    const std::uint32_t far = bits.size[5] & bits.size[6];
    return {any & ~far, 0, 0, far};
  }
  if (width == 0) {
    std::uint32_t four = 0;
#pragma unroll
    for (int k = 2; k < 7; ++k) four |= bits.size[k];
    const std::uint32_t low = bits.size[0], high = bits.size[1], more = bits.below,
                        far = four | (more & high & low);
    return {(any | more) & ~far, (high | (more & low)) & ~far, high & (low | more) & ~far, far};
  }
  // Bits of half a field, of one and of two; beyond them x is four fields away.
  std::uint32_t four = 0;
#pragma unroll
  for (int k = 0; k < 7; ++k) four |= k >= width + 2 ? bits.size[k] : 0u;
  const std::uint32_t half = bits.size[width - 1], one = bits.size[width],
                      two = bits.size[width + 1], far = four | (half & one & two);
  return {any & ~far, (two | (one & half)) & ~far, two & (one | half) & ~far, far};
}

/// The same for a width that the compiler does not know, with entries of `bits` bits or with none.
__device__ __forceinline__ Overflows overflows_of(const TileBits& numbers, int width, int bits) {
  Overflows found{0, 0, 0, 0};
#pragma unroll
  for (int w = 0; w <= kMostTileWidth; ++w) {
    if (w == width) found = overflows(numbers, w);
  }
  if (bits == 0) found = {0, 0, 0, found.far | found.listed};
  return found;
}

/// What far entries a lane needs of bits `far` beside one each; `large` of some lane.
template <typename Number>
__device__ __forceinline__ std::uint32_t more_far(std::uint32_t far, int width,
                                                  const Number& number) {
  std::uint32_t more = 0;
  for (; far != 0; far &= far - 1) {
    const std::int32_t q = tile_overflow(number(__ffs(static_cast<int>(far)) - 1), width);
    more += static_cast<std::uint32_t>(far_entries(q)) - 1;
  }
  return more;
}

/// A lane has 16 positions of a group from 16 lane on, then 16 from 512 + 16 lane on: afterwards 32 from 32
/// lane on.
__device__ __forceinline__ std::uint32_t runs_in_order(std::uint32_t mask, int lane) {
  const std::uint32_t first = __shfl_sync(kAll, mask, 2 * (lane % 16)),
                      second = __shfl_sync(kAll, mask, 2 * (lane % 16) + 1);
  return permute(first, second, lane < 16 ? 0x5410 : 0x7632);
}

/// Of positions of a group, 32 a lane: before the first of this lane comes that at `behind`; where there is
/// none in the group, at `behind`.
__device__ __forceinline__ int behind_lane(std::uint32_t mask, int lane, int behind,
                                           int* last = nullptr) {
  const unsigned lanes = __ballot_sync(kAll, mask != 0), below = lanes & ((1u << lane) - 1u);
  const int mine = 32 * lane + 31 - __clz(static_cast<int>(mask));
  const int before = __shfl_sync(kAll, mine, below == 0 ? 0 : 31 - __clz(static_cast<int>(below)));
  if (last != nullptr) {
    const int final = __shfl_sync(kAll, mine, lanes == 0 ? 0 : 31 - __clz(static_cast<int>(lanes)));
    *last = lanes == 0 ? behind : final;
  }
  return below == 0 ? behind : before;
}

/// 2^32 over tile_quiet(), rounded up: the high word of its product with a distance up to 4096 is how many
/// entries of `bits` bits that add nothing the distance takes.
constexpr std::uint32_t quiet_inverse(int bits) { return 0xffffffffu / tile_quiet(bits) + 1; }

/// From position `behind` to the first of the lane; 0 where the lane has none.
__device__ __forceinline__ std::uint32_t distance_to_first(std::uint32_t mask, int lane,
                                                           int behind) {
  if (mask == 0) return 0;
  return static_cast<std::uint32_t>(32 * lane + __ffs(static_cast<int>(mask)) - 1 - behind);
}

/// The same between the others of the lane: how often 2^(bits - 1) - 1 goes into their distances.
__device__ __forceinline__ std::uint32_t quiet_within(std::uint32_t mask, int bits) {
  const auto quiet = static_cast<int>(tile_quiet(bits));
  if (quiet > 31) return 0;
  if (quiet == 31) return mask == 0x80000001u ? 1u : 0u;
  // Bits after one of the mask: as many as the distance, less 1.
  std::uint32_t within = mask;
#pragma unroll
  for (int reach = 1; reach < 8; reach *= 2) {
    if (2 * reach <= quiet) within |= within << reach;
  }
  const int reach = (quiet + 1) / 2;
  const std::uint32_t whole = within | within << (quiet - reach), first = mask == 0 ? 0u : 1u;
  within |= within << (quiet - 1 - reach);
  std::uint32_t entries = 0;
#pragma unroll
  for (int times = 1; times <= 10; ++times) {
    if (times * quiet > 31) break;
    entries += static_cast<std::uint32_t>(__popc(mask & ~(within << 1))) - first;
    within = whole | within << quiet;
  }
  return entries;
}

}  // namespace
}  // namespace kakeya::kernels
