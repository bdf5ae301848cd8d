// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/class_rate.h"

#include <cmath>

namespace kakeya {
namespace {

double entropy_of(const ValueModel& model) {
  // The escape keeps a frequency of its own, which is next to never used.
  const FrequencyTable& frequencies = model.frequencies();
  const double used = kFrequencyTotal - frequencies.frequency(model.escape());
  double bits = model.raw_bits();
  for (std::uint32_t symbol = 0; symbol < model.escape(); ++symbol) {
    const std::uint32_t frequency = frequencies.frequency(symbol);
    if (frequency != 0) bits += frequency / used * frequency_bits(frequency);
  }
  return bits;
}

// P(even) - P(odd) of a value; values with raw bits are odd as often as even.
double parity_balance(const ValueModel& model) {
  if (model.raw_bits() > 0) return 0;
  double balance = 0, used = 0;
  for (std::uint32_t symbol = 0; symbol < model.escape(); ++symbol) {
    const double frequency = model.frequencies().frequency(symbol);
    balance += model.high(symbol) % 2 == 0 ? frequency : -frequency;
    used += frequency;
  }
  return balance / used;
}

double binary_entropy(double p) {
  return p <= 0 || p >= 1 ? 0 : -p * std::log2(p) - (1 - p) * std::log2(1 - p);
}

// The mean over the parity of the other seven coordinates, even with probability `even`, which the
// last one must match.
double last_rate(const ValueModel& even_model, const ValueModel& odd_model, double even) {
  return even * entropy_of(even_model) + (1 - even) * entropy_of(odd_model);
}

// How many coordinates of nearest paths are half-integers: next to none where deviations are below
// a fifth of a step, as paths then stay in state 0, and half of them from a third on. A fit to
// counts on paths of 256 normal numbers, within 0.025; of heavier tails up to 0.14 fewer are,
// around a third of a step, where the rate then promised is up to 0.07 bit too high.
double share_of_halves(double deviation) {
  if (deviation <= 0) return 0;
  return 0.5 / (1 + std::exp(-(std::log2(deviation) + 1.85) / 0.15));
}

}  // namespace

double class_rate(Lattice lattice, const ClassModels& models) {
  if (lattice == Lattice::z) return entropy_of(models.free[0]);
  if (lattice == Lattice::trellis) {
    return std::lerp(entropy_of(models.free[0]), entropy_of(models.free[1]),
                     share_of_halves(models.deviation));
  }
  if (lattice == Lattice::d4) {
    const double even = (1 + std::pow(parity_balance(models.free[0]), 3)) / 2;
    return (3 * entropy_of(models.free[0]) + last_rate(models.last[0], models.last[1], even)) / 4;
  }
  // Points of even sum: the sum of products of weights is (a^8 + s^8) / 2, s with the signs of
  // parities; half-integers of one kind are half of all, as z and 1 - z weigh the same.
  const double signs = models.signed_integers / models.integers;
  const double halves = std::pow(models.halves / models.integers, 8) / 2;
  const double integers = (1 + std::pow(signs, 8)) / 2;
  const double share = integers / (integers + halves);
  const double even = (1 + std::pow(signs, 7)) / 2;
  const double of_integers =
      7 * entropy_of(models.free[0]) + last_rate(models.last[0], models.last[2], even);
  const double of_halves =
      7 * entropy_of(models.free[1]) + last_rate(models.last[1], models.last[3], 0.5);
  return (binary_entropy(share) + share * of_integers + (1 - share) * of_halves) / 8;
}

}  // namespace kakeya
