// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>

namespace kakeya {

/// How often each whole number occurred: an array around 0, and a map for the rest.
class ValueCounts {
 public:
  void add(std::int32_t value) {
    const auto index = static_cast<std::uint32_t>(value) + kNear / 2;
    if (index < kNear) {
      ++near_[index];
    } else {
      ++far_[value];
    }
  }

  /// Calls visit(value, count) for every value that occurred, always in the same order.
  template <typename Visit>
  void each(const Visit& visit) const {
    for (std::uint32_t index = 0; index < kNear; ++index) {
      if (near_[index] != 0) {
        visit(static_cast<std::int32_t>(index) - static_cast<std::int32_t>(kNear / 2),
              near_[index]);
      }
    }
    for (const auto& [value, count] : far_) visit(value, count);
  }

  /// Bits that a static order-0 coder would spend on all of them: the sum of count log2(total /
  /// count).
  double entropy_bits() const {
    double total = 0.0, bits = 0.0;
    each([&](std::int32_t, std::uint64_t count) { total += static_cast<double>(count); });
    each([&](std::int32_t, std::uint64_t count) {
      bits += static_cast<double>(count) * std::log2(total / static_cast<double>(count));
    });
    return bits;
  }

 private:
  static constexpr std::uint32_t kNear = 1024;
  std::array<std::uint64_t, kNear> near_{};
  std::map<std::int32_t, std::uint64_t> far_;
};

}  // namespace kakeya
