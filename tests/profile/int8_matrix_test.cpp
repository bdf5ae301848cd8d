// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/int8_matrix.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

double dot(const std::vector<float>& matrix, std::size_t n, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += double{matrix[i * n + a]} * matrix[i * n + b];
  return sum;
}

std::vector<float> some_matrix(std::size_t n) {
  const Random random(3);
  std::vector<float> matrix(n * n);
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    matrix[i] = static_cast<float>(0.1 * random.normal(i) + (i / n == i % n ? 1 : 0));
  }
  return matrix;
}

TEST(Int8Matrix, ValuesAreStepsOfTheirColumn) {
  const Int8Matrix matrix{{0.5f, 2, 0}, {1, -127, 3, 127, 0, -128}};
  EXPECT_EQ(values_of(matrix), (std::vector<float>{0.5f, -254, 0, 63.5f, 0, 0}));
  EXPECT_EQ(matrix.bytes(), 3 * 4 + 6u);
  EXPECT_TRUE(values_of(Int8Matrix()).empty());
}

TEST(OrthonormalColumns, AreThat) {
  constexpr std::size_t kN = 24;
  const std::vector<float> made = orthonormal_columns(some_matrix(kN), kN);
  for (std::size_t a = 0; a < kN; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      EXPECT_NEAR(dot(made, kN, a, b), a == b ? 1 : 0, 1e-6) << a << " " << b;
    }
  }
}

// The last column keeps its direction, and what comes before spans with it what it did.
TEST(OrthonormalColumns, BeginAtTheLast) {
  constexpr std::size_t kN = 24;
  const std::vector<float> given = some_matrix(kN), made = orthonormal_columns(given, kN);
  const double length = std::sqrt(dot(given, kN, kN - 1, kN - 1));
  for (std::size_t i = 0; i < kN; ++i) {
    EXPECT_NEAR(made[i * kN + kN - 1], given[i * kN + kN - 1] / length, 1e-6);
  }
  for (std::size_t j = 0; j < kN; ++j) {
    for (std::size_t earlier = 0; earlier < j; ++earlier) {
      double sum = 0;  // of a column as given and an earlier one as made
      for (std::size_t i = 0; i < kN; ++i)
        sum += double{given[i * kN + j]} * made[i * kN + earlier];
      EXPECT_NEAR(sum, 0, 1e-6) << j << " " << earlier;
    }
  }
}

TEST(OrthonormalColumns, RefuseColumnsThatAddUp) {
  std::vector<float> twice = some_matrix(8);
  for (std::size_t i = 0; i < 8; ++i) twice[i * 8 + 2] = 3 * twice[i * 8 + 5];
  EXPECT_THROW(orthonormal_columns(twice, 8), InputError);
  EXPECT_THROW(orthonormal_columns(std::vector<float>(64, 0.0f), 8), InputError);
  std::vector<float> infinite = some_matrix(8);
  infinite[9] = INFINITY;
  EXPECT_THROW(orthonormal_columns(infinite, 8), InputError);
}

}  // namespace
}  // namespace kakeya
