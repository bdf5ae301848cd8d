// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "kakeya/core/random.h"
#include "kakeya/lattice/e8.h"
#include "support/reference_outputs.h"

namespace kakeya {
namespace {

using Nearest = void (*)(const float*, float*);

double squared_distance(const float* a, const float* b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
  return sum;
}

bool in_dn(const float* z, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    if (z[i] != std::floor(z[i])) return false;
    sum += static_cast<long>(z[i]);
  }
  return sum % 2 == 0;
}

bool in_e8(const float* z) {
  float shifted[8];
  for (int i = 0; i < 8; ++i) shifted[i] = z[i] - 0.5f;
  return in_dn(z, 8) || in_dn(shifted, 8);
}

// Calls visit(z) for every integer point with all coordinates in [low, high].
void each_integer_point(int n, int low, int high, const std::function<void(const float*)>& visit) {
  std::vector<float> z(static_cast<std::size_t>(n), static_cast<float>(low));
  while (true) {
    visit(z.data());
    int i = 0;
    for (; i < n; ++i) {
      float& c = z[static_cast<std::size_t>(i)];
      if (c < static_cast<float>(high)) {
        c += 1.0f;
        break;
      }
      c = static_cast<float>(low);
    }
    if (i == n) return;
  }
}

std::vector<std::vector<float>> box_points_d4(int q) {
  std::vector<std::vector<float>> points;
  each_integer_point(4, -q, q, [&](const float* z) {
    if (in_dn(z, 4)) points.emplace_back(z, z + 4);
  });
  return points;
}

std::vector<std::vector<float>> box_points_e8(int q) {
  std::vector<std::vector<float>> points;
  each_integer_point(8, -q, q, [&](const float* z) {
    if (in_dn(z, 8)) points.emplace_back(z, z + 8);
    std::vector<float> half(z, z + 8);
    if (!in_dn(z, 8) || *std::max_element(z, z + 8) == static_cast<float>(q)) return;
    for (float& c : half) c += 0.5f;
    points.push_back(half);
  });
  return points;
}

// Inputs inside and outside the box, random, on a grid of quarters (many ties), and at corners.
std::vector<float> trial_input(int n, int q, std::uint64_t trial) {
  const Random random(11, trial);
  std::vector<float> y(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < y.size(); ++i) {
    double value = (2.0 * random.uniform(i) - 1.0) * (q + 1.5);
    if (trial % 3 == 1) value = std::round(4.0 * value) / 4.0;
    if (trial % 3 == 2) value = random.uniform(100 + i) < 0.5 ? (value < 0 ? -q : q) : value;
    y[i] = static_cast<float>(value);
  }
  return y;
}

template <typename InBox>
void expect_bounded_is_nearest(int n, int q, int trials,
                               const std::vector<std::vector<float>>& points,
                               const InBox& nearest) {
  for (int trial = 0; trial < trials; ++trial) {
    const auto y = trial_input(n, q, static_cast<std::uint64_t>(trial));
    float z[8];
    nearest(y.data(), static_cast<float>(q), z);
    double best = 1e300;
    bool member = false;
    for (const auto& point : points) {
      best = std::min(best, squared_distance(y.data(), point.data(), n));
      member = member || std::equal(point.begin(), point.end(), z);
    }
    ASSERT_TRUE(member) << "q " << q << " trial " << trial;
    ASSERT_LE(squared_distance(y.data(), z, n), best + 1e-5) << "q " << q << " trial " << trial;
  }
}

TEST(Nearest, RoundHalfEven) {
  for (int k = -4000; k <= 4000; ++k) {
    const float value = static_cast<float>(k) * 0.25f;
    EXPECT_EQ(round_half_even(value), std::nearbyintf(value)) << value;
  }
  for (const float value :
       {0.49999997f, -0.49999997f, 4194303.5f, -4194302.5f, 1e-45f, 123456.5f}) {
    EXPECT_EQ(round_half_even(value), std::nearbyintf(value)) << value;
  }
  static_assert(round_half_even(2.5f) == 2.0f && round_half_even(-3.5f) == -4.0f);
}

TEST(Nearest, TieRules) {
  float z[8];
  const float all_equal[4] = {1.0f, 0.0f, 0.0f,
                              0.0f};  // odd, no residue: the first coordinate goes up
  nearest_dn<4>(all_equal, z);
  EXPECT_EQ(std::vector<float>(z, z + 4), (std::vector<float>{2, 0, 0, 0}));
  const float halves[4] = {0.5f, 1.5f, 0.5f, 0.5f};  // rounds to 0 2 0 0: even already
  nearest_dn<4>(halves, z);
  EXPECT_EQ(std::vector<float>(z, z + 4), (std::vector<float>{0, 2, 0, 0}));
  const float low_index[4] = {0.25f, 0.75f, -0.25f,
                              0.0f};  // 0 1 0 0 with equal residues: the first goes up
  nearest_dn<4>(low_index, z);
  EXPECT_EQ(std::vector<float>(z, z + 4), (std::vector<float>{1, 1, 0, 0}));
  const float between[8] = {0.25f, 0.25f, 0.25f, 0.25f,
                            0.25f, 0.25f, 0.25f, 0.25f};  // 0 and 1/2 equally near
  nearest_e8(between, z);
  EXPECT_EQ(std::vector<float>(z, z + 8), std::vector<float>(8, 0.0f));
}

TEST(Nearest, ConstantExpressions) {
  constexpr auto corner = [] {
    struct {
      float z[4] = {};
    } result;
    const float y[4] = {0.9f, 0.2f, 0.1f, 0.0f};
    nearest_dn<4>(y, result.z);
    return result;
  }();
  static_assert(corner.z[0] + corner.z[1] + corner.z[2] + corner.z[3] == 2.0f);
  EXPECT_EQ(corner.z[0], 1.0f);
}

// Nothing in the neighbour shells is nearer: D4 by +-e_i +-e_j, E8 by all 240 minimal vectors.
// Being the best among the neighbours by the minimal (Voronoi-relevant) vectors is being the
// nearest point.
TEST(Nearest, NothingIsCloserAmongNeighbours) {
  for (int trial = 0; trial < 20000; ++trial) {
    const auto y = trial_input(8, 30, static_cast<std::uint64_t>(trial));
    float z[8], w[8];
    nearest_dn<4>(y.data(), z);
    ASSERT_TRUE(in_dn(z, 4));
    nearest_e8(y.data(), w);
    ASSERT_TRUE(in_e8(w));
    const double d4 = squared_distance(y.data(), z, 4), e8 = squared_distance(y.data(), w, 8);
    for (int i = 0; i < 8; ++i) {
      for (int j = 0; j < i; ++j) {
        for (int signs = 0; signs < 4; ++signs) {
          const float a = (signs & 1) != 0 ? -1.0f : 1.0f, b = (signs & 2) != 0 ? -1.0f : 1.0f;
          float near4[8], near8[8];
          std::copy_n(z, 4, near4);
          std::copy_n(w, 8, near8);
          if (i < 4) {
            near4[i] += a;
            near4[j] += b;
            ASSERT_LE(d4, squared_distance(y.data(), near4, 4) + 1e-4);
          }
          near8[i] += a;
          near8[j] += b;
          ASSERT_LE(e8, squared_distance(y.data(), near8, 8) + 1e-4);
        }
      }
    }
    for (unsigned signs = 0; signs < 256; ++signs) {
      if (__builtin_popcount(signs) % 2 != 0) continue;
      float near8[8];
      for (int i = 0; i < 8; ++i) near8[i] = w[i] + ((signs >> i & 1u) != 0 ? -0.5f : 0.5f);
      ASSERT_TRUE(in_e8(near8));
      ASSERT_LE(e8, squared_distance(y.data(), near8, 8) + 1e-4);
    }
  }
}

TEST(Nearest, MovesWithTranslationsByLatticePoints) {
  const float shift[8] = {3.5f, -2.5f, 0.5f, 6.5f, -1.5f, 0.5f, 4.5f, 0.5f};
  ASSERT_TRUE(in_e8(shift));
  for (int trial = 0; trial < 3000; trial += 3) {  // without ties, whose rules are not invariant
    const auto y = trial_input(8, 20, static_cast<std::uint64_t>(trial));
    float moved[8], z[8], w[8];
    for (int i = 0; i < 8; ++i) moved[i] = y[static_cast<std::size_t>(i)] + shift[i];
    nearest_e8(y.data(), z);
    nearest_e8(moved, w);
    for (int i = 0; i < 8; ++i) ASSERT_EQ(w[i], z[i] + shift[i]) << trial;
  }
}

TEST(NearestInBox, D4IsTheBestOfAllPoints) {
  for (int q = 1; q <= 3; ++q) {
    expect_bounded_is_nearest(
        4, q, 1500, box_points_d4(q),
        [](const float* y, float bound, float* z) { nearest_dn_in_box<4>(y, -bound, bound, z); });
  }
}

TEST(NearestInBox, E8IsTheBestOfAllPoints) {
  expect_bounded_is_nearest(8, 1, 1500, box_points_e8(1), nearest_e8_in_box);
  expect_bounded_is_nearest(8, 2, 60, box_points_e8(2), nearest_e8_in_box);
}

TEST(NearestInBox, AgreesWithTheFreeSearchInside) {
  for (int trial = 0; trial < 20000; ++trial) {
    const auto y = trial_input(8, 8, static_cast<std::uint64_t>(trial));
    float z[8], bounded[8];
    nearest_e8(y.data(), z);
    nearest_e8_in_box(y.data(), 16.0f, bounded);
    ASSERT_TRUE(std::equal(z, z + 8, bounded));
    nearest_dn<4>(y.data(), z);
    nearest_dn_in_box<4>(y.data(), -16.0f, 16.0f, bounded);
    ASSERT_TRUE(std::equal(z, z + 4, bounded));
  }
}

void expect_reference_points(const std::string& lattice, std::size_t n, Nearest nearest) {
  for (const auto& folder : test::reference_folders()) {
    const auto in = test::read_floats(folder / (lattice + "_in.f32")),
               want = test::read_floats(folder / (lattice + "_nearest.f32"));
    ASSERT_EQ(in.size(), want.size());
    ASSERT_GE(in.size(), 513 * n) << folder;
    for (std::size_t i = 0; i < in.size(); i += n) {
      float z[8];
      nearest(in.data() + i, z);
      ASSERT_TRUE(std::equal(z, z + n, want.data() + i)) << folder << ", block " << i / n;
    }
  }
}

TEST(Nearest, D4ReferencePoints) { expect_reference_points("d4", 4, nearest_dn<4>); }
TEST(Nearest, E8ReferencePoints) { expect_reference_points("e8", 8, nearest_e8); }

}  // namespace
}  // namespace kakeya
