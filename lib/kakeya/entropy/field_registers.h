// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/entropy/field_codes.h"

namespace kakeya {

// Registers of fields (field_format.h): what field_reader.cpp and its AVX-512 variant share.

/// Where the digits of a group are in one plane: its rows, the registers that the groups before have in
/// it, and where in u the digits go.
struct FieldDigits {
  const std::uint8_t* rows;
  std::size_t plane, before;
  int to;

  /// Of register `r` of the group: the row that its digits are in, and which of the row's.
  const std::uint8_t* row(std::size_t r) const {
    const std::size_t number = before + r;
    return rows + (plane == kTritPlane ? number / 5 : number >> plane) * kRowBytes;
  }
  std::size_t digit(std::size_t r) const {
    const std::size_t number = before + r;
    return plane == kTritPlane ? number % 5 : number & ((1u << plane) - 1);
  }
};

inline constexpr std::uint16_t kPowersOf3[] = {1, 3, 9, 27, 81};

/// Vectors of a register.
inline constexpr std::size_t kRegisterVectors = 16;

/// The numbers of a group, each below 256 less base: coordinate i of vector t to v[lane_value(t, i, dim)], base[i]
/// added.
using PutFieldBytes = void (*)(std::span<const FieldDigits> digits, std::size_t registers,
                               FieldOrder order, const std::int32_t* base, std::size_t dim,
                               std::int32_t* v);

/// By AVX-512; null where extension_in_use() (core/extension.h) is less.
PutFieldBytes wide_field_bytes();

}  // namespace kakeya
