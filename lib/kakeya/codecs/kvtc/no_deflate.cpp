// SPDX-License-Identifier: Apache-2.0
// Stands in for deflate.cpp where there is no zlib.
#include "kakeya/codecs/kvtc/deflate.h"
#include "kakeya/core/error.h"

namespace kakeya {

bool has_deflate() { return false; }

void require_deflate(const std::string& codec) {
  throw SpecError(codec + ": built without zlib (see the configure output)");
}

std::size_t deflate_bound(std::size_t, std::size_t) {
  require_deflate("deflate");
  return 0;
}

std::vector<std::byte> deflate(std::span<const std::vector<std::byte>>) {
  require_deflate("deflate");
  return {};
}

void inflate(std::span<const std::byte>, std::span<std::byte>, const std::string& codec) {
  require_deflate(codec);
}

}  // namespace kakeya
