// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/chain_seeds.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kakeya/core/error.h"
#include "kakeya/entropy/point_model.h"

namespace kakeya {
namespace {

constexpr int kLeastScale = -64, kMostScale = 40;  // 2^-16 to 2^10 deviations
constexpr float kLargest = 127;

float unit_of_scale(int scale) { return static_cast<float>(quarter_octaves(scale)); }

}  // namespace

bool ChainSeeds::nothing() const {
  return std::ranges::all_of(groups, [](const Group& group) { return group.scales.empty(); });
}

ChainSeeds ChainSeeds::first(std::span<const std::size_t> counts) const {
  ChainSeeds some;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Group& from = groups[g];
    Group& to = some.groups.emplace_back();
    const std::size_t rows = counts[g] == 0 ? 0 : std::min(counts[g] + 1, from.scales.size());
    if (rows == 0) continue;
    const std::size_t n = from.numbers.size() / from.scales.size();
    to.scales.assign(from.scales.begin(), from.scales.begin() + static_cast<std::ptrdiff_t>(rows));
    to.numbers.assign(from.numbers.begin(),
                      from.numbers.begin() + static_cast<std::ptrdiff_t>(rows * n));
  }
  return some;
}

std::vector<std::byte> to_bytes(const ChainSeeds& seeds) {
  std::vector<std::byte> bytes;
  for (const ChainSeeds::Group& group : seeds.groups) {
    bytes.push_back(static_cast<std::byte>(group.directions() & 0xff));
    bytes.push_back(static_cast<std::byte>(group.directions() >> 8));
  }
  for (const ChainSeeds::Group& group : seeds.groups) {
    for (std::size_t row = 0; row < group.scales.size(); ++row) {
      const std::size_t n = group.numbers.size() / group.scales.size();
      const auto numbers = std::as_bytes(std::span(group.numbers).subspan(row * n, n));
      bytes.push_back(static_cast<std::byte>(group.scales[row]));
      bytes.insert(bytes.end(), numbers.begin(), numbers.end());
    }
  }
  return bytes;
}

ChainSeeds seeds_from(std::span<const std::byte> bytes, std::size_t groups, std::size_t n,
                      std::size_t tokens, const std::string& spec) {
  const auto refuse = [&](const std::string& what) {
    throw CorruptStream(spec + ": section seeds: " + what);
  };
  std::size_t expected = 2 * groups;
  std::vector<std::size_t> directions(groups);
  for (std::size_t g = 0; g < groups && bytes.size() >= 2 * groups; ++g) {
    directions[g] = std::to_integer<std::size_t>(bytes[2 * g]) |
                    std::to_integer<std::size_t>(bytes[2 * g + 1]) << 8;
    if (directions[g] > kMostSeeds) {
      refuse(std::to_string(directions[g]) + " directions of group " + std::to_string(g) +
             ", expected at most " + std::to_string(kMostSeeds));
    }
    expected += seed_bytes(directions[g], n);
  }
  if (bytes.size() != expected) {
    refuse(std::to_string(bytes.size()) + " bytes, expected " + std::to_string(expected));
  }
  if (expected > 2 * groups && tokens < kLeastSeeded) {
    refuse("directions beside " + std::to_string(tokens) + " tokens, expected none below " +
           std::to_string(kLeastSeeded));
  }
  ChainSeeds seeds;
  auto at = bytes.begin() + static_cast<std::ptrdiff_t>(2 * groups);
  for (const std::size_t count : directions) {
    ChainSeeds::Group& group = seeds.groups.emplace_back();
    const std::size_t rows = count == 0 ? 0 : count + 1;
    group.numbers.resize(rows * n);
    for (std::size_t row = 0; row < rows; ++row) {
      group.scales.push_back(static_cast<std::int8_t>(*at++));
      if (group.scales.back() < kLeastScale || group.scales.back() > kMostScale) {
        refuse("a scale of " + std::to_string(group.scales.back()) + ", expected one from " +
               std::to_string(kLeastScale) + " to " + std::to_string(kMostScale));
      }
      std::memcpy(&group.numbers[row * n], &*at, n);
      at += static_cast<std::ptrdiff_t>(n);
    }
  }
  return seeds;
}

std::vector<float> seed_units(const ChainPrior& prior, std::size_t group) {
  const std::vector<float>& own = prior.groups[group].own;
  std::vector<float> units;
  for (std::size_t i = 0; i < prior.width; ++i) {
    const double variance = std::max(double{own[i * prior.width + i]}, 0.0);
    units.push_back(static_cast<float>(std::sqrt(variance + prior.noise)));
  }
  return units;
}

std::vector<float> seed_rows(const ChainSeeds::Group& group, std::span<const float> units) {
  const std::size_t n = units.size();
  std::vector<float> rows(group.numbers.size());
  for (std::size_t row = 0; row < group.scales.size(); ++row) {
    const float scale = unit_of_scale(group.scales[row]);
    for (std::size_t i = 0; i < n; ++i) {
      rows[row * n + i] = static_cast<float>(group.numbers[row * n + i]) * scale * units[i];
    }
  }
  return rows;
}

ChainSeeds::Group to_seeds(std::span<const float> rows, std::span<const float> units) {
  const std::size_t n = units.size();
  ChainSeeds::Group group;
  for (std::size_t row = 0; row * n < rows.size(); ++row) {
    std::vector<float> numbers(n);
    float most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      numbers[i] = rows[row * n + i] / units[i];
      most = std::max(most, std::fabs(numbers[i]));
    }
    int scale = kLeastScale;
    while (scale < kMostScale && !(kLargest * unit_of_scale(scale) >= most)) ++scale;
    group.scales.push_back(static_cast<std::int8_t>(scale));
    const float unit = unit_of_scale(group.scales.back());
    for (const float number : numbers) {
      group.numbers.push_back(
          static_cast<std::int8_t>(std::lround(std::clamp(number / unit, -kLargest, kLargest))));
    }
  }
  return group;
}

}  // namespace kakeya
