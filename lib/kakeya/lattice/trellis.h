// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kakeya/lattice/dn.h"

// Trellis-coded quantisation (Marcellin and Fischer, "Trellis coded quantization of memoryless and
// Gauss-Markov sources", IEEE Trans. Commun. 38, 1990): a vector becomes a path through a trellis
// of eight states, whose state says at every coordinate which numbers there are. Of the halves of
// whole numbers these are the whole ones or the others, one a unit as with Z; but the path that
// lies nearest to the vector as a whole has 1.06 dB less squared error than Z, E8 0.65 dB.
//
// The code is Ungerboeck's of eight states for amplitude modulation (IEEE Trans. Inform. Theory 28,
// 1982, table I: parity checks 13 and 04, octal), as a feedback encoder. With n twice a coordinate,
// z0 = n mod 2 and z1 = n / 2 mod 2, and the state s3 s2 s1, which is 0 at the last coordinate of a
// path, where it begins:
//
//     z0 = s1          next state  s3' = z0    s2' = s3 + z1    s1' = s2 + z0     (modulo 2)
//
// So each state leads to two others, and n mod 4 says to which. Paths go from the last coordinate
// to the first: the end of a path is free, its beginning is not, and where coordinates are sorted
// the first are the strongest. Plain C++17, as dn.h is.

namespace kakeya {

inline constexpr int kTrellisStates = 8;

/// n mod 2 of every coordinate in this state: 0 for whole numbers, 1 for halves.
constexpr std::uint32_t trellis_parity(std::uint32_t state) { return state & 1; }

/// The state after the coordinate twice / 2, whose parity is that of the state.
constexpr std::uint32_t next_trellis_state(std::uint32_t state, std::int32_t twice) {
  const std::uint32_t z0 = state & 1, z1 = static_cast<std::uint32_t>(twice) >> 1 & 1;
  return ((state >> 1 & 1) ^ z0) | ((state >> 2) ^ z1) << 1 | z0 << 2;
}

/// The states that lead to `state` are trellis_before(state, 0) and, with a higher s3,
/// trellis_before(state, 1); what lies between them has n mod 4 = trellis_subset(state, which).
constexpr std::uint32_t trellis_before(std::uint32_t state, std::uint32_t which) {
  return state >> 2 | ((state & 1) ^ (state >> 2)) << 1 | which << 2;
}
constexpr std::uint32_t trellis_subset(std::uint32_t state, std::uint32_t which) {
  return state >> 2 | ((state >> 1 & 1) ^ which) << 1;
}

/// For each n mod 4 the coordinate nearest to `y`, which is at most kLargestCoordinate in
/// magnitude, and a quarter of its squared distance. Those of z1 = 0 are rounded; those of z1 = 1
/// are on the other side of y.
struct TrellisChoices {
  float point[4], distance[4];

  explicit constexpr TrellisChoices(float y) : point(), distance() {
    for (int z0 = 0; z0 < 2; ++z0) {
      const float offset = z0 == 0 ? 0.0f : 0.5f;
      const float half = y * 0.5f - 0.5f * offset, rounded = round_half_even(half);
      const float residue = half - rounded, size = residue < 0.0f ? -residue : residue;
      const float other = 0.5f - size;
      point[z0] = 2.0f * rounded + offset;
      point[z0 + 2] = point[z0] + (residue < 0.0f ? -1.0f : 1.0f);
      distance[z0] = residue * residue;
      distance[z0 + 2] = other * other;
    }
  }
};

/// More than any path costs.
inline constexpr float kTrellisUnreached = 1073741824.0f;

}  // namespace kakeya
