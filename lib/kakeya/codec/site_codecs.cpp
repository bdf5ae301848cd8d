// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/site_codecs.h"

namespace kakeya {

SiteCodecs::SiteCodecs(std::string_view spec, const CacheShape& shape, bool keys) {
  if (scope_of(spec) == VectorScope::any) {
    codecs_.push_back(make_codec(spec, {shape.dim}));
    return;
  }
  heads_ = static_cast<std::size_t>(shape.kv_heads);
  for (int layer = 0; layer < shape.layers; ++layer) {
    for (int head = 0; head < shape.kv_heads; ++head) {
      codecs_.push_back(
          make_codec(spec, {shape.dim, shape.profiles, CacheSite{layer, keys, head}}));
    }
  }
}

std::size_t SiteCodecs::profile_bytes() const {
  std::size_t bytes = 0;
  for (const auto& codec : codecs_) bytes += codec->account().profile_bytes();
  return bytes;
}

}  // namespace kakeya
