// SPDX-License-Identifier: Apache-2.0
// Quantised tiles, on every instruction set, against quantise_block() block by block.
#include "kakeya/lattice/quantise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kakeya/lattice/hadamard.h"
#include "simd/targets.h"

namespace kakeya {
namespace {

using testing::kDims;
using testing::on_every_target;
using testing::patterns;

constexpr Lattice kLattices[] = {Lattice::z, Lattice::d4, Lattice::e8};

struct Steps {
  float inverse[kTileRows], step[kTileRows];
};

// Where the vectors of a tile lie: what is far outside only a box can take.
struct Data {
  const char* name;
  bool boxed_only;
  std::vector<float> (*make)(std::size_t dim);
};

std::vector<float> halves_and_quarters(std::size_t dim) {  // every kind of tie
  const Random random(dim);
  std::vector<float> x(kTileRows * dim);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto bits = random.bits(i);
    const float grid = i / dim % 4 == 0 ? 1.0f : (i / dim % 4 == 1 ? 0.5f : 0.25f);
    x[i] = grid * static_cast<float>(static_cast<int>(bits % 17) - 8);
    if (bits % 17 == 8 && (bits >> 60) < 8) x[i] = -0.0f;
  }
  return x;
}

std::vector<float> largest_allowed(std::size_t dim) {
  const Random random(dim + 1);
  std::vector<float> x(kTileRows * dim);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double place = i / dim % 2 == 0 ? random.uniform(i) : 0.99 + 0.01 * random.uniform(i);
    x[i] = static_cast<float>(place * 0.2 * kLargestCoordinate);  // steps go down to a quarter
    if (random.bits(i) % 4 == 0) x[i] = -x[i];
  }
  return x;
}

std::vector<float> almost_one_value(std::size_t dim) {
  auto x = testing::normals(kTileRows * dim, dim, 1e-6f);
  for (float& value : x) value += 0.5f;
  return x;
}

std::vector<float> huge(std::size_t dim) {
  auto x = testing::normals(kTileRows * dim, dim, 1e3f);
  const float extremes[] = {3e38f,
                            -3e38f,
                            1e30f,
                            -8388609.0f,
                            4194304.5f,
                            2097152.25f,
                            std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()};
  for (std::size_t i = 0; i < x.size(); i += 3) x[i] = extremes[i / 3 % 8];
  return x;
}

const Data kData[] = {
    {"normal", false, [](std::size_t dim) { return testing::normals(kTileRows * dim, dim, 3.0f); }},
    {"wide", false, [](std::size_t dim) { return testing::normals(kTileRows * dim, dim, 1e5f); }},
    {"largest", false, largest_allowed},
    {"ties", false, halves_and_quarters},
    {"one value", false, almost_one_value},
    {"zeros", false, [](std::size_t dim) { return std::vector<float>(kTileRows * dim, -0.0f); }},
    {"tiny", false, [](std::size_t dim) { return testing::normals(kTileRows * dim, dim, 1e-42f); }},
    {"huge", true, huge},
};

std::vector<float> expected_points(Lattice lattice, const std::vector<float>& x, std::size_t dim,
                                   const Steps& steps, float bound) {
  const auto block = static_cast<std::size_t>(block_length(lattice));
  std::vector<float> points(kTileRows * dim);
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t first = 0; first < dim; first += block) {
      float t[8], point[8];
      for (std::size_t i = 0; i < block; ++i) t[i] = x[r * dim + first + i] * steps.inverse[r];
      quantise_block(lattice, t, bound, point);
      for (std::size_t i = 0; i < block; ++i) points[(first + i) * kTileRows + r] = point[i];
    }
  }
  return points;
}

