// SPDX-License-Identifier: Apache-2.0
// What the vector kernels share, once for every instruction set: each .cpp includes this file after
// Highway's headers, which compile it again and again with another HWY_TARGET (so no #pragma once).
#if defined(KAKEYA_SIMD_LANES_H) == defined(HWY_TARGET_TOGGLE)
#ifdef KAKEYA_SIMD_LANES_H
#undef KAKEYA_SIMD_LANES_H
#else
#define KAKEYA_SIMD_LANES_H
#endif

// Highway's portable targets get the plain loops, which a compiler turns into better code.
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace kakeya::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A row of a tile is 16 / kWidth vectors: one with AVX-512, two with AVX2, four with SSE4.
using Tag = hn::CappedTag<float, kTileRows>;
using IntTag = hn::RebindToSigned<Tag>;
using Vector = hn::Vec<Tag>;
using IntVector = hn::Vec<IntTag>;
inline constexpr std::size_t kWidth = hn::MaxLanes(Tag());

// a - b in the multiplier, as a - b * 1. A product by one is exact, so the difference is rounded
// once as any is: the same bits. Where adders and multipliers are separate (AMD from Zen on, Intel
// from Alder Lake on) butterflies keep both at work.
template <class V>
HWY_INLINE V subtract_in_multiplier(V a, V b) {
#if HWY_NATIVE_FMA
  return hn::NegMulAdd(b, hn::Set(hn::DFromV<V>(), 1.0f), a);
#else
  return hn::Sub(a, b);
#endif
}

// Pairs of whole numbers of 16 bits.
using ShortPairTag = hn::RebindToSigned<Tag>;
using ShortTag = hn::Repartition<std::int16_t, ShortPairTag>;
using ShortPairs = hn::Vec<ShortPairTag>;

// The low halves' product and the high halves', added.
HWY_INLINE ShortPairs add_short_products(ShortPairs sum, ShortPairs a, ShortPairs b) {
  const ShortPairTag d;
#if HWY_ARCH_X86
  ShortPairs unused = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, hn::BitCast(ShortTag(), a), hn::BitCast(ShortTag(), b),
                                       sum, unused);  // vpmaddwd
#else
  const auto low = [](ShortPairs v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); };
  const auto high = [](ShortPairs v) { return hn::ShiftRight<16>(v); };
  return hn::Add(sum, hn::Add(hn::Mul(low(a), low(b)), hn::Mul(high(a), high(b))));
#endif
}

// The Hadamard stages of distance 1, 2, ... kCount / 2 between kCount vectors.
template <int kCount, class V>
HWY_INLINE void butterflies(V* v) {
#pragma GCC unroll 8
  for (int half = 1; half < kCount; half *= 2) {
#pragma GCC unroll 8
    for (int pair = 0; pair < kCount / 2; ++pair) {
      const int low = pair / half * 2 * half + pair % half;
      const V a = v[low], b = v[low + half];
      v[low] = hn::Add(a, b);
      v[low + half] = subtract_in_multiplier(a, b);
    }
  }
}

// Rows are moved eight at a time even where vectors hold sixteen: machines with AVX-512 shuffle two
// short vectors a cycle, but only one long one.
using RowTag = hn::CappedTag<float, 8>;
using RowBits = hn::RebindToSigned<RowTag>;
using RowVector = hn::Vec<RowTag>;
using RowBitsVector = hn::Vec<RowBits>;
constexpr std::size_t kRows = hn::MaxLanes(RowTag());

// Four coordinates of eight rows (or four) are transposed in two steps. Vectors are put together of
// quarters, one a row, so that vector j holds rows j and 4 + j.
//
//            lanes 0..3     lanes 4..7
//   v[0]     a0 b0 c0 d0    a4 b4 c4 d4        a ... d: four coordinates; the number is the row
//   v[1]     a1 b1 c1 d1    a5 b5 c5 d5
//   v[2]     a2 b2 c2 d2    a6 b6 c6 d6
//   v[3]     a3 b3 c3 d3    a7 b7 c7 d7
//
// The four by four transposition within each half, the same on every instruction set, then gives
// a0 a1 ... a7: half a row of the tile. It is its own inverse.
HWY_INLINE void transpose_quarters(RowVector* v) {
  const hn::Repartition<double, RowTag> pairs;
  const RowTag d;
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, v[0], v[1]));   // a0 a1 b0 b1
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, v[0], v[1]));  // c0 c1 d0 d1
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, v[2], v[3]));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, v[2], v[3]));
  v[0] = hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23));
  v[1] = hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23));
  v[2] = hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23));
  v[3] = hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23));
}

// Eight coordinates of a row lie together once a block has been turned: where in it.
constexpr std::size_t place_in_block(std::size_t row) {
  return row % kRows * kTileRows + row / kRows * kRows;
}

// Lanes [first, first + kRows). A template, so that only what there is gets compiled.
template <class V>
HWY_INLINE RowVector rows_from(V v, std::size_t first) {
  if constexpr (hn::MaxLanes(hn::DFromV<V>()) == kRows) {
    return v;
  } else {
    return first == 0 ? hn::LowerHalf(RowTag(), v) : hn::UpperHalf(RowTag(), v);
  }
}

// Turns eight coordinates of kWidth rows, which `to` points to, within their own memory: row r to
// place_in_block(r). Where vectors hold four, the second four coordinates come 4 kTileRows later.
HWY_INLINE void store_as_rows(const Vector* v, float* to) {
  const RowTag d;
#pragma GCC unroll 2
  for (std::size_t first = 0; first < kWidth; first += kRows) {
    RowVector r[8];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i) {
      r[i] = rows_from(v[i], first);
    }
    transpose_quarters(r);
    transpose_quarters(r + 4);
#pragma GCC unroll 4
    for (std::size_t j = 0; j < 4; ++j) {
      RowVector left = r[j], right = r[4 + j];
      if constexpr (kRows == 8) {
        left = hn::ConcatLowerLower(d, r[4 + j], r[j]);
        right = hn::ConcatUpperUpper(d, r[4 + j], r[j]);
      }
      hn::Store(left, d, to + j * kTileRows + first);
      hn::Store(right, d, to + (4 + j) * kTileRows + first);
    }
  }
}

}  // namespace
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
#endif  // KAKEYA_SIMD_LANES_H
