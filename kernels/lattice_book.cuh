// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/lattice/quantise.h"
#include "kernels/warp.cuh"

// Eight coordinates of lattice points as one field of bits: eight codes of tq, the numbers of two
// points of D4, or of one of E8, as lattice/enumerate.h numbers them. Up to q = 127 four digits fit
// in 32 bits and a field in 64.

namespace kakeya::kernels {

/// Numbers of a codec: small up to q = 41, where a quotient by the radix is one multiplication;
/// narrow up to 127; wide beyond, where four digits take 64 bits and a field 128.
enum Width : int { kSmall, kNarrow, kWide };
__host__ __device__ constexpr Width width_of(const FixedRate& codec) {
  if (codec.lattice == FixedRate::z || codec.q <= 41) return kSmall;
  return codec.q <= 127 ? kNarrow : kWide;
}

/// Four digits of one radix, and what divides by it.
struct Digits {
  std::uint32_t radix = 2, inverse = 0;           ///< floor(2^32 / radix)
  std::uint32_t field_inverse = 0;                ///< floor(2^(32 + Book::beyond) / radix^4)
  std::uint64_t ones = 15;                        ///< 1 + radix + radix^2 + radix^3
  std::uint64_t fourth = 16, fourth_inverse = 0;  ///< radix^4, floor(2^64 / radix^4)
};

struct Book {
  int bound = 1;
  int point_bits = 1, field_bits = 8;
  int beyond = 0;          ///< bits of a small number of E8 beyond 32
  std::uint64_t ones = 0;  ///< of tq: the lowest bit of each of eight codes
  Digits integers, halves;
  Wide count = 0, integer_count = 0;  ///< of E8 its points of integers come first
};

__host__ __device__ constexpr Digits digits_of(int radix) {
  Digits made;
  made.radix = static_cast<std::uint32_t>(radix);
  made.inverse = static_cast<std::uint32_t>((std::uint64_t{1} << 32) / made.radix);
  made.ones = ((std::uint64_t{made.radix} + 1) * made.radix + 1) * made.radix + 1;
  made.fourth = std::uint64_t{made.radix} * made.radix * made.radix * made.radix;
  made.fourth_inverse = static_cast<std::uint64_t>((static_cast<Wide>(1) << 64) / made.fourth);
  return made;
}

__host__ __device__ constexpr Book book_of(const FixedRate& codec) {
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
  if (codec.lattice == FixedRate::z) {
    for (int i = 0; i < 8; ++i) book.ones |= std::uint64_t{1} << (i * book.point_bits);
  }
  if (codec.lattice == FixedRate::e8 && width_of(codec) == kSmall) {
    while (book.count * 2 >> (32 + book.beyond) != 0) ++book.beyond;
    const std::uint64_t one = std::uint64_t{1} << (32 + book.beyond);
    book.integers.field_inverse = static_cast<std::uint32_t>(one / book.integers.fourth);
    book.halves.field_inverse = static_cast<std::uint32_t>(one / book.halves.fourth);
  }
  return book;
}

__device__ __forceinline__ Digits digits_of_coset(const Book& book, bool half) {
  Digits by;
  by.radix = half ? book.halves.radix : book.integers.radix;
  by.inverse = half ? book.halves.inverse : book.integers.inverse;
  by.ones = half ? book.halves.ones : book.integers.ones;
  by.field_inverse = half ? book.halves.field_inverse : book.integers.field_inverse;
  by.fourth = half ? book.halves.fourth : book.integers.fourth;
  by.fourth_inverse = half ? book.halves.fourth_inverse : book.integers.fourth_inverse;
  return by;
}

template <int kWidth>
struct Words {
  using Four = std::uint32_t;
  using Field = std::uint64_t;
};
template <>
struct Words<kWide> {
  using Four = std::uint64_t;
  using Field = Wide;
};

template <int kWidth>
struct Numbering {
  using Four = typename Words<kWidth>::Four;
  using Field = typename Words<kWidth>::Field;

