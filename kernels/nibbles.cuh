// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/attention.h"
#include "kernels/warp.cuh"

// Where a page of nibbles has its coordinates: so that a lane's load of 16 bytes is two operands of
// mma.m16n8k32, one in the high and one in the low halves of the bytes, without a shuffle.
//
//   keys     4 tiles of 16 tokens, each dim / 64 loads of 16 bytes a lane
//   values   dim / 16 tiles of 16 coordinates, each one such load
//   factors  64 floats, token g + 8 i at 8 g + i
//
// With g = lane / 4 and k = lane % 4, the words of a load are x: row g, y: row g + 8, z and w: the
// same rows, the later half of the columns. A row is a token (keys) or a coordinate (values), a
// column the other. The eight coordinates of a block lie in the same bits of the same lane's words,
// so that the parity of all of them is a few exclusive ors:
//
//   keys     token g + 8 i:   i = 2 tile + (y or w)
//            coordinate 8 b + p of lane k: by dim, key_place()
//   values   coordinate 8 b + p: b = g + 8 (tile / 4), p = 2 (tile % 4) + (y or w)
//            tokens of a word: byte j, high half: g' + 8 j; low half: g' + 8 (4 + j), where g' = k of
//            x and y, 4 + k of z and w
//
// A coordinate is stored rounded down, from -8 to 7. Those of a block of E8 have an even sum, so that
// the lowest bit of the last one follows from the others: in its place stands whether the block's
// coordinates are halves.

namespace kakeya::kernels {
namespace {

/// Where a coordinate is: a word among a part's, and by how much its nibble is shifted.
struct NibblePlace {
  int word, shift;
};

/// Of coordinate `at` of keys of token `token`.
__host__ __device__ constexpr NibblePlace key_place(int dim, int token, int at) {
  const int block = at / 8, place = at % 8, g = token % 8, i = token / 8;
  int lane = 0, byte = 0, word = 0;  // word: of the lane's words of this token
  if (dim == 64) {
    lane = block / 2, byte = block % 2 + 2 * (place / 4), word = place / 2 % 2;
  } else {
    lane = block / 4 % 4, byte = block % 4, word = place / 2 + 4 * (block / 16);
  }
  const int load = (i / 2) * (dim / 64) + word / 2, component = 2 * (word % 2) + i % 2;
  return {(load * 32 + 4 * g + lane) * 4 + component, 8 * byte + (place % 2 == 0 ? 4 : 0)};
}

/// Of coordinate `at` of values of token `token`.
__host__ __device__ constexpr NibblePlace value_place(int token, int at) {
  const int block = at / 8, place = at % 8, i = token / 8, quad = token % 8;
  const int tile = 4 * (block / 8) + place / 2, lane = 4 * (block % 8) + quad % 4;
  const int component = place % 2 + 2 * (quad / 4);
  return {(tile * 32 + lane) * 4 + component, 8 * (i % 4) + (i < 4 ? 4 : 0)};
}

/// The coordinate of values in row `row` (0 to 7, or those + 8) of tile `tile`.
__host__ __device__ constexpr int value_coordinate(int tile, int upper, int row) {
  return 8 * (row + 8 * (tile / 4)) + 2 * (tile % 4) + upper;
}

/// Where the digit of a query's coordinate is among its operands, in bytes: [step][register][k][byte],
/// step 2 u the high halves of load u of keys and 2 u + 1 the low ones.
__host__ __device__ constexpr int query_byte(int dim, int at) {
  const int low = at % 2;
  int k = at / 32 % 4, byte = at / 8 % 4, word = at % 8 / 2 + 4 * (at / 128);
  if (dim == 64) k = at / 16, byte = at / 8 % 2 + 2 * (at % 8 / 4), word = at % 4 / 2;
  return (((2 * (word / 2) + low) * 2 + word % 2) * 4 + k) * 4 + byte;
}

/// Sixteen times four coordinates, as signed bytes; `halves` has 8 where half more is meant.
__device__ __forceinline__ std::uint32_t high_nibbles(std::uint32_t word, std::uint32_t halves) {
  return (word & 0xf0f0f0f0u) | halves;
}
__device__ __forceinline__ std::uint32_t low_nibbles(std::uint32_t word, std::uint32_t halves) {
  return (word << 4 & 0xf0f0f0f0u) | halves;
}

/// Puts the lowest bits of last coordinates of E8 right in a token's words of keys, and says which
/// blocks are halves: 8 in a byte. Of 256, words of 128 coordinates.
template <int kDim>
__device__ __forceinline__ std::uint32_t mend_keys(
    std::uint32_t* const (&word)[kDim == 64 ? 2 : 4]) {
  if constexpr (kDim == 64) {
    std::uint32_t parity = *word[0] ^ *word[1];
    parity ^= parity >> 4;
    parity = (parity ^ parity >> 16) & 0x0101u;
    const std::uint32_t half = *word[1] >> 16 & 0x0101u;
    *word[1] ^= parity << 16;
    return (half | half << 16) << 3;
  } else {
    std::uint32_t parity = *word[0] ^ *word[1] ^ *word[2] ^ *word[3];
    parity = (parity ^ parity >> 4) & 0x01010101u;
    const std::uint32_t half = *word[3] & 0x01010101u;
    *word[3] ^= parity;
    return half << 3;
  }
}

/// The same of eight words of values, one a coordinate of a block, for the tokens in their high and
/// in their low halves.
struct ValueHalves {
  std::uint32_t high, low;
};
__device__ __forceinline__ ValueHalves mend_values(std::uint32_t* const (&word)[8]) {
  std::uint32_t parity = *word[0] ^ *word[1] ^ *word[2] ^ *word[3];
  parity ^= *word[4] ^ *word[5] ^ *word[6] ^ *word[7];
  const std::uint32_t half = *word[7] & 0x11111111u;
  *word[7] ^= parity & 0x11111111u;
  return {half >> 1 & 0x08080808u, half << 3 & 0x08080808u};
}

}  // namespace
}  // namespace kakeya::kernels
