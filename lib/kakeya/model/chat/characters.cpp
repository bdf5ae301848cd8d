// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/chat/characters.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>

namespace kakeya::chat {
namespace {

struct Character {
  std::uint32_t point = 0;
  std::size_t length = 1;
};

Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0xC2    ? 1
                             : first < 0xE0  ? 2
                             : first < 0xF0  ? 3
                             : first <= 0xF4 ? 4
                                             : 1;
  if (length == 1 || at + length > text.size()) return {first, 1};
  std::uint32_t point = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {first, 1};
    point = point << 6 | (byte(i) & 0x3FU);
  }
  return {point, length};
}

// As str.isspace() of Python; a byte that is no UTF-8 is no space.
bool is_white(const Character& c) {
  if (c.length == 1) return (c.point >= 9 && c.point <= 13) || (c.point >= 28 && c.point <= 32);
  const std::uint32_t p = c.point;
  return p == 0x85 || p == 0xA0 || p == 0x1680 || (p >= 0x2000 && p <= 0x200A) || p == 0x2028 ||
         p == 0x2029 || p == 0x202F || p == 0x205F || p == 0x3000;
}

template <typename Goes>
std::size_t begin_without(std::string_view text, const Goes& goes) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Character c = character_at(text, at);
    if (!goes(c, text.substr(at, c.length))) break;
    at += c.length;
  }
  return at;
}

template <typename Goes>
std::size_t end_without(std::string_view text, const Goes& goes) {
  std::size_t end = text.size();
  while (end > 0) {
    // The last character: the longest that ends here.
    std::size_t begin = end - 1;
    for (std::size_t back = 2; back <= 4 && back <= end; ++back) {
      if (character_at(text.substr(0, end), end - back).length == back) begin = end - back;
    }
    const Character c = character_at(text.substr(0, end), begin);
    if (!goes(c, text.substr(begin, end - begin))) break;
    end = begin;
  }
  return end;
}

bool contains(std::string_view characters, std::string_view one) {
  for (std::size_t at = 0; at < characters.size();) {
    const std::size_t length = character_at(characters, at).length;
    if (characters.substr(at, length) == one) return true;
    at += length;
  }
  return false;
}

template <typename Ascii, typename Other>
std::string in_case(const std::string& text, const Ascii& ascii, const Other& other) {
  const bool plain = std::all_of(text.begin(), text.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  std::string result = text;
  if (plain) {
    std::transform(text.begin(), text.end(), result.begin(), ascii);
  } else {
    icu::UnicodeString unicode = icu::UnicodeString::fromUTF8(text);
    other(unicode);
    result.clear();
    unicode.toUTF8String(result);
  }
  return result;
}

}  // namespace

std::vector<std::size_t> character_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size(); at += character_at(text, at).length) {
    starts.push_back(at);
  }
  starts.push_back(text.size());
  return starts;
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += character_at(text, at).length) ++count;
  return count;
}

std::size_t character_length(std::string_view text, std::size_t at) {
  return character_at(text, at).length;
}

bool is_space(std::string_view character) { return is_white(character_at(character, 0)); }

void append_character(std::string& text, std::uint32_t point) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80U | (point >> shift & 0x3FU)); };
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xC0U | point >> 6);
    tail(0);
  } else if (point < 0x10000) {
    text += static_cast<char>(0xE0U | point >> 12);
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0U | point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

std::size_t trimmed_begin(std::string_view text) {
  return begin_without(text, [](const Character& c, std::string_view) { return is_white(c); });
}

std::size_t trimmed_end(std::string_view text) {
  return end_without(text, [](const Character& c, std::string_view) { return is_white(c); });
}

std::size_t trimmed_begin(std::string_view text, std::string_view characters) {
  return begin_without(
      text, [&](const Character&, std::string_view one) { return contains(characters, one); });
}

std::size_t trimmed_end(std::string_view text, std::string_view characters) {
  return end_without(
      text, [&](const Character&, std::string_view one) { return contains(characters, one); });
}

std::string_view next_word(std::string_view text, std::size_t& at) {
  at += trimmed_begin(text.substr(at));
  const std::size_t begin = at;
  at += begin_without(text.substr(at),
                      [](const Character& c, std::string_view) { return !is_white(c); });
  return text.substr(begin, at - begin);
}

std::string upper_case(const std::string& text) {
  return in_case(
      text, [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; },
      [](icu::UnicodeString& unicode) { unicode.toUpper(icu::Locale::getRoot()); });
}

std::string lower_case(const std::string& text) {
  return in_case(
      text, [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; },
      [](icu::UnicodeString& unicode) { unicode.toLower(icu::Locale::getRoot()); });
}

}  // namespace kakeya::chat
