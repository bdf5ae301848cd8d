// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakeya {

/// One `key=value` of a spec.
struct SpecItem {
  std::string key, value;
  bool operator==(const SpecItem&) const = default;
};

/// The text that names a codec, taken apart: "d4:q=38,pack=joint" is the name "d4" and two items in
/// order. A value: it says nothing of whether there is such a codec (find_descriptor()) or whether
/// it takes these keys (make_codec()). The only place that cuts such texts.
class Spec {
 public:
  /// Reads "name" or "name:key=value,key=value": no spaces, no empty or repeated key, no empty
  /// value. Throws SpecError that shows the text and says what is wrong.
  static Spec parse(std::string_view text);

  /// As parse(); nothing where the text is not of that form.
  static std::optional<Spec> try_parse(std::string_view text);

  const std::string& name() const { return name_; }
  const std::vector<SpecItem>& items() const { return items_; }

  /// The value of `key`; null where it is not given.
  const std::string* find(std::string_view key) const;

  /// Whether `key` is given with this value.
  bool has(std::string_view key, std::string_view value) const;

  /// The item that says the rate: the first one, where the codec's descriptor calls its key a rate
  /// (CodecKey::rate). Null for specs without one and names that are not known.
  const SpecItem* rate() const;

  /// The text without the rate: "d4:pack=joint" of "d4:q=38,pack=joint". Settings of one family
  /// differ by their rate alone.
  std::string family() const;

  /// The same but for `key`.
  Spec without(std::string_view key) const;

  /// The same with `item` before the others, where rates stand. Its key must not be there; its value
  /// may be a pattern's ("{2,3,4}"), and text() then is a pattern.
  Spec led_by(SpecItem item) const;

  /// As it was read: "name:key=value,...".
  std::string text() const;

  bool operator==(const Spec&) const = default;

 private:
  // Reads `text` into `spec`; what is wrong with it, or empty.
  static std::string read(std::string_view text, Spec& spec);

  std::string name_;
  std::vector<SpecItem> items_;
};

/// The specs of keys and values, or families of them, as tables and charts name them: "d4:q=38" for
/// both, "K d4:q=38, V tq:b=4" where they differ.
struct SpecPair {
  Spec keys, values;

  /// Nothing where `label` is neither.
  static std::optional<SpecPair> try_parse(std::string_view label);

  /// Both but for `key`.
  SpecPair without(std::string_view key) const { return {keys.without(key), values.without(key)}; }

  std::string label() const;

  /// The label of the names alone: "d4", or "K d4, V tq".
  std::string names() const;
};

}  // namespace kakeya
