// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "kakeya/bitstream/bits.h"
#include "kakeya/lattice/enumerate.h"

namespace kakeya {

/// How the indices of a vector's blocks, each below the same count, become bits.
class IndexPacking {
 public:
  virtual ~IndexPacking() = default;
  /// Bits of a vector: always the same.
  virtual std::size_t vector_bits() const = 0;
  /// Appends the indices of one vector.
  virtual void put(std::span<const PointIndex> indices, BitWriter& bits) const = 0;
  /// Reads the indices of one vector. Those that no vector has may come out as any number not below
  /// the count. Throws CorruptStream at the end of the stream.
  virtual void get(BitReader& bits, std::span<PointIndex> indices) const = 0;
};

/// A field of ceil(log2 count) bits a block.
std::unique_ptr<IndexPacking> block_packing(PointIndex count, std::size_t blocks);

/// One mixed-radix number a vector, at most one bit (and a 2^-10 of one) above blocks * log2 count.
/// `count` is above 1.
///
/// The low bits of each index are stored as they are, so that 16 bits (or less) are left, a digit h
/// below H = ceil(count / 2^raw), H >= 2^15: a loss below 2^-14 bit. Digits are gathered in a state
/// below M: x becomes x + M h, M becomes M H, and whenever M has reached 2^36, the low 16 bits of x
/// are stored and M becomes ceil(M / 2^16): a loss below 2^-19 bit. M depends on the place alone,
/// so every field has a fixed place:
///
///   raw 0 | raw 1 | raw 2 | 16 bits of x | raw 3 | 16 bits of x | ... | the rest of x
///
/// Reading goes backwards from the rest of x: h = x / M, x = x mod M.
std::unique_ptr<IndexPacking> joint_packing(PointIndex count, std::size_t blocks);

}  // namespace kakeya