// quantise_and_store_tile() and sum_and_store_tile(), of whole tiles and of a few rows, against
// sums and products of these points.
void expect_stored(Lattice lattice, const std::vector<float>& x, const std::vector<float>& points,
                   std::size_t dim, const Steps& steps, float bound) {
  constexpr float kUntouched = 12345.0f;
  TileBuffer sums(dim), tile(dim);
  std::copy(points.begin(), points.end(), sums.data());
  sum_tile(sums.data(), dim);
  std::vector<float> signs(dim);
  for (std::size_t i = 0; i < dim; ++i) signs[i] = i % 3 == 0 ? -1.0f : 1.0f;
  for (const std::size_t count : {kTileRows, std::size_t{5}, std::size_t{0}}) {
    const float* const sign = count == kTileRows ? nullptr : signs.data();
    const std::size_t stride = dim + 3;
    std::vector<float> expected(kTileRows * stride, kUntouched);
    scale_and_store_tile(sums.data(), steps.step, sign, {expected.data(), count, dim, stride});
    std::vector<float> stored(expected.size(), kUntouched);
    testing::fill_tile(x, dim, tile.data());
    quantise_and_store_tile(lattice, tile.data(), steps.inverse, bound, steps.step, sign,
                            {stored.data(), count, dim, stride});
    ASSERT_EQ(patterns(stored.data(), stored.size()), patterns(expected.data(), expected.size()))
        << count << " rows";
    std::fill(stored.begin(), stored.end(), kUntouched);
    std::copy(points.begin(), points.end(), tile.data());
    sum_and_store_tile(tile.data(), steps.step, sign, {stored.data(), count, dim, stride});
    ASSERT_EQ(patterns(stored.data(), stored.size()), patterns(expected.data(), expected.size()))
        << count << " rows";
  }
}

void expect_quantised(Lattice lattice, const Data& data, std::size_t dim, float bound) {
  SCOPED_TRACE(::testing::Message() << "lattice " << static_cast<int>(lattice) << ", " << data.name
                                    << ", dim " << dim << ", bound " << bound);
  const auto x = data.make(dim);
  Steps steps;
  for (std::size_t r = 0; r < kTileRows; ++r) {
    steps.inverse[r] = r < 8 ? 1.0f : 0.25f * static_cast<float>(r);
    steps.step[r] = 1.0f / steps.inverse[r];
  }
  steps.inverse[15] = 0.0f;  // what a vector of zeros has
  steps.step[15] = 0.0f;
  const std::size_t values = kTileRows * dim;
  auto points = expected_points(lattice, x, dim, steps, bound);
  TileBuffer tile(dim);
  if (data.boxed_only) {
    steps.inverse[15] = 1.0f;  // an infinity times 0 is none of the inputs allowed
    points = expected_points(lattice, x, dim, steps, bound);
  }
  testing::fill_tile(x, dim, tile.data());
  quantise_tile(lattice, tile.data(), dim, steps.inverse, bound);
  ASSERT_EQ(patterns(tile.data(), values), patterns(points.data(), values));

  if (dim >= 8 && is_power_of_two(dim)) expect_stored(lattice, x, points, dim, steps, bound);
}

TEST(QuantiseTile, IsQuantiseBlockInEveryLane) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const Lattice lattice : kLattices) {
      for (const Data& data : kData) {
        for (const std::size_t dim : kDims) {
          for (const float bound : {0.0f, 1.0f, 4.0f, 38.0f, 1023.0f}) {
            if (bound > 0.0f || !data.boxed_only) expect_quantised(lattice, data, dim, bound);
          }
        }
      }
    }
  });
}

TEST(QuantiseTile, TakesEveryMultipleOfTheBlock) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (std::size_t dim = 1; dim <= 40; ++dim) {
      for (const float bound : {0.0f, 2.0f}) {
        expect_quantised(Lattice::z, kData[0], dim, bound);
        if (dim % 4 == 0) expect_quantised(Lattice::d4, kData[0], dim, bound);
        if (dim % 8 == 0) expect_quantised(Lattice::e8, kData[0], dim, bound);
      }
    }
  });
}

// Vectors scaled to their maximum, as codecs do: one in a few leaves the box somewhere, and in some
// tiles many blocks do.
TEST(QuantiseTile, ManyBlocksOutsideTheBox) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const std::size_t dim = 64;
      const float bound = seed % 3 == 0 ? 1.0f : (seed % 3 == 1 ? 3.0f : 38.0f);
      const auto x = testing::normals(kTileRows * dim, seed, seed % 2 == 0 ? 0.5f : 1.0f);
      Steps steps;
      for (std::size_t r = 0; r < kTileRows; ++r) {
        float largest = 0.0f;
        for (std::size_t i = 0; i < dim; ++i)
          largest = std::fmax(largest, std::fabs(x[r * dim + i]));
        steps.inverse[r] = bound / largest;
      }
      for (const Lattice lattice : kLattices) {
        const auto points = expected_points(lattice, x, dim, steps, bound);
        TileBuffer tile(dim);
        testing::fill_tile(x, dim, tile.data());
        quantise_tile(lattice, tile.data(), dim, steps.inverse, bound);
        ASSERT_EQ(patterns(tile.data(), points.size()), patterns(points.data(), points.size()));
      }
    }
  });
}

}  // namespace
}  // namespace kakeya
