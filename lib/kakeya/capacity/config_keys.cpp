// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/config_keys.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {

using nlohmann::json;

namespace {

/// The most that the number of a key may be.
std::uint64_t most_of(std::string_view key) {
  if (key.ends_with("head_dim")) return 65536;
  if (key.starts_with("hidden_size") || key.starts_with("vocab_size") ||
      key == "intermediate_size") {
    return std::uint64_t{1} << 28;
  }
  return std::uint64_t{1} << 40;
}

bool is_whole(const json& value, std::uint64_t lowest, std::uint64_t most) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() >= lowest &&
         value.get<std::uint64_t>() <= most;
}

}  // namespace

ConfigKeys::ConfigKeys(const json& object, std::string origin)
    : object_(&object), origin_(std::move(origin)) {
  if (!object.is_object()) throw InputError(origin_ + ": expected a JSON object");
}

const json* ConfigKeys::find(const std::string& key) const {
  const auto at = object_->find(key);
  return at == object_->end() || at->is_null() ? nullptr : &*at;
}

const json& ConfigKeys::need(const std::string& key, const std::string& expected) const {
  const json* value = find(key);
  if (value == nullptr) refuse(key, expected);
  return *value;
}

bool ConfigKeys::has(const std::string& key) const { return find(key) != nullptr; }

bool ConfigKeys::given(const std::string& key) const { return object_->contains(key); }

void ConfigKeys::refuse(const std::string& key, const std::string& expected) const {
  const json* value = find(key);
  std::string shown = value == nullptr ? "absent" : value->dump();
  if (shown.size() > 60) shown = shown.substr(0, 57) + "...";
  throw InputError(fmt::format("{}: {}: {}, expected {}", origin_, key, shown, expected));
}

std::uint64_t ConfigKeys::whole(const std::string& key, std::uint64_t lowest) const {
  const std::uint64_t most = most_of(key);
  const std::string expected = fmt::format("a whole number from {} to {}", lowest, most);
  const json& value = need(key, expected);
  if (!is_whole(value, lowest, most)) refuse(key, expected);
  return value.get<std::uint64_t>();
}

std::uint64_t ConfigKeys::whole_or(const std::string& key, std::uint64_t otherwise,
                                   std::uint64_t lowest) const {
  return has(key) ? whole(key, lowest) : otherwise;
}

std::uint64_t ConfigKeys::whole_or_null(const std::string& key, std::uint64_t otherwise,
                                        std::uint64_t lowest) const {
  if (!given(key)) refuse(key, "a whole number, or null");
  return whole_or(key, otherwise, lowest);
}

bool ConfigKeys::truth_or(const std::string& key, bool otherwise) const {
  const json* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) refuse(key, "true or false");
  return value->get<bool>();
}

std::string ConfigKeys::text(const std::string& key) const {
  const json& value = need(key, "a text");
  if (!value.is_string()) refuse(key, "a text");
  return value.get<std::string>();
}

std::vector<std::string> ConfigKeys::texts(const std::string& key) const {
  std::vector<std::string> result;
  const json* value = find(key);
  if (value == nullptr) return result;
  if (!value->is_array()) refuse(key, "a list of texts");
  for (const json& each : *value) {
    if (!each.is_string()) refuse(key, "a list of texts");
    result.push_back(each.get<std::string>());
  }
  return result;
}

std::vector<std::uint64_t> ConfigKeys::wholes(const std::string& key) const {
  std::vector<std::uint64_t> result;
  const json* value = find(key);
  if (value == nullptr) return result;
  const std::uint64_t most = most_of(key);
  if (is_whole(*value, 0, most)) return {value->get<std::uint64_t>()};
  if (!value->is_array()) refuse(key, "a list of whole numbers");
  for (const json& each : *value) {
    if (!is_whole(each, 0, most)) refuse(key, "a list of whole numbers");
    result.push_back(each.get<std::uint64_t>());
  }
  return result;
}

ConfigKeys ConfigKeys::inside(const std::string& key) const {
  return {need(key, "a JSON object"), origin_ + ": " + key};
}

}  // namespace kakeya
