// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/sizes.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};

constexpr Unit kUnits[] = {{"KB", 1e3},
                           {"MB", 1e6},
                           {"GB", 1e9},
                           {"TB", 1e12},
                           {"KiB", 1024.0},
                           {"MiB", 1048576.0},
                           {"GiB", 1073741824.0},
                           {"TiB", 1099511627776.0},
                           {"B", 1},
                           {"", 1}};

}  // namespace

std::size_t parse_tokens(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const std::uint64_t times = unit.empty() ? 1 : unit == "k" ? 1024 : unit == "M" ? 1048576 : 0;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
  if (error != std::errc() || times == 0 || number == 0 || number > kMost / times) {
    throw SpecError(fmt::format(
        "tokens {}: expected a whole number, also with k (1024) or M (1048576), such as 32k",
        text));
  }
  return static_cast<std::size_t>(number * times);
}

std::vector<std::size_t> parse_token_list(std::string_view text) {
  std::vector<std::size_t> list;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = text.find(',', begin);
    list.push_back(parse_tokens(text.substr(begin, comma - begin)));
    if (comma == std::string_view::npos) return list;
    begin = comma + 1;
  }
}

std::string tokens_text(std::size_t tokens) {
  if (tokens % 1048576 == 0) return fmt::format("{}M", tokens / 1048576);
  return tokens % 1024 == 0 ? fmt::format("{}k", tokens / 1024) : fmt::format("{}", tokens);
}

double parse_bytes(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const Unit& each : kUnits) {
    if (error == std::errc() && unit == each.name && number > 0 && std::isfinite(number)) {
      return number * each.bytes;
    }
  }
  throw SpecError(fmt::format(
      "{}: expected a number of bytes above 0, also with MB, GB, TB (powers of 1000) or MiB, GiB, TiB",
      text));
}

double parse_bytes_of(std::string_view flag, std::string_view text) {
  try {
    return parse_bytes(text);
  } catch (const SpecError& error) {
    throw SpecError(fmt::format("{} {}", flag, error.what()));
  }
}

std::string bytes_text(double bytes) {
  if (bytes >= 1073741824.0) return fmt::format("{:.2f} GiB", bytes / 1073741824.0);
  if (bytes >= 1048576.0) return fmt::format("{:.1f} MiB", bytes / 1048576.0);
  return bytes >= 1024 ? fmt::format("{:.1f} KiB", bytes / 1024) : fmt::format("{:.0f} B", bytes);
}

}  // namespace kakeya
