// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/chat/lexer.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "kakeya/model/chat/characters.h"
#include "kakeya/model/chat/value.h"

namespace kakeya::chat {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Line ends as \n; the last one goes.
std::string plain_lines(std::string_view source) {
  std::string text;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      text += source[i];
    } else if (i + 1 == source.size() || source[i + 1] != '\n') {
      text += '\n';
    }
  }
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(plain_lines(source)) {}

  std::vector<Token> run() {
    while (at_ < source_.size()) {
      const std::size_t begin = next_brace();
      std::string text = source_.substr(at_, begin - at_);
      if (begin == source_.size()) {
        add_text(std::move(text));
        move_to(begin);
        break;
      }
      const char kind = source_[begin + 1];
      const char sign = begin + 2 < source_.size() ? source_[begin + 2] : '\0';
      const bool starts = line_starting_;
      const int text_line = line_;
      if (sign == '-') {
        text.resize(trimmed_end(text));
      } else if (sign != '+' && kind != '{') {
        cut_indent(text, starts);
      }
      add_text(std::move(text), text_line);
      move_to(begin + (sign == '-' || sign == '+' ? 3 : 2));
      kind == '#' ? comment() : inside(kind == '%');
    }
    tokens_.push_back({TokenKind::end, "", line_});
    return std::move(tokens_);
  }

 private:
  std::size_t next_brace() const {
    for (std::size_t i = at_; i + 1 < source_.size(); ++i) {
      if (source_[i] != '{') continue;
      const char next = source_[i + 1];
      if (next == '%' || next == '{' || next == '#') return i;
    }
    return source_.size();
  }

  void move_to(std::size_t to) {
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    if (to > at_) line_starting_ = source_[to - 1] == '\n';
    at_ = to;
  }

  static void cut_indent(std::string& text, bool starts) {
    const std::size_t line = text.rfind('\n') + 1;  // npos + 1 is 0
    if (line == 0 && !starts) return;
    if (text.find_first_not_of(kBlanks, line) == std::string::npos) text.resize(line);
  }

  void add_text(std::string text, int line = 0) {
    if (!text.empty()) tokens_.push_back({TokenKind::text, std::move(text), line ? line : line_});
  }

  bool here(std::string_view text) const { return source_.compare(at_, text.size(), text) == 0; }

  // Behind an end of a tag: what its sign says. `sign` is what stands before the end, 0: nothing.
  void after_tag(char sign, bool trims) {
    std::size_t to = at_;
    if (sign == '-') {
      to = at_ + trimmed_begin(std::string_view(source_).substr(at_));
    } else if (sign != '+' && trims && here("\n")) {
      ++to;
    }
    move_to(to);
  }

  void comment() {
    const int line = line_;
    const std::size_t end = source_.find("#}", at_);
    if (end == std::string::npos) fail(line, "{#: expected #} behind it");
    const char sign = end > at_ ? source_[end - 1] : '\0';
    move_to(end + 2);
    after_tag(sign, true);
  }

  // The end of the tag, if it is here: its length, and its sign.
  std::size_t end_here(bool block, char& sign) const {
    const std::string_view end = block ? "%}" : "}}";
    sign = '\0';
    if (here(end)) return 2;
    const char c = at_ < source_.size() ? source_[at_] : '\0';
    if (c != '-' && !(c == '+' && block)) return 0;
    if (source_.compare(at_ + 1, 2, end) != 0) return 0;
    sign = c;
    return 3;
  }

  void inside(bool block) {
    const int line = line_;
    const std::size_t first = tokens_.size();
    tokens_.push_back({block ? TokenKind::block_begin : TokenKind::output_begin, "", line});
    std::string open;  // brackets
    for (;;) {
      move_to(std::min(source_.find_first_not_of(kBlanks, at_), source_.size()));
      if (at_ == source_.size()) {
        fail(line, block ? "{%: expected %} behind it" : "{{: expected }} behind it");
      }
      char sign = '\0';
      const std::size_t length = open.empty() ? end_here(block, sign) : 0;
      if (length > 0) {
        move_to(at_ + length);
        const bool raw = block && tokens_.size() == first + 2 && tokens_.back().text == "raw";
        if (raw) tokens_.resize(first);
        if (!raw) {
          tokens_.push_back({block ? TokenKind::block_end : TokenKind::output_end, "", line_});
        }
        after_tag(sign, block && !raw);
        if (raw) this->raw(line);
        return;
      }
      token(open);
    }
  }

  // Up to {% endraw %}, as text.
  void raw(int line) {
    for (std::size_t from = at_;; ++from) {
      from = source_.find("{%", from);
      if (from == std::string::npos) fail(line, "raw: expected endraw behind it");
      std::size_t to = from + 2;
      const char before = to < source_.size() ? source_[to] : '\0';
      if (before == '-' || before == '+') ++to;
      to = std::min(source_.find_first_not_of(kBlanks, to), source_.size());
      if (source_.compare(to, 6, "endraw") != 0) continue;
      to = std::min(source_.find_first_not_of(kBlanks, to + 6), source_.size());
      const char sign = to < source_.size() ? source_[to] : '\0';
      if (sign == '-' || sign == '+') ++to;
      if (source_.compare(to, 2, "%}") != 0) continue;
      std::string text = source_.substr(at_, from - at_);
      if (before == '-') {
        text.resize(trimmed_end(text));
      } else if (before != '+') {
        cut_indent(text, line_starting_);
      }
      add_text(std::move(text));
      move_to(to + 2);
      after_tag(sign == '%' ? '\0' : sign, true);
      return;
    }
  }

  void token(std::string& open) {
    const char c = source_[at_];
    std::size_t end = at_ + 1;
    if (is_letter(c)) {
      while (end < source_.size() && (is_letter(source_[end]) || is_digit(source_[end]))) ++end;
      return add(TokenKind::name, end);
    }
    if (is_digit(c)) return number();
    if (c == '\'' || c == '"') return string(c);
    constexpr std::array<std::string_view, 6> kLong = {"//", "**", "==", "!=", ">=", "<="};
    for (const std::string_view sign : kLong) {
      if (here(sign)) return add(TokenKind::sign, at_ + 2);
    }
    if (std::string_view("+-*/%~|=<>()[]{}.,:").find(c) == std::string_view::npos) {
      fail(line_, "the character '" + std::string(1, c) + "' outside of a string");
    }
    if (c == '(' || c == '[' || c == '{') open += c == '(' ? ')' : c == '[' ? ']' : '}';
    if (c == ')' || c == ']' || c == '}') {
      if (open.empty() || open.back() != c) {
        fail(line_, std::string("'") + c + "' closes nothing that is open");
      }
      open.pop_back();
    }
    add(TokenKind::sign, end);
  }

  void number() {
    std::size_t end = at_;
    const auto digits = [&] {
      while (end < source_.size() && is_digit(source_[end])) ++end;
    };
    digits();
    TokenKind kind = TokenKind::integer;
    if (end + 1 < source_.size() && source_[end] == '.' && is_digit(source_[end + 1])) {
      ++end;
      digits();
      kind = TokenKind::real;
    }
    if (end < source_.size() && is_letter(source_[end])) {
      fail(line_, "the number " + source_.substr(at_, end + 1 - at_) + "...: expected 12 or 1.5");
    }
    if (end - at_ > 18) fail(line_, "a number of more than 18 digits");
    add(kind, end);
  }

  void add(TokenKind kind, std::size_t end) {
    tokens_.push_back({kind, source_.substr(at_, end - at_), line_});
    move_to(end);
  }

  void string(char quote) {
    const int line = line_;
    std::string text;
    std::size_t i = at_ + 1;
    for (; i < source_.size() && source_[i] != quote; ++i) {
      if (source_[i] != '\\') {
        text += source_[i];
      } else if (++i < source_.size()) {
        i = escape(i, text, line);
      }
    }
    if (i >= source_.size()) fail(line, std::string("a string without its ") + quote);
    tokens_.push_back({TokenKind::string, std::move(text), line});
    move_to(i + 1);
  }

  // What follows a backslash at `i`; returns where it ends.
  std::size_t escape(std::size_t i, std::string& text, int line) const {
    constexpr std::string_view kNames = "abfnrtv\\'\"", kMeans = "\a\b\f\n\r\t\v\\'\"";
    const char c = source_[i];
    if (c == '\n') return i;
    if (const std::size_t which = kNames.find(c); which != std::string_view::npos) {
      text += kMeans[which];
      return i;
    }
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits == 0) {
      if (is_digit(c) || c == 'N') fail(line, std::string("the escape \\") + c + " in a string");
      text += '\\';
      text += c;
      return i;
    }
    std::uint32_t point = 0;
    for (std::size_t d = 1; d <= digits; ++d) {
      const char digit = i + d < source_.size() ? source_[i + d] : '\0';
      const std::size_t value = std::string_view("0123456789abcdefABCDEF").find(digit);
      if (digit == '\0' || value == std::string_view::npos) {
        fail(line, std::string("the escape \\") + c + ": expected " + std::to_string(digits) +
                       " hexadecimal digits");
      }
      point = point * 16 + static_cast<std::uint32_t>(value < 16 ? value : value - 6);
    }
    if (point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) {
      fail(line, std::string("the escape \\") + c + ": no character has that number");
    }
    append_character(text, point);
    return i + digits;
  }

  std::string source_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_starting_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> lex(std::string_view source) { return Lexer(source).run(); }

}  // namespace kakeya::chat
