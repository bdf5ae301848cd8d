// SPDX-License-Identifier: Apache-2.0
// Paths of the trellis, on every instruction set, against all paths there are and the plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/lattice/trellis.h"
#include "kakeya/simd/book.h"
#include "simd/targets.h"

namespace kakeya {
namespace {

constexpr auto kTrellis = Lattice::trellis;

double squared_error(const std::vector<float>& y, const std::vector<float>& point) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += std::pow(double{y[i]} - double{point[i]}, 2);
  return sum;
}

// Of all paths through the first `count` coordinates from `state` on: the error of the best, by the
// definition of the code alone.
double least_error(const std::vector<float>& y, std::size_t count, std::uint32_t state) {
  if (count == 0) return 0;
  double least = std::numeric_limits<double>::infinity();
  const float number = y[count - 1];
  const auto middle = static_cast<std::int32_t>(std::lround(2 * number));
  for (std::int32_t twice = middle - 4; twice <= middle + 4; ++twice) {
    if (((static_cast<std::uint32_t>(twice) ^ state) & 1) != 0) continue;
    const double error = std::pow(double{number} - 0.5 * twice, 2);
    if (error >= least) continue;
    least = std::min(least, error + least_error(y, count - 1, next_trellis_state(state, twice)));
  }
  return least;
}

// Row `row` of a tile.
std::vector<float> row_of(const TileBuffer& tile, std::size_t dim, std::size_t row) {
  std::vector<float> x;
  for (std::size_t i = 0; i < dim; ++i) x.push_back(tile.data()[i * kTileRows + row]);
  return x;
}

TEST(Trellis, WaysBackAreTheWaysThere) {
  for (std::uint32_t state = 0; state < kTrellisStates; ++state) {
    for (std::int32_t n = 0; n < 4; ++n) {
      if (((static_cast<std::uint32_t>(n) ^ state) & 1) != 0) continue;
      const std::uint32_t to = next_trellis_state(state, n);
      EXPECT_EQ(next_trellis_state(state, n - 4), to);
      EXPECT_EQ(next_trellis_state(state, n + 4096), to);
      const bool first = trellis_before(to, 0) == state, second = trellis_before(to, 1) == state;
      EXPECT_NE(first, second);
      EXPECT_EQ(trellis_subset(to, second ? 1 : 0), static_cast<std::uint32_t>(n));
    }
  }
}

// Two paths that part and meet again differ in three places or more, by 1, 1/2 and 1 at least:
// where they part and meet, and in between; or by 2 in one.
TEST(Trellis, PathsThatMeetAreFarApart) {
  double least = 4;
  for (std::uint32_t from = 0; from < kTrellisStates; ++from) {
    // distances[a][b]: of two paths that began as one and have not met since
    std::vector<std::vector<double>> distances(
        kTrellisStates,
        std::vector<double>(kTrellisStates, std::numeric_limits<double>::infinity()));
    const auto parity = static_cast<std::int32_t>(trellis_parity(from));
    distances[next_trellis_state(from, parity)][next_trellis_state(from, parity + 2)] = 1;
    for (int step = 0; step < 12; ++step) {
      auto next = distances;
      for (auto& row : next) row.assign(kTrellisStates, std::numeric_limits<double>::infinity());
      for (std::uint32_t a = 0; a < kTrellisStates; ++a) {
        for (std::uint32_t b = 0; b < kTrellisStates; ++b) {
          for (std::int32_t n = 0; n < 4; ++n) {
            for (std::int32_t m = 0; m < 4; ++m) {
              if (n % 2 != static_cast<std::int32_t>(a % 2)) continue;
              if (m % 2 != static_cast<std::int32_t>(b % 2)) continue;
              const int apart = std::min(std::abs(n - m), 4 - std::abs(n - m));
              const double distance = distances[a][b] + 0.25 * apart * apart;
              const std::uint32_t to = next_trellis_state(a, n), other = next_trellis_state(b, m);
              if (to == other) {
                least = std::min(least, distance);
              } else {
                next[to][other] = std::min(next[to][other], distance);
              }
            }
          }
        }
      }
      distances = std::move(next);
    }
  }
  // Ungerboeck's table: 10 times the squared distance of neighbours, here 1/4.
  EXPECT_EQ(least, 2.5);
}

TEST(NearestPaths, AreTheBestOfAll) {
  testing::on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const std::size_t dim : {1u, 2u, 5u, 9u}) {
      for (const float deviation : {0.2f, 1.0f, 5.0f}) {
        const auto x = testing::normals(kTileRows * dim, dim, deviation);
        TileBuffer tile(dim);
        for (std::size_t i = 0; i < x.size(); ++i) tile.data()[i] = x[i];
        const std::vector<float> ones(kTileRows, 1.0f);
        quantise_tile(kTrellis, tile.data(), dim, ones.data(), 0.0f);
        for (std::size_t row = 0; row < kTileRows; ++row) {
          std::vector<float> y;
          for (std::size_t i = 0; i < dim; ++i) y.push_back(x[i * kTileRows + row]);
          const auto point = row_of(tile, dim, row);
          std::uint32_t state = 0;
          for (std::size_t i = dim; i-- > 0;) {
            const auto twice = static_cast<std::int32_t>(2 * point[i]);
            ASSERT_EQ(0.5f * static_cast<float>(twice), point[i]);
            ASSERT_EQ(static_cast<std::uint32_t>(twice) & 1, trellis_parity(state));
            state = next_trellis_state(state, twice);
          }
          EXPECT_NEAR(squared_error(y, point), least_error(y, dim, 0), 1e-4);
        }
      }
    }
  });
}

