// SPDX-License-Identifier: Apache-2.0
// What a caller says of a cache: its shape, policy and codecs, and where it comes from.
#include <limits>

#include "bindings/c/handles.h"

namespace kakeya::c {
namespace {

constexpr std::int32_t kMost = 1024;  // layers, heads and scalars, as in any profile

void require_within(std::int32_t value, std::int32_t least, const char* name) {
  if (value >= least && value <= kMost) return;
  throw InputError(std::string("options: ") + name + " " + std::to_string(value) +
                   " given, expected " + std::to_string(least) + " to " + std::to_string(kMost));
}

}  // namespace

CacheSettings::CacheSettings(const kakeya_cache_options* given) {
  const kakeya_cache_options options = read_struct(given, "options");
  require_within(options.layers, 1, "layers");
  require_within(options.kv_heads, 1, "kv_heads");
  require_within(options.query_heads, 0, "query_heads");
  require_within(options.head_dim, 1, "head_dim");
  require(options.keys, "options: keys");
  require(options.values, "options: values");
  if (options.window_count != 0) require(options.windows, "options: windows");
  shape = {options.layers, options.kv_heads, options.query_heads, options.head_dim};
  policy = {options.layers, options.skipped_layers, options.sinks, options.residual_window};
  policy.check(std::numeric_limits<std::size_t>::max());
  if (options.window_count != 0 && options.window_count != shape.parts() / 2) {
    throw InputError("options: " + std::to_string(options.window_count) +
                     " windows given, expected 0 or one for each of " +
                     std::to_string(options.layers) + " layers");
  }
  specs = {options.keys, options.values};
  windows.assign(options.windows, options.windows + options.window_count);
  profiles = shelf_of(options.profiles);
}

CacheCodecs CacheSettings::codecs() const {
  return make_cache_codecs(specs, {shape, policy.skipped_layers, profiles.get()});
}

CacheFacts facts_of(const kakeya_facts* given) {
  const kakeya_facts told = read_struct(given, "facts");
  CacheFacts facts;
  facts.origin.model = {text_of(told.model), text_of(told.model_sha256)};
  facts.origin.tokenizer = {text_of(told.tokenizer), text_of(told.tokenizer_sha256)};
  facts.origin.text = {text_of(told.text), text_of(told.text_sha256)};
  facts.origin.architecture = text_of(told.architecture);
  facts.passage = text_of(told.passage);
  facts.rope_layout = text_of(told.rope_layout);
  facts.rope_base = told.rope_base;
  facts.seed = told.seed;
  if (told.tap != KAKEYA_PRE_ROPE && told.tap != KAKEYA_POST_ROPE) {
    throw SpecError("facts: tap " + std::to_string(told.tap) +
                    ": expected KAKEYA_PRE_ROPE or KAKEYA_POST_ROPE");
  }
  if (told.reserved != 0) {
    throw InputError("facts: reserved " + std::to_string(told.reserved) + " given, expected 0");
  }
  facts.tap = told.tap == KAKEYA_PRE_ROPE ? TapPoint::pre_rope : TapPoint::post_rope;
  return facts;
}

}  // namespace kakeya::c
