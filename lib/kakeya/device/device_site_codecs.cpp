// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_site_codecs.h"

#include <map>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/device/device_memory.h"

namespace kakeya {
namespace {

int device_of_layer(const CacheInput& cache, int layer) {
  return cache.layer_devices.empty() ? current_device()
                                     : cache.layer_devices.at(static_cast<std::size_t>(layer));
}

}  // namespace

DeviceSiteCodecs::DeviceSiteCodecs(std::string_view spec, const CacheInput& cache, Part part) {
  const std::size_t dim = cache.shape.dim();
  if (scope_of(spec) == VectorScope::any) {
    std::map<int, std::shared_ptr<const DeviceCodec>> made;
    for (const int device : cache.layer_devices) {
      const OnDevice there(device);
      if (!made[device]) made[device] = make_device_codec(spec, {dim});
      codecs_.push_back(made[device]);
    }
    if (codecs_.empty()) codecs_.push_back(make_device_codec(spec, {dim}));
    return;
  }
  if (scope_of(spec) == VectorScope::token) {
    throw SpecError(std::string(spec) +
                    ": codes whole tokens, given for keys or values on the device; --codec-device "
                    "cpu codes on the host");
  }
  for (int layer = 0; layer < cache.shape.layers; ++layer) {
    const OnDevice there(device_of_layer(cache, layer));
    std::vector<CodecInput> heads;
    for (int head = 0; head < cache.shape.kv_heads; ++head) {
      heads.push_back({dim, cache.profiles, KvSite{layer, part, head}});
    }
    codecs_.push_back(make_device_codec(spec, heads));
  }
}

DeviceTokenCodecs::DeviceTokenCodecs(std::string_view spec, const CacheInput& cache,
                                     const TokenCodecs& host)
    : layer_devices_(cache.layer_devices), first_device_(current_device()) {
  for (const TokenCodecs::Run& run : host.runs()) {
    CodecInput input{run.codec->dim(), cache.profiles};
    input.layers = run.layers;
    const int device = device_of_layer(run.layers.first);
    const OnDevice there(device);
    runs_.push_back({run.layers, device, make_device_codec(spec, input)});
  }
}

int DeviceTokenCodecs::device_of_layer(int layer) const {
  return layer_devices_.empty() ? first_device_
                                : layer_devices_.at(static_cast<std::size_t>(layer));
}

const DeviceTokenCodecs::Run& DeviceTokenCodecs::run(LayerRange layers) const {
  for (const Run& run : runs_) {
    if (run.layers == layers) return run;
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
