// SPDX-License-Identifier: Apache-2.0
// Numbers of the points of whole tiles, compiled once an instruction set: those of D4Book and
// E8Book (lattice/enumerate.h), bit for bit. What is exact where: digits.h.
#include "kakeya/simd/book.h"
#include "kakeya/simd/vector_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kakeya/simd/index.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kakeya/simd/octets.h"

HWY_BEFORE_NAMESPACE();
namespace kakeya::HWY_NAMESPACE {
namespace {
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR

void number_z(const Constants& book, const float* tile, std::size_t dim, std::uint64_t* low) {
  const Tag d;
  const Vector offset = hn::Set(d, book.kinds[0].offset);
  for (std::size_t at = 0; at < dim * kTileRows; at += kWidth) {
    store_small_words(hn::Add(hn::Load(d, tile + at), offset), low + at);
  }
}

void number_d4(const Constants& book, const float* tile, std::size_t dim, std::uint64_t* low) {
  const Tag d;
  const DoubleTag doubles;
  const TileBook::Radix constants = book.kinds[0];  // known not to change
  const Vector radix = hn::Set(d, constants.radix), square = hn::Mul(radix, radix);
  for (std::size_t block = 0; block < dim / 4; ++block) {
    for (std::size_t row = 0; row < kTileRows; row += kWidth) {
      const float* at = tile + 4 * block * kTileRows + row;
      Vector c[4];
      for (std::size_t i = 0; i < 4; ++i) c[i] = hn::Load(d, at + i * kTileRows);
      const Vector pair0 = hn::MulAdd(c[1], radix, c[0]), pair1 = hn::MulAdd(c[3], radix, c[2]);
      std::uint64_t* to = low + block * kTileRows + row;
      // The number is even, the index half of it.
      if (book.quads_in_float) {
        const Vector base = hn::Set(d, static_cast<float>(constants.index_base));
        const Vector sum = hn::MulAdd(pair1, square, pair0);
        store_small_words(hn::MulAdd(sum, hn::Set(d, 0.5f), base), to);
      } else {
        const Quads sum = join_pairs(pair0, pair1, square);
        const DoubleVector half = hn::Set(doubles, 0.5);
        const DoubleVector base = hn::Set(doubles, constants.index_base);
        store_words(hn::MulAdd(sum.low, half, base), to);
        store_words(hn::MulAdd(sum.high, half, base), to + kDoubles);
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
      if (!book.octets_in_double) return number_wide_e8(book, tile, dim, low, high);
      if (book.quads_in_float) {
        number_narrow_e8<true>(book, tile, dim, low);
      } else {
        number_narrow_e8<false>(book, tile, dim, low);
      }
      break;
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
#pragma GCC unroll 4
  for (std::size_t i = 0; i < words; i += kDoubles) {
    const auto word = hn::BitCast(d, hn::LoadU(w, low + i));
    bad = hn::Or(bad, hn::Or(word, hn::Sub(last, word)));
  }
  std::uint64_t above = 0;
  for (std::size_t i = 0; high != nullptr && i < words; ++i) above |= high[i];
  return above == 0 && hn::AllFalse(d, hn::Lt(bad, hn::Zero(d)));
}

void points_z(const Constants& book, const std::uint64_t* low, std::size_t dim, float* tile) {
  const Tag d;
  const Vector offset = hn::Set(d, book.kinds[0].offset);
  for (std::size_t at = 0; at < dim * kTileRows; at += kWidth) {
    hn::Store(hn::Sub(load_small_words(low + at), offset), d, tile + at);
  }
}

// The pairs of coordinates of the points of kWidth indices.
HWY_INLINE Pairs load_float_pairs(const TileBook::Radix& constants, const std::uint64_t* from) {
  const Tag d;
  const Vector base = hn::Set(d, static_cast<float>(-constants.quad_base));
  return split_coordinates(hn::MulAdd(load_small_words(from), hn::Set(d, 2.0f), base),
                           hn::Set(d, static_cast<float>(constants.square)),
                           hn::Set(d, static_cast<float>(constants.inverse_square)));
}

HWY_INLINE Pairs load_double_pairs(const TileBook::Radix& constants, const std::uint64_t* from) {
  const DoubleTag d;
  const DoubleVector two = hn::Set(d, 2.0), base = hn::Set(d, -constants.quad_base);
  return split_coordinates(
      {hn::MulAdd(load_words(from), two, base), hn::MulAdd(load_words(from + kDoubles), two, base)},
      hn::Set(d, constants.square), hn::Set(d, constants.inverse_square));
}

template <bool kQuadsInFloat>
void points_d4(const Constants& book, const std::uint64_t* low, std::size_t dim, float* tile) {
  const Tag d;
  const TileBook::Radix constants = book.kinds[0];  // known not to change
  const Vector radix = hn::Set(d, constants.radix), inverse = hn::Set(d, constants.inverse);
  for (std::size_t block = 0; block < dim / 4; ++block) {
    for (std::size_t row = 0; row < kTileRows; row += kWidth) {
      const std::uint64_t* from = low + block * kTileRows + row;
      const Pairs pairs =
          kQuadsInFloat ? load_float_pairs(constants, from) : load_double_pairs(constants, from);
      const Pairs first = split_coordinates(pairs.low, radix, inverse);
      const Pairs second = split_coordinates(pairs.high, radix, inverse);
      float* to = tile + 4 * block * kTileRows + row;
      hn::Store(first.low, d, to);
      hn::Store(first.high, d, to + kTileRows);
      hn::Store(second.low, d, to + 2 * kTileRows);
      hn::Store(second.high, d, to + 3 * kTileRows);
    }
  }
}

bool points(const Constants& book, const std::uint64_t* low, const std::uint64_t* high,
            std::size_t dim, float* tile) {
  if (book.lattice == Lattice::e8 && !book.octets_in_double) {
    return points_wide_e8(book, low, high, dim, tile);
  }
  const std::size_t blocks = dim / static_cast<std::size_t>(block_length(book.lattice));
  if (!all_below(low, high, blocks * kTileRows, static_cast<std::uint64_t>(book.count))) {
    return false;
  }
  switch (book.lattice) {
    case Lattice::z:
      points_z(book, low, dim, tile);
      break;
    case Lattice::d4:
      if (book.quads_in_float) {
        points_d4<true>(book, low, dim, tile);
      } else {
        points_d4<false>(book, low, dim, tile);
      }
      break;
    case Lattice::e8:
      if (book.quads_in_float) {
        points_narrow_e8<true>(book, low, dim, tile);
      } else {
        points_narrow_e8<false>(book, low, dim, tile);
      }
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
