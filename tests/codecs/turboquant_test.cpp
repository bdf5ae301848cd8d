// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "codecs/vectors_for_test.h"
#include "kakeya/codecs/peers/turboquant_tables.h"
#include "kakeya/core/error.h"
#include "support/sanitized.h"

namespace kakeya {
namespace {

using namespace test;

// The least squared error of a quantiser of 2^b levels for a normal value, b = 1 ... 4: 0.36338,
// 0.11748, 0.034548, 0.009501 (the paper prints 0.36, 0.117, 0.03, 0.009).
constexpr double kLloydMax[] = {1.0, 0.36338, 0.11748, 0.034548, 0.009501};

double inner(const float* a, const float* b, std::size_t dim) {
  double sum = 0;
  for (std::size_t i = 0; i < dim; ++i) sum += double{a[i]} * b[i];
  return sum;
}

// The table of section 1 of the paper for D_mse. A coordinate of a vector of 256 has thinner tails
// than a normal one: up to 2 % less.
TEST(TurboQuant, DistortionAsInThePaper) {
  const std::size_t dim = 256;
  const auto x = normals(dim * (test::kSanitized ? 256 : 1024), 71);
  for (int bits = 1; bits <= 4; ++bits) {
    const auto codec = make("turboquant:b=" + std::to_string(bits), dim);
    const double ratio = rel_mse(x, roundtrip(*codec, x)) / kLloydMax[bits];
    EXPECT_LT(ratio, 1.005) << bits;
    EXPECT_GT(ratio, 0.97) << bits;
    EXPECT_EQ(*codec->account().rates().nominal_bits_per_vector, bits * 256 + 16);
  }
}

// Whatever the vectors, as the rotation is random: here one coordinate holds everything.
TEST(TurboQuant, DistortionOfVectorsOfOneCoordinate) {
  const std::size_t dim = 128;
  std::vector<float> x(dim * dim, 0.0f);
  for (std::size_t i = 0; i < dim; ++i) x[i * dim + i] = 3.0f;
  EXPECT_NEAR(rel_mse(x, roundtrip(*make("turboquant:b=4", dim), x)) / kLloydMax[4], 0.97, 0.03);
}

// Of mode=prod the paper bounds d E (<y, x> - <y, decoded>)^2 / |y|^2 for unit x: pi / 2 times the
// error of the b - 1 bits before (1.57, 0.56, 0.18, 0.047 in its table), and the mean is right.
TEST(TurboQuant, InnerProductsOfModeProd) {
  const std::size_t dim = 128, count = test::kSanitized ? 512 : 4096;
  auto x = normals(dim * count, 72);
  for (std::size_t row = 0; row < count; ++row) {
    const double norm = std::sqrt(inner(&x[row * dim], &x[row * dim], dim));
    for (std::size_t i = 0; i < dim; ++i) x[row * dim + i] /= static_cast<float>(norm);
  }
  const auto y = normals(dim, 73);
  const double square = inner(y.data(), y.data(), dim);
  for (int bits = 1; bits <= 4; ++bits) {
    const auto codec = make("turboquant:b=" + std::to_string(bits) + ",mode=prod", dim);
    const auto decoded = roundtrip(*codec, x);
    double error = 0, along = 0, exact = 0;
    for (std::size_t row = 0; row < count; ++row) {
      const double wanted = inner(y.data(), &x[row * dim], dim),
                   given = inner(y.data(), &decoded[row * dim], dim);
      error += (given - wanted) * (given - wanted) / square * static_cast<double>(dim);
      along += given * wanted;
      exact += wanted * wanted;
    }
    EXPECT_NEAR(error / static_cast<double>(count) / (std::numbers::pi / 2 * kLloydMax[bits - 1]),
                1.0, 0.15)
        << bits;
    EXPECT_NEAR(along / exact, 1.0, 0.1) << bits;
    EXPECT_EQ(*codec->account().rates().nominal_bits_per_vector, bits * 128 + 32);
  }
  // Fewer bits of mode=mse shrink inner products: at 2 bits by what they err.
  const auto shrunk = roundtrip(*make("turboquant:b=2", dim), x);
  EXPECT_NEAR(inner(x.data(), shrunk.data(), x.size()) / inner(x.data(), x.data(), x.size()),
              1 - kLloydMax[2], 0.005);
}

// Every level is the mean of its cell, and every threshold halfway: integrated here by Simpson's
// rule and std::pow.
TEST(TurboQuant, CodebooksHaveConverged) {
  for (const auto& [dim, bits] : {std::pair(8, 3), std::pair(64, 4), std::pair(128, 2),
                                  std::pair(128, 8), std::pair(576, 6), std::pair(1024, 5)}) {
    const TurboCodebook book = make_turbo_codebook(static_cast<std::size_t>(dim), bits);
    ASSERT_EQ(book.count(), std::size_t{1} << bits);
    double low = 0;
    for (std::size_t i = 0; i < book.levels.size(); ++i) {
      const bool last = i + 1 == book.levels.size();
      const double high = last ? 1.0 : book.thresholds[i];
      const int steps = last ? 200000 : 2000;
      double mass = 0, moment = 0;
      for (int k = 0; k <= steps; ++k) {
        const double t = low + (high - low) * k / steps;
        const double weight = (k == 0 || k == steps ? 1 : (k % 2 == 1 ? 4 : 2)) *
                              std::pow(std::max(0.0, 1 - t * t), (dim - 3) / 2.0);
        mass += weight;
        moment += weight * t;
      }
      EXPECT_NEAR(book.levels[i], moment / mass, 1e-12) << dim << " " << bits << " " << i;
      if (!last) {
        EXPECT_NEAR(high, (book.levels[i] + book.levels[i + 1]) / 2, 1e-13) << dim << " " << bits;
      }
      low = high;
    }
  }
}

// The limit of long vectors is the quantiser of a normal value: Max's levels, 1960, Table I.
TEST(TurboQuant, LevelsNearThoseOfANormalValue) {
  const TurboCodebook book = make_turbo_codebook(1024, 4);
  EXPECT_NEAR(book.levels.front() * 32, 0.1284, 0.0005);
  EXPECT_NEAR(book.levels.back() * 32, 2.7326, 0.01);
  EXPECT_NEAR(make_turbo_codebook(1024, 1).levels[0] * 32, std::sqrt(2 / std::numbers::pi), 0.001);
}

TEST(TurboQuant, CodesAreTheNearestLevels) {
  const TurboCodebook book = make_turbo_codebook(64, 3);
  for (float t = -1.0f; t <= 1.0f; t += 0.0009765f) {
    std::uint8_t best = 0;
    for (std::uint8_t code = 1; code < book.count(); ++code) {
      if (std::fabs(book.value_of(code) - t) < std::fabs(book.value_of(best) - t)) best = code;
    }
    EXPECT_EQ(book.code_of(t), best) << t;
  }
}

TEST(TurboQuant, RotationsAreOrthogonalAndOfTheirSeed) {
  for (const std::size_t dim : {8u, 80u, 256u}) {
    const SquareMatrix rotation = random_rotation(7, dim);
    for (std::size_t i = 0; i < dim; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        EXPECT_NEAR(inner(rotation.row(i).data(), rotation.row(j).data(), dim), i == j ? 1.0 : 0.0,
                    1e-6);
      }
    }
    EXPECT_EQ(rotation.values, random_rotation(7, dim).values);
    EXPECT_NE(rotation.values, random_rotation(8, dim).values);
    const auto x = normals(dim, 74);
    std::vector<float> y(dim), back(dim);
    multiply(rotation, x, y);
    multiply_transposed(rotation, y, back);
    for (std::size_t i = 0; i < dim; ++i) EXPECT_NEAR(back[i], x[i], 1e-5f);
  }
}

TEST(TurboQuant, NormalNumbersHaveTheirMoments) {
  const SquareMatrix normal = normal_matrix(1, 2, 512);
  double square = 0, fourth = 0, mean = 0;
  for (const float value : normal.values) {
    mean += value;
    square += double{value} * value;
    fourth += std::pow(double{value}, 4);
  }
  const auto count = static_cast<double>(normal.values.size());
  EXPECT_NEAR(mean / count, 0.0, 0.01);
  EXPECT_NEAR(square / count, 1.0, 0.015);
  EXPECT_NEAR(fourth / count, 3.0, 0.1);
}

TEST(TurboQuant, DimsAndRates) {
  for (const std::size_t dim : {8u, 80u, 576u, 1024u})
    EXPECT_EQ(make("turboquant:b=3", dim)->dim(), dim);
  for (const std::size_t dim : {0u, 4u, 12u, 1032u, 2048u}) {
    EXPECT_THROW(make("turboquant:b=3", dim), InputError) << dim;
  }
  EXPECT_THROW(make("turboquant:b=9", 64), SpecError);
  EXPECT_THROW(make("turboquant:b=0", 64), SpecError);
  EXPECT_THROW(make("turboquant", 64), SpecError);
  EXPECT_EQ(make("turboquant:mode=mse,b=3,seed=0", 64)->spec(), "turboquant:b=3");
}

}  // namespace
}  // namespace kakeya
