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

// a + b and a - b in the multiplier. A product by one is exact, so the sum is rounded once as any
// sum is: the same bits. Where adders and multipliers are separate (AMD from Zen on, Intel from
// Alder Lake on) half of the sums go this way and both work.
HWY_INLINE Vector add_in_multiplier(Vector a, Vector b) {
  return hn::MulAdd(a, hn::Set(Tag(), 1.0f), b);
}
HWY_INLINE Vector subtract_in_multiplier(Vector a, Vector b) {
  return hn::NegMulAdd(b, hn::Set(Tag(), 1.0f), a);
}

// The Hadamard stages of distance 1, 2, ... kCount / 2 between kCount vectors.
template <int kCount, int kMix = 0xff>
HWY_INLINE void butterflies(Vector* v) {
#pragma GCC unroll 8
  for (int half = 1; half < kCount; half *= 2) {
#pragma GCC unroll 8
    for (int pair = 0; pair < kCount / 2; ++pair) {
      const int low = pair / half * 2 * half + pair % half;
      const Vector a = v[low], b = v[low + half];
      v[low] = hn::Add(a, b);
      v[low + half] = (kMix & half) ? subtract_in_multiplier(a, b) : hn::Sub(a, b);
    }
  }
}

}  // namespace
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
#endif  // KAKEYA_SIMD_LANES_H
