// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "kakeya/core/random.h"
#include "kakeya/entropy/point_coder.h"
#include "kakeya/lattice/e8.h"
#include "kakeya/lattice/trellis.h"

namespace kakeya::test {

inline constexpr Lattice kLattices[] = {Lattice::z, Lattice::d4, Lattice::e8, Lattice::trellis};

/// The standard deviation, in steps, of a normal coordinate whose quantised form nominally takes
/// `nominal_bits`: step = sqrt(2 pi e) 2^-bits deviations, for the volume of a cell a little less.
inline double nominal_deviation(Lattice lattice, double nominal_bits) {
  const double volume = std::pow(cell_volume(lattice), 1.0 / block_length(lattice));
  return volume * std::exp2(nominal_bits) / std::sqrt(2 * std::numbers::pi * std::numbers::e);
}

/// Twice the lattice point nearest to y[0, block).
inline void nearest_twice(Lattice lattice, const float* y, std::int32_t* twice) {
  float point[8] = {};
  if (lattice == Lattice::z) point[0] = round_half_even(y[0]);
  if (lattice == Lattice::d4) nearest_dn<4>(y, point);
  if (lattice == Lattice::e8) nearest_e8(y, point);
  for (int i = 0; i < block_length(lattice); ++i)
    twice[i] = static_cast<std::int32_t>(2 * point[i]);
}

/// Twice the numbers of the path nearest to y[0, dim), all paths to each state kept whole.
inline std::vector<std::int32_t> nearest_path_twice(std::vector<float> y) {
  std::reverse(y.begin(), y.end());  // paths begin at the last coordinate
  struct Way {
    double cost;
    std::vector<std::int32_t> twice;
  };
  std::vector<std::unique_ptr<Way>> ways(kTrellisStates);
  ways[0] = std::make_unique<Way>();
  for (const float number : y) {
    const TrellisChoices choices(number);
    std::vector<std::unique_ptr<Way>> next(kTrellisStates);
    for (std::uint32_t state = 0; state < kTrellisStates; ++state) {
      for (std::uint32_t z1 = 0; z1 < 2 && ways[state]; ++z1) {
        const std::uint32_t subset = trellis_parity(state) | z1 << 1;
        const auto twice = static_cast<std::int32_t>(2 * choices.point[subset]);
        const double cost = ways[state]->cost + double{choices.distance[subset]};
        auto& to = next[next_trellis_state(state, twice)];
        if (to && to->cost <= cost) continue;
        to = std::make_unique<Way>(Way{cost, ways[state]->twice});
        to->twice.push_back(twice);
      }
    }
    ways = std::move(next);
  }
  const auto best = std::min_element(ways.begin(), ways.end(), [](const auto& a, const auto& b) {
    return a && (!b || a->cost < b->cost);
  });
  std::reverse((*best)->twice.begin(), (*best)->twice.end());
  return (*best)->twice;
}

/// A page of quantised vectors whose coordinate i is deviations[i] times a standard normal number.
inline std::vector<std::int32_t> normal_points(Lattice lattice, std::size_t vectors,
                                               const std::vector<double>& deviations,
                                               std::uint64_t seed) {
  const std::size_t dim = deviations.size();
  const auto length = static_cast<std::size_t>(block_length(lattice));
  const Random random(seed);
  std::vector<std::int32_t> twice(lane_values(vectors, dim));
  for (std::size_t vector = 0; vector < vectors; ++vector) {
    if (lattice == Lattice::trellis) {
      std::vector<float> y;
      for (std::size_t i = 0; i < dim; ++i) {
        y.push_back(static_cast<float>(deviations[i] * random.normal(vector * dim + i)));
      }
      const auto path = nearest_path_twice(y);
      for (std::size_t i = 0; i < dim; ++i) twice[lane_value(vector, i, dim)] = path[i];
      continue;
    }
    for (std::size_t block = 0; block < dim; block += length) {
      float y[8];
      std::int32_t point[8];
      for (std::size_t i = 0; i < length; ++i) {
        y[i] = static_cast<float>(deviations[block + i] * random.normal(vector * dim + block + i));
      }
      nearest_twice(lattice, y, point);
      for (std::size_t i = 0; i < length; ++i) twice[lane_value(vector, block + i, dim)] = point[i];
    }
  }
  return twice;
}

inline std::vector<std::byte> encode_page(const PointCoder& coder,
                                          std::span<const std::int32_t> twice,
                                          std::size_t vectors) {
  std::vector<std::byte> page(coder.page_bound(vectors));
  page.resize(coder.encode(twice, vectors, page));
  return page;
}

inline std::vector<std::int32_t> decode_page(const PointCoder& coder,
                                             std::span<const std::byte> page, std::size_t vectors) {
  std::vector<std::int32_t> twice(lane_values(vectors, coder.dim()), 12345);
  coder.decode(page, vectors, twice);
  return twice;
}

inline double bits_of(const std::vector<std::byte>& page) {
  return 8.0 * static_cast<double>(page.size());
}

}  // namespace kakeya::test
