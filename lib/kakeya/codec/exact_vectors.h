// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kakeya/core/rows.h"

namespace kakeya {

// The section "exact" of codecs without a range: vectors with a coordinate beyond 2^20 steps, kept
// as they are. In ascending order: number u32, then the coordinates as float32; their points are 0.

/// Appends vector number `vector`. Throws InputError when that is 2^32 or more.
void append_exact(std::vector<std::byte>& section, std::size_t vector, std::span<const float> x);

inline std::size_t exact_bytes(std::size_t dim) { return 4 + 4 * dim; }

/// Throws CorruptStream, beginning with `codec`, unless the section is whole records of vectors
/// below `vectors` in ascending order, all finite.
void check_exact(std::span<const std::byte> section, std::size_t dim, std::size_t vectors,
                 const std::string& codec);

/// Puts those of vectors [first, first + out.count) of a section that passed check_exact() in their
/// places. Finds them by binary search.
void restore_exact(std::span<const std::byte> section, std::size_t first, Rows<float> out);

}  // namespace kakeya
