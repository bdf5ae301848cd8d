// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/site_codecs.h"

#include "kakeya/core/error.h"

namespace kakeya {

SiteCodecs::SiteCodecs(std::string_view spec, const CacheInput& cache, Part part) {
  const std::size_t dim = cache.shape.dim();
  if (scope_of(spec) == VectorScope::any) {
    codecs_.push_back(make_codec(spec, {dim}));
    return;
  }
  heads_ = cache.shape.heads();
  for (int layer = 0; layer < cache.shape.layers; ++layer) {
    for (int head = 0; head < cache.shape.kv_heads; ++head) {
      codecs_.push_back(make_codec(spec, {dim, cache.profiles, KvSite{layer, part, head}}));
    }
  }
  if (codecs_.empty()) throw InputError(std::string(spec) + ": no layer to code");
}

std::size_t SiteCodecs::profile_bytes() const {
  std::size_t bytes = 0;
  for (const auto& codec : codecs_) bytes += codec->account().profile_bytes();
  return bytes;
}

}  // namespace kakeya
