// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>

#define KAKEYA_INLINE [[gnu::always_inline]] inline

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // all that takes a FloatLanes by value is inlined
#endif

namespace kakeya {

/// Sixteen floats at once, with the operators of a float. A function of KAKEYA_CLONES (core/clones.h) has
/// them in as many registers as each instruction set needs. Only .cpp files include this.
inline constexpr std::size_t kFloatLanes = 16;
using FloatLanes [[gnu::vector_size(4 * kFloatLanes)]] = float;

KAKEYA_INLINE FloatLanes load_lanes(const float* from) {
  FloatLanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

KAKEYA_INLINE void store_lanes(FloatLanes lanes, float* to) {
  std::memcpy(to, &lanes, sizeof lanes);
}

}  // namespace kakeya
