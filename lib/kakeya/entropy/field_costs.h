// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kakeya/entropy/field_codes.h"
#include "kakeya/entropy/field_lists.h"

// What fields and lists cost where the codes of a page are chosen, one text for the CPU and for kernels,
// in C++17. Sums are of doubles in the order that stands here.

namespace kakeya {

inline constexpr int kFarCost = kFarBits + kEntryCharge;
inline constexpr double kShiftBits = 8 * kFieldGroup;
inline constexpr std::int32_t kFieldReach = 1024;  ///< of the numbers that are counted one by one
inline constexpr std::int32_t kMostNear = 10;      ///< is_near() of no entries beyond
inline constexpr std::size_t kEntryKinds = kMostEntryBits - kLeastEntryBits + 1;

/// Distance of an entry that adds nothing.
constexpr std::uint32_t quiet_distance(int entry_bits) { return (1u << (entry_bits - 1)) - 1; }

/// Bits that the near ones of a group of `values` take in a list, near[|q|] of each q, with the best
/// entries. Distances are taken as geometric: an entry is followed by another with the probability
/// that nothing happens at D positions.
template <typename Count>
constexpr double near_bits(const Count (&near)[kMostNear + 1], double values) {
  double all = 0, far = 0;
  int last = 0;
  for (int q = 1; q <= kMostNear; ++q) {
    if (near[q] == 0) continue;
    last = q;
    all += static_cast<double>(near[q]);
    far += kFarCost * static_cast<double>(near[q]);
  }
  if (last == 0) return 0;
  const double quiet = 1 - all / values;
  double best = far, silence = quiet * quiet * quiet;  // D positions without any
  for (int bits = kLeastEntryBits; bits <= static_cast<int>(kMostEntryBits); ++bits) {
    const double more = 1 / (1 - silence);
    double sum = 0;
    for (int q = 1; q <= last; ++q) {
      const auto count = static_cast<double>(near[q]);
      const auto b = static_cast<double>(bits + kEntryCharge);
      sum += is_near(q, bits) ? count * b * (static_cast<double>(q - 1) + more) : count * kFarCost;
    }
    if (sum < best) best = sum;
    silence = silence * silence * quiet;
  }
  return best;
}

/// Bits of the fields of a group of `vectors` by itself.
constexpr double guessed_bits(std::size_t code, std::size_t vectors) {
  const double width = field_bits(code) + (field_has_trit(code) ? 1.6 : 0.0);
  return width * static_cast<double>(kFieldGroup * vectors);
}

/// Bits that a coordinate of this magnitude may take, in a field of `width` bits: its number is within 2 of it.
constexpr std::uint32_t most_number_bits(float magnitude, int width) {
  const float size = magnitude + 2.0f;
  const auto bits = static_cast<std::uint32_t>(width);
  if (size <= static_cast<float>(std::int32_t{1} << (width - 1))) return bits;
  return bits + static_cast<std::uint32_t>(kFarBits * far_entries(static_cast<std::int32_t>(size)));
}

}  // namespace kakeya
