// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kakeya {

/// Number of a lattice point within a box, and how many there are: up to 88 bits.
__extension__ using PointIndex = unsigned __int128;

/// Four digits of one radix as a number and back. The divisions are multiplications by a rounded-up
/// reciprocal of 64 bits, exact for numbers below 2^53 (the error, below number * radix / 2^64,
/// cannot reach the next multiple).
class FourDigits {
 public:
  /// `radix` is in [2, 4096], so that radix^4 <= 2^48.
  explicit FourDigits(std::uint32_t radix)
      : radix_(radix), reciprocal_(~std::uint64_t{0} / radix + 1) {}

  std::uint64_t join(const std::uint32_t* digits) const {
    return ((std::uint64_t{digits[3]} * radix_ + digits[2]) * radix_ + digits[1]) * radix_ +
           digits[0];
  }
  void split(std::uint64_t number, std::uint32_t* digits) const {
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t rest = quotient(number);
      digits[i] = static_cast<std::uint32_t>(number - rest * radix_);
      number = rest;
    }
    digits[3] = static_cast<std::uint32_t>(number);
  }
  std::uint64_t fourth_power() const { return std::uint64_t{radix_} * radix_ * radix_ * radix_; }
  std::uint32_t radix() const { return radix_; }

 private:
  std::uint64_t quotient(std::uint64_t number) const {
    return static_cast<std::uint64_t>((static_cast<PointIndex>(number) * reciprocal_) >> 64);
  }
  std::uint32_t radix_;
  std::uint64_t reciprocal_;
};

/// Bits that hold every number below `count`: ceil(log2 count), 0 for a count of 1.
int index_bits(PointIndex count);

/// The points of D4 with every |coordinate| <= bound, numbered 0 ... count()-1 without gaps.
///
/// Coordinates shifted by `bound` are the digits of a number in radix R = 2 bound + 1. R is odd, so
/// the number has the parity of its digit sum, which is the parity of the coordinate sum (4 bound
/// is even): points of D4 are exactly the even numbers from 0 to R^4 - 1, and half the number is
/// the index. count = (R^4 + 1) / 2.
class D4Book {
 public:
  static constexpr int kDim = 4;
  /// `bound` is in [1, 1024].
  explicit D4Book(int bound);

  PointIndex count() const { return (static_cast<PointIndex>(digits_.fourth_power()) + 1) / 2; }
  /// True when point[0, 4), a point of D4, lies in the box.
  bool contains(const float* point) const;
  /// The number of point[0, 4), a point of D4 in the box.
  PointIndex index(const float* point) const;
  /// Writes the point of number `index` < count().
  void point(PointIndex index, float* point) const;

 private:
  int bound_;
  FourDigits digits_;
};

/// The points of Z^4 with every |coordinate| <= bound, four coordinates at once: the number is the
/// index. count = R^4, R = 2 bound + 1.
class Z4Book {
 public:
  static constexpr int kDim = 4;
  /// `bound` is in [1, 1024].
  explicit Z4Book(int bound);

  PointIndex count() const { return digits_.fourth_power(); }
  /// True when point[0, 4), whole numbers, lies in the box.
  bool contains(const float* point) const;
  /// The number of point[0, 4), whole numbers in the box.
  PointIndex index(const float* point) const;
  /// Writes the point of number `index` < count().
  void point(PointIndex index, float* point) const;

 private:
  int bound_;
  FourDigits digits_;
};

/// What points of D4 give when each coordinate is clamped to [-bound, bound]: the points of D4 in
/// the box, as D4Book numbers them, then those with an odd sum, which have a coordinate at the end.
///
/// An odd point goes by the first coordinate that is at an end, i, and by which end. The i
/// coordinates before it are below the end, digits in radix R - 2, the 3 - i behind it anything,
/// digits in radix R. Both are odd, so that the number M of these three digits has the parity of
/// their sum, which is known: half of M is the index within (i, end).
///
///   (i, end)   (0, -)  (0, +)  (1, -)  (1, +)      (2, -) ...             (3, +)
///   numbers M  R^3     R^3     R^2 twice     (R-2)^2 R twice        (R-2)^3
class ClampedD4Book {
 public:
  static constexpr int kDim = 4;
  /// `bound` is in [1, 1024].
  explicit ClampedD4Book(int bound);

  PointIndex count() const { return first_[8]; }
  /// True: every point of D4 is one of the book once it is clamped.
  bool contains(const float*) const { return true; }
  /// The number of point[0, 4), a point of D4, once it is clamped.
  PointIndex index(const float* point) const;
  /// Writes the point of number `index` < count().
  void point(PointIndex index, float* point) const;

 private:
  int bound_;
  D4Book even_;
  std::uint64_t first_[9];  // the index of the first point of each (i, end), and the count
};

/// The points of E8 whose coordinates are integers with |coordinate| <= integer_bound, or
/// half-integers with |coordinate| <= half_bound - 1/2, numbered without gaps, integers first.
///
/// Integers as in D4Book: (R^8 + 1) / 2 points, R = 2 integer_bound + 1. Half-integers: coordinates
/// minus 1/2 shifted by half_bound are digits in the even radix S = 2 half_bound; seven digits are
/// free and the parity of their sum fixes the lowest bit of the eighth, whose other bits are a
/// digit in radix half_bound: S^8 / 2 points.
class E8Book {
 public:
  static constexpr int kDim = 8;
  /// Both bounds are in [1, 1024].
  E8Book(int integer_bound, int half_bound);

  PointIndex count() const { return integer_count_ + half_count_; }
  /// True when point[0, 8), a point of E8, lies in the box of its kind.
  bool contains(const float* point) const;
  /// The number of point[0, 8), a point of E8 in the box of its kind.
  PointIndex index(const float* point) const;
  /// Writes the point of number `index` < count().
  void point(PointIndex index, float* point) const;

 private:
  int integer_bound_, half_bound_;
  FourDigits integers_, halves_;
  PointIndex integer_count_, half_count_;
};

/// True when the coordinates of a point of E8 are half-integers.
inline bool has_half_coordinates(const float* point) {
  return (static_cast<int>(2.0f * point[0]) & 1) != 0;
}

}  // namespace kakeya
