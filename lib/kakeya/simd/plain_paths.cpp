// SPDX-License-Identifier: Apache-2.0
// Nearest paths as plain loops: the portable target, and the oracle of paths.cpp.
#include <array>

#include "kakeya/lattice/trellis.h"
#include "kakeya/simd/kernels.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace plain {
namespace {

using Costs = std::array<float, kTrellisStates>;

// The costs after one more coordinate; bit s of the result says which way leads to state s.
std::int32_t advance(const TrellisChoices& choices, Costs& costs) {
  const Costs before = costs;
  std::int32_t decisions = 0;
  for (std::uint32_t state = 0; state < kTrellisStates; ++state) {
    float ways[2];
    for (std::uint32_t which = 0; which < 2; ++which) {
      ways[which] =
          before[trellis_before(state, which)] + choices.distance[trellis_subset(state, which)];
    }
    const bool other = ways[1] < ways[0];
    costs[state] = other ? ways[1] : ways[0];
    decisions |= static_cast<std::int32_t>(other) << state;
  }
  return decisions;
}

void nearest(float* tile, std::size_t dim, const float* inverse_step, std::int32_t* decisions) {
  for (std::size_t row = 0; row < kTileRows; ++row) {
    Costs costs;
    costs.fill(kTrellisUnreached);
    costs[0] = 0.0f;
    for (std::size_t i = dim * kTileRows + row; i >= kTileRows;) {
      i -= kTileRows;
      tile[i] *= inverse_step[row];
      decisions[i] = advance(TrellisChoices(tile[i]), costs);
    }
    std::uint32_t state = 0;
    for (std::uint32_t other = 1; other < kTrellisStates; ++other) {
      if (costs[other] < costs[state]) state = other;
    }
    for (std::size_t i = row; i < dim * kTileRows; i += kTileRows) {
      const auto which = static_cast<std::uint32_t>(decisions[i]) >> state & 1;
      tile[i] = TrellisChoices(tile[i]).point[trellis_subset(state, which)] + 0.0f;
      state = trellis_before(state, which);
    }
  }
}

}  // namespace
}  // namespace plain

PathKernels plain_path_kernels() { return {plain::nearest}; }

}  // namespace kakeya
