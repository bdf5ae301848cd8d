// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/cache_codecs.h"

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

bool are_of_tokens(const CodecPair& pair) {
  const bool keys = scope_of(pair.keys) == VectorScope::token,
             values = scope_of(pair.values) == VectorScope::token;
  if (keys != values || (keys && pair.keys != pair.values)) {
    throw SpecError((keys ? pair.keys : pair.values) +
                    ": codes the keys and values of a token together: expected it as one codec of "
                    "both");
  }
  return keys;
}

}  // namespace

CodecPair CacheCodecs::canonical() const {
  if (tokens) return {tokens->spec(), tokens->spec()};
  return {keys->spec(), values->spec()};
}

std::size_t CacheCodecs::profile_bytes() const {
  return (keys ? keys->profile_bytes() : 0) + (values ? values->profile_bytes() : 0) +
         (tokens ? tokens->profile_bytes() : 0);
}

CacheCodecs make_cache_codecs(const CodecPair& specs, const CacheInput& cache) {
  CacheCodecs codecs;
  if (are_of_tokens(specs)) {
    codecs.tokens.emplace(
        specs.keys, cache,
        LayerRange{cache.skipped_layers, cache.shape.layers - 2 * cache.skipped_layers});
  } else {
    codecs.keys.emplace(specs.keys, cache, Part::key);
    codecs.values.emplace(specs.values, cache, Part::value);
  }
  return codecs;
}

}  // namespace kakeya
