// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kakeya {

/// What the pass of a passage in which nothing is coded gave.
struct StoredReference {
  std::vector<float> logits;         ///< [scored, vocabulary]
  std::vector<std::uint16_t> cache;  ///< bf16 [layers][K, V][tokens, heads, dim], or nothing
};

/// Writes it in one step, with a digest of its bytes: 4 bytes a logit, 2 a value of the cache. Throws IoError.
void write_reference(const std::string& path, const StoredReference& reference);

/// Throws IoError where there is no such file, CorruptStream where it is damaged or cut short.
StoredReference read_reference(const std::string& path);

}  // namespace kakeya
