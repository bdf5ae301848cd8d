// SPDX-License-Identifier: Apache-2.0
#include "kakeya/lattice/hadamard.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "kakeya/core/random.h"

namespace kakeya {
namespace {

std::vector<float> normals(std::size_t n, std::uint64_t seed) {
  const Random random(seed);
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(random.normal(i));
  return x;
}

double entry(std::size_t row, std::size_t column, std::size_t n) {
  return (std::popcount(row & column) % 2 == 0 ? 1.0 : -1.0) / std::sqrt(static_cast<double>(n));
}

TEST(Hadamard, IsSylvestersMatrix) {
  for (std::size_t n = 1; n <= 1024; n *= 2) {
    const auto x = normals(n, n);
    auto fast = x;
    hadamard(fast.data(), n);
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k) sum += entry(j, k, n) * x[k];
      ASSERT_NEAR(fast[j], sum, 4e-6) << n;
    }
  }
}

TEST(Hadamard, TwiceIsTheIdentityAndLengthStays) {
  for (std::size_t n = 1; n <= 4096; n *= 2) {
    const auto x = normals(n, 3 * n);
    auto y = x;
    hadamard(y.data(), n);
    double before = 0.0, after = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      before += double{x[i]} * x[i];
      after += double{y[i]} * y[i];
    }
    EXPECT_NEAR(after / before, 1.0, 1e-6);
    hadamard(y.data(), n);
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(y[i], x[i], 4e-6);
  }
}

TEST(Hadamard, ProductOrderGivesTheSameUpToRounding) {
  for (std::size_t n = 8; n <= 1024; n *= 2) {
    const auto x = normals(n, 5 * n);
    auto fast = x;
    std::vector<float> dense(n);
    hadamard(fast.data(), n);
    hadamard_as_product(x.data(), dense.data(), n);
    bool differs = false;
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_NEAR(dense[i], fast[i], 1e-5);
      differs = differs || dense[i] != fast[i];
    }
    EXPECT_TRUE(differs || n < 64) << "the two orders of addition are not told apart";
  }
}

// The order that is promised: products added in the order of k within panels of 256, panel sums
// added in order.
TEST(Hadamard, ProductOrderIsThePromisedOne) {
  const std::size_t n = 512;
  const auto x = normals(n, 9);
  std::vector<float> dense(n);
  hadamard_as_product(x.data(), dense.data(), n);
  const float size = static_cast<float>(1.0 / std::sqrt(512.0));
  for (std::size_t j = 0; j < n; ++j) {
    float total = 0.0f;
    for (std::size_t panel = 0; panel < n; panel += 256) {
      float sum = 0.0f;
      for (std::size_t k = panel; k < panel + 256; ++k) {
        sum += (std::popcount(j & k) % 2 == 0 ? size : -size) * x[k];
      }
      total += sum;
    }
    ASSERT_EQ(dense[j], total);
  }
}

}  // namespace
}  // namespace kakeya
