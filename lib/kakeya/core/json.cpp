// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/json.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace kakeya {
namespace {

std::uint32_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// Bytes of the character at `at`; 0 where there is none: a stray or missing byte, a longer form than
// needed, a surrogate, or beyond U+10FFFF.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const std::uint32_t first = byte_at(text, at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : (first >= 0xe0 ? 3 : 2);
  if (first < 0xc2 || first > 0xf4 || text.size() - at < length) return 0;
  std::uint32_t point = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const std::uint32_t next = byte_at(text, at + i);
    if ((next & 0xc0) != 0x80) return 0;
    point = point << 6 | (next & 0x3f);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (point < kLeast[length] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return 0;
  return length;
}

}  // namespace

std::string json_string(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string json = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const char c = text[at];
    if (length == 0) {
      json += "\xef\xbf\xbd";
    } else if (length > 1) {
      json += text.substr(at, length);
    } else if (c == '"' || c == '\\') {
      json += {'\\', c};
    } else if (byte_at(text, at) < 0x20) {
      json += {'\\', 'u', '0', '0', kDigits[c >> 4], kDigits[c & 15]};
    } else {
      json += c;
    }
    at += length == 0 ? 1 : length;
  }
  return json + '"';
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return std::string(text, end);
}

}  // namespace kakeya