TEST(NearestPaths, HaveTheSameBitsOnEveryInstructionSet) {
  for (const std::size_t dim : {8u, 64u, 384u}) {
    for (const float deviation : {0.1f, 0.5f, 3.0f, 1000.0f, 200000.0f}) {
      auto x = testing::normals(kTileRows * dim, dim + 1, deviation);
      x[3] = 0.0f;
      x[4] = -0.0f;
      x[5] = 0.25f;
      x[6] = -0.75f;
      std::vector<float> factors;
      for (std::size_t row = 0; row < kTileRows; ++row) {
        factors.push_back(row == 7 ? 0.0f : 1.0f + 0.1f * static_cast<float>(row));
      }
      std::vector<float> expected;
      testing::on_every_target([&](const std::string& name) {
        SCOPED_TRACE(name);
        TileBuffer tile(dim);
        for (std::size_t i = 0; i < x.size(); ++i) tile.data()[i] = x[i];
        quantise_tile(kTrellis, tile.data(), dim, factors.data(), 0.0f);
        for (const float number : row_of(tile, dim, 7)) ASSERT_EQ(number, 0.0f);
        std::vector<float> got(tile.data(), tile.data() + x.size());
        for (const float number : got) ASSERT_FALSE(number == 0.0f && std::signbit(number));
        if (expected.empty()) expected = got;
        ASSERT_EQ(got, expected);
      });
    }
  }
}

// Squared error at the same density of points, for numbers that are uniform at the scale of steps.
TEST(NearestPaths, HaveADecibelLessErrorThanZ) {
  constexpr std::size_t kDim = 256;
  double errors = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto x = testing::normals(kTileRows * kDim, seed, 100.0f);
    TileBuffer tile(kDim);
    for (std::size_t i = 0; i < x.size(); ++i) tile.data()[i] = x[i];
    const std::vector<float> ones(kTileRows, 1.0f);
    quantise_tile(kTrellis, tile.data(), kDim, ones.data(), 0.0f);
    errors += squared_error(x, {tile.data(), tile.data() + x.size()});
  }
  EXPECT_NEAR(errors / (40 * kTileRows * kDim), cell_second_moment(kTrellis), 0.0005);
}

TEST(NearestPaths, HaveNoBoundAndNoBook) {
  TileBuffer tile(8);
  std::fill_n(tile.data(), 8 * kTileRows, 0.0f);
  const std::vector<float> ones(kTileRows, 1.0f);
  EXPECT_THROW(quantise_tile(kTrellis, tile.data(), 8, ones.data(), 3.0f), InputError);
  EXPECT_THROW(TileBook(kTrellis, 3), InputError);
}

}  // namespace
}  // namespace kakeya
