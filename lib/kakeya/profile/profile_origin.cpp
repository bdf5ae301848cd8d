// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/profile_origin.h"

#include "kakeya/core/error.h"
#include "kakeya/profile/token_windows.h"

namespace kakeya {

std::size_t ProfileHead::window_count() const {
  return static_cast<std::size_t>(passages) * (static_cast<std::size_t>(context) / kTokenWindow);
}

void check_head(const ProfileHead& head, const std::string& where) {
  const KvShape& shape = head.shape;
  if (shape.layers < 1 || shape.kv_heads < 1 || shape.head_dim < 8 || shape.head_dim > 1024 ||
      shape.head_dim % 8 != 0) {
    throw InputError(where + ": layers " + std::to_string(shape.layers) + ", KV heads " +
                     std::to_string(shape.kv_heads) + ", head_dim " +
                     std::to_string(shape.head_dim) +
                     ": expected at least 1, at least 1 and a multiple of 8 up to 1024");
  }
  const std::size_t windows = head.token_windows.size();
  if (windows != 0 && windows != head.window_count()) {
    throw InputError(where + ": " + std::to_string(windows) + " windows of tokens, expected " +
                     std::to_string(head.window_count()));
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
