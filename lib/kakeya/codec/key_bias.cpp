// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/key_bias.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "kakeya/codec/site_section.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/core/error.h"
#include "kakeya/profile/key_bias.h"

namespace kakeya {
namespace {

constexpr std::string_view kCenter = "center";

}  // namespace

bool centres_on_bias(const SpecItem& item) { return item.key == kCenter && item.value == kBias; }

bool centres_on_bias(std::string_view spec) {
  const std::optional<Spec> parsed = Spec::try_parse(spec);
  if (!parsed || !parsed->has(kCenter, kBias)) return false;
  const CodecDescriptor* codec = find_descriptor(*parsed);
  const CodecKey* key = codec == nullptr ? nullptr : codec->find_key(kCenter);
  return key != nullptr &&
         std::find(key->options.begin(), key->options.end(), kBias) != key->options.end();
}

KnownCentre known_centre(SpecArgs& args, const CodecInput& input) {
  const std::string name = args.text("profile");
  if (input.profiles == nullptr) {
    throw InputError(args.name() +
                     ": center=bias: expected the biases of the model's keys, a profile of "
                     "kakeya-calibrate --codec bias");
  }
  require_site(args.name() + ": center=bias", input.site);
  const std::shared_ptr<const KeyBias> biases = input.profiles->find<KeyBias>(name);
  args.keep("profile", biases->short_digest());
  if (biases->shape.dim() != input.dim) {
    throw InputError(args.name() + ": center=bias: vectors of " + std::to_string(input.dim) +
                     " scalars given, expected the " + std::to_string(biases->shape.head_dim) +
                     " of the biases of " + biases->origin.model.name);
  }
  return {*input.site, biases->at(*input.site)};
}

}  // namespace kakeya
