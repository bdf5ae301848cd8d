// SPDX-License-Identifier: Apache-2.0
// Digits, pairs and quads of them, and words of memory; once for every instruction set as lanes.h.
//
// Digits are joined two by two: pairs in float, exact as radix^2 < 2^22; quads in double, exact as
// radix^4 < 2^44.
//
// The way back divides by multiplying with a reciprocal. A quotient of whole numbers a / b is at
// least 1 / (2b) away from the next whole number when a + 1/2 is divided instead, so floor((a +
// 1/2) (1 / b)) is the quotient if the two roundings are off by less:
//
//   pair / radix      quotient < radix, off by < radix 2^-23 <= 1 / (2 radix) as radix^2 < 2^22
//   quad / radix^2    quotient < radix^2, off by < radix^2 2^-52, far less than 1 / (2 radix^2);
//                     in float off by < radix^2 2^-23 <= 1 / (2 radix^2) if radix^4 < 2^22
//   octet / radix^4   off by < radix^4 2^-52 <= 1 / (2 radix^4) if radix^8 < 2^51
//
// For an odd radix digits can be coordinates, from -(radix - 1) / 2 on: the quotient is then the
// whole number nearest to a / b, a distance of at least 1 / (2b) nearer than the next, and half as
// large.
#if defined(KAKEYA_SIMD_DIGITS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef KAKEYA_SIMD_DIGITS_H
#undef KAKEYA_SIMD_DIGITS_H
#else
#define KAKEYA_SIMD_DIGITS_H
#endif

#include "kakeya/simd/book.h"
#include "kakeya/simd/lanes.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace kakeya::HWY_NAMESPACE {
namespace {

using HalfTag = hn::Half<Tag>;
using DoubleTag = hn::Repartition<double, Tag>;
using WordTag = hn::RebindToUnsigned<DoubleTag>;
using WideIntTag = hn::RebindToSigned<DoubleTag>;
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

// Whole numbers below 2^31 to and from words.
HWY_INLINE void store_small_words(Vector numbers, std::uint64_t* words) {
  const WideIntTag wide;
  const hn::Half<IntTag> half;
  const IntVector whole = hn::ConvertTo(IntTag(), numbers);
  const WordTag w;
  hn::StoreU(hn::BitCast(w, hn::PromoteTo(wide, hn::LowerHalf(half, whole))), w, words);
  hn::StoreU(hn::BitCast(w, hn::PromoteTo(wide, hn::UpperHalf(half, whole))), w, words + kDoubles);
}

HWY_INLINE Vector load_small_words(const std::uint64_t* words) {
  const WordTag w;
  const IntTag i;
  return hn::ConvertTo(Tag(), hn::ConcatEven(i, hn::BitCast(i, hn::LoadU(w, words + kDoubles)),
                                             hn::BitCast(i, hn::LoadU(w, words))));
}

struct Quads {
  DoubleVector low, high;  // of the lower and of the upper half of the lanes
};

HWY_INLINE Quads widened(Vector numbers) {
  const HalfTag half;
  const DoubleTag d;
  return {hn::PromoteTo(d, hn::LowerHalf(half, numbers)),
          hn::PromoteTo(d, hn::UpperHalf(half, numbers))};
}

HWY_INLINE Vector narrowed(const Quads& numbers) {
  const HalfTag half;
  return hn::Combine(Tag(), hn::DemoteTo(half, numbers.high), hn::DemoteTo(half, numbers.low));
}

// pair0 + square pair1 in double.
HWY_INLINE Quads join_pairs(Vector pair0, Vector pair1, Vector square) {
  const Quads low = widened(pair0), high = widened(pair1), factor = widened(square);
  return {hn::MulAdd(factor.low, high.low, low.low), hn::MulAdd(factor.high, high.high, low.high)};
}

struct Pairs {
  Vector low, high;
};

// (a + 1/2) / b, rounded down.
template <class V>
HWY_INLINE V quotient(V a, V inverse) {
  const V half = hn::Set(hn::DFromV<V>(), 0.5f);
#if HWY_NATIVE_FMA
  return hn::Floor(hn::MulAdd(a, inverse, hn::Mul(inverse, half)));
#else
  return hn::Floor(hn::Mul(hn::Add(a, half), inverse));
#endif
}

// Quads by the square of their radix.
HWY_INLINE Pairs split_quads(const Quads& quads, const Quads& square, const Quads& inverse) {
  const Quads high{quotient(quads.low, inverse.low), quotient(quads.high, inverse.high)};
  return {narrowed({hn::NegMulAdd(high.low, square.low, quads.low),
                    hn::NegMulAdd(high.high, square.high, quads.high)}),
          narrowed(high)};
}

// A pair by its radix, or a quad by the square of it.
HWY_INLINE Pairs split_pair(Vector pair, Vector radix, Vector inverse) {
  const Vector high = quotient(pair, inverse);
  return {hn::NegMulAdd(high, radix, pair), high};
}

// The same of sums of coordinates: added to a number below 2^22 in float, 2^51 in double, the
// constant rounds it.
HWY_INLINE Pairs split_coordinates(Vector pair, Vector radix, Vector inverse) {
  const Vector round = hn::Set(Tag(), 0x1.8p23f);
  const Vector high = hn::Sub(hn::MulAdd(pair, inverse, round), round);
  return {hn::NegMulAdd(high, radix, pair), high};
}

HWY_INLINE Pairs split_coordinates(const Quads& quads, DoubleVector square, DoubleVector inverse) {
  const DoubleVector round = hn::Set(DoubleTag(), 0x1.8p52);
  const Quads high{hn::Sub(hn::MulAdd(quads.low, inverse, round), round),
                   hn::Sub(hn::MulAdd(quads.high, inverse, round), round)};
  return {narrowed({hn::NegMulAdd(high.low, square, quads.low),
                    hn::NegMulAdd(high.high, square, quads.high)}),
          narrowed(high)};
}

}  // namespace
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
#endif  // KAKEYA_SIMD_DIGITS_H