  // The number of four digits of which the patterns of kShift + digit - bound are given. In 32 bits
  // sums of these may wrap.
  static __device__ __forceinline__ Four join(const Digits& by, int bound,
                                              const std::uint32_t* pattern) {
    const std::uint32_t less = static_cast<std::uint32_t>(bound) - kShiftPattern;
    if constexpr (kWidth == kWide) {
      Four number = pattern[3] + less;
#pragma unroll
      for (int i = 2; i >= 0; --i) number = number * by.radix + (pattern[i] + less);
      return number;
    } else {
      const std::uint32_t number =
          ((pattern[3] * by.radix + pattern[2]) * by.radix + pattern[1]) * by.radix + pattern[0];
      return number + less * static_cast<std::uint32_t>(by.ones);
    }
  }

  static __device__ __forceinline__ void split(const Digits& by, Four number, int* digit) {
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      Four rest;
      if constexpr (kWidth == kWide) {
        rest = number / by.radix;
        digit[i] = static_cast<int>(number - rest * by.radix);
      } else if constexpr (kWidth == kSmall) {  // radix^5 < 2^32
        rest = __umulhi(number, by.inverse + 1);
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
  static __device__ __forceinline__ void halve(const Book& book, const Digits& by, Field number,
                                               Four* high, Four* low) {
    if constexpr (kWidth == kWide) {
      const Field quotient = number / by.fourth;
      *high = static_cast<Four>(quotient);
      *low = static_cast<Four>(number - quotient * by.fourth);
    } else if constexpr (kWidth == kSmall) {  // at most two less than the quotient
      const auto fourth = static_cast<std::uint32_t>(by.fourth);
      *high = __umulhi(static_cast<std::uint32_t>(number >> book.beyond), by.field_inverse);
      *low = static_cast<std::uint32_t>(number) - *high * fourth;
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        if (*low >= fourth) *low -= fourth, ++*high;
      }
    } else {
      std::uint64_t quotient = __umul64hi(number, by.fourth_inverse);
      std::uint64_t left = number - quotient * by.fourth;
      if (left >= by.fourth) left -= by.fourth, ++quotient;
      *high = static_cast<Four>(quotient);
      *low = static_cast<Four>(left);
    }
  }

  // Of a point plus kShift.
  static __device__ __forceinline__ Field d4_number(const Book& book, const float* shifted) {
    std::uint32_t pattern[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) pattern[i] = __float_as_uint(shifted[i]);
    return join(book.integers, book.bound, pattern) / 2;
  }
  // A point's coordinates plus `bound`.
  static __device__ __forceinline__ void d4_digits(const Book& book, Field number, int* digit) {
    split(book.integers, static_cast<Four>(number) * 2, digit);
  }
  static __device__ __forceinline__ void d4_point(const Book& book, Field number, float* point) {
    int digit[4];
    d4_digits(book, number, digit);
    const float middle = kShift + static_cast<float>(book.bound);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      point[i] = __int_as_float(static_cast<int>(kShiftPattern) + digit[i]) - middle;
    }
  }

