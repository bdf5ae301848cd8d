// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/bf16_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kakeya/core/clones.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

// A register of a processor with AVX2, as wide as what was stored a moment ago, and as many as are taken in one turn:
// each number is loaded once.
using Patterns [[gnu::vector_size(32)]] = std::uint32_t;
constexpr std::size_t kTogether = 8, kLanes = sizeof(Patterns) / sizeof(float),
                      kTurn = kTogether * kLanes;

// Added to the pattern of a magnitude it reaches the highest bit from 0x7f7f8000 on: what is rounded to
// infinity, is it or is NaN.
constexpr std::uint32_t kToTheHighest = 0x80000000u - 0x7f7f8000u;

void round_each(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = bfloat16_to_float(float_to_finite_bfloat16(values[i]));
  }
}

// Returns how many it has rounded: up to the turn, or what is left of one, that has a number beyond.
KAKEYA_CLONES std::size_t round_usual(float* values, std::size_t count) {
  std::size_t i = 0;
  for (; i + kTurn <= count; i += kTurn) {
    Patterns bits[kTogether], seen = {};
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kTogether; ++k) {
      std::memcpy(&bits[k], values + i + k * kLanes, sizeof bits[k]);
      seen |= (bits[k] & 0x7fffffffu) + kToTheHighest;
    }
    std::uint32_t any = 0;
    for (std::size_t k = 0; k < kLanes; ++k) any |= seen[k];
    if (any >> 31 != 0) return i;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kTogether; ++k) {
      bits[k] = (bits[k] + 0x7fffu + ((bits[k] >> 16) & 1u)) & 0xffff0000u;
      std::memcpy(values + i + k * kLanes, &bits[k], sizeof bits[k]);
    }
  }
  return i;
}

void round_some(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count;) {
    i += round_usual(values + i, count - i);
    const std::size_t turn = std::min(kTurn, count - i);
    round_each(values + i, turn);
    i += turn;
  }
}

}  // namespace

void round_rows_to_bf16(Rows<float> rows) {
  if (rows.contiguous()) return round_some(rows.data, rows.values());
  for (std::size_t row = 0; row < rows.count; ++row) {
    round_some(rows.data + row * rows.stride, rows.dim);
  }
}

}  // namespace kakeya
