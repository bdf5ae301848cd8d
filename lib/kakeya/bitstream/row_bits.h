// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kakeya {

// Sixteen rows of fields at once. All rows have the same fields, so that a field's place is the
// same in all of them; in the stream, of the layout that BitWriter has, they follow each other
// without padding:
//
//   row 0: a b c ... | row 1: a b c ... | ... | row 15: a b c ...
//
// Sixteen rows are whole bytes whatever a row has. In memory word k of row r is words[16 k + r], so
// that a field is shifted by the same distance in each lane.

inline constexpr std::size_t kBitRows = 16;

/// Bytes that `rows` rows of `row_bits` bits take.
constexpr std::size_t row_bytes(std::size_t rows, std::size_t row_bits) {
  return (rows * row_bits + 7) / 8;
}

class RowBitWriter {
 public:
  /// Rows have `row_bits` bits, at least one.
  explicit RowBitWriter(std::size_t row_bits);

  /// Appends to row r `fields` fields: the low `width` bits, 1 to 64, of values[16 i + r] for i in
  /// [0, fields), whose other bits are zero. No more than row_bits in all.
  void put(const std::uint64_t* values, int width, std::size_t fields = 1);

  /// Writes the first `count` rows, 1 to 16, complete by now, to the beginning of `out` and begins
  /// with the next sixteen. What follows them in `out` is overwritten with anything. Throws
  /// InputError when `out` is too short.
  void store(std::span<std::byte> out, std::size_t count);

 private:
  std::size_t row_bits_, filled_ = 0;
  bool wide_;  // the variant for AVX2
  std::vector<std::uint64_t> words_;
  std::vector<std::byte> end_;
};

class RowBitReader {
 public:
  explicit RowBitReader(std::size_t row_bits);

  /// Takes the first `count` rows, 1 to 16, from the beginning of `in`; the others are zero. Never
  /// reads outside `in`. Throws CorruptStream when it is too short.
  void load(std::span<const std::byte> in, std::size_t count);

  /// The next `fields` fields of `width` bits, 1 to 64, of every row: row r's to values[16 i + r]
  /// for i in [0, fields). No more than row_bits in all.
  void get(std::uint64_t* values, int width, std::size_t fields = 1);

 private:
  std::size_t row_bits_, taken_ = 0;
  bool wide_;
  std::vector<std::uint64_t> words_;
  std::vector<std::byte> end_;
};

}  // namespace kakeya
