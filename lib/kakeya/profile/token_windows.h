// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

namespace kakeya {

// Which text a profile was calibrated on, finely enough to know a part of it again: digests of
// windows of token ids. Ids, not words: what is calibrated on and what is measured are read by the
// tokenizer of one model, and a dump has nothing else.

/// Tokens of a window.
inline constexpr std::size_t kTokenWindow = 32;

/// The digest of a window: FNV-1a, 64 bits, of the ids as int32 little-endian.
std::uint64_t window_digest(std::span<const std::int32_t> tokens);

/// Digests of the whole windows [32 i, 32 i + 32) of a passage.
std::vector<std::uint64_t> window_digests(std::span<const std::int32_t> tokens);

/// Tokens that a calibration has read. A passage shares text with it where 32 consecutive tokens
/// are one of its windows, wherever in the passage they stand: 63 tokens in common are always
/// found, fewer than 32 never.
class SeenTokens {
 public:
  explicit SeenTokens(std::span<const std::uint64_t> windows)
      : windows_(windows.begin(), windows.end()) {}

  bool share(std::span<const std::int32_t> passage) const;

 private:
  std::unordered_set<std::uint64_t> windows_;
};

}  // namespace kakeya
