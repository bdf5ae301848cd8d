// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kakeya {

/// Counts of symbols 0 ... symbols-1, and the bits a static order-0 coder would spend on all of
/// them.
class Histogram {
 public:
  explicit Histogram(std::size_t symbols) : counts_(symbols) {}

  void add(std::size_t symbol) { ++counts_[symbol]; }

  /// Sum over symbols of count log2(total / count); the table of counts itself is not charged.
  double total_bits() const {
    std::uint64_t total = 0;
    for (const std::uint64_t count : counts_) total += count;
    double bits = 0.0;
    for (const std::uint64_t count : counts_) {
      if (count == 0) continue;
      bits += static_cast<double>(count) *
              std::log2(static_cast<double>(total) / static_cast<double>(count));
    }
    return bits;
  }

 private:
  std::vector<std::uint64_t> counts_;
};

}  // namespace kakeya
