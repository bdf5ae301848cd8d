// SPDX-License-Identifier: Apache-2.0
#include "kakeya/bitstream/rans.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

double cost(std::span<const double> weights, std::span<const std::uint32_t> frequencies) {
  double bits = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    bits += weights[i] * frequency_bits(frequencies[i]);
  }
  return bits;
}

std::vector<std::uint32_t> frequencies_of(const FrequencyTable& table) {
  std::vector<std::uint32_t> frequencies;
  for (std::size_t i = 0; i < table.symbols(); ++i) frequencies.push_back(table.frequency(i));
  return frequencies;
}

// Weights of very unequal size, some of them 0.
std::vector<double> random_weights(std::size_t count, std::uint64_t seed) {
  const Random random(seed);
  std::vector<double> weights;
  for (std::size_t i = 0; i < count; ++i) {
    const double u = random.uniform(2 * i), v = random.uniform(2 * i + 1);
    weights.push_back(u < 0.1 ? 0.0 : std::exp(-12.0 * v));
  }
  weights[0] += 1e-6;
  return weights;
}

TEST(FrequencyBits, IsTheLogarithm) {
  for (std::uint32_t frequency = 1; frequency <= kFrequencyTotal; ++frequency) {
    EXPECT_NEAR(frequency_bits(frequency), std::log2(4096.0 / frequency), 1e-12);
  }
}

TEST(FrequencyTable, StartsAddUpTo4096) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::size_t count = 2 + seed * 254 / 199;
    const FrequencyTable table(random_weights(count, seed));
    ASSERT_EQ(table.symbols(), count);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_GE(table.frequency(i), 1u);
      ASSERT_EQ(table.start(i), sum);
      sum += table.frequency(i);
    }
    ASSERT_EQ(sum, kFrequencyTotal);
  }
}

// All tables of three symbols.
TEST(FrequencyTable, IsTheCheapest) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto weights = random_weights(3, 1000 + seed);
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t a = 1; a < kFrequencyTotal - 1; ++a) {
      for (std::uint32_t b = 1; a + b < kFrequencyTotal; ++b) {
        const std::uint32_t frequencies[] = {a, b, kFrequencyTotal - a - b};
        least = std::min(least, cost(weights, frequencies));
      }
    }
    const double found = cost(weights, frequencies_of(FrequencyTable(weights)));
    EXPECT_NEAR(found, least, 1e-12 * least);
  }
}

// With any number of symbols: the cost is convex, so no better table exists when moving one slot
// from any symbol to any other gains nothing.
TEST(FrequencyTable, GainsNothingByMovingASlot) {
  for (const std::size_t count : {2, 5, 40, 256}) {
    const auto weights = random_weights(count, 2000 + count);
    auto frequencies = frequencies_of(FrequencyTable(weights));
    const double found = cost(weights, frequencies);
    for (std::size_t from = 0; from < count; ++from) {
      if (frequencies[from] == 1) continue;
      for (std::size_t to = 0; to < count; ++to) {
        --frequencies[from];
        ++frequencies[to];
        ASSERT_GE(cost(weights, frequencies), found * (1 - 1e-12)) << from << " to " << to;
        ++frequencies[from];
        --frequencies[to];
      }
    }
  }
}

TEST(FrequencyTable, RefusesWhatIsNoDistribution) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(FrequencyTable(std::vector<double>{1.0}), InputError);
  EXPECT_THROW(FrequencyTable(std::vector<double>(257, 1.0)), InputError);
  EXPECT_THROW(FrequencyTable(std::vector<double>{0.0, 0.0}), InputError);
  EXPECT_THROW(FrequencyTable(std::vector<double>{1.0, -1.0}), InputError);
  EXPECT_THROW(FrequencyTable(std::vector<double>{1.0, infinity}), InputError);
  EXPECT_THROW(FrequencyTable(std::vector<double>{1.0, std::nan("")}), InputError);
  EXPECT_THROW(FrequencyTable(std::vector<double>{1e308, 1e308}), InputError);
}

// The division by multiplication, at the ends of every quotient that matters and at random.
TEST(RansSymbol, DividesExactly) {
  const Random random(3);
  for (std::uint32_t frequency = 1; frequency < kFrequencyTotal; ++frequency) {
    const std::uint32_t start = kFrequencyTotal - frequency, limit = frequency << 20;
    const RansSymbol symbol(start, frequency);
    const auto check = [&](std::uint32_t x) {
      ASSERT_EQ(symbol.put(x), x / frequency * kFrequencyTotal + x % frequency + start)
          << x << " / " << frequency;
    };
    EXPECT_FALSE(symbol.overflows(limit - 1));
    EXPECT_TRUE(symbol.overflows(limit));
    EXPECT_EQ(symbol.frequency(), frequency);
    check(0);
    check(limit - 1);
    check(limit - frequency);
    check(limit - frequency - 1);
    for (std::uint64_t i = 0; i < 64; ++i) {
      const auto x = static_cast<std::uint32_t>(random.bits(frequency * 64 + i) % limit);
      check(x);
      check(x - x % frequency);
      check(x - x % frequency + frequency - 1);
    }
  }
}

