// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/fixed_rate_rows.h"
#include "kernels/rows.cuh"

// The bits of vectors of which a lane has one, in a warp's shared memory.

namespace kakeya::kernels {
namespace {

template <int kLattice>
struct Usual {
  [[maybe_unused]] static constexpr Book book = book_of(usual_rate(kLattice));
  [[maybe_unused]] static constexpr int bits = book.field_bits;  // of eight coordinates
  [[maybe_unused]] static constexpr int row_bytes = 2 * bits;    // 16 fields
  [[maybe_unused]] static constexpr int row_words = (row_bytes + 3) / 4;
  [[maybe_unused]] static constexpr bool halves =
      row_bytes % 4 != 0;  // rows of odd lanes begin within a word
  static_assert(row_bytes % 2 == 0);
};
template <int kLattice>
__device__ __forceinline__ void fix(Plan& plan) {
  constexpr Book book = Usual<kLattice>::book;
  plan.book = book;
  plan.q = book.bound;
  plan.lanes = 4;
}

/// Bits of a warp's vectors, row after row as in memory; of tq with the pieces of 16 bytes of a row
/// in another order, so that lanes are on different banks.
struct RowBits {
  alignas(16) std::uint32_t words[kRowsOfWarp * 25 + 4];
};
template <int kLattice>
__device__ __forceinline__ int word_of_row(int lane, int word) {
  if constexpr (kLattice == FixedRate::z)
    return 4 * (4 * lane + (word / 4 ^ (lane >> 1 & 3))) + word % 4;
  return Usual<kLattice>::row_words * lane + word;
}
/// Piece `i` of 16 bytes of the tile's is at that place.
template <int kLattice>
__device__ __forceinline__ int place_of_bits(int i) {
  return kLattice == FixedRate::z ? i ^ (i >> 3 & 3) : i;
}

/// A lane's row of bits. Fields come in their order and words leave as they are full.
template <int kLattice>
struct RowWriter {
  std::uint32_t* words;
  int lane;
  std::uint32_t held = 0, before = 0;

  [[maybe_unused]] static constexpr int kWords = Usual<kLattice>::row_words;

  template <int kWord>
  __device__ __forceinline__ void put_word(std::uint32_t word) {
    if constexpr (!Usual<kLattice>::halves) {
      words[word_of_row<kLattice>(lane, kWord)] = word;
      return;
    }
    const bool odd = (lane & 1) != 0;
    const std::uint32_t moved = permute(before, word, odd ? 0x5432u : 0x7654u);
    before = word;
    std::uint32_t* const to = words + lane * Usual<kLattice>::row_bytes / 4 + kWord;
    if constexpr (kWord == 0 || kWord == kWords - 1) {
      if (odd != (kWord == 0)) {
        *to = moved;
      } else {
        reinterpret_cast<std::uint16_t*>(to)[odd ? 1 : 0] = static_cast<std::uint16_t>(word);
      }
    } else {
      *to = moved;
    }
  }

  template <int kField>
  __device__ __forceinline__ void put(std::uint64_t field) {
    constexpr int bits = Usual<kLattice>::bits, at = kField * bits % 32, word = kField * bits / 32;
    const auto low = static_cast<std::uint32_t>(field),
               high = static_cast<std::uint32_t>(field >> 32);
    held |= low << at;
    if constexpr (at + bits >= 32) {
      put_word<word>(held);
      held = at == 0 ? high : __funnelshift_l(low, high, at);
    }
    if constexpr (at + bits >= 64) {
      put_word<word + 1>(held);
      held = at == 0 ? 0 : high >> (32 - at);
    }
    if constexpr (kField == 15 && (at + bits) % 32 != 0) put_word<kWords - 1>(held);
  }
};

/// Fields of a lane's row, in the place where codes were copied.
template <int kLattice>
struct RowReader {
  const std::uint32_t* words;
  int lane;

  template <int kWord>
  __device__ __forceinline__ std::uint32_t word() const {
    if constexpr (Usual<kLattice>::halves) {
      const std::uint32_t* const from = words + lane * Usual<kLattice>::row_bytes / 4 + kWord;
      return permute(from[0], from[1], (lane & 1) != 0 ? 0x5432u : 0x3210u);
    } else {
      return words[word_of_row<kLattice>(lane, kWord)];
    }
  }
  template <int kField>
  __device__ __forceinline__ std::uint64_t field() const {
    constexpr int bits = Usual<kLattice>::bits, at = kField * bits % 32, first = kField * bits / 32;
    const std::uint32_t a = word<first>();
    std::uint32_t b = 0, c = 0;
    if constexpr (at + bits > 32) b = word<first + 1>();
    if constexpr (at + bits > 64) c = word<first + 2>();
    const std::uint64_t field =
        __funnelshift_r(a, b, at) | static_cast<std::uint64_t>(__funnelshift_r(b, c, at)) << 32;
    return field & ((std::uint64_t{1} << bits) - 1);
  }
};

}  // namespace
}  // namespace kakeya::kernels
