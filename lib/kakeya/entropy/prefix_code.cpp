// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/prefix_code.h"

#include <algorithm>
#include <utility>

namespace kakeya {
namespace {

// A coin of package-merge: symbols, each once for every codeword bit that it stands for.
struct Coin {
  std::uint64_t weight;
  std::vector<std::uint16_t> symbols;
};

// Lengths of at most `most` bits: how often each symbol is among the 2 n - 2 lightest coins of the
// last level, where a level has the symbols and pairs of the level before.
std::vector<std::uint8_t> limited_lengths(std::span<const std::uint64_t> weights, int most) {
  std::vector<Coin> leaves;
  for (std::size_t symbol = 0; symbol < weights.size(); ++symbol) {
    leaves.push_back({weights[symbol], {static_cast<std::uint16_t>(symbol)}});
  }
  const auto lighter = [](const Coin& a, const Coin& b) { return a.weight < b.weight; };
  std::stable_sort(leaves.begin(), leaves.end(), lighter);
  std::vector<Coin> level = leaves;
  for (int bit = 1; bit < most; ++bit) {
    std::vector<Coin> pairs;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      Coin pair = std::move(level[i]);
      pair.weight += level[i + 1].weight;
      pair.symbols.insert(pair.symbols.end(), level[i + 1].symbols.begin(),
                          level[i + 1].symbols.end());
      pairs.push_back(std::move(pair));
    }
    level.clear();
    std::merge(leaves.begin(), leaves.end(), std::make_move_iterator(pairs.begin()),
               std::make_move_iterator(pairs.end()), std::back_inserter(level), lighter);
  }
  std::vector<std::uint8_t> lengths(weights.size());
  for (std::size_t i = 0; i < 2 * weights.size() - 2; ++i) {
    for (const std::uint16_t symbol : level[i].symbols) ++lengths[symbol];
  }
  return lengths;
}

std::uint32_t reversed(std::uint32_t word, int length) {
  std::uint32_t back = 0;
  for (int bit = 0; bit < length; ++bit) back |= (word >> bit & 1) << (length - 1 - bit);
  return back;
}

}  // namespace

PrefixCode::PrefixCode(std::span<const std::uint64_t> weights, int most)
    : most_(most),
      lengths_(limited_lengths(weights, most)),
      words_(weights.size()),
      table_(std::size_t{1} << most) {
  std::uint32_t next = 0;
  for (int length = 1; length <= most; ++length, next <<= 1) {
    for (std::size_t symbol = 0; symbol < weights.size(); ++symbol) {
      if (lengths_[symbol] != length) continue;
      words_[symbol] = static_cast<std::uint16_t>(reversed(next++, length));
      for (std::size_t bits = words_[symbol]; bits < table_.size();
           bits += std::size_t{1} << length) {
        table_[bits] = {static_cast<std::uint16_t>(symbol), static_cast<std::uint16_t>(length)};
      }
    }
  }
}

}  // namespace kakeya
