// SPDX-License-Identifier: Apache-2.0
#include "kakeya/bitstream/rans.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "kakeya/bitstream/frequency_gain.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr auto kBits = [] {
  std::array<double, kFrequencyTotal + 1> bits{};
  for (std::size_t f = kFrequencyTotal - 1; f > 0; --f) bits[f] = bits[f + 1] + kFrequencyGain[f];
  return bits;
}();

double checked_sum(std::span<const double> weights) {
  if (weights.size() < 2 || weights.size() > kMaxSymbols) {
    throw InputError("frequency table: " + std::to_string(weights.size()) +
                     " symbols, expected 2 to " + std::to_string(kMaxSymbols));
  }
  double sum = 0.0;
  bool usable = true;
  for (const double weight : weights) {
    usable &= weight >= 0.0 && weight <= std::numeric_limits<double>::max();
    sum += weight;
  }
  if (!usable || !(sum > 0.0) || sum > std::numeric_limits<double>::max()) {
    throw InputError("frequency table: expected finite weights, none negative, of a positive sum");
  }
  return sum;
}

// The cost is a sum of convex functions of one frequency each, so a table is optimal when no slot
// can be moved from one symbol to another at a profit, and moving slots ends there.
class SlotMarket {
 public:
  SlotMarket(std::span<const double> weights, std::vector<std::uint32_t>& frequencies)
      : weights_(weights), frequencies_(frequencies) {}

  struct Trade {
    std::size_t symbol;
    double worth;
  };
  Trade best_gain() const {
    Trade best{0, -1.0};
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const double worth = weights_[i] * kFrequencyGain[frequencies_[i]];
      if (worth > best.worth) best = {i, worth};
    }
    return best;
  }
  Trade least_loss() const {
    Trade best{0, std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (frequencies_[i] < 2) continue;
      const double worth = weights_[i] * kFrequencyGain[frequencies_[i] - 1];
      if (worth < best.worth) best = {i, worth};
    }
    return best;
  }

 private:
  std::span<const double> weights_;
  std::vector<std::uint32_t>& frequencies_;
};

}  // namespace

double frequency_bits(std::uint32_t frequency) { return kBits[frequency]; }

FrequencyTable::FrequencyTable(std::span<const double> weights) {
  const double sum = checked_sum(weights);
  for (const double weight : weights) {
    const auto share = static_cast<std::uint32_t>(weight / sum * kFrequencyTotal);
    frequencies_.push_back(std::clamp(share, 1u, kFrequencyTotal - 1));
  }
  const SlotMarket market(weights, frequencies_);
  auto total = std::reduce(frequencies_.begin(), frequencies_.end());
  for (; total > kFrequencyTotal; --total) --frequencies_[market.least_loss().symbol];
  for (; total < kFrequencyTotal; ++total) ++frequencies_[market.best_gain().symbol];
  for (;;) {
    const auto gain = market.best_gain(), loss = market.least_loss();
    if (!(gain.worth > loss.worth)) break;
    ++frequencies_[gain.symbol];
    --frequencies_[loss.symbol];
  }
  starts_.resize(frequencies_.size());
  std::exclusive_scan(frequencies_.begin(), frequencies_.end(), starts_.begin(), 0u);
}

RansSpread::RansSpread(const FrequencyTable& table) {
  // The slots of a symbol lie in the middles of `frequency` equal parts. Sorted by counting, those
  // of equal place in the order of the row.
  std::array<std::uint16_t, kFrequencyTotal> places;
  std::array<std::uint16_t, kFrequencyTotal + 1> next{};
  for (std::size_t symbol = 0; symbol < table.symbols(); ++symbol) {
    const std::uint32_t start = table.start(symbol), frequency = table.frequency(symbol);
    for (std::uint32_t i = 0; i < frequency; ++i) {
      const std::uint32_t place = (2 * i + 1) * (kFrequencyTotal / 2) / frequency;
      places[start + i] = static_cast<std::uint16_t>(place);
      ++next[place + 1];
    }
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::uint32_t position = 0; position < kFrequencyTotal; ++position) {
    const std::uint16_t slot = next[places[position]]++;
    slots_[position] = slot;
    row_positions_[slot] = static_cast<std::uint16_t>(position);
  }
}

RansDecodeTable::RansDecodeTable(const FrequencyTable& table,
                                 std::span<const std::int32_t> payloads) {
  for (std::size_t symbol = 0; symbol < table.symbols(); ++symbol) {
    const std::uint32_t start = table.start(symbol), frequency = table.frequency(symbol);
    entries_[symbol] = {frequency, start, payloads[symbol], frequency << kFrequencyBits | start};
    std::fill_n(symbols_.begin() + start, frequency, static_cast<std::uint8_t>(symbol));
  }
}

}  // namespace kakeya
