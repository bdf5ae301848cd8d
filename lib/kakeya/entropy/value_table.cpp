// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/value_table.h"

namespace kakeya {

ValueTable::ValueTable(std::span<const double> weights, std::int32_t first, int raw_bits,
                       ValueGrid grid)
    : first_(first), raw_bits_(raw_bits), grid_(grid) {
  const FrequencyTable table(weights);
  escape_ = static_cast<std::uint32_t>(table.symbols() - 1);
  std::vector<std::int32_t> payloads;
  for (std::uint32_t symbol = 0; symbol <= escape_; ++symbol) {
    const std::int32_t low = (first + static_cast<std::int32_t>(symbol)) << raw_bits;
    payloads.push_back(symbol == escape_ ? kEscaped : grid.twice(low));
    encoders_[symbol] = RansSymbol(table.start(symbol), table.frequency(symbol));
    bits_.push_back(frequency_bits(table.frequency(symbol)) + raw_bits +
                    (symbol == escape_ ? 32.0 : 0.0));
  }
  spread_ = RansSpread(table);
  decoder_ = RansDecodeTable(table, payloads);
}

double ValueTable::bits(std::int32_t value) const { return bits_[symbol(value >> raw_bits_)]; }

}  // namespace kakeya
