// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kakeya/core/rows.h"

namespace kakeya {

// The section "exact" of codecs without a range: vectors that are kept beside the code, because
// their points would be too large or, of klt, would take more bits than the vectors themselves. In
// ascending order: number u32, then the coordinates.

/// How coordinates are kept.
enum class KeptAs {
  float32,   ///< exactly
  bfloat16,  ///< the nearest finite one: a normal value within 2^-8 of itself
};

inline std::size_t exact_bytes(std::size_t dim, KeptAs as = KeptAs::float32) {
  return 4 + (as == KeptAs::float32 ? 4 : 2) * dim;
}

/// Appends vector number `vector`. Throws InputError when that is 2^32 or more.
void append_exact(std::vector<std::byte>& section, std::size_t vector, std::span<const float> x,
                  KeptAs as = KeptAs::float32);

/// What restore_exact() gives for a vector `x` that is kept as bfloat16.
void round_to_bfloat16(std::span<const float> x, std::span<float> out);

/// Throws CorruptStream, beginning with `codec`, unless the section is whole records of vectors
/// below `vectors` in ascending order, all finite.
void check_exact(std::span<const std::byte> section, std::size_t dim, std::size_t vectors,
                 const std::string& codec, KeptAs as = KeptAs::float32);

/// Puts those of vectors [first, first + out.count) of a section that passed check_exact() in their
/// places. Finds them by binary search.
void restore_exact(std::span<const std::byte> section, std::size_t first, Rows<float> out,
                   KeptAs as = KeptAs::float32);

/// Which of vectors [first, first + count) such a section holds, ascending, less `first`.
std::vector<std::size_t> exact_places(std::span<const std::byte> section, std::size_t dim,
                                      std::size_t first, std::size_t count, KeptAs as);

}  // namespace kakeya
