// SPDX-License-Identifier: Apache-2.0
#include "kakeya/lattice/enumerate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "kakeya/core/random.h"

namespace kakeya {
namespace {

bool even_sum(const float* z, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += z[i];
  return std::fmod(sum, 2.0f) == 0.0f;
}

// Every index gives another point of the lattice within its box, and the point gives the index
// back.
template <typename Book>
void expect_bijection(const Book& book, float integer_bound, float half_bound) {
  std::set<std::vector<float>> seen;
  for (PointIndex index = 0; index < book.count(); ++index) {
    float z[Book::kDim];
    book.point(index, z);
    const bool half = Book::kDim == 8 && has_half_coordinates(z);
    for (const float c : z) {
      ASSERT_EQ(c - std::floor(c), half ? 0.5f : 0.0f);
      ASSERT_LE(std::fabs(c), half ? half_bound - 0.5f : integer_bound);
    }
    ASSERT_TRUE(even_sum(z, Book::kDim));  // 8 halves sum to 4: even for both kinds
    ASSERT_TRUE(book.contains(z));
    ASSERT_EQ(book.index(z), index);
    seen.insert(std::vector<float>(z, z + Book::kDim));
  }
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(book.count()));
}

TEST(D4Book, EveryIndexOfSmallBoxes) {
  for (int q = 1; q <= 6; ++q) expect_bijection(D4Book(q), static_cast<float>(q), 0.0f);
}

TEST(E8Book, EveryIndexOfSmallBoxes) {
  expect_bijection(E8Book(1, 1), 1.0f, 1.0f);
  expect_bijection(E8Book(1, 2), 1.0f, 2.0f);
  expect_bijection(E8Book(2, 1), 2.0f, 1.0f);
}

// Every index gives another vector of whole numbers in the box and is its number again.
template <typename Book>
std::set<std::vector<float>> points_of(const Book& book) {
  std::set<std::vector<float>> points;
  for (PointIndex index = 0; index < book.count(); ++index) {
    std::vector<float> z(4);
    book.point(index, z.data());
    EXPECT_EQ(book.index(z.data()), index);
    points.insert(z);
  }
  EXPECT_EQ(points.size(), static_cast<std::size_t>(book.count()));
  return points;
}

// Points of D4 with coordinates up to `reach`, clamped to `bound` afterwards.
std::set<std::vector<float>> clamped_points(int bound, int reach) {
  std::set<std::vector<float>> points;
  const ClampedD4Book book(bound);
  const D4Book all(reach);
  for (PointIndex index = 0; index < all.count(); ++index) {
    std::vector<float> z(4), back(4);
    all.point(index, z.data());
    const PointIndex number = book.index(z.data());
    const auto bound_of = static_cast<float>(bound);
    for (float& c : z) c = std::clamp(c, -bound_of, bound_of);
    book.point(number, back.data());
    EXPECT_EQ(back, z);
    points.insert(z);
  }
  return points;
}

TEST(ClampedD4Book, HoldsWhatClampingGivesAndNothingElse) {
  for (int q = 1; q <= 5; ++q) EXPECT_EQ(points_of(ClampedD4Book(q)), clamped_points(q, q + 2));
  // (77^4 + 1)/2 even sums, and odd ones less those within the ends: 25 bits, as D4Book(38) takes.
  EXPECT_EQ(static_cast<std::uint64_t>(ClampedD4Book(38).count()), 17576521u + 17576520 - 15820312);
  EXPECT_EQ(index_bits(ClampedD4Book(38).count()), 25);
  EXPECT_EQ(index_bits(ClampedD4Book(1023).count()), 44);
}

TEST(Z4Book, EveryIndexOfSmallBoxes) {
  for (int q = 1; q <= 4; ++q) {
    const Z4Book book(q);
    EXPECT_EQ(static_cast<int>(book.count()),
              (2 * q + 1) * (2 * q + 1) * (2 * q + 1) * (2 * q + 1));
    for (const auto& z : points_of(book)) {
      EXPECT_TRUE(book.contains(z.data()));
      for (const float c : z) EXPECT_LE(std::fabs(c), static_cast<float>(q));
    }
  }
  EXPECT_EQ(index_bits(Z4Book(38).count()), 26);
}

TEST(Books, CountsAreExact) {
  EXPECT_EQ(static_cast<std::uint64_t>(D4Book(4).count()), 3281u);
  EXPECT_EQ(static_cast<std::uint64_t>(E8Book(4, 4).count()), 29911969u);
  EXPECT_EQ(static_cast<std::uint64_t>(E8Book(4, 5).count()), 71523361u);
  // By brute force: all integer vectors with even sum, and all half-integer ones.
  for (int q = 1; q <= 5; ++q) {
    std::uint64_t even = 0;
    for (int a = -q; a <= q; ++a)
      for (int b = -q; b <= q; ++b)
        for (int c = -q; c <= q; ++c)
          for (int d = -q; d <= q; ++d) even += (a + b + c + d) % 2 == 0 ? 1 : 0;
    EXPECT_EQ(static_cast<std::uint64_t>(D4Book(q).count()), even);
  }
}

TEST(Books, IndexBits) {
  EXPECT_EQ(index_bits(1), 0);
  EXPECT_EQ(index_bits(2), 1);
  EXPECT_EQ(index_bits(3), 2);
  EXPECT_EQ(index_bits(PointIndex{1} << 88), 88);
  EXPECT_EQ(index_bits((PointIndex{1} << 88) + 1), 89);
  // ceil(log2 count) for the ranges of the published tables; E8 needs a bit less than nominal at 4,
  // 7 and 10.
  const int expected[][3] = {{4, 12, 25},  {7, 15, 31},  {10, 17, 35},
                             {37, 24, 50}, {38, 25, 51}, {152, 33, 67}};
  for (const auto& [q, d4, e8] : expected) {
    EXPECT_EQ(index_bits(D4Book(q).count()), d4) << q;
    EXPECT_EQ(index_bits(E8Book(q, q).count()), e8) << q;
  }
}

template <typename Book>
void expect_random_indices(const Book& book, std::uint64_t stream) {
  const Random random(5, stream);
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    PointIndex index =
        (static_cast<PointIndex>(random.bits(2 * trial)) << 64 | random.bits(2 * trial + 1)) %
        book.count();
    if (trial == 0) index = 0;
    if (trial == 1) index = book.count() - 1;
    float z[Book::kDim];
    book.point(index, z);
    ASSERT_TRUE(even_sum(z, Book::kDim));
    ASSERT_TRUE(book.contains(z));
    ASSERT_TRUE(book.index(z) == index) << trial;
  }
}

