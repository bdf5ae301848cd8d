// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/lattice/quantise.h"
#include "kernels/warp.cuh"

// Eight coordinates of lattice points as one field of bits: eight codes of tq, the numbers of two
// points of D4, or of one of E8, as lattice/enumerate.h numbers them. Up to q = 127 four digits fit
// in 32 bits and a field in 64.

namespace kakeya::kernels {

/// Four digits of one radix, and what divides by it.
struct Digits {
  std::uint32_t radix = 2, inverse = 0;           ///< floor(2^32 / radix)
  std::uint64_t fourth = 16, fourth_inverse = 0;  ///< radix^4, floor(2^64 / radix^4)
};

struct Book {
  int bound = 1;
  int point_bits = 1, field_bits = 8;
  Digits integers, halves;
  Wide count = 0, integer_count = 0;  ///< of E8 its points of integers come first
};

inline Digits digits_of(int radix) {
  Digits made;
  made.radix = static_cast<std::uint32_t>(radix);
  made.inverse = static_cast<std::uint32_t>((std::uint64_t{1} << 32) / made.radix);
  made.fourth = std::uint64_t{made.radix} * made.radix * made.radix * made.radix;
  made.fourth_inverse = static_cast<std::uint64_t>((static_cast<Wide>(1) << 64) / made.fourth);
  return made;
}

inline Book book_of(const FixedRate& codec) {
  Book book;
  book.bound = codec.q;
  book.integers = digits_of(2 * codec.q + 1);
  book.halves = digits_of(2 * codec.q);
  const Wide fourth = book.integers.fourth;
  book.integer_count = codec.lattice == FixedRate::z    ? book.integers.radix
                       : codec.lattice == FixedRate::d4 ? (fourth + 1) / 2
                                                        : (fourth * fourth + 1) / 2;
  book.count = book.integer_count;
  if (codec.lattice == FixedRate::e8) {
    book.count += static_cast<Wide>(book.halves.fourth) * book.halves.fourth / 2;
  }
  book.point_bits = 0;
  while ((book.count - 1) >> book.point_bits != 0) ++book.point_bits;
  const int points = codec.lattice == FixedRate::z ? 8 : (codec.lattice == FixedRate::d4 ? 2 : 1);
  book.field_bits = points * book.point_bits;
  return book;
}

/// Whether the fields of `codec` need more than 64 bits.
inline bool is_wide(const FixedRate& codec) {
  return codec.lattice != FixedRate::z && codec.q > 127;
}

/// `kWide` numbers take 64 bits for four digits and 128 for a field, others 32 and 64.
template <bool kWide>
struct Words {
  using Four = std::uint32_t;
  using Field = std::uint64_t;
};
template <>
struct Words<true> {
  using Four = std::uint64_t;
  using Field = Wide;
};

template <bool kWide>
struct Numbering {
  using Four = typename Words<kWide>::Four;
  using Field = typename Words<kWide>::Field;

  static __device__ __forceinline__ Four join(const Digits& by, const int* digit) {
    const Four radix = by.radix;
    return ((static_cast<Four>(digit[3]) * radix + static_cast<Four>(digit[2])) * radix +
            static_cast<Four>(digit[1])) *
               radix +
           static_cast<Four>(digit[0]);
  }

  static __device__ __forceinline__ void split(const Digits& by, Four number, int* digit) {
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      Four rest;
      if constexpr (kWide) {
        rest = number / by.radix;
        digit[i] = static_cast<int>(number - rest * by.radix);
      } else {  // the estimate is the quotient or one less
        rest = __umulhi(number, by.inverse);
        std::uint32_t left = number - rest * by.radix;
        if (left >= by.radix) left -= by.radix, ++rest;
        digit[i] = static_cast<int>(left);
      }
      number = rest;
    }
    digit[3] = static_cast<int>(number);
  }

  // Quotient and remainder by radix^4 of a number below radix^8.
  static __device__ __forceinline__ void halve(const Digits& by, Field number, Four* high,
                                               Four* low) {
    if constexpr (kWide) {
      const Field quotient = number / by.fourth;
      *high = static_cast<Four>(quotient);
      *low = static_cast<Four>(number - quotient * by.fourth);
    } else {
      std::uint64_t quotient = __umul64hi(number, by.fourth_inverse);
      std::uint64_t left = number - quotient * by.fourth;
      if (left >= by.fourth) left -= by.fourth, ++quotient;
      *high = static_cast<Four>(quotient);
      *low = static_cast<Four>(left);
    }
  }

