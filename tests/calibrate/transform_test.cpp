// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/transform.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/calibrate/metric.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/stats/inverse.h"

namespace kakeya {
namespace {

using Matrix = std::vector<double>;

Matrix multiply(const Matrix& a, const Matrix& b, std::size_t n) {
  Matrix product(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) product[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
  return product;
}

Matrix transposed(const Matrix& a, std::size_t n) {
  Matrix result(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) result[j * n + i] = a[i * n + j];
  }
  return result;
}

// A A^T + I / 10 of a random A: symmetric, with eigenvalues within three decades.
Matrix random_positive(std::size_t n, std::uint64_t seed) {
  const Random random(seed);
  Matrix a(n * n);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = random.normal(i);
  Matrix product = multiply(a, transposed(a, n), n);
  for (std::size_t i = 0; i < n; ++i) product[i * n + i] += 0.1;
  return product;
}

TEST(KarhunenLoeve, CoordinatesAreUncorrelatedAndTheMetricIsInside) {
  const std::size_t n = 16;
  const Matrix covariance = random_positive(n, 1), metric = random_positive(n, 2);
  const KarhunenLoeve klt = karhunen_loeve(covariance, metric, n);
  const Matrix& f = klt.forward;
  const Matrix spread = multiply(multiply(transposed(f, n), covariance, n), f, n);
  const Matrix inside = multiply(f, transposed(f, n), n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double variance = i == j ? klt.deviation[i] * klt.deviation[i] : 0.0;
      EXPECT_NEAR(spread[i * n + j], variance, 1e-9 * spread[0]);
      // |e F|^2 = e M e^T for every row e.
      EXPECT_NEAR(inside[i * n + j], metric[i * n + j], 1e-9 * metric[0]);
    }
    if (i > 0) {
      EXPECT_LE(klt.deviation[i], klt.deviation[i - 1]);
    }
  }
}

TEST(KarhunenLoeve, EigenvaluesOfTheMetricHaveAFloor) {
  const std::size_t n = 8;
  Matrix identity(n * n, 0.0), flat(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    identity[i * n + i] = 1.0;
    flat[i * n + i] = i == 0 ? 4.0 : 0.0;
  }
  const KarhunenLoeve klt = karhunen_loeve(identity, flat, n);
  EXPECT_NEAR(klt.deviation[0], 2.0, 1e-12);
  EXPECT_NEAR(klt.deviation[7], 2.0 * 1e-2, 1e-12);  // sqrt(1e-4)
  EXPECT_NEAR(geometric_mean_deviation(std::span(&klt, 1)), 2.0 * std::pow(1e-2, 7.0 / 8), 1e-12);
}

TEST(Metric, OfKeysIsTheMeanOverRotations) {
  const std::size_t dim = 8, half = 4;
  const Matrix queries = random_positive(dim, 3);
  const std::vector<double> frequencies{1.0, 0.3, 0.01, 0.0};
  Matrix expected(dim * dim, 0.0);
  for (int step = 0; step < 128; ++step) {
    const double distance = std::round(step * 1024.0 / 127);
    Matrix rotation(dim * dim, 0.0);
    for (std::size_t i = 0; i < half; ++i) {
      const double angle = distance * frequencies[i];
      rotation[i * dim + i] = rotation[(i + half) * dim + i + half] = std::cos(angle);
      rotation[i * dim + i + half] = -std::sin(angle);
      rotation[(i + half) * dim + i] = std::sin(angle);
    }
    const Matrix turned =
        multiply(multiply(rotation, queries, dim), transposed(rotation, dim), dim);
    for (std::size_t i = 0; i < turned.size(); ++i) expected[i] += turned[i] / 128;
  }
  const Matrix metric =
      rotated_metric(queries, frequencies, 1024, rope_pairs_of("rotate-half", dim));
  for (std::size_t i = 0; i < metric.size(); ++i) EXPECT_NEAR(metric[i], expected[i], 1e-9);
}

TEST(Metric, OfInterleavedKeysIsThatOfHalvesInAnotherOrder) {
  const std::size_t dim = 8, half = 4;
  const Matrix queries = random_positive(dim, 3);
  const std::vector<double> frequencies{1.0, 0.3, 0.01, 0.0};
  const auto place = [](std::size_t i) { return i < half ? 2 * i : 2 * (i - half) + 1; };
  Matrix interleaved(dim * dim);
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t j = 0; j < dim; ++j)
      interleaved[place(i) * dim + place(j)] = queries[i * dim + j];
  }
  const Matrix expected =
      rotated_metric(queries, frequencies, 1024, rope_pairs_of("rotate-half", dim));
  const Matrix metric =
      rotated_metric(interleaved, frequencies, 1024, rope_pairs_of("interleaved", dim));
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t j = 0; j < dim; ++j) {
      EXPECT_DOUBLE_EQ(metric[place(i) * dim + place(j)], expected[i * dim + j]);
    }
  }
}

