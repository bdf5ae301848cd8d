// SPDX-License-Identifier: Apache-2.0
// Numbers of the points of E8 and the way back; once for every instruction set as lanes.h.
//
// Where radix^8 < 2^51, all in double. Otherwise the two quads of an octet are joined by one
// 128-bit product a block; on the way back its quotient is estimated from the leading 53 bits, off
// by one at most, and corrected.
#if defined(KAKEYA_SIMD_OCTETS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef KAKEYA_SIMD_OCTETS_H
#undef KAKEYA_SIMD_OCTETS_H
#else
#define KAKEYA_SIMD_OCTETS_H
#endif

#include "kakeya/simd/digits.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace kakeya::HWY_NAMESPACE {
namespace {

// What depends on the kind of a lane's point.
HWY_INLINE Vector of_kind(hn::Mask<Tag> half, float of_half, float of_integer) {
  return hn::IfThenElse(half, hn::Set(Tag(), of_half), hn::Set(Tag(), of_integer));
}
HWY_INLINE DoubleVector of_kind(hn::Mask<DoubleTag> half, double of_half, double of_integer) {
  return hn::IfThenElse(half, hn::Set(DoubleTag(), of_half), hn::Set(DoubleTag(), of_integer));
}

// Masks of lanes of 64 bits, from the lower and the upper half of such of 32 bits, and back.
struct WideMasks {
  hn::Mask<DoubleTag> low, high;
};
HWY_INLINE WideMasks widened(hn::Mask<Tag> mask) {
  const DoubleTag d;
  const WideIntTag wide;
  const hn::Half<IntTag> half;
  const IntVector lanes = hn::BitCast(IntTag(), hn::VecFromMask(Tag(), mask));
  return {hn::MaskFromVec(hn::BitCast(d, hn::PromoteTo(wide, hn::LowerHalf(half, lanes)))),
          hn::MaskFromVec(hn::BitCast(d, hn::PromoteTo(wide, hn::UpperHalf(half, lanes))))};
}
HWY_INLINE hn::Mask<Tag> narrowed(WideMasks masks) {
  const DoubleTag d;
  const Tag lanes;
  return hn::MaskFromVec(hn::ConcatEven(lanes, hn::BitCast(lanes, hn::VecFromMask(d, masks.high)),
                                        hn::BitCast(lanes, hn::VecFromMask(d, masks.low))));
}

// The two quads of the blocks of kWidth vectors: sums of digits, or of coordinates, of which an
// upper quad of half-integers has the last as half its digit.
struct Octets {
  hn::Mask<Tag> half;  // which points are half-integers
  Quads first, second;
};

template <bool kQuadsInFloat>
HWY_INLINE Octets join_coordinates(const Constants& book, const float* block) {
  const Tag d;
  Vector c[8];
  for (std::size_t i = 0; i < 8; ++i) c[i] = hn::Load(d, block + i * kTileRows);
  const auto half = hn::Ne(c[0], hn::Round(c[0]));
  const Vector radix = of_kind(half, book.kinds[1].radix, book.kinds[0].radix);
  // The lowest bit of a half-integer point's last digit follows from the other seven.
  const Vector digit = hn::Add(c[7], hn::Set(d, book.kinds[1].offset));
  c[7] = hn::IfThenElse(half, hn::Floor(hn::Mul(digit, hn::Set(d, 0.5f))), c[7]);
  Vector pair[4];
  for (int i = 0; i < 4; ++i) pair[i] = hn::MulAdd(c[2 * i + 1], radix, c[2 * i]);
  const Vector square = hn::Mul(radix, radix);
  if constexpr (kQuadsInFloat) {
    return {half, widened(hn::MulAdd(pair[1], square, pair[0])),
            widened(hn::MulAdd(pair[3], square, pair[2]))};
  } else {
    return {half, join_pairs(pair[0], pair[1], square), join_pairs(pair[2], pair[3], square)};
  }
}

template <bool kQuadsInFloat>
HWY_INLINE void split_digits(const Constants& book, const Octets& octets, float* block) {
  const Tag d;
  const TileBook::Radix &integer = book.kinds[0], &half = book.kinds[1];
  const Vector radix = of_kind(octets.half, half.radix, integer.radix);
  const Vector inverse = of_kind(octets.half, half.inverse, integer.inverse);
  const Vector offset = of_kind(octets.half, half.offset, integer.offset);
  const auto split = [&](const Quads& quads) HWY_ATTR {
    if constexpr (kQuadsInFloat) {
      return split_pair(narrowed(quads), hn::Mul(radix, radix),
                        of_kind(octets.half, static_cast<float>(half.inverse_square),
                                static_cast<float>(integer.inverse_square)));
    } else {
      const WideMasks wide = widened(octets.half);
      return split_quads(quads,
                         {of_kind(wide.low, half.square, integer.square),
                          of_kind(wide.high, half.square, integer.square)},
                         {of_kind(wide.low, half.inverse_square, integer.inverse_square),
                          of_kind(wide.high, half.inverse_square, integer.inverse_square)});
    }
  };
  const Pairs lower = split(octets.first), upper = split(octets.second);
  const Vector pair[4] = {lower.low, lower.high, upper.low, upper.high};
  Vector digit[8], sum = hn::Zero(d);
  for (int i = 0; i < 4; ++i) {
    const Pairs digits = split_pair(pair[i], radix, inverse);
    digit[2 * i] = digits.low;
    digit[2 * i + 1] = digits.high;
    sum = hn::Add(sum, i < 3 ? hn::Add(digits.low, digits.high) : digits.low);
  }
  // The last digit of half-integers: twice what is there and the parity of the other seven.
  const Vector half_sum = hn::Mul(sum, hn::Set(d, 0.5f));
  const Vector half_parity = hn::Sub(half_sum, hn::Floor(half_sum));
  const Vector half_last = hn::Add(digit[7], half_parity);
  digit[7] = hn::IfThenElse(octets.half, hn::Add(half_last, half_last), digit[7]);
  for (std::size_t i = 0; i < 8; ++i) {
    hn::Store(hn::Sub(digit[i], offset), d, block + i * kTileRows);
  }
}

// In double. The number of an integer point is even, and its index half of it; those of
// half-integer points follow.
HWY_INLINE DoubleVector join_octet(const Constants& book, hn::Mask<DoubleTag> half,
                                   DoubleVector first, DoubleVector second) {
  const auto fourth = of_kind(half, book.kinds[1].fourth_double, book.kinds[0].fourth_double);
  const auto base = of_kind(half, book.kinds[1].index_base, book.kinds[0].index_base);
  return hn::MulAdd(hn::MulAdd(second, fourth, first), of_kind(half, 1.0, 0.5), base);
}

template <bool kQuadsInFloat>
void number_narrow_e8(const Constants& book, const float* tile, std::size_t dim,
                      std::uint64_t* low) {
  for (std::size_t block = 0; block < dim / 8; ++block) {
    for (std::size_t row = 0; row < kTileRows; row += kWidth) {
      const Octets octets =
          join_coordinates<kQuadsInFloat>(book, tile + 8 * block * kTileRows + row);
      const WideMasks half = widened(octets.half);
      std::uint64_t* to = low + block * kTileRows + row;
      store_words(join_octet(book, half.low, octets.first.low, octets.second.low), to);
      store_words(join_octet(book, half.high, octets.first.high, octets.second.high),
                  to + kDoubles);
    }
  }
}

void number_wide_e8(const Constants& book, const float* tile, std::size_t dim, std::uint64_t* low,
                    std::uint64_t* high) {
  HWY_ALIGN std::uint64_t first[kWidth], second[kWidth];
  HWY_ALIGN std::int32_t is_half[kWidth];
  for (std::size_t place = 0; place < dim / 8 * kTileRows; place += kWidth) {
    const std::size_t block = place / kTileRows;
    const Octets octets =
        join_coordinates<false>(book, tile + 8 * block * kTileRows + place % kTileRows);
    const WideMasks wide = widened(octets.half);
    const auto store = [&](const Quads& quads, double of_half, double of_integer,
                           std::uint64_t* words) HWY_ATTR {
      store_words(hn::Add(quads.low, of_kind(wide.low, of_half, of_integer)), words);
      store_words(hn::Add(quads.high, of_kind(wide.high, of_half, of_integer)), words + kDoubles);
    };
    store(octets.first, book.kinds[1].quad_base, book.kinds[0].quad_base, first);
    store(octets.second, book.kinds[1].upper_base, book.kinds[0].upper_base, second);
    hn::Store(hn::BitCast(IntTag(), hn::VecFromMask(Tag(), octets.half)), IntTag(), is_half);
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
      const bool half = is_half[lane] != 0;
      const PointIndex number =
          static_cast<PointIndex>(second[lane]) * book.kinds[half ? 1 : 0].fourth + first[lane];
      const PointIndex index = half ? number + book.first_half : number >> 1;
      low[place + lane] = static_cast<std::uint64_t>(index);
      if (high != nullptr) high[place + lane] = static_cast<std::uint64_t>(index >> 64);
    }
  }
}

