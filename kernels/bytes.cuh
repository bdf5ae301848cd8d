// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/attention.h"
#include "kernels/warp.cuh"

// Where a page of fp8 has its codes: so that a lane's load of 16 bytes is, each code taken to binary16,
// the operands of two mma.m16n8k16, without a shuffle.
//
//   keys     4 tiles of 16 tokens, each dim / 32 loads of 16 bytes a lane
//   values   dim / 16 tiles of 16 coordinates, each two such loads
//   scales   for each 64 coordinates 64 floats, token g + 8 i at 8 g + i
//
// With g = lane / 4 and k = lane % 4, the words of a load are x: row g, y: row g + 8, of one product;
// z and w: the same rows, of the next. A row is a token (keys) or a coordinate (values), a column the
// other. A product's columns are in any order that queries and weights have too:
//
//   keys     product s: coordinates 16 s + 4 k + byte
//   values   product s: tokens g' + 8 (4 (s / 2) + byte), where g' = k + 4 (s % 2)

namespace kakeya::kernels {
namespace {

/// The byte, among a part's, of coordinate `at` of keys of token `token`.
__host__ __device__ constexpr int key_byte(int dim, int token, int at) {
  const int g = token % 8, i = token / 8, product = at / 16;
  const int load = i / 2 * (dim / 32) + product / 2, component = 2 * (product % 2) + i % 2;
  return ((load * 32 + 4 * g + at % 16 / 4) * 4 + component) * 4 + at % 4;
}

/// The same of values.
__host__ __device__ constexpr int value_byte(int token, int at) {
  const int quad = token % 8, i = token / 8, product = 2 * (i / 4) + quad / 4;
  const int load = at / 16 * 2 + product / 2, component = 2 * (product % 2) + at / 8 % 2;
  return ((load * 32 + 4 * (at % 8) + quad % 4) * 4 + component) * 4 + i % 4;
}

/// The float, among a part's scales, of coordinate `at` of token `token`.
__host__ __device__ constexpr int scale_place(int token, int at) {
  return kPageTokens * (at / 64) + 8 * (token % 8) + token / 8;
}

}  // namespace
}  // namespace kakeya::kernels
