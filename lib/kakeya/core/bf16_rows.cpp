// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/bf16_rows.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kakeya/core/clones.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

// A register of a processor with AVX2, and as many as are taken in one turn.
using Patterns [[gnu::vector_size(32)]] = std::uint32_t;
constexpr std::size_t kTogether = 4, kLanes = sizeof(Patterns) / sizeof(float),
                      kTurn = kTogether * kLanes;

// Added to the pattern of a magnitude it reaches the highest bit from 0x7f7f8000 on: what is rounded to
// infinity, is it or is NaN.
constexpr std::uint32_t kToTheHighest = 0x80000000u - 0x7f7f8000u;

KAKEYA_CLONES bool is_beyond(const float* values, std::size_t count) {
  Patterns seen = {};
  std::size_t i = 0;
  for (; i + kTurn <= count; i += kTurn) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kTogether; ++k) {
      Patterns bits;
      std::memcpy(&bits, values + i + k * kLanes, sizeof bits);
      seen |= (bits & 0x7fffffffu) + kToTheHighest;
    }
  }
  std::uint32_t any = 0;
  for (std::size_t k = 0; k < kLanes; ++k) any |= seen[k];
  for (; i < count; ++i) any |= (bits_of(values[i]) & 0x7fffffffu) + kToTheHighest;
  return any >> 31 != 0;
}

KAKEYA_CLONES void round_usual(float* values, std::size_t count) {
  std::size_t i = 0;
  for (; i + kTurn <= count; i += kTurn) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kTogether; ++k) {
      float* const at = values + i + k * kLanes;
      Patterns bits;
      std::memcpy(&bits, at, sizeof bits);
      bits = (bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u;
      std::memcpy(at, &bits, sizeof bits);
    }
  }
  for (; i < count; ++i) {
    const std::uint32_t bits = bits_of(values[i]);
    values[i] = float_of((bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u);
  }
}

void round_some(float* values, std::size_t count) {
  if (!is_beyond(values, count)) return round_usual(values, count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = bfloat16_to_float(float_to_finite_bfloat16(values[i]));
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
