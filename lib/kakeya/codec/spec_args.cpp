// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/spec_args.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// The shortest text that reads back as `value`, without an exponent where that is short.
std::string plain(double value) {
  char text[32];
  const auto format = std::fabs(value) >= 1e-4 && std::fabs(value) < 1e7
                          ? std::chars_format::fixed
                          : std::chars_format::general;
  const auto [end, error] = std::to_chars(text, text + sizeof text, value, format);
  return {text, end};
}

std::string range_of(const CodecKey& key) {
  const auto text = [&](double end) {
    return key.kind == KeyKind::real ? plain(end) : std::to_string(static_cast<int>(end));
  };
  std::string range(1, '[');
  return range.append(text(key.lowest)).append(", ").append(text(key.highest)).append("]");
}

// The number that is all of `text`; nothing where it is none.
template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number value = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stopped != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

SpecArgs::SpecArgs(Spec spec, const CodecDescriptor& codec)
    : spec_(std::move(spec)), codec_(&codec) {
  for (const SpecItem& item : spec_.items()) {
    if (codec.find_key(item.key) != nullptr) continue;
    std::string list;
    for (const CodecKey& key : codec.keys) {
      list += (list.empty() ? "" : ", ") + std::string(key.name);
    }
    throw SpecError(name() + ": unknown key '" + item.key +
                    "': " + (list.empty() ? "it takes none" : "expected one of " + list));
  }
}

const std::string* SpecArgs::given(std::string_view key) {
  asked_.emplace(key);
  return spec_.find(key);
}

const CodecKey& SpecArgs::key_of(std::string_view key) const {
  const CodecKey* found = codec_->find_key(key);
  if (found == nullptr) {
    throw Error(std::string(codec_->name) + ": asks for key " + std::string(key) +
                ", which its descriptor does not have");
  }
  return *found;
}

int SpecArgs::whole_of(const CodecKey& key, std::optional<int> fallback) {
  const std::string* text = given(key.name);
  if (text == nullptr && !fallback) {
    const std::string name(key.name);
    throw SpecError(spec_.name() + ": no " + name + " given: expected " + spec_.name() + ":" +
                    name + "=N, N a whole number in " + range_of(key));
  }
  if (text == nullptr) return *fallback;
  const std::optional<int> value = number_of<int>(*text);
  if (!value || *value < key.lowest || *value > key.highest) {
    throw SpecError(spec_.name() + ": " + std::string(key.name) + "=" + *text +
                    ": expected a whole number in " + range_of(key));
  }
  if (value != fallback) keep(key.name, std::to_string(*value));
  return *value;
}

int SpecArgs::whole(std::string_view key) {
  const CodecKey& known = key_of(key);
  return whole_of(known, number_of<int>(known.default_text));
}

int SpecArgs::whole(std::string_view key, int fallback) { return whole_of(key_of(key), fallback); }

double SpecArgs::real(std::string_view key) {
  const CodecKey& known = key_of(key);
  const double fallback = number_of<double>(known.default_text).value_or(0.0);
  const std::string* text = given(key);
  if (text == nullptr) return fallback;
  const std::optional<double> number = number_of<double>(*text);
  if (!number || !(*number >= known.lowest && *number <= known.highest)) {
    throw SpecError(spec_.name() + ": " + std::string(key) + "=" + *text +
                    ": expected a number in " + range_of(known));
  }
  const double value = *number + 0.0;  // no -0
  if (value != fallback) keep(key, plain(value));
  return value;
}

std::size_t SpecArgs::choice(std::string_view key) {
  const auto& options = key_of(key).options;
  const std::string* text = given(key);
  if (text == nullptr) return 0;
  const auto found = std::find(options.begin(), options.end(), *text);
  if (found == options.end()) {
    std::string list;
    for (const std::string_view option : options) {
      list += (list.empty() ? "" : ", ") + std::string(option);
    }
    throw SpecError(spec_.name() + ": " + std::string(key) + "=" + *text + ": expected one of " +
                    list);
  }
  if (found != options.begin()) keep(key, *found);
  return static_cast<std::size_t>(found - options.begin());
}

std::string_view SpecArgs::word(std::string_view key) { return key_of(key).options[choice(key)]; }

std::string SpecArgs::text(std::string_view key) {
  key_of(key);
  const std::string* text = given(key);
  return text == nullptr ? std::string() : *text;
}

void SpecArgs::keep(std::string_view key, std::string_view value) {
  kept_.insert_or_assign(std::string(key), std::string(value));
}

void SpecArgs::require_used() const {
  for (const SpecItem& item : spec_.items()) {
    if (!asked_.contains(item.key)) {
      throw SpecError(name() + ": key " + item.key + " changes nothing beside the other keys");
    }
  }
}

std::string SpecArgs::canonical() const {
  std::string text;
  for (const CodecKey& key : codec_->keys) {
    const auto found = kept_.find(key.name);
    if (found == kept_.end()) continue;
    text.append(text.empty() ? ":" : ",").append(key.name).append("=").append(found->second);
  }
  return name() + text;
}

int whole_of(std::string_view spec, std::string_view key) {
  Spec parsed = Spec::parse(spec);
  const CodecDescriptor* codec = find_descriptor(parsed);
  if (codec == nullptr || codec->find_key(key) == nullptr) return 0;
  return SpecArgs(std::move(parsed), *codec).whole(key);
}

}  // namespace kakeya
