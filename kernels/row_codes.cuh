// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/fixed_rate_rows.h"
#include "kernels/rows.cuh"

// The bits of vectors, of which a lane has one or a part, in a warp's shared memory.

namespace kakeya::kernels {
namespace {

/// What a kernel is for: one of kUsualRates, and head_dim. All of it is a constant.
template <int kRate, int kRowDim>
struct Usual {
  static constexpr int kLattice = kUsualRates[kRate].lattice, kDim = kRowDim;
  [[maybe_unused]] static constexpr int kLanes = kRowLanes<kDim>, kPart = kPartDim<kDim>;
  [[maybe_unused]] static constexpr int kPieces = kPartPieces<kDim>;  // of a lane
  [[maybe_unused]] static constexpr Book book = book_of(kUsualRates[kRate]);
  [[maybe_unused]] static constexpr int bits = book.field_bits;  // of eight coordinates
  [[maybe_unused]] static constexpr int part_bytes = kPieces * bits / 8;
  [[maybe_unused]] static constexpr int part_words = (part_bytes + 3) / 4;
  [[maybe_unused]] static constexpr int row_bytes = kLanes * part_bytes;
  /// Most parts begin within a word.
  [[maybe_unused]] static constexpr bool within_words = part_bytes % 4 != 0;
  static_assert(kPieces * bits % 8 == 0 && kPartsOfWarp * part_bytes % 16 == 0);
};
template <typename U>
__device__ __forceinline__ void fix(Plan& plan) {
  constexpr Book book = U::book;
  plan.book = book;
  plan.q = book.bound;
}

/// Bits of a warp's vectors, part after part as in memory; of tq with the pieces of 16 bytes of a part
/// in another order, so that lanes are on different banks. A word more is read.
template <typename U>
struct RowBits {
  alignas(16) std::uint32_t words[kPartsOfWarp * U::part_bytes / 4 + 4];
};
template <typename U>
__device__ __forceinline__ int word_of_part(int lane, int word) {
  if constexpr (U::kLattice == FixedRate::z) {
    constexpr int kPieces = U::part_words / 4;
    return 4 * (kPieces * lane + (word / 4 ^ (lane / (8 / kPieces) & (kPieces - 1)))) + word % 4;
  }
  return U::part_words * lane + word;
}
/// Piece `i` of 16 bytes of the warp's is at that place.
template <typename U>
__device__ __forceinline__ int place_of_bits(int i) {
  return U::kLattice == FixedRate::z ? i ^ (i >> 3 & (U::part_words / 4 - 1)) : i;
}

/// The first byte of a lane's part within its word.
template <typename U>
__device__ __forceinline__ int first_byte_of_part(int lane) {
  return lane * U::part_bytes & 3;
}

/// A lane's part of bits. Fields come in their order and words leave as they are full. A word of two
/// parts is written by the lane of the second: finish() comes after the last field, of whole warps.
template <typename U>
struct RowWriter {
  std::uint32_t* words;
  int lane;
  std::uint32_t held = 0, before = 0, first = 0;

  [[maybe_unused]] static constexpr int kWords = U::part_words;

  /// Four bytes of a part, from as many before `word` as its first byte is of a word on.
  __device__ __forceinline__ std::uint32_t moved(std::uint32_t word) const {
    const int first_byte = first_byte_of_part<U>(lane);
    return permute(before, word, 0x7654u - 0x1111u * static_cast<std::uint32_t>(first_byte));
  }
  __device__ __forceinline__ std::uint32_t* place() const {
    return words + lane * U::part_bytes / 4;
  }

  template <int kWord>
  __device__ __forceinline__ void put_word(std::uint32_t word) {
    if constexpr (!U::within_words) {
      words[word_of_part<U>(lane, kWord)] = word;
    } else {
      const std::uint32_t four = moved(word);
      before = word;
      if constexpr (kWord == 0) {
        first = four;
      } else if constexpr (kWord < kWords - 1) {
        place()[kWord] = four;
      } else {
        held = four;
      }
    }
  }

  template <int kField>
  __device__ __forceinline__ void put(std::uint64_t field) {
    constexpr int bits = U::bits, at = kField * bits % 32, word = kField * bits / 32;
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
    if constexpr (kField == U::kPieces - 1 && (at + bits) % 32 != 0) put_word<kWords - 1>(held);
  }

  __device__ __forceinline__ void finish() {
    if constexpr (U::within_words) {
      std::uint32_t last = held;
      if (first_byte_of_part<U>(lane) + U::part_bytes >= 4 * kWords) {
        place()[kWords - 1] = last;
        last = moved(0);
      }
      // Lane 31's part ends with its word, so that nothing comes to lane 0.
      place()[0] = first | __shfl_sync(kAll, last, (lane + 31) & 31);
    }
  }
};

/// Writes the codes of a row of tq, which is within its bounds: times `step` it is rounded. A lane of two gives the other the
/// codes of the other's part, which both have every other of.
template <typename U>
__device__ __forceinline__ void put_codes(float (&v)[U::kPart], float step, float bound,
                                          RowWriter<U>& writer) {
  constexpr Book book = U::book;
  if constexpr (U::kLanes == 1) {
    for_each_index<U::kPieces>([&](auto index) {
      constexpr int c = decltype(index)::value;
      nearest_z(v + 8 * c, step, bound, bound);
      writer.template put<c>(number_of<U::kLattice, kSmall>(book, v + 8 * c, false));
    });
  } else {
    static_assert(U::bits == 32);
#pragma unroll
    for (int c = 0; c < U::kPieces; ++c) nearest_z(v + 8 * c, step, bound, bound);
    const bool upper = (writer.lane & 1) != 0;
    const auto every_other = [&](const float* four) {  // sums may wrap
      std::uint32_t codes = (static_cast<std::uint32_t>(book.bound) - kShiftPattern) * 0x01010101u;
#pragma unroll
      for (int i = 0; i < 4; ++i) codes += __float_as_uint(four[i]) << (8 * i);
      return codes << (upper ? 4 : 0);
    };
    for_each_index<U::kPieces>([&](auto index) {
      constexpr int c = decltype(index)::value;
      const std::uint32_t low = every_other(v + 4 * c),
                          high = every_other(v + U::kPart / 2 + 4 * c);
      const std::uint32_t others = __shfl_xor_sync(kAll, upper ? low : high, 1);
      writer.template put<c>((upper ? high : low) | others);
    });
  }
}

/// Fields of a lane's part, in the place where codes were copied.
template <typename U>
struct RowReader {
  const std::uint32_t* words;
  int lane;

  template <int kWord>
  __device__ __forceinline__ std::uint32_t word() const {
    if constexpr (U::within_words) {
      const std::uint32_t* const from = words + lane * U::part_bytes / 4 + kWord;
      const auto first_byte = static_cast<std::uint32_t>(first_byte_of_part<U>(lane));
      return permute(from[0], from[1], 0x3210u + 0x1111u * first_byte);
    } else {
      return words[word_of_part<U>(lane, kWord)];
    }
  }
  template <int kField>
  __device__ __forceinline__ std::uint64_t field() const {
    constexpr int bits = U::bits, at = kField * bits % 32, first = kField * bits / 32;
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
