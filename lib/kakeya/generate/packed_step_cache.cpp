// SPDX-License-Identifier: Apache-2.0
#include "kakeya/generate/packed_step_cache.h"

#include <algorithm>

#include "kakeya/core/error.h"

namespace kakeya {

// The cache forgets what the next query does not see, after each append; that of the first token of
// a step comes after all of them.
std::vector<std::size_t> step_windows(const ModelFacts& facts, std::size_t most_new) {
  if (most_new == 0) throw InputError("steps of at most 0 tokens, expected 1 or more");
  if (facts.windows.empty()) return {};
  std::vector<std::size_t> windows;
  for (int layer = 0; layer < facts.shape.layers; ++layer) {
    const auto seen = static_cast<std::size_t>(facts.windows.tokens);
    windows.push_back(facts.windows.covers(layer) ? seen + most_new : 0);
  }
  return windows;
}

std::size_t PackedStepCache::tokens(int sequence) const {
  std::size_t least = cache_.tokens(sequence, 0);
  for (int layer = 1; layer < cache_.shape().layers; ++layer) {
    least = std::min(least, cache_.tokens(sequence, layer));
  }
  return least;
}

}  // namespace kakeya
