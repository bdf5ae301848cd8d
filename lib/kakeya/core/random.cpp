// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kakeya {
namespace {

std::uint64_t join(std::uint32_t low, std::uint32_t high) {
  return static_cast<std::uint64_t>(high) << 32 | low;
}

}  // namespace

double open_unit(std::uint64_t bits) {
  constexpr double kLargestBelowOne = 1.0 - 0x1p-53;
  return std::min((static_cast<double>(bits >> 11) + 0.5) * 0x1p-53, kLargestBelowOne);
}

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c,
                                    std::array<std::uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * c[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57u} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(a)};
    k[0] += 0x9E3779B9u;
    k[1] += 0xBB67AE85u;
  }
  return c;
}

std::array<std::uint32_t, 4> Random::block(std::uint64_t index) const {
  return philox({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                 static_cast<std::uint32_t>(stream_), static_cast<std::uint32_t>(stream_ >> 32)},
                {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
}

std::uint64_t Random::bits(std::uint64_t index) const {
  const auto words = block(index);
  return join(words[0], words[1]);
}

double Random::uniform(std::uint64_t index) const { return open_unit(bits(index)); }

double Random::normal(std::uint64_t index) const {
  const auto words = block(index);
  const double radius = std::sqrt(-2.0 * std::log(open_unit(join(words[0], words[1]))));
  return radius * std::cos(2.0 * std::numbers::pi * open_unit(join(words[2], words[3])));
}

}  // namespace kakeya