  // Of a point's coordinates rounded down, plus kShift.
  static __device__ __forceinline__ Field e8_number(const Book& book, const float* shifted,
                                                    bool half) {
    const Digits by = digits_of_coset(book, half);
    std::uint32_t pattern[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) pattern[i] = __float_as_uint(shifted[i]);
    // The lowest bit of a half-integer point's last digit follows from the other seven.
    const std::uint32_t less = static_cast<std::uint32_t>(book.bound) - kShiftPattern;
    if (half) pattern[7] = ((pattern[7] + less) >> 1) - less;
    const Field number =
        static_cast<Field>(join(by, book.bound, pattern + 4)) * static_cast<Four>(by.fourth) +
        join(by, book.bound, pattern);
    return half ? static_cast<Field>(book.integer_count) + number : number / 2;
  }
  // A point's coordinates rounded down, plus `bound`; returns whether they are halves.
  static __device__ __forceinline__ bool e8_digits(const Book& book, Field number, int* digit) {
    const bool half = number >= static_cast<Field>(book.integer_count);
    const Digits by = digits_of_coset(book, half);
    Four high, low;
    halve(book, by, half ? number - static_cast<Field>(book.integer_count) : number * 2, &high,
          &low);
    split(by, low, digit);
    split(by, high, digit + 4);
    if (half) {
      int sum = 0;
#pragma unroll
      for (int i = 0; i < 7; ++i) sum += digit[i];
      digit[7] = 2 * digit[7] + (sum & 1);
    }
    return half;
  }
  static __device__ __forceinline__ void e8_point(const Book& book, Field number, float* point) {
    int digit[8];
    const bool half = e8_digits(book, number, digit);
    // Halves count: 1.5 * 2^22 leaves a bit for the fraction.
    const int base = 0x4ac00000 - 2 * book.bound + (half ? 1 : 0);
#pragma unroll
    for (int i = 0; i < 8; ++i) point[i] = __int_as_float(2 * digit[i] + base) - 0x1.8p22f;
  }
};

/// The field of eight coordinates of points, each rounded down, plus kShift; of E8 `half` says
/// whether they are halves.
template <int kLattice, int kWidth>
__device__ __forceinline__ typename Words<kWidth>::Field number_of(const Book& book,
                                                                   const float* point, bool half) {
  using Numbers = Numbering<kWidth>;
  using Field = typename Words<kWidth>::Field;
  if constexpr (kLattice == FixedRate::z) {
    const int bits = book.point_bits;
    const auto ones = static_cast<std::uint32_t>(book.ones & ((std::uint64_t{1} << 4 * bits) - 1));
    std::uint32_t four[2];
#pragma unroll
    for (int k = 0; k < 2; ++k) {  // sums may wrap
      four[k] = (static_cast<std::uint32_t>(book.bound) - kShiftPattern) * ones;
#pragma unroll
      for (int i = 0; i < 4; ++i) four[k] += __float_as_uint(point[4 * k + i]) << (i * bits);
    }
    return four[0] | static_cast<Field>(four[1]) << (4 * bits);
  } else if constexpr (kLattice == FixedRate::d4) {
    return Numbers::d4_number(book, point) | Numbers::d4_number(book, point + 4) << book.point_bits;
  } else {
    return Numbers::e8_number(book, point, half);
  }
}

/// The eight coordinates of a field; false, and the origin, where it has no point.
template <int kLattice, int kWidth>
__device__ __forceinline__ bool points_of(const Book& book, typename Words<kWidth>::Field field,
                                          float* point) {
  using Numbers = Numbering<kWidth>;
  using Field = typename Words<kWidth>::Field;
  if constexpr (kLattice == FixedRate::z) {
    // The one code without a point is 2^bits - 1: adding 1 to its lower bits carries into its top.
    const int bits = book.point_bits;
    const std::uint64_t top = book.ones << (bits - 1);
    const std::uint64_t lower = top - book.ones;
    const bool good = (((field & lower) + book.ones) & field & top) == 0;
    if (!good) field = book.ones * static_cast<std::uint32_t>(book.bound);
    const std::uint32_t mask = (1u << bits) - 1;
    const float middle = kShift + static_cast<float>(book.bound);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t code = static_cast<std::uint32_t>(field >> (i * bits)) & mask;
      point[i] = __uint_as_float(code | kShiftPattern) - middle;
    }
    return good;
  } else {
    // The origin's digits are all `bound`.
    const Field count = static_cast<Field>(book.count);
    const Digits& by = book.integers;
    const Field four = static_cast<Field>(by.ones) * static_cast<std::uint32_t>(book.bound);
    if constexpr (kLattice == FixedRate::d4) {
      const Field low = field & ((Field{1} << book.point_bits) - 1),
                  high = field >> book.point_bits;
      const bool good = low < count && high < count;
      Numbers::d4_point(book, good ? low : four / 2, point);
      Numbers::d4_point(book, good ? high : four / 2, point + 4);
      return good;
    } else {
      const bool good = field < count;
      Numbers::e8_point(book, good ? field : (four * by.fourth + four) / 2, point);
      return good;
    }
  }
}

}  // namespace kakeya::kernels
