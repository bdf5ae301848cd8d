// SPDX-License-Identifier: Apache-2.0
// Pages of prefix codes: what is written comes back, codewords are the shortest there are, strings and
// planes are where the drawing says, and damaged pages are refused or points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "entropy/points_for_test.h"
#include "entropy/readable_pages_for_test.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/prefix_coder.h"

namespace kakeya {
namespace {

using namespace test;

std::vector<CoordinateShape> falling_shapes(std::size_t dim, double first, double last) {
  std::vector<CoordinateShape> shapes;
  for (const double deviation : falling(dim, first, last)) shapes.push_back({deviation, 0, 0});
  return shapes;
}

std::vector<double> deviations_of(const std::vector<CoordinateShape>& shapes) {
  std::vector<double> deviations;
  for (const CoordinateShape& shape : shapes) deviations.push_back(shape.deviation);
  return deviations;
}

TEST(PrefixCode, IsTheShortestOfItsLength) {
  // Fibonacci's weights want lengths of 1, 2, 3, ...; all codes of at most 4 bits are tried.
  const std::vector<std::uint64_t> weights = {1, 1, 2, 3, 5, 8, 13};
  const PrefixCode code(weights, 4);
  std::uint64_t cost = 0, kraft = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    cost += weights[i] * static_cast<std::uint64_t>(code.length(i));
    kraft += std::uint64_t{16} >> code.length(i);
  }
  EXPECT_EQ(kraft, 16u);
  std::uint64_t least = UINT64_MAX;
  for (unsigned number = 0; number < (1u << 14); ++number) {  // 7 lengths of 1 to 4
    std::uint64_t sum = 0, share = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const unsigned length = 1 + (number >> 2 * i & 3);
      sum += weights[i] * length;
      share += 16u >> length;
    }
    if (share <= 16) least = std::min(least, sum);
  }
  EXPECT_EQ(cost, least);
  EXPECT_LT(PrefixCode(weights, 8).length(6), code.length(0));
}

TEST(PrefixCode, EveryCodewordIsFound) {
  std::vector<std::uint64_t> weights;
  for (std::uint64_t i = 1; i <= 300; ++i) weights.push_back(i * i);
  const PrefixCode code(weights, 11);
  for (std::size_t symbol = 0; symbol < weights.size(); ++symbol) {
    const int length = code.length(symbol);
    ASSERT_TRUE(length >= 1 && length <= 11);
    for (std::uint32_t more = 0; more < (1u << (11 - length)); ++more) {
      const auto& entry = code.entry(code.word(symbol) | more << length);
      ASSERT_EQ(entry.symbol, symbol);
      ASSERT_EQ(entry.length, length);
    }
  }
}

TEST(PrefixPage, EveryPointComesBack) {
  for (const std::size_t dim : {8u, 24u, 64u, 128u}) {
    const auto shapes = falling_shapes(dim, 60, 0.05);
    const PrefixCoder coder(shapes);
    for (const std::size_t vectors : {1u, 5u, 31u, 32u, 33u, 64u, 200u}) {
      const auto twice = normal_points(Lattice::z, vectors, deviations_of(shapes), dim + vectors);
      const auto page = coder.encode(twice, vectors);
      EXPECT_EQ(decoded(coder, page, vectors), twice) << dim << " " << vectors;
    }
  }
}

// Coordinates beyond their tables, up to the largest.
TEST(PrefixPage, NumbersOfEverySizeComeBack) {
  const std::size_t dim = 16, vectors = 70;
  for (double deviation = 0.01; deviation < 900; deviation *= 3) {
    const std::vector<CoordinateShape> shapes(dim, {deviation, 0.85, 0});
    const PrefixCoder coder(shapes);
    auto twice = normal_points(Lattice::z, vectors, std::vector<double>(dim, 3 * deviation), 7);
    for (std::size_t t = 0; t < vectors; t += 29) {
      twice[lane_value(t, 3, dim)] = t % 2 == 0 ? 4194304 : -4194304;
    }
    EXPECT_EQ(decoded(coder, coder.encode(twice, vectors), vectors), twice) << deviation;
  }
}

TEST(PrefixPage, CostsATenthOfABitMoreThanTheEntropy) {
  const std::size_t dim = 128, vectors = 1024;
  for (const auto& [first, last] : {std::pair(15.5, 0.27), std::pair(9.0, 0.19)}) {
    const auto shapes = falling_shapes(dim, first, last);
    const auto twice = normal_points(Lattice::z, vectors, deviations_of(shapes), 5);
    double entropy = 0;
    for (std::size_t i = 0; i < dim; ++i) {
      std::map<std::int32_t, int> counts;
      for (std::size_t t = 0; t < vectors; ++t) ++counts[twice[lane_value(t, i, dim)]];
      for (const auto& [number, count] : counts) entropy -= count * std::log2(count / 1024.0);
    }
    const auto page = PrefixCoder(shapes).encode(twice, vectors);
    EXPECT_LT((bits_of(page) - entropy) / (dim * vectors), 0.08);
    EXPECT_GT((bits_of(page) - entropy) / (dim * vectors), 0.02);
  }
}

