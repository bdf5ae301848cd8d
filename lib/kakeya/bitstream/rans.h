// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kakeya {

// Range asymmetric numeral systems: the state is a number, and putting a symbol of probability
// frequency / 4096 multiplies it by about 4096 / frequency, so that in the end it is as long as the
// symbols' information. What grows beyond 32 bits is written as 16-bit words. The decoder takes
// symbols off in the opposite order. J. Duda, "Asymmetric numeral systems", arXiv 1311.2540,
// section 2; the 32-bit form with one word a step is that of F. Giesen, "Interleaved entropy
// coders", arXiv 1402.3392.
//
//   put  x >= frequency * 2^20: write the low 16 bits, x >>= 16
//        x = x / frequency * 4096 + x % frequency + start
//   take slot = x % 4096, the symbol with start <= slot < start + frequency
//        x = x / 4096 * frequency + slot - start
//        x < 2^16: x = x * 2^16 + a word
//
// A state stays in [2^16, 2^32); 16 bits bring any of them back, so one word a step is enough.

inline constexpr int kFrequencyBits = 12;
inline constexpr std::uint32_t kFrequencyTotal = 1u << kFrequencyBits;
inline constexpr std::size_t kMaxSymbols = 256;
inline constexpr std::uint32_t kLeastState = 1u << 16;

/// Bits that a symbol of this frequency, 1 to 4096, costs: log2(4096 / frequency). The same double
/// on every machine.
double frequency_bits(std::uint32_t frequency);

/// Frequencies of symbols 0, 1, ...: whole numbers from 1 on that sum to 4096.
class FrequencyTable {
 public:
  /// Of all such tables the one with the least expected cost, the sum of weights[i] *
  /// frequency_bits(frequency(i)); of equally good ones always the same one, on every machine.
  /// Throws InputError unless there are 2 to 256 finite weights, none negative, with a positive
  /// sum.
  explicit FrequencyTable(std::span<const double> weights);

  std::size_t symbols() const { return frequencies_.size(); }
  std::uint32_t frequency(std::size_t symbol) const { return frequencies_[symbol]; }
  /// The sum of the frequencies of the symbols before it.
  std::uint32_t start(std::size_t symbol) const { return starts_[symbol]; }

 private:
  std::vector<std::uint32_t> frequencies_, starts_;
};

/// Another order of the 4096 slots, for states below 4096. In a row, the slots of a symbol put a
/// state of 0 at its start, anywhere below 4096: the first symbol costs 12 bits whatever it is.
/// Each symbol's slots spread evenly, the state grows by 4096 / frequency from the first symbol on:
///
///     frequencies 5, 2, 1 of 8      slot     0 1 2 3 4 5 6 7
///                           in a row         a a a a a b b c
///                             spread         a a b a c a b a
///
/// A state x < frequency becomes the slot of its row position start + x, and a state below 4096 is
/// taken for the row position of its slot; for all others nothing changes.
class RansSpread {
 public:
  RansSpread() = default;
  explicit RansSpread(const FrequencyTable& table);

  std::uint32_t slot(std::uint32_t row_position) const { return slots_[row_position]; }
  std::uint32_t row_position(std::uint32_t slot) const { return row_positions_[slot]; }

 private:
  std::array<std::uint16_t, kFrequencyTotal> slots_{}, row_positions_{};
};

/// A symbol as the encoder needs it.
class RansSymbol {
 public:
  RansSymbol() = default;
  /// `frequency` is in [1, 4095].
  RansSymbol(std::uint32_t start, std::uint32_t frequency)
      : reciprocal_(((std::uint64_t{1} << 44) + frequency - 1) / frequency),
        limit_(frequency << 20),
        start_(static_cast<std::uint16_t>(start)),
        complement_(static_cast<std::uint16_t>(kFrequencyTotal - frequency)) {}

  std::uint32_t start() const { return start_; }
  std::uint32_t frequency() const { return kFrequencyTotal - complement_; }

  /// True when a word has to leave the state before put().
  bool overflows(std::uint32_t state) const { return state >= limit_; }

  /// The state with the symbol on it; `state` does not overflow.
  ///
  /// The division: reciprocal = (2^44 + e) / frequency with e < frequency, so state * reciprocal /
  /// 2^44 = state / frequency + state * e / (frequency * 2^44), and the second term is below 1 /
  /// frequency, too small to reach the next whole number, because state * e < frequency^2 * 2^20 <
  /// 2^44. The product is below frequency * 2^20 * (2^44 / frequency + 1) - reciprocal < 2^64.
  std::uint32_t put(std::uint32_t state) const {
    const auto quotient = static_cast<std::uint32_t>((state * reciprocal_) >> 44);
    return state + start_ + quotient * complement_;
  }

 private:
  std::uint64_t reciprocal_ = 0;
  std::uint32_t limit_ = 0;
  std::uint16_t start_ = 0, complement_ = 0;
};

/// A table as the decoder needs it: 4 kB that name the symbol of a slot, then 16 bytes a symbol.
class RansDecodeTable {
 public:
  /// What the decoder wants to know of a symbol; `payload` is the owner's.
  struct alignas(16) Entry {
    std::uint32_t frequency = 0, start = 0;
    std::int32_t payload = 0;
    std::uint32_t frequency_and_start = 0;  ///< frequency * 4096 + start
  };

  RansDecodeTable() = default;
  /// One payload a symbol.
  RansDecodeTable(const FrequencyTable& table, std::span<const std::int32_t> payloads);

  /// Of the symbol on top of `state`.
  const Entry& entry(std::uint32_t state) const {
    return entries_[symbols_[state % kFrequencyTotal]];
  }

  /// What entry() goes through, for those who look up many states at once: the symbol of each slot,
  /// and the entry of each symbol, which lie behind the symbols.
  const std::uint8_t* symbols() const { return symbols_.data(); }
  const Entry* entries() const { return entries_.data(); }

  /// The state without the symbol on top, whose entry is given, before a word is added.
  static std::uint32_t take(std::uint32_t state, const Entry& entry) {
    return (state >> kFrequencyBits) * entry.frequency + state % kFrequencyTotal - entry.start;
  }

 private:
  std::array<std::uint8_t, kFrequencyTotal> symbols_{};
  std::array<Entry, kMaxSymbols> entries_{};
};

}  // namespace kakeya
