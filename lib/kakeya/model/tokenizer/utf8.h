// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kakeya {

/// One step through UTF-8 text: a code point, or a byte that is no part of one.
struct Utf8Char {
  std::uint32_t code_point = 0;  ///< U+FFFD where !valid
  std::uint32_t byte_count = 1;  ///< 1 where !valid
  bool valid = false;  ///< false: a byte outside well-formed UTF-8 (Unicode 15, table 3-7)
};

/// The character at `offset` of `text`. The caller keeps offset < text.size().
Utf8Char utf8_at(std::string_view text, std::size_t offset);

/// Appends `code_point` (below 0x110000, no surrogate) to `text`.
void append_utf8(std::string& text, std::uint32_t code_point);

/// Whether Unicode calls `code_point` white space (property White_Space).
bool is_white_space(std::uint32_t code_point);

/// Bytes of the longest prefix of `text` from `offset` on that is well-formed.
std::size_t valid_utf8_bytes(std::string_view text, std::size_t offset);

}  // namespace kakeya
