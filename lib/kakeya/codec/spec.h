// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "kakeya/codec/codec.h"

namespace kakeya {

/// A codec's spec, "name" or "name:key=value,key=value", taken apart strictly: no spaces, no empty
/// or repeated key, no empty value. A codec asks for its keys in the order of its CodecEntry; what
/// it asked for, defaults left out, is the canonical text.
class SpecArgs {
 public:
  /// Throws SpecError when `text` is not of that form.
  static SpecArgs parse(std::string_view text);

  const std::string& name() const { return name_; }

  /// A whole number in [lowest, highest] that must be given. Throws SpecError.
  int required_whole(std::string_view key, int lowest, int highest);

  /// As required_whole; `fallback`, left out of the canonical text, where the key is not given.
  int whole(std::string_view key, int fallback, int lowest, int highest);

  /// A finite number in [lowest, highest], 0 where the key is not given (then nothing is added to
  /// the canonical text). Throws SpecError.
  double real_or_zero(std::string_view key, double lowest, double highest);

  /// A finite number in [lowest, highest]; `fallback`, left out of the canonical text, where the
  /// key is not given. Throws SpecError.
  double real(std::string_view key, double fallback, double lowest, double highest);

  /// One of `options`, the first of which is the default. Throws SpecError. Returns its place in
  /// `options`.
  std::size_t choice(std::string_view key, std::span<const std::string_view> options);

  /// The text of `key`, empty where it is not given. keep() says what becomes of it.
  std::string text(std::string_view key);

  /// Adds `key=value` to the canonical text.
  void keep(std::string_view key, std::string_view value) { append(key, value); }

  /// Throws SpecError naming the first key that is not in `known`, and what is.
  void require_known(std::span<const KeyHelp> known) const;

  /// Throws SpecError when a given key was never asked for: it would have changed nothing.
  void require_used() const;

  /// The canonical text of what has been asked for so far.
  std::string canonical() const { return name_ + asked_; }

 private:
  const std::string* given(std::string_view key);
  void append(std::string_view key, std::string_view value);

  std::string name_, asked_;
  std::map<std::string, std::string, std::less<>> values_;
  std::set<std::string, std::less<>> used_;
};

}  // namespace kakeya
