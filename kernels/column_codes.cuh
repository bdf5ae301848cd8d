// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/columns.cuh"

// Codes of a warp's eight vectors, which are columns or pieces (columns.cuh): into its part of shared
// memory and from there, in pieces of 16 bytes, to where they belong. No warp waits for another.

namespace kakeya::kernels {
namespace {

constexpr int kWarpRows = 8;

// A vector's 64 bytes of 4-bit codes; four words more, so that the eight do not meet.
constexpr int kZRowWords = 16 + 4;

__device__ __forceinline__ void write_z_codes(const Book& book, const float (&v)[4][8], int rows,
                                              int g, int t, std::uint8_t* to,
                                              std::uint32_t* words) {
  auto* codes = reinterpret_cast<std::uint16_t*>(words + g * kZRowWords) + t;
  const std::uint32_t less = (static_cast<std::uint32_t>(book.bound) - kShiftPattern) * 0x1111u;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    std::uint32_t four = less;  // sums may wrap
#pragma unroll
    for (int c = 0; c < 4; ++c) four += __float_as_uint(v[c][i]) << (4 * c);
    codes[4 * i] = static_cast<std::uint16_t>(four);
  }
  __syncwarp();
  if (g < rows) {
    reinterpret_cast<uint4*>(to)[4 * g + t] =
        *reinterpret_cast<const uint4*>(words + g * kZRowWords + 4 * t);
  }
}

/// Copies `bytes` bytes from a warp's shared memory, both at multiples of 16.
__device__ __forceinline__ void copy_bytes_of_warp(std::uint8_t* to, const std::uint32_t* from,
                                                   int bytes) {
  const int lane = static_cast<int>(threadIdx.x) & 31;
  for (int i = lane; i < bytes / 16; i += 32) {
    reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
  }
  const int at = bytes / 16 * 16 + lane;
  if (at < bytes) to[at] = reinterpret_cast<const std::uint8_t*>(from)[at];
}

// Numbers of D4's points: 25 bits each, 32 a vector.
constexpr int kD4Bits = 25, kD4RowWords = 36;

template <int kWidth>
__device__ __forceinline__ void put_d4_codes(const Book& book, const float (&v)[4][8], int g, int t,
                                             std::uint32_t* words) {
  std::uint32_t* numbers = words + kWarpRows * kD4Bits + g * kD4RowWords;
  static_assert(kWarpRows * (kD4Bits + kD4RowWords) <= kWarpWords);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const float point[4] = {v[0][i], v[1][i], v[2][i], v[3][i]};
    numbers[4 * i + t] = static_cast<std::uint32_t>(Numbering<kWidth>::d4_number(book, point));
  }
  __syncwarp();
  // A lane joins eight: 200 bits, which begin at byte 25 t of the vector's 100.
  const uint4 a = reinterpret_cast<const uint4*>(numbers)[2 * t],
              b = reinterpret_cast<const uint4*>(numbers)[2 * t + 1];
  const std::uint32_t part[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
  std::uint32_t word[8] = {};
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int at = kD4Bits * i;
    word[at / 32] |= part[i] << (at % 32);
    if (at % 32 + kD4Bits > 32) word[at / 32 + 1] |= part[i] >> (32 - at % 32);
  }
#pragma unroll
  for (int i = 6; i > 0; --i) word[i] = __funnelshift_l(word[i - 1], word[i], 8 * t);
  word[0] <<= 8 * t;
  // The last of its words is the first of the next lane's.
  const std::uint32_t end = __shfl_sync(kAll, word[6], (static_cast<int>(threadIdx.x) - 1) & 31);
  if (t != 0) word[0] |= end;
  std::uint32_t* to = words + g * kD4Bits + 6 * t;
#pragma unroll
  for (int i = 0; i < 6; ++i) to[i] = word[i];
  if (t == 3) to[6] = word[6];
}

// Numbers of E8's points: 35 bits each, 16 a vector.
constexpr int kE8Bits = 35, kE8RowWords = 2 * 16 + 8;

template <int kWidth>
__device__ __forceinline__ void put_e8_codes(const Book& book, const float (&v)[4][8],
                                             unsigned halves, int g, int t, std::uint32_t* words) {
  // The vector's 560 bits take 17 words and a half: rows begin at a word or at its upper half.
  constexpr int kRowsWords = kWarpRows * kE8Bits / 2;
  std::uint32_t* numbers = words + kRowsWords + 4 + g * kE8RowWords;
  static_assert(kRowsWords + 4 + kWarpRows * kE8RowWords <= kWarpWords);
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    const std::uint64_t number = Numbering<kWidth>::e8_number(book, v[c], (halves >> c & 1u) != 0);
    *reinterpret_cast<uint2*>(numbers + 2 * (8 * (t >> 1) + 2 * c + (t & 1))) =
        make_uint2(static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32));
  }
  __syncwarp();
  // A lane joins four: 140 bits, which begin at bit 140 (4 g + t).
  const uint4 a = reinterpret_cast<const uint4*>(numbers)[2 * t],
              b = reinterpret_cast<const uint4*>(numbers)[2 * t + 1];
  std::uint32_t word[6] = {a.x,
                           a.y | a.z << 3,
                           a.z >> 29 | a.w << 3 | b.x << 6,
                           b.x >> 26 | b.y << 6 | b.z << 9,
                           b.z >> 23 | b.w << 9,
                           0};
  const int lane = 4 * g + t, at = 4 * kE8Bits * lane, shift = at % 32;
#pragma unroll
  for (int i = 5; i > 0; --i) word[i] = __funnelshift_l(word[i - 1], word[i], shift);
  word[0] <<= shift;
  // What ends within a word goes to the next lane, which begins there.
  const int whole = (at + 4 * kE8Bits) / 32 - at / 32;  // 4 or 5
  const std::uint32_t end = __shfl_sync(kAll, whole == 4 ? word[4] : word[5], (lane - 1) & 31);
  if (shift != 0) word[0] |= end;
  std::uint32_t* to = words + at / 32;
#pragma unroll
  for (int i = 0; i < 4; ++i) to[i] = word[i];
  if (whole == 5) to[4] = word[4];
}

/// Writes the codes of a tile's points plus kShift, as quantise() leaves them, to `codes`, those of
/// its `valid` first vectors.
template <int kLattice, int kWidth>
__device__ __forceinline__ void write_codes(const Book& book, const float (&v)[4][8],
                                            unsigned halves, int valid, const Seat& seat,
                                            std::uint8_t* codes, Shared& shared) {
  const int first = static_cast<int>(threadIdx.x) / 32 * kWarpRows, left = valid - first;
  const int rows = left < 0 ? 0 : (left < kWarpRows ? left : kWarpRows), g = seat.row - first;
  const int row_bytes = kColumnDim / 64 * book.field_bits;
  std::uint32_t* words = shared.words + first * kRowWords;
  codes += first * row_bytes;
  __syncwarp();  // the vectors have been read
  if constexpr (kLattice == FixedRate::z) {
    write_z_codes(book, v, rows, g, seat.lane, codes, words);
  } else {
    if constexpr (kLattice == FixedRate::d4) put_d4_codes<kWidth>(book, v, g, seat.lane, words);
    if constexpr (kLattice == FixedRate::e8) {
      put_e8_codes<kWidth>(book, v, halves, g, seat.lane, words);
    }
    __syncwarp();
    copy_bytes_of_warp(codes, words, rows * row_bytes);
  }
}

}  // namespace
}  // namespace kakeya::kernels
