// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/model_key_bias.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "kakeya/codec/codec_plan.h"
#include "kakeya/codec/key_bias.h"
#include "kakeya/model/key_biases.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/kept_digest.h"

namespace kakeya {
namespace {

/// Whether a codec of `text`, a spec or a plan, centres on the bias.
bool asks_for_bias(const std::string& text) {
  if (!is_plan(text)) return centres_on_bias(text);
  const CodecPlan plan = CodecPlan::parse(text, "plan");
  return centres_on_bias(plan.keys) || centres_on_bias(plan.values) ||
         std::any_of(plan.entries.begin(), plan.entries.end(),
                     [](const PlanEntry& entry) { return centres_on_bias(entry.codec); });
}

}  // namespace

KeyBias model_key_bias(const std::string& path) {
  KeyBiases biases = read_key_biases(path);
  KeyBias profile;
  profile.origin.model = {biases.name, sha256_path(path)};
  profile.shape = biases.shape;
  profile.dtype = "fp32";
  profile.biases = std::move(biases.values);
  profile.digest = content_digest(profile);
  return profile;
}

void shelve_key_bias(ProfileShelf& shelf, std::span<const CodecPair> pairs,
                     const std::string& path) {
  const bool asked = std::any_of(pairs.begin(), pairs.end(), [](const CodecPair& pair) {
    return asks_for_bias(pair.keys) || asks_for_bias(pair.values);
  });
  const auto& there = shelf.entries();
  const bool given = std::any_of(there.begin(), there.end(), [](const StoredProfile& stored) {
    return stored.kind == KeyBias::kKind;
  });
  if (!asked || given) return;
  auto biases = std::make_shared<const KeyBias>(model_key_bias(path));
  shelf.add({"the key biases of " + biases->origin.model.name, KeyBias::kKind, biases});
}

}  // namespace kakeya
