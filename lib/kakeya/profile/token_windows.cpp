// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/token_windows.h"

namespace kakeya {

std::uint64_t window_digest(std::span<const std::int32_t> tokens) {
  std::uint64_t digest = 0xcbf29ce484222325;
  for (const std::int32_t token : tokens) {
    for (int shift = 0; shift < 32; shift += 8) {
      digest = (digest ^ (static_cast<std::uint32_t>(token) >> shift & 0xff)) * 0x100000001b3;
    }
  }
  return digest;
}

std::vector<std::uint64_t> window_digests(std::span<const std::int32_t> tokens) {
  std::vector<std::uint64_t> digests;
  for (; tokens.size() >= kTokenWindow; tokens = tokens.subspan(kTokenWindow)) {
    digests.push_back(window_digest(tokens.first(kTokenWindow)));
  }
  return digests;
}

bool SeenTokens::share(std::span<const std::int32_t> passage) const {
  for (; passage.size() >= kTokenWindow; passage = passage.subspan(1)) {
    if (windows_.contains(window_digest(passage.first(kTokenWindow)))) return true;
  }
  return false;
}

}  // namespace kakeya
