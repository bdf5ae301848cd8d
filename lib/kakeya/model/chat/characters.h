// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kakeya::chat {

// Text as Python sees it: characters, of UTF-8; a byte that is none counts as one.

/// Where each character begins, and the end: 8 bytes of memory each.
std::vector<std::size_t> character_starts(std::string_view text);
/// How many there are; the bytes of the one at `at`, which is below the end.
std::size_t character_count(std::string_view text);
std::size_t character_length(std::string_view text, std::size_t at);
/// White space, as Python's str.isspace() of one character.
bool is_space(std::string_view character);
void append_character(std::string& text, std::uint32_t point);

/// Where the text begins and ends without white space, or without any of `characters`.
std::size_t trimmed_begin(std::string_view text);
std::size_t trimmed_end(std::string_view text);
std::size_t trimmed_begin(std::string_view text, std::string_view characters);
std::size_t trimmed_end(std::string_view text, std::string_view characters);

/// The next word between white space from `at` on, which goes behind it; empty: no more.
std::string_view next_word(std::string_view text, std::size_t& at);

std::string upper_case(const std::string& text);
std::string lower_case(const std::string& text);

}  // namespace kakeya::chat
