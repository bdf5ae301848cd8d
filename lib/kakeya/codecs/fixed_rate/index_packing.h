// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kakeya/bitstream/row_bits.h"
#include "kakeya/lattice/enumerate.h"

namespace kakeya {

/// The numbers of a tile's points as TileBook writes and reads them: that of block b of vector r at
/// low[16 b + r], and what is above 64 bits at high[16 b + r].
class TileNumbers {
 public:
  /// `high_words`: numbers take more than 64 bits.
  TileNumbers(std::size_t blocks, bool high_words)
      : low_(blocks * kBitRows), high_(high_words ? blocks * kBitRows : 0) {}
  std::uint64_t* low() { return low_.data(); }
  std::uint64_t* high() { return high_.empty() ? nullptr : high_.data(); }
  const std::uint64_t* low() const { return low_.data(); }
  const std::uint64_t* high() const { return high_.empty() ? nullptr : high_.data(); }

 private:
  std::vector<std::uint64_t> low_, high_;
};

/// How the numbers of a vector's blocks, each below the same count, become bits: those of a tile at
/// once, a vector a row.
class IndexPacking {
 public:
  virtual ~IndexPacking() = default;
  /// Bits of a vector: always the same.
  virtual std::size_t vector_bits() const = 0;
  /// Appends all fields of the tile's vectors.
  virtual void put(const TileNumbers& numbers, RowBitWriter& bits) const = 0;
  /// The way back. Fields that no vector has may come out as any number not below the count; zeros
  /// give 0.
  virtual void get(RowBitReader& bits, TileNumbers& numbers) const = 0;
};

/// A field of ceil(log2 count) bits a block. `count` is above 1.
std::unique_ptr<IndexPacking> block_packing(PointIndex count, std::size_t blocks);

/// One mixed-radix number a vector, at most one bit (1.01 for some of more than 128 blocks) above
/// blocks * log2 count. `count` is above 1.
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
