// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/value_table.h"

#include <vector>

namespace kakeya {

ValueTable::ValueTable(const ValueModel& model) : model_(model), spread_(model.frequencies()) {
  const FrequencyTable& table = model.frequencies();
  std::vector<std::int32_t> payloads;
  for (std::uint32_t symbol = 0; symbol <= model.escape(); ++symbol) {
    payloads.push_back(symbol == model.escape()
                           ? kEscaped
                           : model.grid().twice(model.high(symbol) << model.raw_bits()));
    encoders_[symbol] = RansSymbol(table.start(symbol), table.frequency(symbol));
  }
  decoder_ = RansDecodeTable(table, payloads);
}

}  // namespace kakeya
