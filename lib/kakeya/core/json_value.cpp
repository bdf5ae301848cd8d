// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/json_value.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr int kDeepest = 16;

class Reader {
 public:
  Reader(std::string_view text, std::string_view origin) : text_(text), origin_(origin) {}

  JsonValue document() {
    JsonValue value = read_value(1);
    skip_space();
    if (at_ < text_.size()) refuse("expected nothing after the value");
    return value;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw SpecError(std::string(origin_) + ": not JSON at byte " + std::to_string(at_ + 1) + ": " +
                    why);
  }

  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != text_.npos) ++at_;
  }

  bool take(char c) {
    skip_space();
    if (next() != c) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  JsonValue read_value(int depth) {
    if (depth > kDeepest) refuse("deeper than " + std::to_string(kDeepest) + " levels");
    skip_space();
    JsonValue value;
    if (next() == '{') {
      read_object(value, depth);
    } else if (next() == '[') {
      read_array(value, depth);
    } else if (next() == '"') {
      value.kind = JsonValue::Kind::string;
      value.text = read_string();
    } else if (take_word("true") || take_word("false")) {
      value.kind = JsonValue::Kind::boolean;
      value.boolean = text_[at_ - 2] == 'u';  // tr-u-e, fal-s-e
    } else if (!take_word("null")) {
      value.kind = JsonValue::Kind::number;
      value.number = read_number();
    }
    return value;
  }

  void read_object(JsonValue& value, int depth) {
    value.kind = JsonValue::Kind::object;
    ++at_;
    if (take('}')) return;
    do {
      skip_space();
      if (next() != '"') refuse("expected a key in quotes");
      std::string key = read_string();
      if (value.find(key) != nullptr) refuse("key \"" + key + "\" is given twice");
      if (!take(':')) refuse("expected ':'");
      JsonValue member = read_value(depth + 1);
      value.members.push_back({std::move(key), std::move(member)});
    } while (take(','));
    if (!take('}')) refuse("expected '}' or ','");
  }

  void read_array(JsonValue& value, int depth) {
    value.kind = JsonValue::Kind::array;
    ++at_;
    if (take(']')) return;
    do {
      value.items.push_back(read_value(depth + 1));
    } while (take(','));
    if (!take(']')) refuse("expected ']' or ','");
  }

  double read_number() {
    double number = 0;
    const char* const begin = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    const bool digit = next() == '-' || (next() >= '0' && next() <= '9');
    const auto [stop, error] = std::from_chars(begin, end, number);
    if (!digit || error != std::errc() || !std::isfinite(number)) refuse("expected a value");
    at_ += static_cast<std::size_t>(stop - begin);
    return number;
  }

  std::uint32_t read_hex() {
    std::uint32_t code = 0;
    const auto digits = text_.substr(at_, 4);
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() < 4 || error != std::errc() || stop != digits.data() + 4) {
      refuse("expected four hex digits");
    }
    at_ += 4;
    return code;
  }

  // The character of \u0000, of two of them where the first is a high surrogate, as UTF-8.
  void read_escaped(std::string& into) {
    std::uint32_t point = read_hex();
    if (point >= 0xd800 && point < 0xdc00 && take_word("\\u")) {
      const std::uint32_t low = read_hex();
      if (low < 0xdc00 || low > 0xdfff) refuse("expected the second half of a character");
      point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
    }
    if (point >= 0xd800 && point < 0xe000) refuse("half a character");
    const auto put = [&](std::uint32_t byte) { into += static_cast<char>(byte); };
    if (point < 0x80) return put(point);
    if (point < 0x800) {
      put(0xc0 | point >> 6);
    } else {
      if (point < 0x10000) put(0xe0 | point >> 12);
      if (point >= 0x10000) put(0xf0 | point >> 18), put(0x80 | (point >> 12 & 0x3f));
      put(0x80 | (point >> 6 & 0x3f));
    }
    put(0x80 | (point & 0x3f));
  }

  std::string read_string() {
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    std::string string;
    for (++at_; next() != '"';) {
      if (at_ >= text_.size() || static_cast<unsigned char>(next()) < 0x20) {
        refuse("expected '\"', the end of a text");
      }
      const char c = text_[at_++];
      if (c != '\\') {
        string += c;
      } else if (take_word("u")) {
        read_escaped(string);
      } else {
        const std::size_t letter = kLetters.find(next());
        if (at_ >= text_.size() || letter == kLetters.npos) refuse("no such escape");
        string += kMeant[letter];
        ++at_;
      }
    }
    ++at_;
    return string;
  }

  std::string_view text_, origin_;
  std::size_t at_ = 0;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::string_view JsonValue::kind_name() const {
  constexpr std::string_view kNames[] = {"null",   "true or false", "a number",
                                         "a text", "an array",      "an object"};
  return kNames[static_cast<std::size_t>(kind)];
}

JsonValue read_json(std::string_view text, std::string_view origin) {
  return Reader(text, origin).document();
}

}  // namespace kakeya
