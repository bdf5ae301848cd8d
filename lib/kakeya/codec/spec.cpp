// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/spec.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

bool plain_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-' || c == '/';
  });
}

int parse_whole(std::string_view key, const std::string& text, int lowest, int highest) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end || value < lowest || value > highest) {
    throw SpecError(std::string(key) + "=" + text + ": expected a whole number in [" +
                    std::to_string(lowest) + ", " + std::to_string(highest) + "]");
  }
  return value;
}

// The shortest text that reads back as `value`, without an exponent where that is short.
std::string plain(double value) {
  char text[32];
  const auto format = std::fabs(value) >= 1e-4 && std::fabs(value) < 1e7
                          ? std::chars_format::fixed
                          : std::chars_format::general;
  const auto [end, error] = std::to_chars(text, text + sizeof text, value, format);
  return {text, end};
}

}  // namespace

SpecArgs SpecArgs::parse(std::string_view text) {
  const auto malformed = [&](std::string_view why) {
    return SpecError("codec '" + std::string(text) + "': " + std::string(why) +
                     "; expected name or name:key=value,key=value");
  };
  SpecArgs args;
  const std::size_t colon = text.find(':');
  args.name_ = text.substr(0, colon);
  if (!plain_word(args.name_)) throw malformed("no codec name");
  if (colon == std::string_view::npos) return args;
  std::string_view rest = text.substr(colon + 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view pair = rest.substr(0, comma);
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) throw malformed("no '=' in '" + std::string(pair) + "'");
    const std::string_view key = pair.substr(0, equals), value = pair.substr(equals + 1);
    if (!plain_word(key)) throw malformed("no key in '" + std::string(pair) + "'");
    if (!plain_word(value)) throw malformed("no value in '" + std::string(pair) + "'");
    if (!args.values_.emplace(key, value).second) {
      throw malformed("key " + std::string(key) + " is given twice");
    }
    if (comma == std::string_view::npos) return args;
    rest.remove_prefix(comma + 1);
  }
}

const std::string* SpecArgs::given(std::string_view key) {
  used_.emplace(key);
  const auto found = values_.find(key);
  return found == values_.end() ? nullptr : &found->second;
}

void SpecArgs::append(std::string_view key, std::string_view value) {
  asked_ += asked_.empty() ? ':' : ',';
  asked_.append(key).append("=").append(value);
}

int SpecArgs::required_whole(std::string_view key, int lowest, int highest) {
  const std::string* text = given(key);
  if (text == nullptr) {
    throw SpecError(name_ + ": no " + std::string(key) + " given: expected " + name_ + ":" +
                    std::string(key) + "=N, N a whole number in [" + std::to_string(lowest) + ", " +
                    std::to_string(highest) + "]");
  }
  const int value = parse_whole(key, *text, lowest, highest);
  append(key, std::to_string(value));
  return value;
}

int SpecArgs::whole(std::string_view key, int fallback, int lowest, int highest) {
  const std::string* text = given(key);
  const int value = text == nullptr ? fallback : parse_whole(key, *text, lowest, highest);
  if (value != fallback) append(key, std::to_string(value));
  return value;
}

double SpecArgs::real_or_zero(std::string_view key, double lowest, double highest) {
  return real(key, 0.0, lowest, highest);
}

double SpecArgs::real(std::string_view key, double fallback, double lowest, double highest) {
  const std::string* text = given(key);
  if (text == nullptr) return fallback;
  double value = 0.0;
  const char* end = text->data() + text->size();
  const auto [stopped, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc{} || stopped != end || !(value >= lowest && value <= highest)) {
    throw SpecError(std::string(key) + "=" + *text + ": expected a number in [" + plain(lowest) +
                    ", " + plain(highest) + "]");
  }
  value += 0.0;  // no -0
  if (value != fallback) append(key, plain(value));
  return value;
}

std::size_t SpecArgs::choice(std::string_view key, std::span<const std::string_view> options) {
  const std::string* text = given(key);
  if (text == nullptr) return 0;
  const auto found = std::find(options.begin(), options.end(), *text);
  if (found == options.end()) {
    std::string list;
    for (const std::string_view option : options) {
      list += (list.empty() ? "" : ", ") + std::string(option);
    }
    throw SpecError(std::string(key) + "=" + *text + ": expected one of " + list);
  }
  if (found != options.begin()) append(key, *found);
  return static_cast<std::size_t>(found - options.begin());
}

std::string SpecArgs::text(std::string_view key) {
  const std::string* text = given(key);
  return text == nullptr ? std::string() : *text;
}

void SpecArgs::require_known(std::span<const KeyHelp> known) const {
  for (const auto& [key, value] : values_) {
    const auto same = [&key = key](const KeyHelp& help) { return help.name == key; };
    if (std::any_of(known.begin(), known.end(), same)) continue;
    std::string list;
    for (const KeyHelp& help : known) list += (list.empty() ? "" : ", ") + std::string(help.name);
    throw SpecError(name_ + ": unknown key '" + key +
                    "': " + (list.empty() ? "it takes none" : "expected one of " + list));
  }
}

void SpecArgs::require_used() const {
  for (const auto& [key, value] : values_) {
    if (!used_.contains(key)) {
      throw SpecError(name_ + ": key " + key + " changes nothing beside the other keys");
    }
  }
}

}  // namespace kakeya
