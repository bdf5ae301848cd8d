// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/recorded_cache.h"

#include "kakeya/core/clock.h"

namespace kakeya {

RecordedCache::RecordedCache(StepCache& cache, const KvShape& shape, std::size_t tokens)
    : cache_(cache), given_(shape, tokens) {
  for (std::size_t i = 0; i < shape.parts(); ++i) given_.writable_patterns(site_of_index(i));
}

// A layer has whole tokens of its own before those of the step: as many as the cache has of all
// layers, which this one does not yet have more of.
void RecordedCache::append(int sequence, int layer, Rows<const float> keys,
                           Rows<const float> values) {
  const auto started = Clock::now();
  const std::size_t first = cache_.tokens(sequence);
  cache_.append(sequence, layer, keys, values);
  for (const Part part : {Part::key, Part::value}) {
    given_.store_rows({layer, part}, first, 0, part == Part::key ? keys : values);
  }
  seconds_ += seconds_since(started);
}

}  // namespace kakeya
