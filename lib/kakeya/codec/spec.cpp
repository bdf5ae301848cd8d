// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/spec.h"

#include <algorithm>
#include <utility>

#include "kakeya/codec/descriptor.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

bool plain_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-' || c == '/';
  });
}

std::string quoted(std::string_view text) {
  std::string quoted(1, '\'');
  return quoted.append(text).append(1, '\'');
}

}  // namespace

std::string Spec::read(std::string_view text, Spec& spec) {
  const std::size_t colon = text.find(':');
  spec.name_ = text.substr(0, colon);
  if (!plain_word(spec.name_)) return "no codec name";
  if (colon == std::string_view::npos) return "";
  std::string_view rest = text.substr(colon + 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view pair = rest.substr(0, comma);
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) return "no '=' in " + quoted(pair);
    SpecItem item{std::string(pair.substr(0, equals)), std::string(pair.substr(equals + 1))};
    if (!plain_word(item.key)) return "no key in " + quoted(pair);
    if (!plain_word(item.value)) return "no value in " + quoted(pair);
    if (spec.find(item.key) != nullptr) return "key " + item.key + " is given twice";
    spec.items_.push_back(std::move(item));
    if (comma == std::string_view::npos) return "";
    rest.remove_prefix(comma + 1);
  }
}

Spec Spec::parse(std::string_view text) {
  Spec spec;
  const std::string wrong = read(text, spec);
  if (!wrong.empty()) {
    throw SpecError("codec '" + std::string(text) + "': " + wrong +
                    "; expected name or name:key=value,key=value");
  }
  return spec;
}

std::optional<Spec> Spec::try_parse(std::string_view text) {
  Spec spec;
  return read(text, spec).empty() ? std::optional(std::move(spec)) : std::nullopt;
}

const std::string* Spec::find(std::string_view key) const {
  const auto found = std::find_if(items_.begin(), items_.end(),
                                  [&](const SpecItem& item) { return item.key == key; });
  return found == items_.end() ? nullptr : &found->value;
}

bool Spec::has(std::string_view key, std::string_view value) const {
  const std::string* given = find(key);
  return given != nullptr && *given == value;
}

const SpecItem* Spec::rate() const {
  if (items_.empty()) return nullptr;
  const CodecDescriptor* codec = find_descriptor(*this);
  const CodecKey* key = codec == nullptr ? nullptr : codec->find_key(items_.front().key);
  return key != nullptr && key->rate ? &items_.front() : nullptr;
}

std::string Spec::family() const {
  const SpecItem* item = rate();
  return item == nullptr ? text() : without(item->key).text();
}

Spec Spec::without(std::string_view key) const {
  Spec rest = *this;
  std::erase_if(rest.items_, [&](const SpecItem& item) { return item.key == key; });
  return rest;
}

Spec Spec::led_by(SpecItem item) const {
  Spec led = *this;
  led.items_.insert(led.items_.begin(), std::move(item));
  return led;
}

std::string Spec::text() const {
  std::string text = name_;
  for (const SpecItem& item : items_) {
    text.append(&item == &items_.front() ? ":" : ",")
        .append(item.key)
        .append("=")
        .append(item.value);
  }
  return text;
}

std::optional<SpecPair> SpecPair::try_parse(std::string_view label) {
  constexpr std::string_view kKeys = "K ", kValues = ", V ";
  const std::size_t second = label.find(kValues);
  if (!label.starts_with(kKeys) || second == std::string_view::npos) {
    const std::optional<Spec> both = Spec::try_parse(label);
    return both ? std::optional(SpecPair{*both, *both}) : std::nullopt;
  }
  const auto keys = Spec::try_parse(label.substr(kKeys.size(), second - kKeys.size())),
             values = Spec::try_parse(label.substr(second + kValues.size()));
  return keys && values ? std::optional(SpecPair{*keys, *values}) : std::nullopt;
}

std::string SpecPair::label() const {
  if (keys == values) return keys.text();
  return "K " + keys.text() + ", V " + values.text();
}

std::string SpecPair::names() const {
  if (keys.name() == values.name()) return keys.name();
  return "K " + keys.name() + ", V " + values.name();
}

}  // namespace kakeya