TEST(Books, RandomIndicesOfLargeBoxes) {
  for (const int q : {10, 38, 127, 128, 152, 511, 512, 1000, 1023, 1024}) {
    expect_random_indices(D4Book(q), static_cast<std::uint64_t>(q));
    expect_random_indices(E8Book(q, q), static_cast<std::uint64_t>(q));
    if (q < 1024) expect_random_indices(E8Book(q, q + 1), static_cast<std::uint64_t>(q));
  }
}

TEST(Books, NeighbouringNumbersAroundPowersOfTheRadix) {
  for (const int q : {127, 128, 1023}) {
    const E8Book book(q, q);
    const PointIndex fourth = PointIndex{static_cast<unsigned>(2 * q + 1)} *
                              static_cast<unsigned>(2 * q + 1) * static_cast<unsigned>(2 * q + 1) *
                              static_cast<unsigned>(2 * q + 1);
    for (PointIndex multiple = 1; multiple < 2000; multiple += 7) {
      for (int offset = -2; offset <= 2; ++offset) {
        const PointIndex index =
            multiple * fourth / 2 + static_cast<PointIndex>(static_cast<__int128>(offset));
        float z[8];
        book.point(index, z);
        ASSERT_TRUE(book.index(z) == index);
      }
    }
  }
}

TEST(Books, ContainsKnowsTheBox) {
  const D4Book d4(3);
  const float inside[4] = {3, -3, 3, 3}, outside[4] = {4, 0, 0, 0};
  EXPECT_TRUE(d4.contains(inside));
  EXPECT_FALSE(d4.contains(outside));
  const E8Book e8(3, 4);
  const float half[8] = {3.5f, 3.5f, 3.5f, -3.5f, 3.5f, 3.5f, 3.5f, -3.5f},
              integer[8] = {4, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_TRUE(e8.contains(half));
  EXPECT_FALSE(e8.contains(integer));
  EXPECT_FALSE(E8Book(3, 3).contains(half));
}

}  // namespace
}  // namespace kakeya
