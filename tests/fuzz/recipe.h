// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fuzz/specs.h"

namespace kakeya::fuzz {

// The input of a target that decodes with the codecs of one family: a recipe for a frame whose
// checksum fits and, unless the recipe says otherwise, whose sections have the lengths that its
// codec expects, so that no execution is spent on what parse_frame() refuses (target "frame" does
// that).
//
//      0        1        2        3        4        5        6        7        9
//      +--------+--------+--------+--------+--------+--------+--------+--------+---------
//      | spec   | dim    | vectors| changed| by     | flags  | records| streams| sections,
//      |        |        |        | section| i8     |        |        | u16    | in order
//      +--------+--------+--------+--------+--------+--------+--------+--------+---------
//
// spec, dim and vectors are places in lists, modulo their lengths. A changed section (0: none, k:
// number k - 1 modulo their number) is longer by `by` bytes. Sections whose length depends on the
// data have: "windows" and "owindows" all or nothing, by flag; "escapes" and "exact" that many
// records, modulo 32; "streams" that many bytes, at most as many as the input has, or of kvtc
// "scales" and "indices" together, the first of them as many as its pages ask for; "seeds" as its
// own counts say, at most as many. What the input lacks is zero.

inline constexpr std::size_t kRecipeHeader = 9;
inline constexpr std::size_t kVectorCounts[] = {0,  1,  2,  3,  4,  5,  7,  8,
                                                15, 16, 17, 31, 32, 33, 40, 65};

/// Bits of the flags.
inline constexpr std::uint8_t kWindows = 1;         ///< section "windows" is there
inline constexpr std::uint8_t kOutlierWindows = 2;  ///< section "owindows" is there
/// The lengths in "pages" are as given, and "padding" as for zero vectors; without this flag the
/// lengths are cut and the last enlarged so that they add up to "streams", and "padding" is what
/// the frame lacks.
inline constexpr std::uint8_t kLooseEnds = 4;
inline constexpr std::uint8_t kHugeCount = 8;  ///< the header says 2^40 more vectors

struct Dish {
  const Codec* codec = nullptr;
  std::vector<std::byte> frame;
};

/// The frame of a recipe of at least kRecipeHeader bytes.
Dish assemble(const Family& family, std::span<const std::uint8_t> recipe);

/// The recipe of a frame that the family's case `spec` wrote for its dims[place] and
/// kVectorCounts[vectors] vectors, and SpecCase::more: assemble() gives the frame again. Empty where it has too many records or
/// streams for a recipe.
std::vector<std::uint8_t> recipe_of(const Family& family, std::size_t spec, std::size_t place,
                                    std::size_t vectors, std::span<const std::byte> frame);

}  // namespace kakeya::fuzz
