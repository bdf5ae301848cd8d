// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/prefix_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace kakeya {
namespace {

constexpr std::int32_t kMostOfFour = 2, kMostOfTwo = 12, kMostHigh = 24;

// A codeword of the greatest length takes 2^-11 from the others, log2(e) 2^-11 bits a lookup; without
// it its coordinates take a correction or two, 40 bits. So it is worth having from this probability on,
// where coordinates have the tails of their class; those of caches have longer ones. A tenth took 0.12
// bits a value from Gemma 3's caches, and nothing from SmolLM2's.
constexpr double kWorthACodeword = 0.1 * 1.4426950408889634 / 2048 / 40;

std::size_t power(std::size_t base, std::size_t exponent) {
  std::size_t product = 1;
  for (; exponent != 0; --exponent) product *= base;
  return product;
}

double deviation_of(std::span<const CoordinateShape> shapes) {
  double sum = 0;
  for (const CoordinateShape& shape : shapes) sum += shape.deviation * shape.deviation;
  return std::sqrt(sum / static_cast<double>(shapes.size()));
}

}  // namespace

PrefixGroup::PrefixGroup(std::span<const CoordinateShape> shapes)
    : deviation_(deviation_of(shapes)),
      together_(deviation_ < 0.52 ? 4 : 2),
      planes_(0),
      base_(2 * (together_ == 4 ? kMostOfFour : kMostOfTwo) + 1),
      code_(make_code(shapes)) {}

PrefixGroup::Digits PrefixGroup::digits_of(std::size_t index) const {
  Digits digits{};
  for (std::size_t k = 0; k < together_; ++k, index /= static_cast<std::size_t>(base_)) {
    digits[k] = static_cast<std::uint8_t>(index % static_cast<std::size_t>(base_));
  }
  return digits;
}

// The digit furthest from the middle, one nearer to it.
std::size_t PrefixGroup::nearer(std::size_t index) const {
  const std::int32_t middle = planes_ == 0 ? base_ / 2 : 0;
  const Digits digits = digits_of(index);
  std::size_t far = 0, scale = 1, of_far = 1;
  for (std::size_t k = 0; k < together_; ++k, scale *= static_cast<std::size_t>(base_)) {
    if (std::abs(digits[k] - middle) <= std::abs(digits[far] - middle)) continue;
    far = k;
    of_far = scale;
  }
  return digits[far] > middle ? index - of_far : index + of_far;
}

std::size_t PrefixGroup::nearest(std::int32_t* v) const {
  std::size_t index = 0;
  for (std::size_t k = together_; k-- > 0;) {
    v[k] = within(v[k]);
    index = index * static_cast<std::size_t>(base_) + static_cast<std::size_t>(digit(v[k]));
  }
  const std::size_t symbol = codewords_[index];
  for (std::size_t k = 0; k < together_; ++k) v[k] = number(digits_[symbol][k], plane_bits(v[k]));
  return symbol;
}

PrefixCode PrefixGroup::make_code(std::span<const CoordinateShape> shapes) {
  for (double high = deviation_ / 2; high >= 1; high /= 2) ++planes_;
  if (planes_ != 0) base_ = kMostHigh + 1;
  // What each digit of each coordinate weighs; all that is beyond goes to the last.
  const auto base = static_cast<std::size_t>(base_);
  std::vector<std::vector<double>> shares;
  for (const CoordinateShape& shape : shapes) {
    const GridDensity density(shape, 1.0 / 12);
    const std::vector<double> at = density.sample(1.0, density.reach() + 1);
    std::vector<double> share(base, 1e-12);
    double sum = 0;
    for (std::size_t size = 0; size < at.size(); ++size) {
      for (const int sign : {1, -1}) {
        if (size == 0 && sign < 0) continue;
        const std::int32_t v = within(sign * static_cast<std::int32_t>(size));
        share[static_cast<std::size_t>(digit(v))] += at[size];
        sum += at[size];
      }
    }
    for (double& of : share) of /= sum;
    shares.push_back(std::move(share));
  }
  const double lookups = static_cast<double>(shapes.size() / together_);
  constexpr std::uint16_t kNone = UINT16_MAX;
  codewords_.assign(power(base, together_), kNone);
  std::vector<std::uint64_t> weights;
  const std::int32_t middle = planes_ == 0 ? base_ / 2 : 0;
  for (std::size_t index = 0; index < codewords_.size(); ++index) {
    const Digits digits = digits_of(index);
    double sum = 0;
    for (std::size_t first = 0; first < shapes.size(); first += together_) {
      double product = 1;
      for (std::size_t k = 0; k < together_; ++k) product *= shares[first + k][digits[k]];
      sum += product;
    }
    // The middle, which all others lead to, and another.
    bool needed = digits[0] == middle || digits[0] == middle + 1;
    for (std::size_t k = 1; k < together_; ++k) needed = needed && digits[k] == middle;
    if (sum < kWorthACodeword * lookups && !needed) continue;
    codewords_[index] = static_cast<std::uint16_t>(digits_.size());
    digits_.push_back(digits);
    weights.push_back(static_cast<std::uint64_t>(sum * 0x1p40) + 1);
  }
  for (std::uint16_t& codeword : codewords_) {
    std::size_t index = static_cast<std::size_t>(&codeword - codewords_.data());
    while (codewords_[index] == kNone) index = nearer(index);
    codeword = codewords_[index];
  }
  return PrefixCode(weights, kMostBits);
}

std::int32_t PrefixGroup::within(std::int32_t v) const {
  if (planes_ != 0) {
    const std::int32_t last = (base_ << (planes_ - 1)) - 1;
    return std::clamp(v, -1 - last, last);
  }
  return std::clamp(v, -(base_ / 2), base_ / 2);
}

std::int32_t PrefixGroup::digit(std::int32_t v) const {
  return planes_ == 0 ? v + base_ / 2 : (v < 0 ? ~v : v) >> (planes_ - 1);
}

std::uint32_t PrefixGroup::plane_bits(std::int32_t v) const {
  if (planes_ == 0) return 0;
  const auto u = static_cast<std::uint32_t>(v < 0 ? ~v : v);
  return (u & ((1u << (planes_ - 1)) - 1)) << 1 | (v < 0 ? 1 : 0);
}

std::int32_t PrefixGroup::number(std::int32_t digit, std::uint32_t bits) const {
  if (planes_ == 0) return digit - base_ / 2;
  const std::int32_t u = digit << (planes_ - 1) | static_cast<std::int32_t>(bits >> 1);
  return (bits & 1) != 0 ? ~u : u;
}

}  // namespace kakeya
