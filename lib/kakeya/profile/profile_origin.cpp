// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/profile_origin.h"

#include "kakeya/core/error.h"

namespace kakeya {

void check_head(const ProfileHead& head, const std::string& where) {
  const KvShape& shape = head.shape;
  if (shape.layers < 1 || shape.kv_heads < 1 || shape.head_dim < 8 || shape.head_dim > 1024 ||
      shape.head_dim % 8 != 0) {
    throw InputError(where + ": layers " + std::to_string(shape.layers) + ", KV heads " +
                     std::to_string(shape.kv_heads) + ", head_dim " +
                     std::to_string(shape.head_dim) +
                     ": expected at least 1, at least 1 and a multiple of 8 up to 1024");
  }
}

void require_sane_shape(const KvShape& shape, const std::string& path) {
  constexpr int kMostLayers = 1024, kMostHeads = 1024, kMostDim = 1024;
  if (shape.layers < 1 || shape.layers > kMostLayers || shape.kv_heads < 1 ||
      shape.kv_heads > kMostHeads || shape.head_dim < 8 || shape.head_dim > kMostDim) {
    throw CorruptStream(path + ": layers, KV heads or head_dim out of range");
  }
}

}  // namespace kakeya
