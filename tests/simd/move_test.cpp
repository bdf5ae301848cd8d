// SPDX-License-Identifier: Apache-2.0
// Tiles in and out, on every instruction set, against plain loops.
#include <gtest/gtest.h>

#include <limits>

#include "simd/targets.h"

namespace kakeya {
namespace {

using testing::kDims;
using testing::on_every_target;
using testing::patterns;

constexpr std::size_t kOddDims[] = {1, 2, 3, 5, 7, 12, 20};

std::vector<std::size_t> all_dims() {
  std::vector<std::size_t> dims(std::begin(kDims), std::end(kDims));
  dims.insert(dims.end(), std::begin(kOddDims), std::end(kOddDims));
  return dims;
}

// Rows of everything a float can be.
std::vector<float> wild(std::size_t count, std::uint64_t seed) {
  const Random random(seed);
  std::vector<float> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits(i)));
  }
  return x;
}

void expect_loaded(std::size_t dim, std::size_t count, std::size_t stride) {
  const auto x = wild(kTileRows * stride + dim, dim + count);
  TileBuffer tile(dim);
  std::uint32_t largest[kTileRows];
  load_tile({x.data(), count, dim, stride}, tile.data(), largest);
  for (std::size_t r = 0; r < kTileRows; ++r) {
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < dim; ++i) {
      const std::uint32_t bits = r < count ? std::bit_cast<std::uint32_t>(x[r * stride + i]) : 0;
      most = std::max(most, bits & 0x7fffffffu);
      ASSERT_EQ(std::bit_cast<std::uint32_t>(tile.data()[i * kTileRows + r]), bits)
          << "dim " << dim << " count " << count << " row " << r << " coordinate " << i;
    }
    ASSERT_EQ(largest[r], most) << "dim " << dim << " count " << count << " row " << r;
  }
}

TEST(LoadTile, TransposesAnyRowsAndFindsTheLargestPattern) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const std::size_t dim : all_dims()) {
      for (std::size_t count = 0; count <= kTileRows; ++count) {
        expect_loaded(dim, count, dim);
        expect_loaded(dim, count, dim + 3);
      }
    }
  });
}

TEST(LoadTile, InfinitiesAndNansShow) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    const std::size_t dim = 24;
    for (const float bad :
         {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
          std::numeric_limits<float>::quiet_NaN()}) {
      auto x = testing::normals(kTileRows * dim, 1);
      x[5 * dim + 17] = bad;
      TileBuffer tile(dim);
      std::uint32_t largest[kTileRows];
      load_tile({x.data(), kTileRows, dim, dim}, tile.data(), largest);
      for (std::size_t r = 0; r < kTileRows; ++r) EXPECT_EQ(largest[r] >= 0x7f800000u, r == 5) << r;
    }
  });
}

TEST(StoreTile, WritesTheRowsThereAreAndNothingElse) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const std::size_t dim : all_dims()) {
      const auto values = wild(kTileRows * dim, 7 * dim);
      TileBuffer tile(dim);
      std::copy(values.begin(), values.end(), tile.data());
      for (std::size_t count = 0; count <= kTileRows; ++count) {
        for (const std::size_t stride : {dim, dim + 5}) {
          std::vector<float> out(kTileRows * stride + 1, 77.0f), expected = out;
          for (std::size_t r = 0; r < count; ++r) {
            for (std::size_t i = 0; i < dim; ++i) {
              expected[r * stride + i] = values[i * kTileRows + r];
            }
          }
          store_tile(tile.data(), {out.data(), count, dim, stride});
          ASSERT_EQ(patterns(out.data(), out.size()), patterns(expected.data(), out.size()))
              << "dim " << dim << " count " << count << " stride " << stride;
        }
      }
    }
  });
}

TEST(ScaleAndStoreTile, MultipliesByTheFactorAndThenTheSign) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const std::size_t dim : all_dims()) {
      auto values = testing::normals(kTileRows * dim, dim);
      for (std::size_t i = 0; i < values.size(); i += 5) values[i] = i % 2 == 0 ? -0.0f : 0.0f;
      values[1 % values.size()] = std::numeric_limits<float>::denorm_min();
      values[2 % values.size()] = -std::numeric_limits<float>::denorm_min();
      auto factor = testing::normals(kTileRows, 3, 0.4f);
      const auto signs = testing::normals(dim, 4);
      factor[3] = 0.0f;
      TileBuffer tile(dim);
      std::copy(values.begin(), values.end(), tile.data());
      for (const float* sign : {static_cast<const float*>(nullptr), signs.data()}) {
        for (const std::size_t count : {std::size_t{1}, std::size_t{7}, kTileRows}) {
          std::vector<float> out(kTileRows * dim, 77.0f), expected = out;
          for (std::size_t r = 0; r < count; ++r) {
            for (std::size_t i = 0; i < dim; ++i) {
              float value = values[i * kTileRows + r];
              value = value == 0.0f || factor[r] == 0.0f ? 0.0f : value * factor[r];
              expected[r * dim + i] = sign == nullptr ? value : value * sign[i];
            }
          }
          scale_and_store_tile(tile.data(), factor.data(), sign, {out.data(), count, dim, dim});
          ASSERT_EQ(patterns(out.data(), out.size()), patterns(expected.data(), out.size()))
              << "dim " << dim << " count " << count;
          ASSERT_EQ(patterns(tile.data(), values.size()), patterns(values.data(), values.size()));
        }
      }
    }
  });
}

TEST(PointsToLanes, IsTwiceTheCoordinateAndComesBack) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const std::size_t dim : all_dims()) {
      const Random random(dim);
      TileBuffer tile(dim), back(dim);
      for (std::size_t i = 0; i < kTileRows * dim; ++i) {
        const auto twice = static_cast<std::int32_t>(random.bits(i) % (1u << 23)) - (1 << 22);
        tile.data()[i] = 0.5f * static_cast<float>(twice);
      }
      std::vector<std::int32_t> lanes(2 * kTileRows * dim, -7);
      points_to_lanes(tile.data(), dim, lanes.data());
      for (std::size_t i = 0; i < dim; ++i) {
        for (std::size_t r = 0; r < kTileRows; ++r) {
          ASSERT_EQ(static_cast<float>(lanes[2 * kTileRows * i + r]),
                    2.0f * tile.data()[i * kTileRows + r]);
          ASSERT_EQ(lanes[2 * kTileRows * i + kTileRows + r], -7) << "the other half of the group";
        }
      }
      lanes_to_points(lanes.data(), dim, back.data());
      ASSERT_EQ(patterns(back.data(), kTileRows * dim), patterns(tile.data(), kTileRows * dim));
    }
  });
}

}  // namespace
}  // namespace kakeya
