// SPDX-License-Identifier: Apache-2.0
#include "kakeya/lattice/quantise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kakeya/core/random.h"

namespace kakeya {
namespace {

double squared_distance(const float* t, const float* point, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += (double{t[i]} - point[i]) * (double{t[i]} - point[i]);
  return sum;
}

bool is_e8_point(const float* z) {
  const bool half = z[0] != std::floor(z[0]);
  float sum = 0.0f;
  for (int i = 0; i < 8; ++i) {
    if (z[i] - std::floor(z[i]) != (half ? 0.5f : 0.0f)) return false;
    sum += z[i];
  }
  return std::fmod(sum, 2.0f) == 0.0f;
}

// The point of quantise_block is that of nearest_e8, or both are equally near up to rounding
// (nearest_e8 rounds t - 1/2, and adds up distances). `differences` counts the latter.
void expect_e8_agrees(const float* t, float bound, int& differences) {
  float point[8], reference[8];
  quantise_block(Lattice::e8, t, bound, point);
  if (bound > 0.0f) {
    nearest_e8_in_box(t, bound, reference);
  } else {
    nearest_e8(t, reference);
  }
  ASSERT_TRUE(is_e8_point(point));
  for (const float c : point) ASSERT_TRUE(bound == 0.0f || std::fabs(c) <= bound);
  if (std::memcmp(point, reference, sizeof point) == 0) return;
  ++differences;
  double size = 1.0;
  for (int i = 0; i < 8; ++i) size = std::fmax(size, std::fabs(t[i]));
  ASSERT_NEAR(squared_distance(t, point, 8), squared_distance(t, reference, 8), 1e-5 * size);
}

TEST(QuantiseBlock, E8AgreesOnRandomBlocks) {
  const Random random(8);
  std::uint64_t next = 0;
  int differences = 0, blocks = 0;
  for (const float deviation : {0.2f, 1.0f, 4.0f, 50.0f, 1000.0f}) {
    for (int trial = 0; trial < 200000; ++trial) {
      float t[8];
      for (float& value : t) {
        value = deviation * static_cast<float>(2.0 * random.uniform(next++) - 1.0);
      }
      expect_e8_agrees(t, 0.0f, differences);
      if (trial % 8 == 0) {
        for (const float bound : {1.0f, 4.0f, 38.0f}) expect_e8_agrees(t, bound, differences);
      }
      ++blocks;
    }
  }
  EXPECT_EQ(blocks, 1000000);
  EXPECT_LE(differences, 20);
}

TEST(QuantiseBlock, E8AgreesOnTiesAndAlmostTies) {
  const Random random(9);
  std::uint64_t next = 0;
  int differences = 0;
  for (const float grid : {1.0f, 0.5f, 0.25f, 0.125f}) {
    for (const float jitter : {0.0f, 1e-7f, 1e-4f}) {
      for (int trial = 0; trial < 20000; ++trial) {
        float t[8];
        for (float& value : t) {
          const auto step = static_cast<int>(random.bits(next++) % 33) - 16;
          const auto noise = static_cast<float>(random.uniform(next++) - 0.5);
          value = grid * static_cast<float>(step) + jitter * noise;
        }
        expect_e8_agrees(t, 0.0f, differences);
        expect_e8_agrees(t, 2.0f, differences);
      }
    }
  }
  EXPECT_GT(differences, 0) << "no tie was broken differently: were there any?";
}

// Each point of E8 is its own nearest point, and stays it when moved by less than half the least
// distance between points, sqrt 2.
TEST(QuantiseBlock, E8KeepsPointsAndTheirNeighbourhood) {
  const Random random(10);
  std::uint64_t next = 0;
  for (int trial = 0; trial < 50000; ++trial) {
    float t[8], z[8], point[8];
    for (float& value : t) value = 20.0f * static_cast<float>(random.normal(next++));
    nearest_e8(t, z);
    quantise_block(Lattice::e8, z, 0.0f, point);
    ASSERT_EQ(std::memcmp(point, z, sizeof z), 0);
    float length = 0.0f;
    for (float& value : t) {
      value = static_cast<float>(random.normal(next++));
      length += value * value;
    }
    const float radius = 0.7f / std::sqrt(length);
    for (int i = 0; i < 8; ++i) t[i] = z[i] + radius * t[i];
    quantise_block(Lattice::e8, t, 0.0f, point);
    ASSERT_EQ(std::memcmp(point, z, sizeof z), 0);
  }
}

TEST(QuantiseBlock, ZRoundsToEvenAndClamps) {
  const float cases[][3] = {{0.5f, 0.0f, 0.0f},   {1.5f, 0.0f, 2.0f},  {-0.5f, 0.0f, 0.0f},
                            {-2.5f, 0.0f, -2.0f}, {7.4f, 5.0f, 5.0f},  {-7.4f, 5.0f, -5.0f},
                            {4.49f, 5.0f, 4.0f},  {3e38f, 5.0f, 5.0f}, {-3e38f, 5.0f, -5.0f},
                            {1e6f, 0.0f, 1e6f},   {-0.0f, 0.0f, 0.0f}, {-0.2f, 1.0f, 0.0f}};
  for (const auto& [t, bound, expected] : cases) {
    float point = 77.0f;
    quantise_block(Lattice::z, &t, bound, &point);
    EXPECT_EQ(point, expected) << t;
    EXPECT_FALSE(std::signbit(point) && point == 0.0f) << t;
  }
}

TEST(QuantiseBlock, D4IsNearestDn) {
  const Random random(11);
  std::uint64_t next = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    float t[4], point[4], expected[4];
    for (float& value : t) {
      value = trial % 2 == 0 ? 5.0f * static_cast<float>(random.normal(next++))
                             : 0.25f * static_cast<float>(random.bits(next++) % 41) - 5.0f;
    }
    quantise_block(Lattice::d4, t, 0.0f, point);
    nearest_dn<4>(t, expected);
    ASSERT_EQ(std::memcmp(point, expected, sizeof point), 0);
    quantise_block(Lattice::d4, t, 3.0f, point);
    nearest_dn_in_box<4>(t, -3.0f, 3.0f, expected);
    ASSERT_EQ(std::memcmp(point, expected, sizeof point), 0);
  }
}

TEST(QuantiseBlock, ABoxTakesAnything) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float large : {5.0f, 1e4f, 2097152.5f, 4194305.0f, 1e10f, 3e38f, infinity}) {
    for (const Lattice lattice : {Lattice::z, Lattice::d4, Lattice::e8}) {
      float t[8] = {large, -large, 0.4f, -0.6f, large, 0.5f, -0.5f, 0.0f}, point[8];
      quantise_block(lattice, t, 4.0f, point);
      for (int i = 0; i < block_length(lattice); ++i) ASSERT_LE(std::fabs(point[i]), 4.0f);
      EXPECT_EQ(point[0] == 4.0f || point[0] == 3.5f || point[0] == 3.0f, true) << large;
    }
  }
}

TEST(QuantiseBlock, IsAConstantExpression) {
  constexpr auto first = [] {
    const float t[8] = {0.4f, -0.4f, 0.4f, 0.45f, -0.45f, 0.4f, -0.4f, -0.4f};
    float point[8] = {};
    quantise_block(Lattice::e8, t, 0.0f, point);
    return point[0];
  }();
  static_assert(first == 0.5f);
}

}  // namespace
}  // namespace kakeya
