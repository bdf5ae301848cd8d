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
std::vector<float> covariance(std::size_t n, std::uint64_t seed) {
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
  return {a.begin(), a.end()};
}

// The largest deviation of A v from value v, and of the vectors' products from those of axes.
struct Errors {
  double residual = 0, product = 0;
};

Errors errors_of(const std::vector<float>& a, const OrderedEigen& eigen, std::size_t n) {
  Errors errors;
  for (std::size_t k = 0; k < n; ++k) {
    const float* v = &eigen.vectors[k * n];
    for (std::size_t i = 0; i < n; ++i) {
      double image = 0, product = 0;
      for (std::size_t j = 0; j < n; ++j) {
        image += double{a[i * n + j]} * double{v[j]};
        product += double{eigen.vectors[i * n + j]} * double{v[j]};
      }
      errors.residual =
          std::max(errors.residual, std::fabs(image - eigen.values[k] * double{v[i]}));
      errors.product = std::max(errors.product, std::fabs(product - (i == k ? 1 : 0)));
    }
  }
  return errors;
}

TEST(FixedOrder, EigenvectorsAreThoseOfTheMatrix) {
  for (const std::size_t n : {1, 2, 3, 8, 31, 32, 33, 64, 128}) {
    const auto a = covariance(n, n);
    const OrderedEigen eigen = ordered_eigen(a, n);
    const Errors errors = errors_of(a, eigen, n);
    EXPECT_LE(errors.residual, 1e-6 * std::sqrt(n) * eigen.values[0]) << n;
    EXPECT_LE(errors.product, 1e-6 * std::sqrt(n)) << n;
    EXPECT_TRUE(std::is_sorted(eigen.values.rbegin(), eigen.values.rend())) << n;
  }
}

TEST(FixedOrder, MatricesWithNothingToTurn) {
  const std::size_t n = 16;
  std::vector<float> a(n * n, 0.0f);
  EXPECT_EQ(ordered_eigen(a, n).values, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] = i % 3 == 0 ? 4.0f : static_cast<float>(i);
  const OrderedEigen eigen = ordered_eigen(a, n);
  EXPECT_EQ(eigen.values.front(), 14.0);
  EXPECT_EQ(eigen.values.back(), 1.0);
  EXPECT_EQ(errors_of(a, eigen, n).residual, 0.0);
  // Of equal halves, and blocks that have nothing to do with each other.
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] = i / 4 == j / 4 ? 1.0f : 0.0f;
  }
  const OrderedEigen blocks = ordered_eigen(a, n);
  EXPECT_LE(errors_of(a, blocks, n).residual, 1e-6);
  EXPECT_NEAR(blocks.values[3], 4.0, 1e-6);
  EXPECT_NEAR(blocks.values[4], 0.0, 1e-6);
}

// Whoever decodes a forged frame comes here with anything.
TEST(FixedOrder, AlwaysEndsSoon) {
  const std::size_t n = 64;
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity(), 1e38f, 1e-38f}) {
    auto a = covariance(n, 3);
    for (std::size_t i = 0; i < n; ++i) a[i * n + 5] = a[5 * n + i] = bad;
    EXPECT_EQ(ordered_eigen(a, n).vectors.size(), n * n);
    std::vector<float> b(n * 8, 1.0f);
    solve_in_place(a, b, n);
  }
}

TEST(FixedOrder, SolvesWhatItIsGiven) {
  const std::size_t n = 75, columns = 40;
  auto a = covariance(n, 4);
  const Random random(5);
  std::vector<float> b(n * columns);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(random.normal(i));
  auto matrix = a, x = b;
  solve_in_place(matrix, x, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += double{a[i * n + k]} * double{x[k * columns + j]};
      EXPECT_NEAR(sum, double{b[i * columns + j]}, 1e-4);
    }
  }
}

TEST(FixedOrder, RowsThatFollowFromOthersDoNotBlowUp) {
  const std::size_t n = 32;
  const Random random(9);
  std::vector<float> a(n * n), b(n * 8);
  for (std::size_t i = 0; i < n; ++i) {  // of rank 3, beside 1e-7
    for (std::size_t j = 0; j < n; ++j) {
      double sum = i == j ? 1e-7 : 0;
      for (std::size_t k = 0; k < 3; ++k)
        sum += random.normal(k * n + i) * random.normal(k * n + j);
      a[i * n + j] = static_cast<float>(sum);
    }
    for (std::size_t j = 0; j < 8; ++j) {
      for (std::size_t k = 0; k < 3; ++k)
        b[i * 8 + j] += static_cast<float>(random.normal(k * n + i) * static_cast<double>(j + 1));
    }
  }
  auto matrix = a, x = b;
  solve_in_place(matrix, x, n);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += double{a[i * n + k]} * double{x[k * 8]};
    EXPECT_NEAR(sum, b[i * 8], 0.05);
    EXPECT_LT(std::fabs(x[i * 8]), 1e3);
  }
  for (float& value : a) value *= 1e-30f;  // squares below what float has
  EXPECT_LE(errors_of(a, ordered_eigen(a, n), n).product, 1e-5);
}

// Whoever reads learns what whoever wrote did.
TEST(FixedOrder, AllIsTheSameOnEveryInstructionSet) {
  const std::size_t n = 83, columns = 40;
  const auto a = covariance(n, 7);
  const std::vector<float> b(n * columns, 1.0f);
  const std::string used = simd_target();
  std::vector<float> vectors, solution;
  std::vector<double> values;
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    const OrderedEigen eigen = ordered_eigen(a, n);
    auto matrix = a, x = b;
    solve_in_place(matrix, x, n);
    if (vectors.empty()) {
      vectors = eigen.vectors;
      values = eigen.values;
      solution = x;
    }
    EXPECT_EQ(eigen.vectors, vectors) << target;
    EXPECT_EQ(eigen.values, values) << target;
    EXPECT_EQ(x, solution) << target;
  }
  use_simd_target(used);
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
  const auto square = covariance(70, 8), other = transposed(square, 70);
  const auto whole = ordered_product(square, other, 70, 70);
  const auto half = symmetric_product(square, other, 70);
  for (std::size_t i = 0; i < 70; ++i) {
    for (std::size_t j = i; j < 70; ++j) {
      EXPECT_EQ(half[i * 70 + j], whole[i * 70 + j]);
      EXPECT_EQ(half[j * 70 + i], whole[i * 70 + j]);
    }
  }
}

}  // namespace
}  // namespace kakeya
