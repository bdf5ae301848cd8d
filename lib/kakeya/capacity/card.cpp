// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/card.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "kakeya/capacity/sizes.h"
#include "kakeya/core/error.h"

namespace kakeya {

double WeightFormat::of(const Decoder& decoder) const {
  if (!bytes_a_parameter) return bytes;
  return *bytes_a_parameter * static_cast<double>(decoder.parameter_count());
}

WeightFormat parse_weights(std::string_view text) {
  WeightFormat format{std::string(text), {}, 0};
  if (text == "bf16" || text == "fp8") {
    format.bytes_a_parameter = text == "bf16" ? 2 : 1;
    return format;
  }
  try {
    format.bytes = parse_bytes(text);
  } catch (const SpecError&) {
    throw SpecError(fmt::format(
        "--weights {}: expected bf16, fp8, or the bytes of all weights, such as 16GB", text));
  }
  return format;
}

double parse_reserve(std::string_view text, double card) {
  if (text == "0") return 0;
  if (!text.ends_with('%')) return parse_bytes_of("--reserve", text);
  double share = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto [read, error] = std::from_chars(text.data(), end, share);
  if (error != std::errc() || read != end || !(share >= 0 && share < 100)) {
    throw SpecError(fmt::format("--reserve {}: expected 0% to below 100%, or bytes", text));
  }
  return card * share / 100;
}

std::uint64_t users_that_fit(const CardRoom& room, double bytes) {
  if (room.free() <= 0 || bytes <= 0) return 0;
  return static_cast<std::uint64_t>(std::floor(room.free() / bytes));
}

std::size_t tokens_that_fit(const CardRoom& room, std::uint64_t users, const CodecOfCache& codec,
                            const Decoder& decoder, const CachePolicy& policy, OpenPage open) {
  const auto fits = [&](std::size_t tokens) {
    const double bytes = codec.bytes(decoder, tokens, policy, open).total();
    return bytes * static_cast<double>(users) <= room.free();
  };
  std::size_t low = 0, high = kMostTokens + 1;  // `low` fits or is 0; `high` does not, or is beyond
  for (const std::size_t length : codec.first_full_pages(decoder, policy)) {
    if (fits(length)) low = length;
  }
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace kakeya
