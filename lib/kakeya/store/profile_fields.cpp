// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/profile_fields.h"

namespace kakeya {

void require_profile_format(const h5::File& file, const std::string& path,
                            const std::string& format, std::int64_t schema) {
  const std::string found = file.text("/", "format");
  if (found != format) {
    throw CorruptStream(path + ": format " + found + ", expected " + format);
  }
  const std::int64_t there = file.integer("/", "schema");
  if (there != schema) {
    throw CorruptStream(path + ": schema " + std::to_string(there) + ", expected " +
                        std::to_string(schema) + ": make it anew with kakeya-calibrate");
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
