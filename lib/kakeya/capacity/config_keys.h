// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kakeya {

/// The keys of a config.json, or of an object in it. A key that is null counts as absent, but for
/// given() and whole_or_null(). Keys that nobody asks for are not looked at: a family's reader knows
/// which ones shape its cache. Messages name file and key.
class ConfigKeys {
 public:
  /// `object` must be a JSON object and outlive this. Throws InputError naming `origin`.
  ConfigKeys(const nlohmann::json& object, std::string origin);

  const std::string& origin() const { return origin_; }
  bool has(const std::string& key) const;
  /// Whether it is there, if only as null.
  bool given(const std::string& key) const;

  /// A whole number from `lowest` on: at most 65,536 of head dims, 2^28 of hidden sizes and
  /// vocabularies, 2^40 of others. Throws InputError, also where it is absent.
  std::uint64_t whole(const std::string& key, std::uint64_t lowest = 1) const;
  std::uint64_t whole_or(const std::string& key, std::uint64_t otherwise,
                         std::uint64_t lowest = 0) const;
  /// `otherwise` where it is null. Absent it is refused: model classes take a number then, which differs
  /// between them.
  std::uint64_t whole_or_null(const std::string& key, std::uint64_t otherwise,
                              std::uint64_t lowest = 0) const;
  bool truth_or(const std::string& key, bool otherwise) const;
  std::string text(const std::string& key) const;

  /// Empty where absent; one number counts as a list of it.
  std::vector<std::string> texts(const std::string& key) const;
  std::vector<std::uint64_t> wholes(const std::string& key) const;

  /// An object below this one. Throws InputError where there is none.
  ConfigKeys inside(const std::string& key) const;

  /// Throws InputError: "FILE: KEY VALUE, expected ...".
  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const;

 private:
  const nlohmann::json* find(const std::string& key) const;
  const nlohmann::json& need(const std::string& key, const std::string& expected) const;

  const nlohmann::json* object_;
  std::string origin_;
};

}  // namespace kakeya
