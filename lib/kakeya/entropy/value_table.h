// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/bitstream/rans.h"

namespace kakeya {

/// Which numbers a table codes: twice a coordinate is value * 2^scale_bits + offset. Coordinates of
/// integer points are 2 v, of half-integer points 2 v + 1; where the parity of the coordinate (of
/// its floor) is known to be p, they are 4 v + 2 p and 4 v + 2 p + 1.
struct ValueGrid {
  int scale_bits = 1;
  std::int32_t offset = 0;

  std::int32_t twice(std::int32_t value) const { return (value << scale_bits) + offset; }
};

/// A static model of whole numbers. Value v is symbol (v >> raw_bits) - first, and its low raw_bits
/// bits are equally likely; v >> raw_bits beyond the table is the escape symbol, the last one,
/// after which it follows in 32 bits.
///
///     raw_bits = 1, first = -1, 3 symbols and the escape
///
///     v        ... -4 -3 | -2 -1 |  0  1 |  2  3 |  4  5 ...
///     symbol      escape |   0   |   1   |   2   | escape
class ValueTable {
 public:
  /// Of a decoded escape symbol instead of a coordinate.
  static constexpr std::int32_t kEscaped = INT32_MIN;

  /// weights[i] is the share of symbol i, the last that of the escape: 2 to 256 weights as
  /// FrequencyTable wants them.
  ValueTable(std::span<const double> weights, std::int32_t first, int raw_bits, ValueGrid grid);

  int raw_bits() const { return raw_bits_; }
  const ValueGrid& grid() const { return grid_; }

  /// The symbol of the values v with v >> raw_bits = `high`.
  std::uint32_t symbol(std::int32_t high) const {
    const auto index = static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(first_);
    return index < escape_ ? index : escape_;
  }
  std::uint32_t escape() const { return escape_; }
  const RansSymbol& encoder(std::uint32_t symbol) const { return encoders_[symbol]; }
  const RansSpread& spread() const { return spread_; }

  /// Payloads are twice the coordinate with all raw bits 0, or kEscaped.
  const RansDecodeTable& decoder() const { return decoder_; }

  /// What `value` costs, raw bits and the 32 bits of an escaped one included.
  double bits(std::int32_t value) const;

 private:
  RansDecodeTable decoder_;
  std::array<RansSymbol, kMaxSymbols> encoders_{};
  std::int32_t first_;
  std::uint32_t escape_;
  int raw_bits_;
  ValueGrid grid_;
  std::vector<double> bits_;
  RansSpread spread_;
};

}  // namespace kakeya
