// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kakeya/codec/site_codecs.h"
#include "kakeya/eval/clean_cache.h"
#include "support/made_profile.h"

namespace kakeya::testing {

/// Where codecs for a cache like that of the profile come from.
inline CacheShape shape_of(const test::OneProfile& source, int boundary) {
  const Profile& profile = source.profile();
  return {static_cast<std::size_t>(profile.head_dim), profile.layers, profile.kv_heads, boundary,
          &source};
}

/// The parts of tokens as tokens_of() makes them: float32 [tokens, heads, dim].
inline std::vector<float> part_of_tokens(const std::vector<float>& x, const Profile& profile,
                                         KvSite site) {
  const std::size_t width = profile.layer_width(), part = width / 2,
                    row = width * static_cast<std::size_t>(profile.layers);
  std::vector<float> values;
  for (std::size_t at = static_cast<std::size_t>(site.layer) * width; at < x.size(); at += row) {
    const auto from =
        x.begin() + static_cast<std::ptrdiff_t>(at + (site.part == Part::key ? 0 : part));
    values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(part));
  }
  return values;
}

/// A cache of tokens that follow the profile.
inline CleanCache made_cache(const Profile& profile, std::size_t tokens, std::uint64_t seed) {
  CleanCache cache(profile.layers, tokens, static_cast<std::size_t>(profile.kv_heads),
                   static_cast<std::size_t>(profile.head_dim));
  const std::vector<float> x = test::tokens_of(profile, tokens, seed);
  for (int layer = 0; layer < profile.layers; ++layer) {
    for (const KvSite site : {KvSite{layer, Part::key}, KvSite{layer, Part::value}}) {
      cache.store(site, part_of_tokens(x, profile, site));
    }
  }
  return cache;
}

/// All of one part.
inline std::vector<float> part_of_cache(const CleanCache& cache, KvSite site) {
  std::vector<float> values(cache.tokens() * cache.heads() * cache.dim());
  cache.load(site, cache.tokens(), values);
  return values;
}

}  // namespace kakeya::testing
