// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/entropy/lanes.h"

namespace kakeya {

/// What a page begins with: the states that its lanes are decoded from.
struct LaneStates {
  /// At least 2^16 each; only those of the page's lanes count.
  std::array<std::uint32_t, kLanes> state{};
  /// Bit l: lane l had 2^16 added to its state (point_coder.h).
  std::uint32_t lifted = 0;
};

/// As bits, least significant first (bitstream/bits.h), padded with zeros to a byte; n lanes:
///
///     | any lifted: 0 or 1 | lifted, if any | w_0 ... w_n-1 | s_0 | ... | s_n-1 |
///              8                   n               4 n       16 + w_0   ...
///
/// State l is 2^(16 + w_l) + s_l: the length first, then the bits below the leading one. The
/// logarithm of a state is uniform, so this takes 3.5 bits more than its information, which is what
/// the best code would take; 3 or 4 bytes and a flag take 5. Returns the bytes written, at most
/// kMostStateBytes.
std::size_t write_lane_states(const LaneStates& states, std::size_t lanes,
                              std::span<std::byte> out);

/// 8 + n + 4 n + 31 n bits.
inline constexpr std::size_t kMostStateBytes = (8 + kLanes * 36) / 8;

/// Reads what write_lane_states wrote at the beginning of `in`; sets `bytes` to its length. Throws
/// CorruptStream when it is not that.
LaneStates read_lane_states(std::span<const std::byte> in, std::size_t lanes, std::size_t& bytes);

}  // namespace kakeya
