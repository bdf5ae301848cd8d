// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/token_codecs.h"

#include <algorithm>

#include "kakeya/codec/spec_args.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

bool has_restart(std::string_view spec) {
  const CodecDescriptor* codec = find_descriptor(spec);
  return codec != nullptr && !codec->whole_cache();
}

}  // namespace

TokenCodecs::TokenCodecs(std::string_view spec, const CacheInput& cache, LayerRange coded) {
  const int restart = whole_of(spec, "restart");
  const int most = restart == 0 ? coded.count : restart;
  for (int done = 0; done < coded.count; done += most) {
    const LayerRange layers{coded.first + done, std::min(most, coded.count - done)};
    if (most == 1 && cache.skipped.contains(layers.first)) continue;
    for (int layer = layers.first; layer < layers.first + layers.count; ++layer) {
      if (!cache.skipped.contains(layer)) continue;
      throw SpecError(std::string(spec) + ": codes " + std::to_string(layers.count) +
                      " layers together, of which layer " + std::to_string(layer) +
                      " is skipped: expected " +
                      (has_restart(spec) ? "restart=1, or layers in a row" : "layers in a row"));
    }
    add_run(spec, cache, layers);
  }
  if (runs_.empty()) throw InputError(std::string(spec) + ": no layer to code");
}

TokenCodecs::TokenCodecs(PlanLayout& plan, const CacheInput& cache) {
  for (int layer = 0; layer < cache.shape.layers; ++layer) {
    if (plan.skips(layer)) continue;
    const std::string where = plan.name() + ": layer " + std::to_string(layer) + ": ";
    const std::string* const spec = plan.of_layer(layer);
    if (spec == nullptr || scope_of(*spec) != VectorScope::token) {
      throw SpecError(where +
                      "codecs of whole tokens take both parts and all heads of each layer: "
                      "expected one codec for it, with scope=layer as others of this plan");
    }
    if (whole_of(*spec, "restart") != 1) {
      throw SpecError(where + *spec + ": codes several layers together: expected " +
                      (has_restart(*spec) ? "restart=1" : "a codec of single layers"));
    }
    add_run(*spec, cache, {layer, 1});
    const Codec& made = *runs_.back().codec;
    if (made.page_vectors() != page_vectors()) {
      throw SpecError(where + "pages of " + std::to_string(made.page_vectors()) +
                      " tokens and of " + std::to_string(page_vectors()) +
                      ": whole tokens have one page");
    }
    for (const Part part : {Part::key, Part::value}) {
      for (int head = 0; head < cache.shape.kv_heads; ++head) {
        plan.set({layer, part, head}, made.spec());
      }
    }
  }
}

void TokenCodecs::add_run(std::string_view spec, const CacheInput& cache, LayerRange layers) {
  CodecInput input{2 * static_cast<std::size_t>(layers.count) * cache.shape.part_width(),
                   cache.profiles};
  input.layers = layers;
  runs_.push_back({layers, make_codec(spec, input)});
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
