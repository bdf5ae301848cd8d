// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>

namespace kakeya {

// What the writer of lists and those who count them agree on; readers take any.

inline constexpr std::int32_t kMostFarQuotient = 32767;
inline constexpr int kFarBits = 32;  ///< of a far entry

/// An entry counts as so many bits more than it has where codes and lists are chosen: bits are
/// weighed against the time that readers need for it. 0 would be the fewest bytes, with three to ten
/// times as many entries.
inline constexpr int kEntryCharge = 4;

/// Whether q goes to a list of entries of so many bits, once for each 1 that it has, or is far.
constexpr bool is_near(std::int32_t q, int entry_bits) {
  const std::int64_t size = q < 0 ? -std::int64_t{q} : q;
  return size * entry_bits < kFarBits;
}

/// Far entries of q.
constexpr std::int64_t far_entries(std::int32_t q) {
  const std::int64_t size = q < 0 ? -std::int64_t{q} : q;
  return (size + kMostFarQuotient - 1) / kMostFarQuotient;
}

}  // namespace kakeya
