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

void require_sane_shape(const ProfileOrigin& origin, const std::string& path) {
  constexpr int kMostLayers = 1024, kMostHeads = 1024, kMostDim = 1024;
  if (origin.layers < 1 || origin.layers > kMostLayers || origin.kv_heads < 1 ||
      origin.kv_heads > kMostHeads || origin.head_dim < 8 || origin.head_dim > kMostDim) {
    throw CorruptStream(path + ": layers, KV heads or head_dim out of range");
  }
}

}  // namespace kakeya
