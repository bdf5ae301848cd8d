// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace kakeya::fuzz {

/// Bytes that this thread has asked of operator new so far, freed or not: every form of it is
/// replaced in programs that link this.
std::size_t allocated_bytes();

/// What one decode may ask of operator new, in all: 128 bytes for a byte of input (a byte of a
/// paged frame holds at most 32 values, which lie as int32 while they are decoded), 768 for a
/// coordinate of a vector (the tile of 16 vectors, the lanes of 32, class and mean of the
/// coordinate) and 16 KiB (names of sections, error messages, lane states).
constexpr std::size_t allocation_limit(std::size_t input_bytes, std::size_t dim) {
  return 128 * input_bytes + 768 * dim + 16384;
}

}  // namespace kakeya::fuzz
