// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/rounding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "support/made_int8.h"

namespace kakeya {
namespace {

constexpr std::size_t kRows = 32, kColumns = 24;

std::vector<double> some_matrix() {
  const Random random(5);
  std::vector<double> matrix(kRows * kColumns);
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = random.normal(i);
  return matrix;
}

// Of vectors of 32 coordinates that have four directions but for a little.
std::vector<double> correlated() {
  const Random random(6);
  std::vector<double> moments(kRows * kRows, 0.0);
  for (std::size_t a = 0; a < kRows; ++a) {
    for (std::size_t b = 0; b < kRows; ++b) {
      for (std::size_t k = 0; k < 4; ++k) {
        moments[a * kRows + b] += random.normal(a * 4 + k) * random.normal(b * 4 + k);
      }
    }
    moments[a * kRows + a] += 1e-3;
  }
  return moments;
}

// E|x (rounded - matrix)|^2
double error_of(const Int8Matrix& rounded, const std::vector<double>& matrix,
                const std::vector<double>& moments) {
  const std::vector<float> values = values_of(rounded);
  double sum = 0;
  for (std::size_t j = 0; j < kColumns; ++j) {
    const auto error = [&](std::size_t i) {
      return values[i * kColumns + j] - matrix[i * kColumns + j];
    };
    for (std::size_t a = 0; a < kRows; ++a) {
      for (std::size_t b = 0; b < kRows; ++b) sum += error(a) * moments[a * kRows + b] * error(b);
    }
  }
  return sum;
}

Int8Matrix rounded_alone(const std::vector<double>& matrix) {
  return test::rounded_matrix({matrix.begin(), matrix.end()}, kColumns);
}

TEST(Rounding, ErrsLittleWhereTheVectorsAre) {
  const std::vector<double> matrix = some_matrix(), moments = correlated();
  const Int8Matrix rounded = round_to_int8(matrix, kColumns, moments);
  ASSERT_EQ(rounded.scale.size(), kColumns);
  EXPECT_FLOAT_EQ(rounded.scale[3], rounded_alone(matrix).scale[3]);
  EXPECT_LT(error_of(rounded, matrix, moments),
            0.05 * error_of(rounded_alone(matrix), matrix, moments));
  // Each value is still within some steps of its own.
  const std::vector<float> values = values_of(rounded);
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    EXPECT_NEAR(values[i], matrix[i], 8 * double{rounded.scale[i % kColumns]});
  }
}

TEST(Rounding, OfUncorrelatedCoordinatesIsToTheNearest) {
  const std::vector<double> matrix = some_matrix();
  std::vector<double> moments(kRows * kRows, 0.0);
  for (std::size_t i = 0; i < kRows; ++i) moments[i * kRows + i] = 1.0 + static_cast<double>(i % 3);
  EXPECT_EQ(round_to_int8(matrix, kColumns, moments).steps, rounded_alone(matrix).steps);
}

TEST(Rounding, RefusesWhatNoVectorsHave) {
  std::vector<double> matrix = some_matrix(), moments = correlated();
  moments[0] = -5;
  EXPECT_THROW(round_to_int8(matrix, kColumns, moments), InputError);
  matrix[7] = NAN;
  EXPECT_THROW(round_to_int8(matrix, kColumns, correlated()), InputError);
}

}  // namespace
}  // namespace kakeya
