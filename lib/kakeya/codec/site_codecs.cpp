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
  skipped_layers_ = static_cast<std::size_t>(cache.skipped_layers);
  for (int layer = 0; layer < cache.shape.layers; ++layer) {
    for (int head = 0; head < cache.shape.kv_heads; ++head) {
      codecs_.push_back(make_codec(spec, {dim, cache.profiles, KvSite{layer, part, head}}));
    }
  }
  if (codecs_.empty()) throw InputError(std::string(spec) + ": no layer to code");
}

std::size_t SiteCodecs::profile_bytes() const {
  std::size_t bytes = 0;
  const std::size_t skipped = skipped_layers_ * heads_;
  for (std::size_t i = skipped; i + skipped < codecs_.size(); ++i) {
    bytes += codecs_[i]->account().profile_bytes();
  }
  return bytes;
}

}  // namespace kakeya