  static __device__ __forceinline__ Field d4_number(const Book& book, const float* point) {
    int digit[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) digit[i] = whole(point[i]) + book.bound;
    return join(book.integers, digit) / 2;
  }
  static __device__ __forceinline__ void d4_point(const Book& book, Field number, float* point) {
    int digit[4];
    split(book.integers, static_cast<Four>(number) * 2, digit);
#pragma unroll
    for (int i = 0; i < 4; ++i) point[i] = from_whole(digit[i] - book.bound);
  }

  static __device__ __forceinline__ Field e8_number(const Book& book, const float* point) {
    const bool half = point[0] != round_half_even(point[0]);
    const Digits& by = half ? book.halves : book.integers;
    const float offset = half ? 0.5f : 0.0f;
    int digit[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) digit[i] = whole(point[i] - offset) + book.bound;
    if (half) digit[7] >>= 1;  // its lowest bit follows from the other seven
    const Field number = static_cast<Field>(join(by, digit + 4)) * by.fourth + join(by, digit);
    return half ? static_cast<Field>(book.integer_count) + number : number / 2;
  }
  static __device__ __forceinline__ void e8_point(const Book& book, Field number, float* point) {
    const bool half = number >= static_cast<Field>(book.integer_count);
    const Digits& by = half ? book.halves : book.integers;
    Four high, low;
    halve(by, half ? number - static_cast<Field>(book.integer_count) : number * 2, &high, &low);
    int digit[8];
    split(by, low, digit);
    split(by, high, digit + 4);
    if (half) {
      int sum = 0;
#pragma unroll
      for (int i = 0; i < 7; ++i) sum += digit[i];
      digit[7] = 2 * digit[7] + (sum & 1);
    }
    const float offset = half ? 0.5f : 0.0f;
#pragma unroll
    for (int i = 0; i < 8; ++i) point[i] = from_whole(digit[i] - book.bound) + offset;
  }
};

/// The field of eight coordinates of points.
template <int kLattice, bool kWide>
__device__ __forceinline__ typename Words<kWide>::Field number_of(const Book& book,
                                                                  const float* point) {
  using Numbers = Numbering<kWide>;
  using Field = typename Words<kWide>::Field;
  if constexpr (kLattice == FixedRate::z) {
    Field field = 0;
#pragma unroll
    for (int i = 7; i >= 0; --i) {
      field = field << book.point_bits | static_cast<Field>(whole(point[i]) + book.bound);
    }
    return field;
  } else if constexpr (kLattice == FixedRate::d4) {
    return Numbers::d4_number(book, point) | Numbers::d4_number(book, point + 4) << book.point_bits;
  } else {
    return Numbers::e8_number(book, point);
  }
}

/// The eight coordinates of a field; false, and the origin, where it has no point.
template <int kLattice, bool kWide>
__device__ __forceinline__ bool points_of(const Book& book, typename Words<kWide>::Field field,
                                          float* point) {
  using Numbers = Numbering<kWide>;
  using Field = typename Words<kWide>::Field;
  const Field count = static_cast<Field>(book.count);
  bool good = true;
  if constexpr (kLattice == FixedRate::z) {
    const int mask = (1 << book.point_bits) - 1;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int code = static_cast<int>(field >> (i * book.point_bits)) & mask;
      good = good && code <= 2 * book.bound;
      point[i] = from_whole(code - book.bound);
    }
  } else if constexpr (kLattice == FixedRate::d4) {
    const Field low = field & ((Field{1} << book.point_bits) - 1), high = field >> book.point_bits;
    good = low < count && high < count;
    Numbers::d4_point(book, good ? low : 0, point);
    Numbers::d4_point(book, good ? high : 0, point + 4);
  } else {
    good = field < count;
    Numbers::e8_point(book, good ? field : 0, point);
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) point[i] = good ? point[i] : 0.0f;
  return good;
}

}  // namespace kakeya::kernels