// A reader of the drawing in prefix_coder.h, bit by bit, of a page without corrections.
TEST(PrefixPage, StringsAndPlanesAreWhereTheDrawingSays) {
  const std::size_t dim = 40, vectors = 75;
  std::vector<CoordinateShape> shapes;
  std::vector<PrefixGroup> groups;
  for (const double deviation :
       {20.0, 5.0, 2.5, 1.0, 0.3}) {  // planes of 4, 2, 1 bits, pairs, quads
    shapes.insert(shapes.end(), 8, {deviation, 0, 0});
    groups.emplace_back(std::span(shapes).last(8));
  }
  ASSERT_EQ(groups[0].planes(), 4);
  ASSERT_EQ(groups[2].planes(), 1);
  ASSERT_EQ(groups[3].together(), 2u);
  ASSERT_EQ(groups[4].together(), 4u);
  std::vector<double> narrow;
  for (const CoordinateShape& shape : shapes) narrow.push_back(shape.deviation / 3);
  const auto twice = normal_points(Lattice::z, vectors, narrow, 8);
  const auto page = PrefixCoder(shapes).encode(twice, vectors);
  const auto byte = [&](std::size_t at) { return std::to_integer<unsigned>(page[at]); };
  ASSERT_EQ(byte(0) | byte(1) | byte(2) | byte(3), 0u);  // corrections
  ASSERT_EQ(byte(4) | byte(5) << 8, vectors - 1);
  const std::size_t least = byte(6) | byte(7) << 8, bits = byte(8);
  const std::size_t planes = 12 + 4 * bits, lane_bytes = 4 + 2 + 1;
  std::size_t string = planes + 128 * ((3 * lane_bytes + 3) / 4);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    std::size_t length = least;
    for (std::size_t bit = 0; bit < bits; ++bit) {
      const std::size_t place = lane * bits + bit;
      length += std::size_t{byte(12 + place / 8) >> place % 8 & 1} << bit;
    }
    std::size_t next[2] = {};
    const auto take = [&](std::size_t which) {  // the next bit of A or of B
      const std::size_t place = next[which]++;
      const std::size_t of = which == 0 ? place : 8 * length - 1 - place;
      return byte(string + of / 8) >> of % 8 & 1;
    };
    std::size_t plane = 0;
    for (std::size_t t = lane; t < vectors; t += 32) {
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const PrefixGroup& group = groups[g];
        for (std::size_t c = 0; c < 8; c += group.together()) {
          std::int32_t want[4], again[4];
          for (std::size_t k = 0; k < group.together(); ++k) {
            want[k] = again[k] = twice[lane_value(t, 8 * g + c + k, dim)] / 2;
          }
          const std::size_t symbol = group.nearest(again);
          for (int bit = 0; bit < group.code().length(symbol); ++bit) {
            ASSERT_EQ(take(g % 2), group.code().word(symbol) >> bit & 1) << t << " " << g;
          }
          for (std::size_t k = 0; k < group.together(); ++k) {
            ASSERT_EQ(again[k], want[k]);
            std::uint32_t low = 0;
            for (int p = 0; p < group.planes(); ++p) {
              const std::size_t place = plane + static_cast<std::size_t>(p);
              low |= (byte(planes + place / 4 * 128 + 4 * lane + place % 4) >> (c + k) & 1) << p;
            }
            const std::int32_t v = want[k], u = v < 0 ? -1 - v : v;
            if (group.planes() != 0) {
              const auto mask = (std::uint32_t{1} << (group.planes() - 1)) - 1;
              ASSERT_EQ(low, (static_cast<std::uint32_t>(u) & mask) << 1 | (v < 0 ? 1 : 0));
              ASSERT_EQ(group.digits(symbol)[k], u >> (group.planes() - 1));
            }
          }
        }
        plane += static_cast<std::size_t>(group.planes());
      }
    }
    ASSERT_EQ((next[0] + next[1] + 7) / 8, length);
    string += length;
  }
  EXPECT_EQ(string, page.size());
}

TEST(PrefixPage, KeepsItsBound) {
  expect_kept_bound(PrefixCoder(falling_shapes(64, 4, 0.1)), {1u, 40u, 128u});
}

TEST(PrefixPage, DamagedPagesAreRefusedOrPoints) {
  const std::size_t dim = 16, vectors = 70;
  const auto shapes = falling_shapes(dim, 5, 0.2);
  const PrefixCoder coder(shapes);
  auto twice = normal_points(Lattice::z, vectors, deviations_of(shapes), 2);
  twice[0] = 4000;
  const auto page = coder.encode(twice, vectors);
  const auto reads = [&](std::span<const std::byte> bytes) {
    const auto exact = std::make_unique<std::byte[]>(bytes.size());
    if (!bytes.empty()) std::memcpy(exact.get(), bytes.data(), bytes.size());
    std::vector<std::int32_t> points(lane_values(vectors, dim));
    try {
      coder.decode({exact.get(), bytes.size()}, vectors, points);
    } catch (const CorruptStream&) {
      return false;
    }
    EXPECT_EQ(decoded(coder, coder.encode(points, vectors), vectors), points);
    return true;
  };
  EXPECT_TRUE(reads(page));
  for (std::size_t bytes = 0; bytes < page.size(); ++bytes) {
    EXPECT_FALSE(reads(std::span<const std::byte>(page).first(bytes))) << bytes;
  }
  auto longer = page;
  longer.resize(page.size() + 1);
  EXPECT_FALSE(reads(longer));
  std::size_t taken = 0;
  for (std::size_t at = 0; at < page.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      auto other = page;
      other[at] ^= static_cast<std::byte>(1u << bit);
      if (reads(other)) ++taken;
    }
  }
  EXPECT_GT(taken, page.size());  // of eight times as many: planes have no redundancy
}

TEST(PrefixPage, RefusesWhatItCannotCode) {
  const std::vector<CoordinateShape> twelve(12), many(520);
  EXPECT_THROW(PrefixCoder{std::span(twelve)}, InputError);
  EXPECT_THROW(PrefixCoder{std::span(many)}, InputError);
  const PrefixCoder coder(std::vector<CoordinateShape>(8));
  std::vector<std::int32_t> twice(lane_values(1, 8));
  twice[0] = 1;  // a half
  EXPECT_THROW(coder.encode(twice, 1), InputError);
}

}  // namespace
}  // namespace kakeya
