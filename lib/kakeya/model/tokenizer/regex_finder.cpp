// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/regex_finder.h"

#include <unicode/regex.h>
#include <unicode/unistr.h>

#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/utf8.h"

namespace kakeya {
namespace {

constexpr std::int32_t kStackBytes = 64 << 20;

// UTF-16 of a text, and the byte at which each unit (and the end) lies.
struct WideText {
  icu::UnicodeString units;
  std::vector<std::size_t> byte_of_unit;
};

WideText widen(const std::string& text) {
  if (text.size() > std::numeric_limits<std::int32_t>::max() / 2) {
    throw InputError("a text of " + std::to_string(text.size()) + " bytes: below 2^30 expected");
  }
  std::u16string units;
  WideText wide;
  units.reserve(text.size());
  wide.byte_of_unit.reserve(text.size() + 1);
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char next = utf8_at(text, at);
    if (next.code_point >= 0x10000) {
      const std::uint32_t rest = next.code_point - 0x10000;
      units.push_back(static_cast<char16_t>(0xD800 + (rest >> 10)));
      wide.byte_of_unit.push_back(at);
      units.push_back(static_cast<char16_t>(0xDC00 + (rest & 0x3FF)));
    } else {
      units.push_back(static_cast<char16_t>(next.code_point));
    }
    wide.byte_of_unit.push_back(at);
    at += next.byte_count;
  }
  wide.byte_of_unit.push_back(text.size());
  wide.units = icu::UnicodeString(units.data(), static_cast<std::int32_t>(units.size()));
  return wide;
}

// `pattern` with \s and \S outside brackets put into brackets. The same sets, but ICU repeats a
// bracketed set without one stack frame a character: a megabyte of spaces no longer fills its
// stack.
std::string bracket_spaces(const std::string& pattern) {
  std::string result;
  int depth = 0;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] == '\\' && at + 1 < pattern.size()) {
      const std::string escape = pattern.substr(at++, 2);
      const bool spaces = escape == "\\s" || escape == "\\S";
      result += spaces && depth == 0 ? "[" + escape + "]" : escape;
      continue;
    }
    if (pattern[at] == '[') ++depth;
    if (pattern[at] == ']' && depth > 0) --depth;
    result += pattern[at];
  }
  return result;
}

}  // namespace

struct RegexFinder::Impl {
  std::string text;
  std::unique_ptr<icu::RegexPattern> pattern;

  void check(UErrorCode status) const {
    if (U_FAILURE(status)) {
      throw InputError("pattern " + text + ": " + u_errorName(status) + " of the regex library");
    }
  }
};

RegexFinder::RegexFinder(const std::string& pattern) : impl_(std::make_unique<Impl>()) {
  impl_->text = pattern;
  UErrorCode status = U_ZERO_ERROR;
  UParseError where;
  impl_->pattern.reset(icu::RegexPattern::compile(
      icu::UnicodeString::fromUTF8(bracket_spaces(pattern)), 0, where, status));
  impl_->check(status);
}

RegexFinder::~RegexFinder() = default;

void RegexFinder::find(
    const WordList& list,
    const std::function<void(const Span&, const std::vector<Span>&)>& found) const {
  const WideText wide = widen(list.text);
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::RegexMatcher> matcher(impl_->pattern->matcher(wide.units, status));
  impl_->check(status);
  matcher->setStackLimit(kStackBytes, status);
  impl_->check(status);
  std::vector<Span> matches;
  std::size_t unit = 0;
  for (const Span& word : list.words) {
    while (wide.byte_of_unit[unit] < word.begin) ++unit;
    const auto begin = static_cast<std::int32_t>(unit);
    while (wide.byte_of_unit[unit] < word.end) ++unit;
    matcher->region(begin, static_cast<std::int32_t>(unit), status);
    impl_->check(status);
    matches.clear();
    while (matcher->find(status)) {
      const auto at = [&](std::int32_t u) {
        return wide.byte_of_unit[static_cast<std::size_t>(u)];
      };
      matches.push_back({at(matcher->start(status)), at(matcher->end(status))});
    }
    impl_->check(status);
    found(word, matches);
  }
}

}  // namespace kakeya
