// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/utf8.h"

#include <unicode/uchar.h>

namespace kakeya {

Utf8Char utf8_at(std::string_view text, std::size_t offset) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[offset + i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  std::uint32_t count = 0;
  if (lead >= 0xC2 && lead <= 0xDF) count = 2;
  if (lead >= 0xE0 && lead <= 0xEF) count = 3;
  if (lead >= 0xF0 && lead <= 0xF4) count = 4;
  constexpr Utf8Char kStray{0xFFFD, 1, false};
  if (count == 0 || text.size() - offset < count) return kStray;
  std::uint32_t code_point = lead & (0xFFu >> (count + 1));
  for (std::uint32_t i = 1; i < count; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return kStray;
    code_point = code_point << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (count == 3 && code_point < 0x800) || (count == 4 && code_point < 0x10000);
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (overlong || surrogate || code_point > 0x10FFFF) return kStray;
  return {code_point, count, true};
}

void append_utf8(std::string& text, std::uint32_t code_point) {
  const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

std::size_t valid_utf8_bytes(std::string_view text, std::size_t offset) {
  std::size_t end = offset;
  while (end < text.size()) {
    const Utf8Char next = utf8_at(text, end);
    if (!next.valid) break;
    end += next.byte_count;
  }
  return end - offset;
}

bool is_white_space(std::uint32_t code_point) {
  return u_isUWhiteSpace(static_cast<UChar32>(code_point)) != 0;
}

}  // namespace kakeya
