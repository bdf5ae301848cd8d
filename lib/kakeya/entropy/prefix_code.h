// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kakeya {

/// A prefix code with codewords of at most `most` bits, and its table of 2^most entries: what the next
/// `most` bits of a string say. Codewords are read from their first bit on; a string has its first bit
/// lowest.
class PrefixCode {
 public:
  struct Entry {
    std::uint16_t symbol = 0;
    std::uint16_t length = 0;
  };

  /// The code of least length for these weights, none of them 0, at least two and at most 2^most
  /// (package-merge: Larmore and Hirschberg, "A fast algorithm for optimal length-limited Huffman
  /// codes", J. ACM 37, 1990), canonical: of two symbols with codewords of the same length the lower has
  /// the lower, read as a number from its first bit. The same on every machine.
  PrefixCode(std::span<const std::uint64_t> weights, int most);

  int most() const { return most_; }
  int length(std::size_t symbol) const { return lengths_[symbol]; }
  std::uint32_t word(std::size_t symbol) const { return words_[symbol]; }  ///< first bit lowest
  /// By the next most() bits, the first of them lowest.
  const Entry& entry(std::uint32_t bits) const { return table_[bits]; }

 private:
  int most_;
  std::vector<std::uint8_t> lengths_;
  std::vector<std::uint16_t> words_;
  std::vector<Entry> table_;
};

}  // namespace kakeya
