// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kakeya/profile/profile_origin.h"

namespace kakeya {

class ProfileIn;
class ProfileOut;

/// The biases of a model's key projections, for codecs with center=bias: what all keys of a head
/// have in common, before RoPE. Read from the weights, so that nobody who has the model needs it
/// sent; no text is in it (passages, context and sinks are 0, the digests of texts empty).
struct KeyBias : ProfileHead {
  static constexpr std::string_view kKind = "key-bias";

  std::vector<float> biases;  ///< [layer][KV head][head_dim]

  /// What is subtracted of the vectors of `site`, [head_dim]: the bias of keys, zeros of values.
  /// Throws InputError naming a site that the model does not have.
  std::vector<float> at(const KvSite& site) const;
};

/// Throws InputError, beginning with `where`, unless there is a finite bias below 2^96 of every
/// coordinate, of keys before RoPE.
void check_key_bias(const KeyBias& profile, const std::string& where);

/// As those of profile_sections.h.
void visit_sections(ProfileOut& out, const KeyBias& profile);
void visit_sections(ProfileIn& in, KeyBias& profile);

}  // namespace kakeya
