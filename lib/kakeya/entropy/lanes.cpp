// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/lanes.h"

#include <algorithm>
#include <array>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/lattice/dn.h"
#include "kakeya/lattice/trellis.h"

namespace kakeya {
namespace {

// A point of the lattice: all of one coset (integers, but for E8), and an even sum where there are
// blocks. What is wrong is gathered over all lanes, so that the compiler can take several at once.
template <Lattice kLattice>
bool are_points(const std::int32_t* twice, std::size_t dim, std::size_t lanes) {
  constexpr auto kLargestTwice = static_cast<std::int32_t>(2 * kLargestCoordinate);
  constexpr std::size_t kLength = block_length(kLattice);
  std::int32_t wrong = 0;
  for (std::size_t block = 0; block < dim; block += kLength) {
    std::array<std::int32_t, kLanes> sum{};
    const std::int32_t* first = twice + block * kLanes;
    for (std::size_t i = 0; i < kLength; ++i) {
      const std::int32_t* row = first + i * kLanes;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::int32_t value = row[lane];
        wrong |= (kLattice == Lattice::e8 ? value ^ first[lane] : value) & 1;
        wrong |= value > kLargestTwice || value < -kLargestTwice ? 1 : 0;
        sum[lane] ^= value >> 1;
      }
    }
    if (kLength == 1) continue;
    for (std::size_t lane = 0; lane < lanes; ++lane) wrong |= sum[lane] & 1;
  }
  return wrong == 0;
}

bool are_paths(const std::int32_t* twice, std::size_t dim, std::size_t lanes, std::size_t path) {
  constexpr auto kLargestTwice = static_cast<std::int32_t>(2 * kLargestCoordinate);
  std::uint32_t wrong = 0;
  std::array<std::uint32_t, kLanes> state{};
  for (std::size_t i = dim; i-- > 0;) {
    if (i % path == path - 1) state.fill(0);
    const std::int32_t* row = twice + i * kLanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::int32_t value = row[lane];
      wrong |= (static_cast<std::uint32_t>(value) ^ trellis_parity(state[lane])) & 1;
      wrong |= value > kLargestTwice || value < -kLargestTwice ? 1 : 0;
      state[lane] = next_trellis_state(state[lane], value);
    }
  }
  return wrong == 0;
}

bool are_points(Lattice lattice, const std::int32_t* twice, std::size_t dim, std::size_t lanes,
                std::size_t path) {
  if (lattice == Lattice::trellis) return are_paths(twice, dim, lanes, path);
  if (lattice == Lattice::z) return are_points<Lattice::z>(twice, dim, lanes);
  if (lattice == Lattice::d4) return are_points<Lattice::d4>(twice, dim, lanes);
  return are_points<Lattice::e8>(twice, dim, lanes);
}

}  // namespace

void require_lanes(Lattice lattice, std::size_t values, std::size_t vectors, std::size_t dim) {
  const auto length = static_cast<std::size_t>(block_length(lattice));
  if (dim == 0 || dim % length != 0) {
    throw InputError("page: vectors of " + std::to_string(dim) +
                     " coordinates, expected a multiple of " + std::to_string(length));
  }
  if (vectors == 0 || (vectors - 1) / kLanes >= values / kLanes / dim) {
    throw InputError("page: room for " + std::to_string(values) + " coordinates for " +
                     std::to_string(vectors) + " vectors of " + std::to_string(dim) +
                     ", expected a vector or more and whole groups of 32");
  }
}

void require_points(Lattice lattice, std::span<const std::int32_t> twice, std::size_t vectors,
                    std::size_t dim, std::size_t path) {
  for (std::size_t first = 0; first < vectors; first += kLanes) {
    const std::size_t lanes = std::min(kLanes, vectors - first);
    if (!are_points(lattice, twice.data() + first * dim, dim, lanes, path)) {
      throw InputError("page: vectors " + std::to_string(first) + " to " +
                       std::to_string(first + lanes - 1) +
                       " are not all points of the lattice within 2^21");
    }
  }
}

}  // namespace kakeya
