// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_site_codecs.h"

#include <string>

#include "kakeya/core/error.h"
#include "kakeya/device/device_memory.h"

namespace kakeya {

DeviceSiteCodecs::DeviceSiteCodecs(std::string_view spec, const CacheInput& cache, Part part) {
  const std::size_t dim = cache.shape.dim();
  if (scope_of(spec) == VectorScope::any) {
    codecs_.push_back(make_device_codec(spec, {dim}));
    return;
  }
  if (scope_of(spec) == VectorScope::token) {
    throw SpecError(std::string(spec) +
                    ": codes whole tokens, given for keys or values on the device; --codec-device "
                    "cpu codes on the host");
  }
  for (int layer = 0; layer < cache.shape.layers; ++layer) {
    std::vector<CodecInput> heads;
    for (int head = 0; head < cache.shape.kv_heads; ++head) {
      heads.push_back({dim, cache.profiles, KvSite{layer, part, head}});
    }
    codecs_.push_back(make_device_codec(spec, heads));
  }
}

DeviceTokenCodecs::DeviceTokenCodecs(std::string_view spec, const CacheInput& cache,
                                     const TokenCodecs& host) {
  for (const TokenCodecs::Run& run : host.runs()) {
    CodecInput input{run.codec->dim(), cache.profiles};
    input.layers = run.layers;
    runs_.push_back({run.layers, make_device_codec(spec, input)});
  }
}

const DeviceCodec& DeviceTokenCodecs::at(LayerRange layers) const {
  for (const Run& run : runs_) {
    if (run.layers == layers) return *run.codec;
  }
  throw InputError("layers " + std::to_string(layers.first) + " to " +
                   std::to_string(layers.first + layers.count - 1) + ": no run of a device codec");
}

void require_codec_device() {
  if (device_count() != 0) return;
  throw InputError(
      "codec-device cuda: this build has no CUDA kernels, or the driver does not run them: expected "
      "--codec-device cpu");
}

}  // namespace kakeya
