// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/profile_origin.h"

#include "kakeya/core/error.h"

namespace kakeya {

void check_origin(const ProfileOrigin& origin, const std::string& where) {
  if (origin.layers < 1 || origin.kv_heads < 1 || origin.head_dim < 8 || origin.head_dim > 1024 ||
      origin.head_dim % 8 != 0) {
    throw InputError(where + ": layers " + std::to_string(origin.layers) + ", KV heads " +
                     std::to_string(origin.kv_heads) + ", head_dim " +
                     std::to_string(origin.head_dim) +
                     ": expected at least 1, at least 1 and a multiple of 8 up to 1024");
  }
  if (origin.tap != "pre-rope" && origin.tap != "post-rope") {
    throw InputError(where + ": tap " + origin.tap + ": expected pre-rope or post-rope");
  }
}

void require_sane_shape(const ProfileOrigin& origin, const std::string& path) {
  constexpr int kMostLayers = 1024, kMostHeads = 1024, kMostDim = 1024;
  if (origin.layers < 1 || origin.layers > kMostLayers || origin.kv_heads < 1 ||
      origin.kv_heads > kMostHeads || origin.head_dim < 8 || origin.head_dim > kMostDim) {
    throw CorruptStream(path + ": layers, KV heads or head_dim out of range");
  }
}

}  // namespace kakeya
