// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/capacity/cache_bytes.h"
#include "kakeya/capacity/decoder.h"
#include "kakeya/core/kv.h"

namespace kakeya {

/// How weights are held: bytes a parameter, or bytes of all of them.
struct WeightFormat {
  std::string name;                         ///< as given: "bf16", "fp8", "16GB"
  std::optional<double> bytes_a_parameter;  ///< or
  double bytes = 0;                         ///< of all

  double of(const Decoder& decoder) const;
};

/// "bf16" (2 bytes a parameter), "fp8" (1; its scales are not counted), or the bytes of all weights,
/// as parse_bytes(). Throws SpecError.
WeightFormat parse_weights(std::string_view text);

/// Memory that is neither weights nor cache: "10%" of `card` bytes, or bytes. "0" is none. Throws
/// SpecError.
double parse_reserve(std::string_view text, double card);

/// What a card has for caches.
struct CardRoom {
  double card = 0, weights = 0, reserve = 0, profile = 0;
  double free() const { return card - weights - reserve - profile; }
};

/// How many sequences of `bytes` fit; 0 where nothing is free.
std::uint64_t users_that_fit(const CardRoom& room, double bytes);

/// What tokens_that_fit() looks no further than: any length fits.
inline constexpr std::size_t kMostTokens = std::size_t{1} << 32;

/// The most tokens that each of `users` sequences may have, at most kMostTokens; 0: not even one. Bytes
/// grow with tokens, but for headers and pages.
std::size_t tokens_that_fit(const CardRoom& room, std::uint64_t users, const CodecOfCache& codec,
                            const Decoder& decoder, const CachePolicy& policy, OpenPage open);

}  // namespace kakeya
