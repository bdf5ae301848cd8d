// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/point_energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/random.h"
#include "kakeya/entropy/point_model.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

constexpr Lattice kLattices[] = {Lattice::z, Lattice::e8, Lattice::trellis};

// Of points nearest to so many numbers.
double measured_energy(Lattice lattice, const CoordinateShape& shape, double variance) {
  constexpr std::size_t kDim = 128, kTiles = 60;
  float ones[kTileRows];
  std::fill_n(ones, kTileRows, 1.0f);
  TileBuffer tile(kDim);
  const Random random(11);
  double sum = 0;
  std::uint64_t next = 0;
  for (std::size_t at = 0; at < kTiles; ++at) {
    for (std::size_t i = 0; i < kDim * kTileRows; ++i) {
      const double side = random.bits(++next) >> 63 != 0 ? 1 : -1;
      tile.data()[i] = static_cast<float>(random.normal(++next) *
                                          std::sqrt(variance * (1 + side * shape.spread)));
    }
    quantise_tile(lattice, tile.data(), kDim, ones, 0.0f);
    for (std::size_t i = 0; i < kDim * kTileRows; ++i) {
      sum += double{tile.data()[i]} * tile.data()[i];
    }
  }
  return sum / (kDim * kTileRows * kTiles);
}

TEST(PointEnergy, IsWhatQuantisersLeave) {
  for (const Lattice lattice : kLattices) {
    for (const double variance : {0.02, 0.045, 0.0625, 0.08, 0.125, 0.3, 1.0, 20.0}) {
      const CoordinateShape& shape = kCoordinateShapes[0];
      const double expected = measured_energy(lattice, shape, variance);
      EXPECT_NEAR(point_energy(lattice, shape, variance), expected, 0.001 + 0.06 * expected)
          << static_cast<int>(lattice) << " " << variance;
    }
  }
  // Of two spreads coordinates are not like those around them, as the table takes them to be.
  for (const double variance : {0.3, 1.0, 20.0}) {
    const CoordinateShape& shape = kCoordinateShapes[1];
    const double expected = measured_energy(Lattice::z, shape, variance);
    EXPECT_NEAR(point_energy(Lattice::z, shape, variance), expected, 0.06 * expected) << variance;
  }
}

TEST(PointEnergy, TheWayBack) {
  for (const Lattice lattice : kLattices) {
    for (const CoordinateShape& shape : kCoordinateShapes) {
      for (const double variance : {0.05, 0.0625, 0.1, 0.3, 1.0, 900.0}) {
        const double energy = point_energy(lattice, shape, variance);
        EXPECT_NEAR(variance_of_points(lattice, shape, energy, 0.01), variance, 1e-9 * variance)
            << static_cast<int>(lattice) << " " << variance;
      }
      // Zeros say that the variance is small, and no more.
      EXPECT_EQ(variance_of_points(lattice, shape, 0, 1e-3), 1e-3);
      EXPECT_LT(variance_of_points(lattice, shape, 0, 5), 0.08);
      EXPECT_GT(variance_of_points(lattice, shape, 0, 5), 0.01);
    }
  }
}

}  // namespace
}  // namespace kakeya
