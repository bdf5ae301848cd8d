// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/cache/pack_cache.h"
#include "support/made_cache.h"

namespace kakeya::testing {

inline constexpr int kLayers = 5, kHeads = 2, kDim = 8;
inline constexpr std::size_t kTokens = 45;

inline const test::OneProfile& small_profile() {
  static const test::OneProfile source(test::made_profile(kDim, kLayers));
  return source;
}

/// One layer at either end left out, 3 sinks, a residual window of 4.
inline CacheExtent small_extent() {
  return {{kLayers, kHeads, 4, kDim}, kTokens, {kLayers, 1, 3, 4}};
}

inline CacheFacts small_facts() {
  CacheFacts facts;
  facts.origin.model.name = "made";
  facts.origin.model.sha256 = std::string(64, 'a');
  facts.origin.architecture = "none";
  facts.origin.tokenizer.name = "bytes";
  facts.origin.tokenizer.sha256 = std::string(64, 'd');
  facts.origin.text.name = "drawn";
  facts.origin.text.sha256 = std::string(64, 'e');
  facts.passage = "seed 1";
  facts.rope_layout = "halves";
  facts.rope_base = 1e4;
  facts.seed = 1;
  facts.tap = TapPoint::post_rope;
  facts.extent = small_extent();
  return facts;
}

inline std::vector<std::int32_t> small_ids() {
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i < kTokens; ++i) ids.push_back(static_cast<std::int32_t>(1000 * i + 7));
  return ids;
}

inline const KvCache& small_cache() {
  static const KvCache cache = made_cache(small_profile().profile(), kTokens, 1);
  return cache;
}

inline CacheCodecs small_codecs(const CodecPair& specs) {
  return make_cache_codecs(specs, input_of(small_profile(), 1));
}

inline std::vector<std::byte> small_file(const CodecPair& specs) {
  WorkerPool pool(2);
  return pack_cache(small_facts(), small_ids(), small_cache(), small_codecs(specs), pool);
}

/// Codecs of every scope: of any vectors, of keys and values apart, of single heads, of whole
/// tokens in one run or several.
inline const std::vector<CodecPair> kSmallSpecs = {
    {"identity", "identity"},
    {"e8:q=10", "tq:b=4"},
    {"kivi:b=2,group=8", "kivi:b=4,group=8"},
    {"klt:bits=3", "e8:q=4"},
    {"klt:bits=3,scope=layer,predict=2,page=32", "klt:bits=3,scope=layer,predict=2,page=32"},
    {"klt:bits=2,scope=layer,restart=2", "klt:bits=2,scope=layer,restart=2"},
    {"klt:bits=3,scope=layer,predict=1,adapt=50,page=32",
     "klt:bits=3,scope=layer,predict=1,adapt=50,page=32"},
    {"klt:bits=3,adapt=50,page=32", "klt:bits=3"},
    {"klt:bits=5,page=32,budget=1300", "ecz:bits=5,page=32,budget=300"},
};

/// Makes the checksum of a changed head fit; `head_bytes` with it.
inline void seal_head(std::vector<std::byte>& file) {
  std::uint32_t head_bytes;
  std::memcpy(&head_bytes, file.data() + 8, 4);
  const std::uint32_t checksum = crc32c(std::span(file).first(head_bytes - 4));
  std::memcpy(file.data() + head_bytes - 4, &checksum, 4);
}

}  // namespace kakeya::testing
