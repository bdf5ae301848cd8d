// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/origin.h"

namespace kakeya {
namespace {

constexpr std::string_view kBeforeDigest = ", sha256 ";

}  // namespace

std::string described(const Source& source) {
  if (source.sha256.empty()) return source.name;
  return source.name + std::string(kBeforeDigest) + source.sha256;
}

Source parse_source(std::string_view text) {
  const std::size_t name = text.rfind(kBeforeDigest);
  if (name == std::string_view::npos) return {std::string(text), {}};
  return {std::string(text.substr(0, name)), std::string(text.substr(name + kBeforeDigest.size()))};
}

}  // namespace kakeya
