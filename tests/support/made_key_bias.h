// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/profile/key_bias.h"
#include "support/made_origin.h"

namespace kakeya::test {

/// Biases of 16 to 48 in every fifth coordinate and 0 in the others, other ones in every head.
inline KeyBias made_key_bias(std::size_t dim, int layers = 2, int kv_heads = 2) {
  KeyBias profile;
  static_cast<ProfileHead&>(profile) = made_origin(dim, layers, kv_heads);
  profile.digest = std::string(64, 'e');
  const std::size_t heads = static_cast<std::size_t>(layers) * static_cast<std::size_t>(kv_heads);
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t i = 0; i < dim; ++i) {
      const auto size = static_cast<float>(16 * (1 + (i + head) % 3));
      profile.biases.push_back(i % 5 != 1 ? 0.0f : (i % 2 == 0 ? size : -size));
    }
  }
  return profile;
}

}  // namespace kakeya::test
