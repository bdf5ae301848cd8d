// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/fixed_order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kakeya/core/random.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

// Symmetric, with eigenvalues that fall by ten octaves.
std::vector<double> covariance(std::size_t n, std::uint64_t seed) {
  const Random random(seed);
  std::vector<double> a(n * n, 0.0);
  for (std::size_t k = 0; k < 2 * n; ++k) {
    const double variance = std::exp2(-5.0 * static_cast<double>(k) / static_cast<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        a[i * n + j] += variance * random.normal(k * n + i) * random.normal(k * n + j);
      }
    }
  }
  return a;
}

// The largest deviation of A v from value v, and of the vectors' products from those of axes.
struct Errors {
  double residual = 0, product = 0;
};

Errors errors_of(const std::vector<double>& a, const OrderedEigen& eigen, std::size_t n) {
  Errors errors;
  for (std::size_t k = 0; k < n; ++k) {
    const double* v = &eigen.vectors[k * n];
    for (std::size_t i = 0; i < n; ++i) {
      double image = 0, product = 0;
      for (std::size_t j = 0; j < n; ++j) {
        image += a[i * n + j] * v[j];
        product += eigen.vectors[i * n + j] * v[j];
      }
      errors.residual = std::max(errors.residual, std::fabs(image - eigen.values[k] * v[i]));
      errors.product = std::max(errors.product, std::fabs(product - (i == k ? 1 : 0)));
    }
  }
  return errors;
}

TEST(FixedOrder, EigenvectorsAreThoseOfTheMatrix) {
  for (const std::size_t n : {1, 2, 3, 8, 31, 64, 100}) {
    const auto a = covariance(n, n);
    const OrderedEigen eigen = ordered_eigen(a, n);
    const Errors errors = errors_of(a, eigen, n);
    EXPECT_LE(errors.residual, 1e-14 * static_cast<double>(n) * eigen.values[0]) << n;
    EXPECT_LE(errors.product, 1e-14 * static_cast<double>(n)) << n;
    EXPECT_TRUE(std::is_sorted(eigen.values.rbegin(), eigen.values.rend())) << n;
  }
}

TEST(FixedOrder, MatricesWithNothingToTurn) {
  const std::size_t n = 16;
  std::vector<double> a(n * n, 0.0);
  EXPECT_EQ(ordered_eigen(a, n).values, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] = i % 3 == 0 ? 4.0 : static_cast<double>(i);
  const OrderedEigen eigen = ordered_eigen(a, n);
  EXPECT_EQ(eigen.values.front(), 14.0);
  EXPECT_EQ(eigen.values.back(), 1.0);
  EXPECT_EQ(errors_of(a, eigen, n).residual, 0.0);
  // Of equal halves, and blocks that have nothing to do with each other.
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] = i / 4 == j / 4 ? 1.0 : 0.0;
  }
  const OrderedEigen blocks = ordered_eigen(a, n);
  EXPECT_LE(errors_of(a, blocks, n).residual, 1e-13);
  EXPECT_NEAR(blocks.values[3], 4.0, 1e-13);
  EXPECT_NEAR(blocks.values[4], 0.0, 1e-13);
}

// Whoever decodes a forged frame comes here with anything.
TEST(FixedOrder, AlwaysEndsSoon) {
  const std::size_t n = 64;
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(), 1e300, 1e-300}) {
    auto a = covariance(n, 3);
    for (std::size_t i = 0; i < n; ++i) a[i * n + 5] = a[5 * n + i] = bad;
    EXPECT_EQ(ordered_eigen(a, n).vectors.size(), n * n);
    std::vector<double> b(n * 8, 1.0);
    solve_in_place(a, b, n);
  }
}

TEST(FixedOrder, SolvesWhatItIsGiven) {
  const std::size_t n = 40, columns = 8;
  auto a = covariance(n, 4);
  const Random random(5);
  std::vector<double> b(n * columns);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = random.normal(i);
  auto matrix = a, x = b;
  solve_in_place(matrix, x, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * x[k * columns + j];
      EXPECT_NEAR(sum, b[i * columns + j], 1e-9);
    }
  }
}

TEST(FixedOrder, SubtractsAProduct) {
  const std::size_t n = 9;
  const auto a = covariance(n, 7), b = covariance(n, 8);
  auto from = covariance(n, 9);
  const auto before = from;
  subtract_product(from, a, b, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = before[i * n + j];
      for (std::size_t k = 0; k < n; ++k) sum -= a[k * n + i] * b[k * n + j];
      EXPECT_NEAR(from[i * n + j], sum, 1e-9);
    }
  }
}

TEST(FixedOrder, ProductsAreTheSameOnEveryInstructionSet) {
  const std::size_t rows = 24, inner = 40, columns = 16;
  const Random random(6);
  std::vector<float> a(rows * inner), b(inner * columns), expected(rows * columns, 0.0f);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(random.normal(i));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(random.normal(1000 + i));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t k = 0; k < inner; ++k) {
        expected[i * columns + j] += a[i * inner + k] * b[k * columns + j];
      }
    }
  }
  const std::string used = simd_target();
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    EXPECT_EQ(ordered_product(a, b, inner, columns), expected) << target;
  }
  use_simd_target(used);
  EXPECT_EQ(transposed(transposed(a, inner), rows), a);
}

}  // namespace
}  // namespace kakeya
