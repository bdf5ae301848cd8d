// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/plain_inverse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kakeya/core/random.h"

namespace kakeya {
namespace {

TEST(PlainInverse, TimesTheMatrixIsTheIdentity) {
  for (const std::size_t dim : {1u, 2u, 8u, 64u}) {
    const Random random(dim);
    std::vector<float> matrix(dim * dim);
    for (std::size_t i = 0; i < matrix.size(); ++i) {  // well conditioned: near the identity
      matrix[i] = static_cast<float>(0.5 * random.uniform(i) / static_cast<double>(dim));
      if (i % (dim + 1) == 0) matrix[i] += 1;
    }
    const std::vector<float> inverse = plain_inverse(matrix, dim);
    for (std::size_t i = 0; i < dim; ++i) {
      for (std::size_t j = 0; j < dim; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < dim; ++k) {
          sum += double{matrix[i * dim + k]} * inverse[k * dim + j];
        }
        EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-6) << dim << ": " << i << ", " << j;
      }
    }
  }
}

// Without row pivots the first step divides by zero.
TEST(PlainInverse, TakesRowsInAnyOrder) {
  const std::vector<float> matrix = {0, 2, 0, 0, 0, 4, 8, 0, 0};
  const std::vector<float> inverse = {0, 0, 0.125f, 0.5f, 0, 0, 0, 0.25f, 0};
  EXPECT_EQ(plain_inverse(matrix, 3), inverse);
}

TEST(PlainInverse, OfAMatrixWithoutOneIsNotFinite) {
  for (const float value : plain_inverse(std::vector<float>(4, 1.0f), 2)) {
    EXPECT_FALSE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace kakeya
