// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/token_codecs.h"

#include <algorithm>

#include "kakeya/codec/spec_args.h"
#include "kakeya/core/error.h"

namespace kakeya {

TokenCodecs::TokenCodecs(std::string_view spec, const CacheInput& cache, LayerRange coded) {
  const std::size_t width = 2 * cache.shape.part_width();
  const int restart = whole_of(spec, "restart");
  const int most = restart == 0 ? coded.count : restart;
  for (int done = 0; done < coded.count; done += most) {
    const LayerRange layers{coded.first + done, std::min(most, coded.count - done)};
    CodecInput input{static_cast<std::size_t>(layers.count) * width, cache.profiles};
    input.layers = layers;
    runs_.push_back({layers, make_codec(spec, input)});
  }
  if (runs_.empty()) throw InputError(std::string(spec) + ": no layer to code");
}

LayerRange all_layers(std::string_view spec, const ProfileSource& profiles) {
  const Spec parsed = Spec::parse(spec);
  const CodecDescriptor* codec = find_descriptor(parsed);
  if (codec == nullptr || !codec->calibrated()) {
    throw SpecError(std::string(spec) + ": expected a codec that needs a profile");
  }
  const std::string* name = parsed.find("profile");
  const int layers = profiles.find(codec->profile, name == nullptr ? "" : *name)->shape.layers;
  return {0, layers};
}

bool TokenCodecs::each_layer_alone() const {
  return std::all_of(runs_.begin(), runs_.end(),
                     [](const Run& run) { return run.layers.count == 1; });
}

std::size_t TokenCodecs::profile_bytes() const {
  std::size_t bytes = 0;
  for (const Run& run : runs_) bytes += run.codec->account().profile_bytes();
  return bytes;
}

}  // namespace kakeya
