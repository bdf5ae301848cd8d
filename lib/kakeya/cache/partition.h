// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/codec/cache_codecs.h"
#include "kakeya/core/error.h"
#include "kakeya/core/kv.h"
#include "kakeya/core/rows.h"

namespace kakeya {

// How a cache is cut into frames: whoever codes one, inside a model or to a file, codes these.

/// What one frame holds: some tokens of one head of the keys or values of a layer or, without a
/// site, of all keys and values of some layers.
struct FramePlace {
  LayerRange layers;
  std::optional<KvSite> site;
  TokenRange tokens;

  /// Scalars a vector, in a cache of this shape.
  std::size_t vector_values(const KvShape& shape) const {
    return vector_values(shape.heads(), shape.dim());
  }
  std::size_t vector_values(std::size_t heads, std::size_t dim) const {
    return site ? dim : 2 * static_cast<std::size_t>(layers.count) * heads * dim;
  }
  bool operator==(const FramePlace&) const = default;
};

/// "layer 3 keys, head 1" or "layers 1 to 4, tokens from 35": a place in a message.
std::string describe_place(const FramePlace& place);

/// The frames of keys or values of one layer: one for each of its `heads` heads.
std::vector<FramePlace> frames_of_part(KvSite site, std::size_t heads, TokenRange tokens);

/// The frames of whole tokens: one for each page of each run of layers, or one for each run of a codec
/// without pages.
std::vector<FramePlace> frames_of_tokens(const TokenCodecs& codecs, TokenRange tokens);

/// The frames of a cache of `heads` KV heads of which `policy` codes `tokens`: of whole tokens, or
/// layer by layer those of the keys and then of the values.
std::vector<FramePlace> frames_of_cache(const CacheCodecs& codecs, const CachePolicy& policy,
                                        std::size_t heads, TokenRange tokens);

/// The codec of a place. Throws InputError where the codecs have no such place.
const Codec& codec_at(const CacheCodecs& codecs, const FramePlace& place);

/// Calls visit(site, channel in a vector) for keys and values of every layer of a vector of whole
/// tokens, in order.
template <typename Visit>
void for_each_part(LayerRange layers, std::size_t part_width, const Visit& visit) {
  for (int i = 0; i < layers.count; ++i) {
    const auto at = static_cast<std::size_t>(2 * i) * part_width;
    visit(KvSite{layers.first + i, Part::key}, at);
    visit(KvSite{layers.first + i, Part::value}, at + part_width);
  }
}

/// Runs work() and says of an InputError where it was met: a codec knows only the vectors that it
/// was given.
template <typename Work>
void at_place(const FramePlace& place, const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    throw InputError(describe_place(place) + ": " + error.what());
  }
}

/// The vectors of a place, one a token, and back. Throw InputError where the cache does not have
/// them. Different places may be stored at the same time.
void load_vectors(const KvCache& cache, const FramePlace& place, Rows<float> vectors);
void store_vectors(KvCache& cache, const FramePlace& place, Rows<const float> vectors);

}  // namespace kakeya
