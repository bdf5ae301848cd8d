// SPDX-License-Identifier: Apache-2.0
// Numbers of the points of whole tiles, compiled once an instruction set: those of D4Book and
// E8Book (lattice/enumerate.h), bit for bit.
//
// Digits are joined two by two: pairs in float, exact as radix^2 < 2^22; quads in double, exact as
// radix^4 < 2^44; the two quads of an octet by one 128-bit product a block.
//
// The way back divides by multiplying with a reciprocal. A quotient of whole numbers a / b is at
// least 1 / (2b) away from the next whole number when a + 1/2 is divided instead, so floor((a +
// 1/2)
// * (1 / b)) is the quotient if the two roundings are off by less:
//
//   pair / radix    quotient < radix, off by < radix 2^-23 <= 1 / (2 radix) as radix^2 < 2^22
//   quad / radix^2  quotient < radix^2, off by < radix^2 2^-52, far less than 1 / (2 radix^2)
//
// An octet's quotient is estimated from its leading 53 bits, off by one at most, and corrected.
#include <bit>

#include "kakeya/simd/book.h"
#include "kakeya/simd/vector_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kakeya/simd/index.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kakeya/simd/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace kakeya::HWY_NAMESPACE {
namespace {
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR

using HalfTag = hn::Half<Tag>;
using DoubleTag = hn::Repartition<double, Tag>;
using WordTag = hn::RebindToUnsigned<DoubleTag>;
using DoubleVector = hn::Vec<DoubleTag>;
using Constants = TileBook::Constants;
constexpr std::size_t kDoubles = kWidth / 2;

// Added to a whole number below 2^52 it leaves the number in the lowest bits.
constexpr double kWordShift = 4503599627370496.0;  // 2^52

HWY_INLINE void store_words(DoubleVector numbers, std::uint64_t* words) {
  const DoubleTag d;
  const WordTag w;
  const auto shifted = hn::BitCast(w, hn::Add(numbers, hn::Set(d, kWordShift)));
  hn::StoreU(hn::Xor(shifted, hn::BitCast(w, hn::Set(d, kWordShift))), w, words);
}

HWY_INLINE DoubleVector load_words(const std::uint64_t* words) {
  const DoubleTag d;
  const WordTag w;
  const auto shifted = hn::Or(hn::LoadU(w, words), hn::BitCast(w, hn::Set(d, kWordShift)));
  return hn::Sub(hn::BitCast(d, shifted), hn::Set(d, kWordShift));
}

// pair0 + square pair1 in double to kWidth words.
HWY_INLINE void join_pairs(Vector pair0, Vector pair1, Vector square, std::uint64_t* quads) {
  const HalfTag half;
  const DoubleTag d;
  const auto low = [&](Vector v) HWY_ATTR { return hn::PromoteTo(d, hn::LowerHalf(half, v)); };
  const auto high = [&](Vector v) HWY_ATTR { return hn::PromoteTo(d, hn::UpperHalf(half, v)); };
  store_words(hn::MulAdd(low(square), low(pair1), low(pair0)), quads);
  store_words(hn::MulAdd(high(square), high(pair1), high(pair0)), quads + kDoubles);
}

struct Pairs {
  Vector low, high;
};

// Quads, twice kDoubles of them, by the square of their radix.
HWY_INLINE Pairs split_quads(DoubleVector quad0, DoubleVector quad1, DoubleVector square0,
                             DoubleVector square1, DoubleVector inverse0, DoubleVector inverse1) {
  const HalfTag half;
  const DoubleVector middle = hn::Set(DoubleTag(), 0.5);
  const DoubleVector high0 = hn::Floor(hn::Mul(hn::Add(quad0, middle), inverse0));
  const DoubleVector high1 = hn::Floor(hn::Mul(hn::Add(quad1, middle), inverse1));
  const DoubleVector low0 = hn::NegMulAdd(high0, square0, quad0);
  const DoubleVector low1 = hn::NegMulAdd(high1, square1, quad1);
  return {hn::Combine(Tag(), hn::DemoteTo(half, low1), hn::DemoteTo(half, low0)),
          hn::Combine(Tag(), hn::DemoteTo(half, high1), hn::DemoteTo(half, high0))};
}

// A pair by its radix.
HWY_INLINE Pairs split_pair(Vector pair, Vector radix, Vector inverse) {
  const Vector high = hn::Floor(hn::Mul(hn::Add(pair, hn::Set(Tag(), 0.5f)), inverse));
  return {hn::NegMulAdd(high, radix, pair), high};
}

void number_z(const Constants& book, const float* tile, std::size_t dim, std::uint64_t* low) {
  const Tag d;
  const Vector offset = hn::Set(d, book.kinds[0].offset);
  for (std::size_t at = 0; at < dim * kTileRows; at += kWidth) {
    const Vector digit = hn::Add(hn::Load(d, tile + at), offset);
    store_words(hn::PromoteTo(DoubleTag(), hn::LowerHalf(HalfTag(), digit)), low + at);
    store_words(hn::PromoteTo(DoubleTag(), hn::UpperHalf(HalfTag(), digit)), low + at + kDoubles);
  }
}

void number_d4(const Constants& book, const float* tile, std::size_t dim, std::uint64_t* low) {
  const Tag d;
  const Vector offset = hn::Set(d, book.kinds[0].offset), radix = hn::Set(d, book.kinds[0].radix);
  const Vector square = hn::Mul(radix, radix);
  for (std::size_t block = 0; block < dim / 4; ++block) {
    for (std::size_t row = 0; row < kTileRows; row += kWidth) {
      const float* at = tile + 4 * block * kTileRows + row;
      Vector digit[4];
      for (std::size_t i = 0; i < 4; ++i) {
        digit[i] = hn::Add(hn::Load(d, at + i * kTileRows), offset);
      }
      std::uint64_t* to = low + block * kTileRows + row;
      join_pairs(hn::MulAdd(digit[1], radix, digit[0]), hn::MulAdd(digit[3], radix, digit[2]),
                 square, to);
      const WordTag w;  // the number is even, the index half of it
      for (std::size_t i = 0; i < kWidth; i += kDoubles) {
        hn::StoreU(hn::ShiftRight<1>(hn::LoadU(w, to + i)), w, to + i);
      }
    }
  }
}

// The quads of the blocks of one tile row each, and whether a block is of half-integers.
struct Quads {
  HWY_ALIGN std::uint64_t low[kTileRows];
  HWY_ALIGN std::uint64_t high[kTileRows];
  HWY_ALIGN std::int32_t half[kTileRows];       // 0 or -1
  HWY_ALIGN std::int64_t wide_half[kTileRows];  // likewise
};

HWY_INLINE void digits_to_quads(const Constants& book, const float* block, Quads& quads) {
  const Tag d;
  const Vector one_half = hn::Set(d, 0.5f);
  for (std::size_t row = 0; row < kTileRows; row += kWidth) {
    Vector digit[8];
    for (std::size_t i = 0; i < 8; ++i) digit[i] = hn::Load(d, block + i * kTileRows + row);
    const auto half = hn::Ne(digit[0], hn::Round(digit[0]));
    const Vector radix =
        hn::IfThenElse(half, hn::Set(d, book.kinds[1].radix), hn::Set(d, book.kinds[0].radix));
    const Vector offset =
        hn::IfThenElse(half, hn::Set(d, book.kinds[1].offset), hn::Set(d, book.kinds[0].offset));
    for (Vector& c : digit) c = hn::Add(c, offset);
    // The lowest bit of a half-integer point's last digit follows from the other seven.
    digit[7] = hn::IfThenElse(half, hn::Floor(hn::Mul(digit[7], one_half)), digit[7]);
    Vector pair[4];
    for (int i = 0; i < 4; ++i) pair[i] = hn::MulAdd(digit[2 * i + 1], radix, digit[2 * i]);
    const Vector square = hn::Mul(radix, radix);
    join_pairs(pair[0], pair[1], square, quads.low + row);
    join_pairs(pair[2], pair[3], square, quads.high + row);
    hn::Store(hn::BitCast(IntTag(), hn::VecFromMask(d, half)), IntTag(), quads.half + row);
  }
}

void number_e8(const Constants& book, const float* tile, std::size_t dim, std::uint64_t* low,
               std::uint64_t* high) {
  const auto first_low = static_cast<std::uint64_t>(book.first_half);
  const auto first_high = static_cast<std::uint64_t>(book.first_half >> 64);
  for (std::size_t block = 0; block < dim / 8; ++block) {
    Quads quads;
    digits_to_quads(book, tile + 8 * block * kTileRows, quads);
    for (std::size_t row = 0; row < kTileRows; ++row) {
      const auto half = static_cast<std::uint64_t>(std::int64_t{quads.half[row]});
      const PointIndex number =
          static_cast<PointIndex>(quads.high[row]) * book.kinds[half & 1].fourth + quads.low[row];
      // Half of it for integers, and behind those for half-integers.
      const PointIndex base = static_cast<PointIndex>(first_high & half) << 64 | (first_low & half);
      const PointIndex index = (half != 0 ? number : number >> 1) + base;
      low[block * kTileRows + row] = static_cast<std::uint64_t>(index);
      if (high != nullptr) {
        high[block * kTileRows + row] = static_cast<std::uint64_t>(index >> 64);
      }
    }
  }
}

void number(const Constants& book, const float* tile, std::size_t dim, std::uint64_t* low,
            std::uint64_t* high) {
  switch (book.lattice) {
    case Lattice::z:
      number_z(book, tile, dim, low);
      break;
    case Lattice::d4:
      number_d4(book, tile, dim, low);
      break;
    case Lattice::e8:
      return number_e8(book, tile, dim, low, high);
  }
  const std::size_t blocks = dim / static_cast<std::size_t>(block_length(book.lattice));
  for (std::size_t i = 0; high != nullptr && i < blocks * kTileRows; ++i) high[i] = 0;
}

// `count` is below 2^63. A word is too large when it is negative as a signed number, or above count
// - 1: both show in the sign bit.
bool all_below(const std::uint64_t* low, const std::uint64_t* high, std::size_t words,
               std::uint64_t count) {
  const hn::RebindToSigned<DoubleTag> d;
  const WordTag w;
  const auto last = hn::Set(d, static_cast<std::int64_t>(count) - 1);
  auto bad = hn::Zero(d);
  for (std::size_t i = 0; i < words; i += kDoubles) {
    const auto word = hn::BitCast(d, hn::LoadU(w, low + i));
    bad = hn::Or(bad, hn::Or(word, hn::VecFromMask(d, hn::Gt(word, last))));
  }
  std::uint64_t above = 0;
  for (std::size_t i = 0; high != nullptr && i < words; ++i) above |= high[i];
  return above == 0 && hn::AllFalse(d, hn::Lt(bad, hn::Zero(d)));
}

void points_z(const Constants& book, const std::uint64_t* low, std::size_t dim, float* tile) {
  const Tag d;
  const HalfTag half;
  const Vector offset = hn::Set(d, book.kinds[0].offset);
  for (std::size_t at = 0; at < dim * kTileRows; at += kWidth) {
    const Vector digit = hn::Combine(d, hn::DemoteTo(half, load_words(low + at + kDoubles)),
                                     hn::DemoteTo(half, load_words(low + at)));
    hn::Store(hn::Sub(digit, offset), d, tile + at);
  }
}

void points_d4(const Constants& book, const std::uint64_t* low, std::size_t dim, float* tile) {
  const Tag d;
  const DoubleTag doubles;
  const TileBook::Radix& constants = book.kinds[0];
  const Vector offset = hn::Set(d, constants.offset), radix = hn::Set(d, constants.radix);
  const Vector inverse = hn::Set(d, constants.inverse);
  const DoubleVector square = hn::Set(doubles, constants.square);
  const DoubleVector inverse_square = hn::Set(doubles, constants.inverse_square);
  for (std::size_t block = 0; block < dim / 4; ++block) {
    for (std::size_t row = 0; row < kTileRows; row += kWidth) {
      const std::uint64_t* from = low + block * kTileRows + row;
      const DoubleVector half0 = load_words(from), half1 = load_words(from + kDoubles);
      const Pairs pairs = split_quads(hn::Add(half0, half0), hn::Add(half1, half1), square, square,
                                      inverse_square, inverse_square);
      const Pairs first = split_pair(pairs.low, radix, inverse);
      const Pairs second = split_pair(pairs.high, radix, inverse);
      float* to = tile + 4 * block * kTileRows + row;
      hn::Store(hn::Sub(first.low, offset), d, to);
      hn::Store(hn::Sub(first.high, offset), d, to + kTileRows);
      hn::Store(hn::Sub(second.low, offset), d, to + 2 * kTileRows);
      hn::Store(hn::Sub(second.high, offset), d, to + 3 * kTileRows);
    }
  }
}

HWY_INLINE void quads_to_digits(const Constants& book, const Quads& quads, float* block) {
  const Tag d;
  const DoubleTag doubles;
  const TileBook::Radix &integer = book.kinds[0], &half = book.kinds[1];
  const Vector one_half = hn::Set(d, 0.5f);
  for (std::size_t row = 0; row < kTileRows; row += kWidth) {
    const auto is_half = hn::MaskFromVec(hn::BitCast(d, hn::Load(IntTag(), quads.half + row)));
    const Vector radix = hn::IfThenElse(is_half, hn::Set(d, half.radix), hn::Set(d, integer.radix));
    const Vector inverse =
        hn::IfThenElse(is_half, hn::Set(d, half.inverse), hn::Set(d, integer.inverse));
    const Vector offset =
        hn::IfThenElse(is_half, hn::Set(d, half.offset), hn::Set(d, integer.offset));
    DoubleVector square[2], inverse_square[2], low[2], high[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const std::size_t at = row + k * kDoubles;
      const auto wide = hn::MaskFromVec(
          hn::BitCast(doubles, hn::Load(hn::RebindToSigned<DoubleTag>(), quads.wide_half + at)));
      square[k] =
          hn::IfThenElse(wide, hn::Set(doubles, half.square), hn::Set(doubles, integer.square));
      inverse_square[k] = hn::IfThenElse(wide, hn::Set(doubles, half.inverse_square),
                                         hn::Set(doubles, integer.inverse_square));
      low[k] = load_words(quads.low + at);
      high[k] = load_words(quads.high + at);
    }
    const Pairs lower =
        split_quads(low[0], low[1], square[0], square[1], inverse_square[0], inverse_square[1]);
    const Pairs upper =
        split_quads(high[0], high[1], square[0], square[1], inverse_square[0], inverse_square[1]);
    const Vector pair[4] = {lower.low, lower.high, upper.low, upper.high};
    Vector digit[8], sum = hn::Zero(d);
    for (int i = 0; i < 4; ++i) {
      const Pairs split = split_pair(pair[i], radix, inverse);
      digit[2 * i] = split.low;
      digit[2 * i + 1] = split.high;
      sum = hn::Add(sum, i < 3 ? hn::Add(split.low, split.high) : split.low);
    }
    // The last digit of half-integers: twice what is there and the parity of the other seven.
    const Vector half_sum = hn::Mul(sum, one_half);
    const Vector half_parity = hn::Sub(half_sum, hn::Floor(half_sum));
    const Vector half_last = hn::Add(digit[7], half_parity);
    digit[7] = hn::IfThenElse(is_half, hn::Add(half_last, half_last), digit[7]);
    for (std::size_t i = 0; i < 8; ++i) {
      hn::Store(hn::Sub(digit[i], offset), d, block + i * kTileRows + row);
    }
  }
}

bool points_e8(const Constants& book, const std::uint64_t* low, const std::uint64_t* high,
               std::size_t dim, float* tile) {
  bool valid = true;
  for (std::size_t block = 0; block < dim / 8; ++block) {
    Quads quads;
    for (std::size_t row = 0; row < kTileRows; ++row) {
      const std::size_t at = block * kTileRows + row;
      const PointIndex upper = high == nullptr ? 0 : high[at];
      const PointIndex index = upper << 64 | low[at];
      valid &= index < book.count;
      const bool half = index >= book.first_half;
      const TileBook::Radix& constants = book.kinds[half ? 1 : 0];
      const PointIndex number = half ? index - book.first_half : index << 1;
      const auto leading = static_cast<std::int64_t>(number >> book.shift);
      auto quotient =
          static_cast<std::int64_t>(static_cast<double>(leading) * constants.inverse_fourth);
      const auto fourth = static_cast<std::int64_t>(constants.fourth);
      auto rest =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(number) -
                                    static_cast<std::uint64_t>(quotient) * constants.fourth);
      const std::int64_t below = rest >> 63;  // -1 or 0
      quotient += below;
      rest += below & fourth;
      const std::int64_t above = ~((rest - fourth) >> 63);
      quotient -= above;
      rest -= above & fourth;
      quads.low[row] = static_cast<std::uint64_t>(rest);
      quads.high[row] = static_cast<std::uint64_t>(quotient);
      quads.half[row] = half ? -1 : 0;
      quads.wide_half[row] = half ? -1 : 0;
    }
    quads_to_digits(book, quads, tile + 8 * block * kTileRows);
  }
  return valid;
}

bool points(const Constants& book, const std::uint64_t* low, const std::uint64_t* high,
            std::size_t dim, float* tile) {
  if (book.lattice == Lattice::e8) return points_e8(book, low, high, dim, tile);
  const std::size_t blocks = dim / static_cast<std::size_t>(block_length(book.lattice));
  if (!all_below(low, high, blocks * kTileRows, static_cast<std::uint64_t>(book.count))) {
    return false;
  }
  if (book.lattice == Lattice::z) {
    points_z(book, low, dim, tile);
  } else {
    points_d4(book, low, dim, tile);
  }
  return true;
}

IndexKernels kernels() { return {number, points}; }

#else
IndexKernels kernels() { return plain_index_kernels(); }
#endif
}  // namespace
IndexKernels index_kernels() { return kernels(); }
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kakeya {
HWY_EXPORT(index_kernels);
IndexKernels vector_index_kernels() { return HWY_DYNAMIC_DISPATCH(index_kernels)(); }
}  // namespace kakeya
#endif
