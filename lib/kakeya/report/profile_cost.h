// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// The lengths of a cache, in tokens, and the numbers of caches that share a profile, over which its
/// bytes are spread. 0: so many that it costs nothing.
inline constexpr std::array<int, 3> kSharedTokens = {8192, 32768, 131072};
inline constexpr std::array<int, 3> kSharingCaches = {1, 100, 0};

/// "1", "100", "many".
std::string sharing_text(int caches);

/// Bytes that a reader of this setting needs of profiles, once a model: 0 without a profile, nothing
/// where the folder does not say. Older folders say what the profile's hungriest codec needs.
std::optional<std::size_t> profile_bytes_of(const ResultGroup& group, const CodecResult& codec);

/// Bits a value of a whole cache of `tokens` tokens, and of its share of the profile's `bytes` where
/// `caches` share it: skipped layers, sinks and residual window in bf16, the rest at the measured
/// rate; where it grows, half a page of every frame open, in bf16. Layers with a window keep their
/// last tokens alone. Nothing where the tokens are no more than the exact ones.
std::optional<double> bits_with_profile(const ResultGroup& group, const CodecResult& codec,
                                        std::size_t bytes, int tokens, int caches);

/// One row a setting: its profile's bytes, and bits_with_profile() of each length and each number of
/// caches.
Table profile_cost_table(const ResultGroup& group);

}  // namespace kakeya
