// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/bitstream/rans.h"

namespace kakeya {

/// Which numbers a model is of: twice a coordinate is value * 2^scale_bits + offset. Coordinates of
/// integer points are 2 v, of half-integer points 2 v + 1; where the parity of the coordinate (of
/// its floor) is known to be p, they are 4 v + 2 p and 4 v + 2 p + 1.
struct ValueGrid {
  int scale_bits = 1;
  std::int32_t offset = 0;

  std::int32_t twice(std::int32_t value) const { return (value << scale_bits) + offset; }
};

/// Raw bits of a ValueModel, at most.
inline constexpr int kMostRawBits = 14;

/// A static model of whole numbers. Value v is symbol (v >> raw_bits) - first, and its low raw_bits
/// bits are equally likely; v >> raw_bits beyond the symbols is the escape symbol, the last one,
/// after which it follows in 32 bits.
///
///     raw_bits = 1, first = -1, 3 symbols and the escape
///
///     v        ... -4 -3 | -2 -1 |  0  1 |  2  3 |  4  5 ...
///     symbol      escape |   0   |   1   |   2   | escape
class ValueModel {
 public:
  /// weights[i] is the share of symbol i, the last that of the escape: 2 to 256 weights as
  /// FrequencyTable wants them.
  ValueModel(std::span<const double> weights, std::int32_t first, int raw_bits, ValueGrid grid)
      : first_(first),
        escape_(static_cast<std::uint32_t>(weights.size()) - 1),
        raw_bits_(raw_bits),
        grid_(grid),
        frequencies_(weights) {}

  int raw_bits() const { return raw_bits_; }
  const ValueGrid& grid() const { return grid_; }
  const FrequencyTable& frequencies() const { return frequencies_; }

  /// The symbol of the values v with v >> raw_bits = `high`.
  std::uint32_t symbol(std::int32_t high) const {
    const auto index = static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(first_);
    return index < escape_ ? index : escape_;
  }
  std::uint32_t escape() const { return escape_; }
  /// The v >> raw_bits of a symbol that is not the escape.
  std::int32_t high(std::uint32_t symbol) const {
    return first_ + static_cast<std::int32_t>(symbol);
  }

  /// What `value` costs, raw bits and the 32 bits of an escaped one included.
  double bits(std::int32_t value) const {
    const std::uint32_t index = symbol(value >> raw_bits_);
    return frequency_bits(frequencies_.frequency(index)) + raw_bits_ +
           (index == escape_ ? 32.0 : 0.0);
  }

 private:
  std::int32_t first_;
  std::uint32_t escape_;
  int raw_bits_;
  ValueGrid grid_;
  FrequencyTable frequencies_;
};

}  // namespace kakeya
