// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/principal_components.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/random.h"

namespace kakeya {
namespace {

// An orthonormal matrix: the product of two reflections. Rows.
std::vector<double> orthonormal(std::size_t n, std::uint64_t seed) {
  std::vector<double> rows(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) rows[i * n + i] = 1;
  for (std::uint64_t round = 0; round < 2; ++round) {
    const Random random(seed, round);
    std::vector<double> v(n);
    double norm = 0;
    for (std::size_t i = 0; i < n; ++i) {
      v[i] = random.normal(i);
      norm += v[i] * v[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      double along = 0;
      for (std::size_t j = 0; j < n; ++j) along += rows[i * n + j] * v[j];
      for (std::size_t j = 0; j < n; ++j) rows[i * n + j] -= 2 * along / norm * v[j];
    }
  }
  return rows;
}

std::vector<float> covariance_of(const std::vector<double>& rows,
                                 const std::vector<double>& variances) {
  const std::size_t n = variances.size();
  std::vector<double> scaled = rows;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) scaled[k * n + i] *= variances[k];
  }
  std::vector<float> covariance(n * n);
  std::vector<double> sum(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::fill(sum.begin(), sum.end(), 0.0);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) sum[j] += rows[k * n + i] * scaled[k * n + j];
    }
    for (std::size_t j = 0; j < n; ++j) covariance[i * n + j] = static_cast<float>(sum[j]);
  }
  return covariance;
}

double dot(const float* a, const float* b, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += double{a[i]} * b[i];
  return sum;
}

// One block and a part of it; the number of components of the second problem is the same.
TEST(PrincipalComponents, AreThoseOfAKnownCovariance) {
  const std::size_t n = 96, rank = 40;
  std::vector<double> variances[2], rows[2];
  std::vector<std::vector<float>> covariances;
  for (std::size_t p = 0; p < 2; ++p) {
    for (std::size_t k = 0; k < n; ++k) {
      variances[p].push_back((p == 0 ? 100 : 3) * std::exp2(-0.25 * static_cast<double>(k)));
    }
    rows[p] = orthonormal(n, 5 + p);
    covariances.push_back(covariance_of(rows[p], variances[p]));
  }
  WorkerPool pool(2);
  std::vector<std::size_t> heard;
  const auto made =
      principal_components(covariances, n, rank, pool, [&](std::size_t done, std::size_t of) {
        EXPECT_EQ(of, 1u);
        heard.push_back(done);
      });
  EXPECT_EQ(heard, (std::vector<std::size_t>{0, 1}));
  ASSERT_EQ(made.size(), 2u);
  for (std::size_t p = 0; p < 2; ++p) {
    ASSERT_EQ(made[p].vectors.size(), rank * n);
    for (std::size_t k = 0; k < rank; ++k) {
      EXPECT_NEAR(made[p].variances[k] / variances[p][k], 1, 1e-3) << p << " " << k;
      std::vector<float> truth(rows[p].begin() + static_cast<std::ptrdiff_t>(k * n),
                               rows[p].begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
      EXPECT_NEAR(std::fabs(dot(made[p].vectors.data() + k * n, truth.data(), n)), 1, 1e-3);
    }
  }
}

// More than one block: orthonormal, in order, all of the variance that the best could have.
TEST(PrincipalComponents, OfSeveralBlocks) {
  const std::size_t n = 640, rank = 600;
  std::vector<double> variances;
  double all = 0;
  for (std::size_t k = 0; k < n; ++k) {
    variances.push_back(500 * std::pow(static_cast<double>(k + 1), -1.2));
    if (k < rank) all += variances.back();
  }
  std::vector<std::vector<float>> covariances{covariance_of(orthonormal(n, 9), variances)};
  WorkerPool pool(2);
  const auto made =
      principal_components(covariances, n, rank, pool, [](std::size_t, std::size_t) {});
  double sum = 0;
  for (std::size_t k = 0; k < rank; ++k) {
    sum += made[0].variances[k];
    EXPECT_LE(made[0].variances[k], made[0].variances[k == 0 ? 0 : k - 1]);
    const float* row = made[0].vectors.data() + k * n;
    EXPECT_NEAR(dot(row, row, n), 1, 1e-5);
    for (const std::size_t other : {k / 3, k / 2, (k + 300) % rank}) {
      if (other == k) continue;
      EXPECT_NEAR(dot(row, made[0].vectors.data() + other * n, n), 0, 1e-5) << k << " " << other;
    }
  }
  EXPECT_NEAR(sum / all, 1, 1e-4);
  for (const std::size_t k : {0u, 10u, 100u, 400u, 500u, 520u}) {
    EXPECT_NEAR(made[0].variances[k] / variances[k], 1, 0.02) << k;
  }
}

// Channels that never move: blocks that have nothing left to find are orthonormal all the same.
TEST(PrincipalComponents, OfChannelsThatNeverMove) {
  const std::size_t n = 700, moving = 540;
  std::vector<double> variances;
  for (std::size_t k = 0; k < moving; ++k)
    variances.push_back(1000 * std::exp2(-0.03 * static_cast<double>(k)));
  const std::vector<float> inner = covariance_of(orthonormal(moving, 9), variances);
  std::vector<std::vector<float>> covariances(1, std::vector<float>(n * n, 0.0f));
  for (std::size_t i = 0; i < moving; ++i) {
    std::copy_n(inner.data() + i * moving, moving, covariances[0].data() + i * n);
  }
  WorkerPool pool(2);
  const auto made = principal_components(covariances, n, n, pool, [](std::size_t, std::size_t) {});
  for (std::size_t k = 0; k < n; ++k) {
    const float* row = made[0].vectors.data() + k * n;
    for (std::size_t other = 0; other <= k; ++other) {
      EXPECT_NEAR(dot(row, made[0].vectors.data() + other * n, n), k == other ? 1 : 0, 1e-4)
          << k << " " << other;
    }
  }
}

// Fewer dimensions than components: the rest are orthonormal all the same, and have no variance.
TEST(PrincipalComponents, OfACovarianceThatLacksRank) {
  const std::size_t n = 48;
  std::vector<double> variances(n, 0.0);
  for (std::size_t k = 0; k < 7; ++k) variances[k] = 10 - static_cast<double>(k);
  std::vector<std::vector<float>> covariances{covariance_of(orthonormal(n, 3), variances)};
  WorkerPool pool(1);
  const auto made = principal_components(covariances, n, n, pool, [](std::size_t, std::size_t) {});
  for (std::size_t k = 0; k < n; ++k) {
    EXPECT_NEAR(made[0].variances[k], variances[k], 1e-4);
    EXPECT_GE(made[0].variances[k], 0);
    for (std::size_t other = 0; other <= k; ++other) {
      EXPECT_NEAR(dot(made[0].vectors.data() + k * n, made[0].vectors.data() + other * n, n),
                  k == other ? 1 : 0, 1e-4);
    }
  }
}

}  // namespace
}  // namespace kakeya
