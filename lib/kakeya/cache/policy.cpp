// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/policy.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {

void CachePolicy::check(std::size_t coded_tokens) const {
  if (boundary < 0) {
    throw InputError("boundary " + std::to_string(boundary) + ": expected 0 or more layers");
  }
  for (const auto& [name, tokens] : {std::pair("sinks ", sinks), std::pair("recent ", recent)}) {
    if (tokens < 0) {
      throw InputError(name + std::to_string(tokens) + ": expected 0 or more tokens");
    }
  }
  if (coded_layers() < 1) {
    throw InputError("boundary " + std::to_string(boundary) + ": leaves no layer of " +
                     std::to_string(layers) + " to code, expected at most " +
                     std::to_string(std::max(0, (layers - 1) / 2)));
  }
  if (exact_tokens() >= coded_tokens) {
    throw InputError("sinks " + std::to_string(sinks) + ", recent " + std::to_string(recent) +
                     ": leave no token of " + std::to_string(coded_tokens) + " to code");
  }
}

TokenRange CachePolicy::coded_range(std::size_t tokens, std::size_t available) const {
  const std::size_t exact = exact_tokens();
  if (tokens > available || tokens <= exact) {
    throw InputError(std::to_string(tokens) + " tokens to code of " + std::to_string(available) +
                     ", expected more than the " + std::to_string(sinks) + " sinks and " +
                     std::to_string(recent) + " recent tokens");
  }
  return {static_cast<std::size_t>(sinks), tokens - exact};
}

}  // namespace kakeya
