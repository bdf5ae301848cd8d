// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kakeya/bitstream/rans.h"
#include "kakeya/entropy/value_model.h"

namespace kakeya {

/// What symbols cost is counted in parts of a bit.
inline constexpr std::uint32_t kCostsABit = 256;

/// What a coordinate costs at most, in bits: base + slope * |coordinate|.
struct CostLine {
  float base = 0, slope = 0;
};

/// Symbols that fit two vectors of sixteen numbers (lane_steps.h).
inline constexpr std::size_t kFewSymbols = 32;

/// A model as the coders of pages need it: 29 kB.
class ValueTable {
 public:
  /// Of a decoded escape symbol instead of a coordinate.
  static constexpr std::int32_t kEscaped = INT32_MIN;

  explicit ValueTable(const ValueModel& model);

  const ValueModel& model() const { return model_; }
  const RansSymbol& encoder(std::uint32_t symbol) const { return encoders_[symbol]; }
  /// Payloads are twice the coordinate with all raw bits 0, or kEscaped.
  const RansDecodeTable& decoder() const { return decoder_; }
  const RansSpread& spread() const { return spread_; }
  /// RansDecodeTable::Entry::frequency_and_start of the first symbols.
  const std::uint32_t* first_shares() const { return first_shares_.data(); }
  /// An upper bound of what `symbol` adds to the words of a page, with its raw bits and, of the
  /// escape, the number, in 1 / kCostsABit of a bit (most_cost_of()).
  std::uint32_t most_cost(std::uint32_t symbol) const { return most_costs_[symbol]; }
  /// Not below most_cost() of any coordinate of this model.
  CostLine cost_line() const { return cost_line_; }

 private:
  CostLine line_over_costs() const;

  RansDecodeTable decoder_;
  std::array<RansSymbol, kMaxSymbols> encoders_{};
  ValueModel model_;
  RansSpread spread_;
  std::array<std::uint32_t, kMaxSymbols> most_costs_{};
  CostLine cost_line_;
  alignas(64) std::array<std::uint32_t, kFewSymbols> first_shares_{};
};

}  // namespace kakeya
