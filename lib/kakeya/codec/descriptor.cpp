// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/descriptor.h"

#include <algorithm>
#include <utility>

namespace kakeya {
namespace {

std::vector<std::string> in_order(std::span<const PreferredFamily> CodecDescriptor::*preferred) {
  std::vector<std::pair<int, std::string>> all;
  for (const CodecDescriptor* codec : builtin_codecs()) {
    for (const PreferredFamily& family : codec->*preferred) {
      const std::string keys(family.keys);
      all.emplace_back(family.place, std::string(codec->name) + (keys.empty() ? "" : ":" + keys));
    }
  }
  std::sort(all.begin(), all.end());
  std::vector<std::string> names;
  for (auto& [place, name] : all) names.push_back(std::move(name));
  return names;
}

}  // namespace

const CodecKey* CodecDescriptor::find_key(std::string_view key) const {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [&](const CodecKey& each) { return each.name == key; });
  return found == keys.end() ? nullptr : &*found;
}

const CodecDescriptor* find_descriptor(std::string_view spec) {
  const std::optional<Spec> parsed = Spec::try_parse(spec);
  return parsed ? find_descriptor(*parsed) : nullptr;
}

std::vector<std::string> reference_families() { return in_order(&CodecDescriptor::references); }
std::vector<std::string> baseline_families() { return in_order(&CodecDescriptor::baselines); }

int family_rank(std::string_view family) {
  constexpr int kOther = CodecLooks().rank;
  const CodecDescriptor* codec = find_descriptor(family);
  if (codec == nullptr) return kOther;
  if (codec->name == family) return codec->looks.rank;
  return std::max(kOther, codec->looks.rank);
}

}  // namespace kakeya
