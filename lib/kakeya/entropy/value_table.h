// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kakeya/bitstream/rans.h"
#include "kakeya/entropy/value_model.h"

namespace kakeya {

/// A model as the coders of pages need it: 28 kB.
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

 private:
  RansDecodeTable decoder_;
  std::array<RansSymbol, kMaxSymbols> encoders_{};
  ValueModel model_;
  RansSpread spread_;
};

}  // namespace kakeya
