// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/codec/site_codecs.h"
#include "support/made_profile.h"

namespace kakeya::testing {

/// Where codecs for a cache like that of the profile come from.
inline CacheInput input_of(const test::OneProfile& source, int skipped_layers) {
  return {source.profile().shape, skipped_layers, &source};
}

/// The parts of tokens as tokens_of() makes them: float32 [tokens, heads, dim].
inline std::vector<float> part_of_tokens(const std::vector<float>& x, const Profile& profile,
                                         KvSite site) {
  const std::size_t width = profile.layer_width(), part = width / 2,
                    row = width * static_cast<std::size_t>(profile.shape.layers);
  std::vector<float> values;
  for (std::size_t at = static_cast<std::size_t>(site.layer) * width; at < x.size(); at += row) {
    const auto from =
        x.begin() + static_cast<std::ptrdiff_t>(at + (site.part == Part::key ? 0 : part));
    values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(part));
  }
  return values;
}

/// A cache of tokens that follow the profile.
inline KvCache made_cache(const Profile& profile, std::size_t tokens, std::uint64_t seed) {
  KvCache cache(profile.shape, tokens);
  const std::vector<float> x = test::tokens_of(profile, tokens, seed);
  for (int layer = 0; layer < profile.shape.layers; ++layer) {
    for (const KvSite site : {KvSite{layer, Part::key}, KvSite{layer, Part::value}}) {
      cache.store(site, part_of_tokens(x, profile, site));
    }
  }
  return cache;
}

/// All of one part.
inline std::vector<float> part_of_cache(const KvCache& cache, KvSite site) {
  std::vector<float> values(cache.tokens() * cache.heads() * cache.dim());
  cache.load(site, cache.tokens(), values);
  return values;
}

}  // namespace kakeya::testing
