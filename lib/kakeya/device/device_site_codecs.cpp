// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_site_codecs.h"

#include <span>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// The codec of all heads of a part of a layer; `heads`: what the codec of each may know. The codecs
// that have kernels know the part at most, which is that of all heads.
std::shared_ptr<const DeviceCodec> make_part_codec(std::string_view spec,
                                                   std::span<const CodecInput> heads) {
  return make_device_codec(spec, heads.front());
}

}  // namespace

DeviceSiteCodecs::DeviceSiteCodecs(std::string_view spec, const CacheInput& cache, Part part) {
  const std::size_t dim = cache.shape.dim();
  if (scope_of(spec) == VectorScope::any) {
    codecs_.push_back(make_device_codec(spec, {dim}));
    return;
  }
  if (scope_of(spec) == VectorScope::token) {
    throw SpecError(std::string(spec) +
                    ": no CUDA kernel for codecs of whole tokens; --codec-device cpu codes on the "
                    "host");
  }
  for (int layer = 0; layer < cache.shape.layers; ++layer) {
    std::vector<CodecInput> heads;
    for (int head = 0; head < cache.shape.kv_heads; ++head) {
      heads.push_back({dim, cache.profiles, KvSite{layer, part, head}});
    }
    codecs_.push_back(make_part_codec(spec, heads));
  }
}

}  // namespace kakeya
