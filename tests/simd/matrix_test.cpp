// SPDX-License-Identifier: Apache-2.0
// Sums and turns of rows, on every instruction set, against the order that matrix.h says.
#include "kakeya/simd/matrix.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/random.h"
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

// Of any shape, with factors and sums that are parts of larger matrices.
TEST(MatrixRows, ProductsAreSumsInOrder) {
  constexpr std::size_t kProducts[][3] = {{1, 3, 5},     {3, 40, 33},   {4, 16, 32}, {7, 1, 31},
                                          {17, 300, 70}, {50, 270, 64}, {64, 8, 96}};
  testing::on_every_target([&](const std::string& name) {
    SCOPED_TRACE(name);
    for (const auto& [rows, inner, columns] : kProducts) {
      const std::size_t left = inner + 2, right = columns + 3, across = columns + 5;
      const auto factors = testing::normals(rows * left, 1),
                 matrix = testing::normals(inner * right, 2);
      auto sums = testing::normals(rows * across, 3), expected = sums;
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
          for (std::size_t k = 0; k < inner; ++k)
            expected[i * across + j] += factors[i * left + k] * matrix[k * right + j];
        }
      }
      add_product({factors.data(), rows, inner, left}, {matrix.data(), inner, columns, right},
                  {sums.data(), rows, columns, across});
      EXPECT_EQ(sums, expected) << rows << " " << inner << " " << columns;
    }
  });
}

// As large as sums may be.
TEST(MatrixRows, ProductsOfPairsAreExact) {
  constexpr std::size_t kRows = 13, kPairs = 128, kColumns = 45;
  const Random random(3);
  const auto whole = [&](std::size_t i) {
    return static_cast<std::int32_t>(random.bits(i) % 5793) - 2896;
  };
  const auto packed = [&](std::size_t i) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(whole(2 * i)) & 0xffff) |
           static_cast<std::int32_t>(static_cast<std::uint32_t>(whole(2 * i + 1)) << 16);
  };
  const std::size_t second = kRows * kPairs;
  std::vector<std::int32_t> factors, rows;
  for (std::size_t i = 0; i < second; ++i) factors.push_back(packed(i));
  for (std::size_t i = 0; i < kPairs * kColumns; ++i) rows.push_back(packed(second + i));
  for (std::size_t k = 0; k < kPairs; ++k) {  // the largest sum that there is
    factors[k] = 0x0b500b50;
    rows[k * kColumns] = 0x0b500b50;
  }
  std::vector<std::int32_t> expected(kRows * kColumns, 0);
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kColumns; ++j) {
      for (std::size_t k = 0; k < kPairs; ++k) {
        const std::int32_t a = factors[i * kPairs + k], b = rows[k * kColumns + j];
        expected[i * kColumns + j] +=
            static_cast<std::int16_t>(a) * static_cast<std::int16_t>(b) + (a >> 16) * (b >> 16);
      }
    }
  }
  EXPECT_EQ(expected[0], 2 * 128 * 2896 * 2896);
  testing::on_every_target([&](const std::string& name) {
    SCOPED_TRACE(name);
    std::vector<std::int32_t> sums(kRows * kColumns, 0);
    add_pair_product(dense_rows<const std::int32_t>(factors.data(), kRows, kPairs),
                     dense_rows<const std::int32_t>(rows.data(), kPairs, kColumns),
                     dense_rows(sums.data(), kRows, kColumns));
    EXPECT_EQ(sums, expected);
  });
}

// As many sweeps and turns as go through registers together, fewer and more.
TEST(MatrixRows, TurnsPairsFromTheLastDownSweepAfterSweep) {
  constexpr std::size_t kRows = 12, kLast = 9;
  testing::on_every_target([&](const std::string& name) {
    SCOPED_TRACE(name);
    for (const std::size_t sweeps : {1, 3, 4, 6, 9}) {
      for (const std::size_t count : {1, 3, 4, 5, 10}) {
        const auto angles = testing::normals(sweeps * count, 5);
        std::vector<Turn> turns;
        for (const float angle : angles) turns.push_back({std::cos(angle), std::sin(angle)});
        auto rows = testing::normals(kRows * kTurnColumns, count), expected = rows;
        for (std::size_t k = 0; k < turns.size(); ++k) {
          const auto [c, s] = turns[k];
          for (std::size_t j = 0; j < kTurnColumns; ++j) {
            float& low = expected[(kLast - k % count) * kTurnColumns + j];
            float& high = expected[(kLast + 1 - k % count) * kTurnColumns + j];
            const float own = low, other = high;
            high = s * own + c * other;
            low = c * own - s * other;
          }
        }
        turn_rows(turns, sweeps, kLast, rows.data());
        EXPECT_EQ(rows, expected) << sweeps << " " << count;
      }
    }
  });
}

}  // namespace
}  // namespace kakeya