TEST(Metric, OfAPartOfAHeadLeavesTheRest) {
  const std::size_t dim = 8, width = 4;
  const Matrix queries = random_positive(dim, 3);
  const std::vector<double> turned{1.0, 0.3};
  Matrix part(width * width);
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < width; ++j) part[i * width + j] = queries[i * dim + j];
  }
  const Matrix expected = rotated_metric(part, turned, 1024, rope_pairs_of("rotate-half", width));
  const Matrix metric = rotated_metric(queries, std::vector<double>{1.0, 0.3, 0, 0}, 1024,
                                       rope_pairs_of("rotate-half of 4", dim));
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t j = 0; j < dim; ++j) {
      const double here = metric[i * dim + j];
      if (i < width && j < width) {
        EXPECT_DOUBLE_EQ(here, expected[i * width + j]);
      } else if (i >= width && j >= width) {
        EXPECT_NEAR(here, queries[i * dim + j], 1e-12);
      }
    }
  }
}

TEST(Metric, PairsOfLayouts) {
  EXPECT_EQ(rope_pairs_of("rotate-half", 4), (RopePairs{{0, 2}, {1, 3}}));
  EXPECT_EQ(rope_pairs_of("interleaved", 4), (RopePairs{{0, 1}, {2, 3}}));
  EXPECT_EQ(rope_pairs_of("rotate-half of 4", 8), (RopePairs{{0, 2}, {1, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(rope_pairs_of("rotate-half of 8", 8), rope_pairs_of("rotate-half", 8));
  for (const char* wrong : {"mixed", "", "rotate-half of", "rotate-half of 3", "rotate-half of 0",
                            "rotate-half of 10", "rotate-half of 4 ", "rotate-half of -4"}) {
    EXPECT_THROW(rope_pairs_of(wrong, 8), InputError) << wrong;
  }
}

TEST(Metric, OfValuesIsTheSumOverTheGroup) {
  const std::size_t hidden = 5, dim = 2, columns = 6;
  std::vector<float> output(hidden * columns);
  for (std::size_t i = 0; i < output.size(); ++i) output[i] = static_cast<float>(i % 7) - 3.0f;
  const Matrix metric = value_metric(output, columns, dim, 1, 2);
  for (std::size_t a = 0; a < dim; ++a) {
    for (std::size_t b = 0; b < dim; ++b) {
      double sum = 0;
      for (std::size_t h = 1; h < 3; ++h) {
        for (std::size_t row = 0; row < hidden; ++row) {
          sum += output[row * columns + h * dim + a] * output[row * columns + h * dim + b];
        }
      }
      EXPECT_DOUBLE_EQ(metric[a * dim + b], sum);
    }
  }
}

TEST(Inverse, OfAMatrixByItself) {
  const std::size_t n = 12;
  const Matrix a = random_positive(n, 9);
  const std::vector<float> given(a.begin(), a.end());
  const std::vector<float> back = inverse(given, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += double{given[i * n + k]} * back[k * n + j];
      EXPECT_NEAR(sum, i == j ? 1.0 : 0.0, 1e-4);
    }
  }
}

}  // namespace
}  // namespace kakeya
