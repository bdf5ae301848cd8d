// SPDX-License-Identifier: Apache-2.0
#include "kakeya/host/host_message.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::size_t kLongestText = 4096, kShown = 80;

std::optional<std::int64_t> whole_of(const nlohmann::json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

std::string range_text(std::int64_t lowest, std::int64_t highest) {
  return "a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest);
}

}  // namespace

void HostMessage::refuse(const char* key, const std::string& expected) const {
  const auto found = object_.find(key);
  std::string shown = "nothing";
  if (found != object_.end()) {
    shown = found->dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    if (shown.size() > kShown) shown = shown.substr(0, kShown) + "...";
  }
  refuse(std::string(key) + ": " + shown + ", expected " + expected);
}

void HostMessage::refuse(const std::string& reason) const {
  throw CorruptStream(host_ + ": " + reason);
}

const nlohmann::json& HostMessage::value(const char* key, const char* expected) const {
  const auto found = object_.find(key);
  if (found == object_.end()) refuse(key, expected);
  return *found;
}

bool HostMessage::has(const char* key) const {
  const auto found = object_.find(key);
  return found != object_.end() && !found->is_null();
}

std::int64_t HostMessage::whole(const char* key, std::int64_t lowest, std::int64_t highest) const {
  const auto number = whole_of(value(key, "a whole number"));
  if (!number || *number < lowest || *number > highest) refuse(key, range_text(lowest, highest));
  return *number;
}

double HostMessage::real(const char* key, double lowest) const {
  const nlohmann::json& held = value(key, "a number");
  const double number = held.is_number() ? held.get<double>() : std::nan("");
  if (!std::isfinite(number) || number < lowest) {
    refuse(key, "a number of at least " + std::to_string(lowest));
  }
  return number;
}

std::string HostMessage::text(const char* key) const {
  const nlohmann::json& held = value(key, "a text");
  if (!held.is_string() || held.get_ref<const std::string&>().size() > kLongestText) {
    refuse(key, "a text of at most " + std::to_string(kLongestText) + " bytes");
  }
  return held.get<std::string>();
}

std::string HostMessage::digest(const char* key) const {
  std::string digits = text(key);
  const bool hex = digits.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (digits.size() != 64 || !hex) refuse(key, "a SHA-256, 64 lower-case hex digits");
  return digits;
}

std::vector<std::int64_t> HostMessage::wholes(const char* key, std::optional<std::size_t> count,
                                              std::int64_t lowest, std::int64_t highest) const {
  const nlohmann::json& held = value(key, "a list");
  const std::string size = count ? std::to_string(*count) : "any number";
  if (!held.is_array() || (count && held.size() != *count)) {
    refuse(key, "a list of " + size + " whole numbers");
  }
  std::vector<std::int64_t> numbers;
  for (const nlohmann::json& one : held) {
    const auto number = whole_of(one);
    if (!number || *number < lowest || *number > highest) {
      refuse(key, "each to be " + range_text(lowest, highest));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<double> HostMessage::reals(const char* key, std::size_t count) const {
  const nlohmann::json& held = value(key, "a list");
  const std::string expected = "a list of " + std::to_string(count) + " finite numbers";
  if (!held.is_array() || held.size() != count) refuse(key, expected);
  std::vector<double> numbers;
  for (const nlohmann::json& one : held) {
    if (!one.is_number() || !std::isfinite(one.get<double>())) refuse(key, expected);
    numbers.push_back(one.get<double>());
  }
  return numbers;
}

bool HostMessage::truth(const char* key) const {
  const nlohmann::json& held = value(key, "true or false");
  if (!held.is_boolean()) refuse(key, "true or false");
  return held.get<bool>();
}

void HostMessage::each(const char* key,
                       const std::function<void(const HostMessage& item)>& read) const {
  constexpr std::size_t kMost = 1000;
  const nlohmann::json& held = value(key, "a list");
  if (!held.is_array() || held.size() > kMost) refuse(key, "a list of at most 1000 objects");
  for (const nlohmann::json& item : held) {
    if (!item.is_object()) refuse(key, "a list of objects");
    read(HostMessage(item, memory_, host_));
  }
}

SharedPlace HostMessage::place(const char* key) const {
  const std::vector<std::int64_t> numbers =
      wholes(key, 2, 0, static_cast<std::int64_t>(SharedMemory::kLargest));
  return {static_cast<std::size_t>(numbers[0]), static_cast<std::size_t>(numbers[1])};
}

std::span<std::byte> HostMessage::bytes(const char* key) const {
  const SharedPlace where = place(key);
  try {
    return memory_.at(where);
  } catch (const CorruptStream& error) {
    refuse(std::string(key) + ": " + error.what());
  }
}

std::span<float> HostMessage::floats(const char* key, std::size_t count) const {
  const std::span<std::byte> held = bytes(key);
  if (held.size() / sizeof(float) != count || held.size() % sizeof(float) != 0) {
    refuse(key, std::to_string(count) + " float32");
  }
  return {reinterpret_cast<float*>(held.data()), count};
}

std::span<const std::int32_t> HostMessage::ids(const char* key) const {
  const std::span<std::byte> held = bytes(key);
  if (held.size() % sizeof(std::int32_t) != 0) refuse(key, "whole int32");
  return {reinterpret_cast<const std::int32_t*>(held.data()), held.size() / sizeof(std::int32_t)};
}

}  // namespace kakeya
