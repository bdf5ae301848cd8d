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

}  // namespace
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
#endif  // KAKEYA_SIMD_LANES_H
