// SPDX-License-Identifier: Apache-2.0
#include "kakeya/generate/packed_step_cache.h"

#include <algorithm>
#include <string>

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

PackedStepCache::PackedStepCache(PackedCache& cache, TapPoint tap, bool packed_sums)
    : cache_(cache), tap_(tap), packed_sums_(packed_sums) {
  for (int layer = 0; packed_sums && layer < cache.shape().layers; ++layer) {
    for (const Part part : {Part::key, Part::value}) {
      const bool read = part == Part::key && tap == TapPoint::pre_rope;
      if (read || !cache.policy().codes(layer) || cache.sums_packed({layer, part})) continue;
      throw InputError(site_name({layer, part}) +
                       ": of a codec without sums of packed vectors, expected klt of heads, or tq, "
                       "d4 or e8 without pack=rans, center, outliers and rule=published");
    }
  }
}

std::size_t PackedStepCache::tokens(int sequence) const {
  std::size_t least = cache_.tokens(sequence, 0);
  for (int layer = 1; layer < cache_.shape().layers; ++layer) {
    least = std::min(least, cache_.tokens(sequence, layer));
  }
  return least;
}

// Within a step the layers before this one are longer by its tokens, and none is shorter than this.
void PackedStepCache::append(int sequence, int layer, Rows<const float> keys,
                             Rows<const float> values) {
  const std::size_t held = cache_.tokens(sequence, layer), whole = tokens(sequence);
  if (held != whole) {
    throw InputError("sequence " + std::to_string(sequence) + ": layer " + std::to_string(layer) +
                     " has " + std::to_string(held) + " tokens, expected " + std::to_string(whole) +
                     ", which every layer has: a step failed, so truncate "
                     "the sequence to " +
                     std::to_string(whole) + " tokens first");
  }
  cache_.append(sequence, layer, keys, values);
}

}  // namespace kakeya