// Numbers below count, to the quads of kDoubles octets.
struct SplitOctet {
  hn::Mask<DoubleTag> half;
  DoubleVector first, second;
};

HWY_INLINE SplitOctet split_octet(const Constants& book, const std::uint64_t* from) {
  const DoubleTag d;
  const TileBook::Radix &integer = book.kinds[0], &half_integer = book.kinds[1];
  const DoubleVector index = load_words(from);
  const DoubleVector base = hn::Set(d, book.first_half_double);
  const auto half = hn::Ge(index, base);
  const auto number = hn::IfThenElse(half, hn::Sub(index, base), hn::Add(index, index));
  const auto fourth = of_kind(half, half_integer.fourth_double, integer.fourth_double);
  const auto inverse = of_kind(half, half_integer.octet_inverse, integer.octet_inverse);
  const auto second = quotient(number, inverse);
  return {half, hn::NegMulAdd(second, fourth, number), second};
}

template <bool kQuadsInFloat>
void points_narrow_e8(const Constants& book, const std::uint64_t* low, std::size_t dim,
                      float* tile) {
  for (std::size_t block = 0; block < dim / 8; ++block) {
    for (std::size_t row = 0; row < kTileRows; row += kWidth) {
      const std::uint64_t* from = low + block * kTileRows + row;
      const SplitOctet lower = split_octet(book, from), upper = split_octet(book, from + kDoubles);
      split_digits<kQuadsInFloat>(book,
                                  {narrowed({lower.half, upper.half}),
                                   {lower.first, upper.first},
                                   {lower.second, upper.second}},
                                  tile + 8 * block * kTileRows + row);
    }
  }
}

bool points_wide_e8(const Constants& book, const std::uint64_t* low, const std::uint64_t* high,
                    std::size_t dim, float* tile) {
  bool valid = true;
  HWY_ALIGN std::uint64_t first[kWidth], second[kWidth];
  HWY_ALIGN std::int32_t is_half[kWidth];
  for (std::size_t place = 0; place < dim / 8 * kTileRows; place += kWidth) {
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
      const std::size_t at = place + lane;
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
      first[lane] = static_cast<std::uint64_t>(rest);
      second[lane] = static_cast<std::uint64_t>(quotient);
      is_half[lane] = half ? -1 : 0;
    }
    const auto half = hn::MaskFromVec(hn::BitCast(Tag(), hn::Load(IntTag(), is_half)));
    split_digits<false>(book,
                        {half,
                         {load_words(first), load_words(first + kDoubles)},
                         {load_words(second), load_words(second + kDoubles)}},
                        tile + 8 * (place / kTileRows) * kTileRows + place % kTileRows);
  }
  return valid;
}

}  // namespace
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
#endif  // KAKEYA_SIMD_OCTETS_H