// Putting and taking as one lane of a page does it, small states included.
class OneLane {
 public:
  explicit OneLane(const FrequencyTable& table) : spread_(table) {
    std::vector<std::int32_t> payloads;
    for (std::size_t i = 0; i < table.symbols(); ++i) {
      symbols_.emplace_back(table.start(i), table.frequency(i));
      payloads.push_back(static_cast<std::int32_t>(i));
    }
    decoder_ = RansDecodeTable(table, payloads);
  }

  std::uint32_t put(std::uint32_t state, std::uint32_t symbol) const {
    const RansSymbol& encoder = symbols_[symbol];
    return state < encoder.frequency() ? spread_.slot(encoder.start() + state) : encoder.put(state);
  }
  std::uint32_t put_in_a_row(std::uint32_t state, std::uint32_t symbol) const {
    return symbols_[symbol].put(state);
  }
  std::uint32_t take(std::uint32_t state, std::uint32_t& symbol) const {
    if (state < kFrequencyTotal) state = spread_.row_position(state);
    const auto& entry = decoder_.entry(state);
    symbol = static_cast<std::uint32_t>(entry.payload);
    return RansDecodeTable::take(state, entry);
  }
  bool overflows(std::uint32_t state, std::uint32_t symbol) const {
    return symbols_[symbol].overflows(state);
  }

 private:
  RansSpread spread_;
  std::vector<RansSymbol> symbols_;
  RansDecodeTable decoder_;
};

TEST(Rans, TakingUndoesPuttingInEverySmallState) {
  for (const std::size_t count : {2, 3, 40, 256}) {
    const OneLane lane{FrequencyTable(random_weights(count, 3000 + count))};
    for (std::uint32_t state = 0; state < 4 * kFrequencyTotal; ++state) {
      std::uint32_t symbol = 0;
      const std::uint32_t below = lane.take(state, symbol);
      ASSERT_EQ(lane.put(below, symbol), state);
    }
  }
}

// From a state of 0 on, a state is no longer than its symbols' information; with the slots in a row
// it would be.
TEST(RansSpread, FirstSymbolsCostNoMoreThanTheyMust) {
  std::vector<double> weights;
  for (int i = -20; i <= 20; ++i) weights.push_back(std::exp(-i * i / 32.0));
  const FrequencyTable table(weights);
  const OneLane lane(table);
  const Random random(5);
  double spread_excess = 0.0, row_excess = 0.0;
  constexpr int kRounds = 4000;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    std::uint32_t spread = 0, row = 0;
    double bits = 0.0;
    for (std::uint64_t i = 0; i < 3; ++i) {
      std::uint32_t symbol = 0;
      lane.take(kFrequencyTotal + static_cast<std::uint32_t>(random.bits(round * 3 + i) % 4096),
                symbol);
      spread = lane.put(spread, symbol);
      row = lane.put_in_a_row(row, symbol);
      bits += frequency_bits(table.frequency(symbol));
    }
    spread_excess += (std::log2(spread + 1.0) - bits) / kRounds;
    row_excess += (std::log2(row + 1.0) - bits) / kRounds;
  }
  EXPECT_NEAR(spread_excess, -1.75, 0.3);
  EXPECT_NEAR(row_excess, 6.3, 0.5);
}

TEST(Rans, WritesItsEntropy) {
  const FrequencyTable table(random_weights(100, 4));
  const OneLane lane(table);
  const Random random(6);
  std::vector<std::uint32_t> symbols;
  double bits = 0.0;
  for (std::uint64_t i = 0; i < 200000; ++i) {
    std::uint32_t symbol = 0;
    lane.take(kFrequencyTotal + static_cast<std::uint32_t>(random.bits(i) % 4096), symbol);
    symbols.push_back(symbol);
    bits += frequency_bits(table.frequency(symbol));
  }
  std::vector<std::uint16_t> words;
  std::uint32_t state = kLeastState;
  for (const std::uint32_t symbol : symbols) {
    if (lane.overflows(state, symbol)) {
      words.push_back(static_cast<std::uint16_t>(state));
      state >>= 16;
    }
    state = lane.put(state, symbol);
  }
  const double written = 16.0 * static_cast<double>(words.size()) + 32;
  EXPECT_NEAR(written / 200000, bits / 200000, 0.0002);
  for (std::size_t i = symbols.size(); i-- > 0;) {
    std::uint32_t symbol = 0;
    state = lane.take(state, symbol);
    ASSERT_EQ(symbol, symbols[i]);
    if (state < kLeastState && !words.empty()) {
      state = state << 16 | words.back();
      words.pop_back();
    }
  }
  EXPECT_EQ(state, kLeastState);
  EXPECT_TRUE(words.empty());
}

}  // namespace
}  // namespace kakeya
