// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/value_table.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "kakeya/entropy/page_plan.h"

namespace kakeya {

ValueTable::ValueTable(const ValueModel& model) : model_(model), spread_(model.frequencies()) {
  const FrequencyTable& table = model.frequencies();
  std::vector<std::int32_t> payloads;
  for (std::uint32_t symbol = 0; symbol <= model.escape(); ++symbol) {
    payloads.push_back(symbol == model.escape()
                           ? kEscaped
                           : model.grid().twice(model.high(symbol) << model.raw_bits()));
    encoders_[symbol] = RansSymbol(table.start(symbol), table.frequency(symbol));
    most_costs_[symbol] = most_cost_of(table.frequency(symbol), model.raw_bits()) +
                          (symbol == model.escape() ? 32 * kCostsABit : 0);
  }
  decoder_ = RansDecodeTable(table, payloads);
  for (std::size_t symbol = 0; symbol < std::min(table.symbols(), kFewSymbols); ++symbol)
    first_shares_[symbol] = decoder_.entries()[symbol].frequency_and_start;
  cost_line_ = line_over_costs();
}

// Through the dearest of the symbols nearest to 0, as steep as it takes to stay above all others.
// An escaped value is at least as far out as the nearest one that has no symbol.
CostLine ValueTable::line_over_costs() const {
  const auto distance_of = [&](std::int64_t value) {
    const ValueGrid& grid = model_.grid();
    return std::abs(static_cast<double>((value << grid.scale_bits) + grid.offset)) / 2;
  };
  const auto cost_of = [&](std::uint32_t symbol) {
    return static_cast<double>(most_costs_[symbol]) / kCostsABit;
  };
  // The nearest value of a group; the grid is monotonous, and 0 may lie within it.
  const auto nearest_of = [&](std::int64_t high) {
    const std::int64_t low = high << model_.raw_bits(), end = (high + 1) << model_.raw_bits();
    return low <= 0 && end > 0 ? 0.0 : std::min(distance_of(low), distance_of(end - 1));
  };
  double base = 0, slope = 0, least = nearest_of(model_.high(0));
  for (std::uint32_t symbol = 1; symbol < model_.escape(); ++symbol) {
    least = std::min(least, nearest_of(model_.high(symbol)));
  }
  const auto each = [&](const auto& visit) {
    for (std::uint32_t symbol = 0; symbol < model_.escape(); ++symbol) {
      visit(nearest_of(model_.high(symbol)), cost_of(symbol));
    }
    const std::int64_t first = model_.high(0), end = first + model_.escape();
    const bool holds_zero = first <= 0 && end > 0;
    visit(holds_zero ? std::min(nearest_of(first - 1), nearest_of(end)) : 0.0,
          cost_of(model_.escape()));
  };
  each([&](double distance, double cost) {
    if (distance <= least) base = std::max(base, cost);
  });
  each([&](double distance, double cost) {
    if (distance > least) slope = std::max(slope, (cost - base) / distance);
  });
  return {static_cast<float>(base), static_cast<float>(slope)};
}

}  // namespace kakeya
