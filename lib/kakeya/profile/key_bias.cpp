// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/key_bias.h"

#include <algorithm>
#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/profile/profile_sections.h"

namespace kakeya {
namespace {

std::size_t values_of(const KvShape& shape) {
  return static_cast<std::size_t>(shape.layers) * shape.part_width();
}

}  // namespace

std::vector<float> KeyBias::at(const KvSite& site) const {
  if (site.layer < 0 || site.layer >= shape.layers || site.head < 0 ||
      site.head >= shape.kv_heads || site.part == Part::query) {
    throw InputError("biases of " + origin.model.name + ": " + site_name(site) +
                     " given, expected one of " + std::to_string(shape.layers) + " layers and " +
                     std::to_string(shape.kv_heads) + " KV heads");
  }
  if (site.part == Part::value) return std::vector<float>(shape.dim(), 0.0f);
  const std::size_t head =
      static_cast<std::size_t>(site.layer) * shape.heads() + static_cast<std::size_t>(site.head);
  const float* first = biases.data() + head * shape.dim();
  return {first, first + shape.dim()};
}

void check_key_bias(const KeyBias& profile, const std::string& where) {
  check_head(profile, where);
  if (profile.tap != TapPoint::pre_rope) {
    throw InputError(where +
                     ": biases of keys after RoPE, expected before it: there they are the "
                     "same for all tokens");
  }
  if (profile.biases.size() != values_of(profile.shape)) {
    throw InputError(where + ": " + std::to_string(profile.biases.size()) + " biases, expected " +
                     std::to_string(values_of(profile.shape)));
  }
  const bool finite = std::all_of(profile.biases.begin(), profile.biases.end(),
                                  [](float bias) { return std::fabs(bias) < 0x1p96f; });
  if (!finite) throw InputError(where + ": a bias that is not finite or not below 2^96");
}

void visit_sections(ProfileOut& out, const KeyBias& profile) {
  check_key_bias(profile, kProfileFile);
  visit_head(out, profile);
  out.array(profile.biases, values_of(profile.shape));
}

void visit_sections(ProfileIn& in, KeyBias& profile) {
  visit_head(in, profile);
  in.array(profile.biases, values_of(profile.shape));
  check_key_bias(profile, kProfileFile);
}

}  // namespace kakeya
