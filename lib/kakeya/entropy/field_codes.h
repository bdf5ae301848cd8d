// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// What the codes of pages of fields mean (field_format.h has the drawing), in C++17 for kernels.

namespace kakeya {

inline constexpr std::size_t kFieldBlock = 128;  ///< vectors a block
inline constexpr std::size_t kFieldGroup = 8;    ///< coordinates a group
inline constexpr std::size_t kFieldLists = 3;
inline constexpr std::size_t kFieldCodes = 44;
inline constexpr std::size_t kMostFieldDim = 512;  ///< positions of a block fit 16 bits
inline constexpr std::size_t kLeastEntryBits = 3, kMostEntryBits = 12;
inline constexpr std::uint8_t kNoList = 3;

/// Which coordinates a lane has.
enum class FieldOrder { keys, values };

/// What a code means: 1, 2, 3, 4, 6, 8, 12, ... 2^22 levels.
constexpr bool field_has_trit(std::size_t code) { return code >= 2 && code % 2 == 0; }
constexpr int field_bits(std::size_t code) {
  return static_cast<int>(code % 2 == 1 ? code / 2 + 1 : (code == 0 ? 0 : code / 2 - 1));
}
constexpr std::int32_t field_levels(std::size_t code) {
  return (field_has_trit(code) ? 3 : 1) * (std::int32_t{1} << field_bits(code));
}
/// The code of 2^bits levels.
constexpr std::uint8_t field_code_of_bits(int bits) {
  return static_cast<std::uint8_t>(bits == 0 ? 0 : 2 * bits - 1);
}

/// floor(x / field_levels(code)).
constexpr std::int32_t field_quotient(std::int32_t x, std::size_t code) {
  const std::int32_t high = x >> field_bits(code);
  if (!field_has_trit(code)) return high;
  return high >= 0 ? high / 3 : -((2 - high) / 3);
}

/// q of a coordinate less its shift.
constexpr std::int32_t field_overflow(std::int32_t x, std::size_t code) {
  return field_quotient(x + field_levels(code) / 2, code);
}

/// A plane by its bits a coordinate: 8, 4, 2, 1; the last has trits.
inline constexpr std::size_t kFieldPlanes = 5, kTritPlane = 4;
constexpr int plane_bits(std::size_t plane) { return 8 >> plane; }

/// How many registers of a plane a group of this code has for each 16 vectors.
constexpr std::size_t plane_units(std::size_t code, std::size_t plane) {
  if (plane == kTritPlane) return field_has_trit(code) ? 1 : 0;
  const auto bits = static_cast<std::size_t>(field_bits(code));
  return plane == 0 ? bits / 8 : bits >> (3 - plane) & 1;
}

/// Registers of a group in a block of `vectors`.
constexpr std::size_t field_registers(std::size_t vectors) { return (vectors + 15) / 16; }

/// Rows of a plane with so many registers a lane.
constexpr std::size_t plane_rows(std::size_t registers, std::size_t plane) {
  const std::size_t in_a_word = plane == kTritPlane ? 5 : std::size_t{1} << plane;
  return (registers + in_a_word - 1) / in_a_word;
}

inline constexpr std::size_t kRowBytes = 128;

}  // namespace kakeya
