// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/utf8.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace kakeya {

Utf8Char utf8_at(std::string_view text, std::size_t offset) {
  const std::string_view ahead = text.substr(offset, U8_MAX_LENGTH);
  std::int32_t end = 0;
  UChar32 code_point = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"  // within the macro
  U8_NEXT(ahead.data(), end, static_cast<std::int32_t>(ahead.size()), code_point);
#pragma GCC diagnostic pop
  if (code_point < 0) return {0xFFFD, 1, false};
  return {static_cast<std::uint32_t>(code_point), static_cast<std::uint32_t>(end), true};
}

void append_utf8(std::string& text, std::uint32_t code_point) {
  char bytes[U8_MAX_LENGTH];
  std::size_t count = 0;
  U8_APPEND_UNSAFE(bytes, count, code_point);
  text.append(bytes, count);
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
