// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "kakeya/codec/site_codecs.h"
#include "kakeya/codec/token_codecs.h"

namespace kakeya {

/// A codec for the keys and one for the values.
struct CodecPair {
  std::string keys, values;
  bool operator==(const CodecPair&) const = default;

  /// "e8:q=10", or "K e8:q=10, V fp8" where they differ.
  std::string label() const { return keys == values ? keys : "K " + keys + ", V " + values; }
};

/// What codes a whole cache: codecs of single heads, for its keys and its values, or of whole
/// tokens. Cheap to copy.
struct CacheCodecs {
  std::optional<SiteCodecs> keys, values;  ///< both, or
  std::optional<TokenCodecs> tokens;       ///< this one

  /// Canonical; the same twice, of a codec of whole tokens.
  CodecPair canonical() const;

  /// Bytes of profiles that a reader of keys and values needs once a model.
  std::size_t profile_bytes() const;
};

/// What `specs` names, for the layers of a cache that lie within `cache.skipped_layers`. Throws as
/// make_codec(), and SpecError where a codec of whole tokens is given for keys or values alone.
CacheCodecs make_cache_codecs(const CodecPair& specs, const CacheInput& cache);

}  // namespace kakeya
