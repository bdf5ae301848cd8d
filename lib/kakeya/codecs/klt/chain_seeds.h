// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kakeya/codecs/klt/chain_learner.h"

namespace kakeya {

/// The most directions of a group that a frame sends.
inline constexpr std::size_t kMostSeeds = 512;

/// Tokens below which a frame sends nothing: no reader of fewer needs a ChainLearner's memory.
inline constexpr std::size_t kLeastSeeded = 256;

/// What a frame says of a cache as a whole, of each group of layers: a mean, and directions along which
/// second moments of u are larger than a prior's. Direction r of all groups together is one token, so that
/// what a layer has in common with the next follows from it. In int8, with a scale each, in deviations of
/// the prior (seed_units()).
struct ChainSeeds {
  struct Group {
    std::vector<std::int8_t>
        scales;  ///< quarter octaves: of the mean, then of each direction; or none
    std::vector<std::int8_t> numbers;  ///< [scales, n]
    std::size_t directions() const { return scales.empty() ? 0 : scales.size() - 1; }
  };
  std::vector<Group> groups;

  bool nothing() const;
  /// The first counts[g] directions of each group, or what there are; of none the mean is left out too.
  ChainSeeds first(std::span<const std::size_t> counts) const;
};

/// Of so many directions, and a mean, of a group of width n.
inline std::size_t seed_bytes(std::size_t directions, std::size_t n) {
  return directions == 0 ? 0 : (directions + 1) * (n + 1);
}

/// As a section of a frame, little-endian:
///
///     R u16 of each group | group 0 | group 1 | ...                 of one with R = 0 nothing more
///                              |
///                              1 + R times: scale i8, n numbers i8      its mean; directions, the strongest first
///
/// Coordinate i is number 2^(scale / 4) seed_units()[i]. And back; throws CorruptStream, beginning with `spec`, on
/// another length, more than kMostSeeds directions, scales that no encoder writes, and where a frame of `tokens` must
/// not send any.
std::vector<std::byte> to_bytes(const ChainSeeds& seeds);
ChainSeeds seeds_from(std::span<const std::byte> bytes, std::size_t groups, std::size_t n,
                      std::size_t tokens, const std::string& spec);

/// A deviation of each coordinate of u, decoded, by the prior: the unit of numbers.
std::vector<float> seed_units(const ChainPrior& prior, std::size_t group);

/// Mean and directions [1 + directions, n] of u that a group's numbers say, or none; the same on every
/// machine.
std::vector<float> seed_rows(const ChainSeeds::Group& group, std::span<const float> units);

/// The numbers that say `rows` most nearly.
ChainSeeds::Group to_seeds(std::span<const float> rows, std::span<const float> units);

}  // namespace kakeya
