// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "kakeya/codec/site_codecs.h"
#include "kakeya/codec/token_codecs.h"
#include "kakeya/device/device_codec.h"

namespace kakeya {

/// The device codecs of all keys or all values of a model: one for all layers or, of
/// VectorScope::head, one a layer, which codes all its heads; of a cache whose layers are on several
/// devices, one a layer, where the layer is. Cheap to copy.
class DeviceSiteCodecs {
 public:
  /// What `spec` names, for the keys or the values; every layer of `cache`, as SiteCodecs. Throws as
  /// make_device_codec(), and SpecError of codecs of whole tokens.
  DeviceSiteCodecs(std::string_view spec, const CacheInput& cache, Part part);

  const DeviceCodec& at(int layer) const {
    return *codecs_[codecs_.size() == 1 ? 0 : static_cast<std::size_t>(layer)];
  }

 private:
  std::vector<std::shared_ptr<const DeviceCodec>> codecs_;
};

/// The device codecs of whole tokens: one for each run of layers, as TokenCodecs. Cheap to copy.
class DeviceTokenCodecs {
 public:
  /// Those that write the frames of `host`, which `spec` named. Throws as make_device_codec().
  DeviceTokenCodecs(std::string_view spec, const CacheInput& cache, const TokenCodecs& host);

  /// Throws InputError where the layers are no run.
  const DeviceCodec& at(LayerRange layers) const { return *run(layers).codec; }
  /// The GPU that codes a run: that of its first layer.
  int device_of(LayerRange layers) const { return run(layers).device; }
  int device_of_layer(int layer) const;

 private:
  struct Run {
    LayerRange layers;
    int device;
    std::shared_ptr<const DeviceCodec> codec;
  };
  const Run& run(LayerRange layers) const;

  std::vector<int> layer_devices_;
  int first_device_;
  std::vector<Run> runs_;
};

/// Throws InputError, naming --codec-device cpu, where no kernel can run.
void require_codec_device();

}  // namespace kakeya
