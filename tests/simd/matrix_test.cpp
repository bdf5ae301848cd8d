// SPDX-License-Identifier: Apache-2.0
// Sums and turns of rows, on every instruction set, against the order that matrix.h says.
#include "kakeya/simd/matrix.h"

#include <gtest/gtest.h>

#include <cmath>

#include "simd/targets.h"

namespace kakeya {
namespace {

constexpr std::pair<std::size_t, std::size_t> kShapes[] = {{1, 1},  {3, 5},   {2, 16},
                                                           {7, 31}, {40, 83}, {20, 300}};

TEST(MatrixRows, SumsInOrderWhateverTheInstructionSet) {
  testing::on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const auto& [count, dim] : kShapes) {
      const std::size_t stride = dim + 3;
      const auto rows = testing::normals(count * stride, dim), factor = testing::normals(count, 1);
      auto y = testing::normals(dim, 2), expected = y;
      for (std::size_t j = 0; j < dim; ++j) {
        for (std::size_t k = 0; k < count; ++k) expected[j] += factor[k] * rows[k * stride + j];
      }
      add_combination(factor.data(), {rows.data(), count, dim, stride}, y.data());
      EXPECT_EQ(y, expected) << count << " " << dim;
    }
  });
}

TEST(MatrixRows, UpdatesTouchNothingElse) {
  testing::on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const auto& [count, dim] : kShapes) {
      const std::size_t stride = dim + 3;
      const auto x = testing::normals(std::max(count, dim), 1),
                 y = testing::normals(std::max(count, dim), 2);
      auto rows = testing::normals(count * stride, dim), expected = rows;
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < dim; ++j) expected[i * stride + j] += x[i] * y[j];
      }
      add_outer(x.data(), y.data(), {rows.data(), count, dim, stride});
      EXPECT_EQ(rows, expected) << count << " " << dim;
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < dim; ++j) {
          expected[i * stride + j] -= x[i] * y[j] + y[i] * x[j];
        }
      }
      subtract_symmetric(x.data(), y.data(), {rows.data(), count, dim, stride});
      EXPECT_EQ(rows, expected) << count << " " << dim;
    }
  });
}

TEST(MatrixRows, TurnsPairsFromTheLastDown) {
  const std::vector<Turn> turns = {{0.8f, 0.6f}, {0.6f, -0.8f}, {1.0f, 0.0f}};
  testing::on_every_target([&](const std::string& name) {
    SCOPED_TRACE(name);
    for (const auto& [unused, dim] : kShapes) {
      const std::size_t stride = dim + 3;
      auto rows = testing::normals(6 * stride, dim), expected = rows;
      for (std::size_t k = 0; k < turns.size(); ++k) {
        for (std::size_t j = 0; j < dim; ++j) {
          float &low = expected[(3 - k) * stride + j], &high = expected[(4 - k) * stride + j];
          const float own = low, other = high;
          high = turns[k].sine * own + turns[k].cosine * other;
          low = turns[k].cosine * own - turns[k].sine * other;
        }
      }
      turn_rows(turns, 3, {rows.data(), 6, dim, stride});
      EXPECT_EQ(rows, expected) << dim;
    }
  });
}

}  // namespace
}  // namespace kakeya
