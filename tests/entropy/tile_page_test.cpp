// SPDX-License-Identifier: Apache-2.0
// Pages of tiles: what is written comes back, fields and entries are where the drawing says, widths follow
// what they cost, and damaged pages are refused or points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <set>

#include "entropy/points_for_test.h"
#include "entropy/readable_pages_for_test.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/tile_choice.h"
#include "kakeya/entropy/tile_coder.h"

namespace kakeya {
namespace {

using namespace test;

constexpr FieldOrder kOrders[] = {FieldOrder::keys, FieldOrder::values};

TileHeader tile_header_of(std::span<const std::byte> page, std::size_t dim, std::size_t vectors) {
  TileHeader header(dim, vectors);
  header.read(page);
  return header;
}

std::uint32_t word_of(std::span<const std::byte> page, std::size_t byte) {
  std::uint32_t word;
  std::memcpy(&word, page.data() + byte, 4);
  return word;
}

TEST(TilePage, EveryPointComesBack) {
  for (const FieldOrder order : kOrders) {
    for (const std::size_t dim : {8u, 24u, 40u, 64u, 128u}) {
      const auto deviations = falling(dim, 40, 0.05);
      const TileCoder coder(order, deviations);
      for (const std::size_t vectors : {1u, 5u, 127u, 128u, 129u, 300u}) {
        const auto twice = normal_points(Lattice::z, vectors, deviations, dim + vectors);
        const auto page = coder.encode(twice, vectors);
        EXPECT_EQ(page.size() % 4, 0u);
        EXPECT_EQ(decoded(coder, page, vectors), twice) << dim << " " << vectors;
      }
    }
  }
}

// Every width there is, with numbers beyond it up to the largest.
TEST(TilePage, NumbersOfEverySizeComeBack) {
  const std::size_t dim = 16, vectors = 150;
  for (double deviation = 0.01; deviation < 3e6; deviation *= 3) {
    const std::vector<double> deviations(dim, deviation);
    auto twice =
        normal_points(Lattice::z, vectors, std::vector<double>(dim, std::min(deviation, 3e5)), 7);
    for (std::size_t t = 0; t < vectors; t += 29) {
      twice[lane_value(t, 3, dim)] = t % 2 == 0 ? 4194304 : -4194304;
    }
    const TileCoder coder(FieldOrder::values, deviations);
    EXPECT_EQ(decoded(coder, coder.encode(twice, vectors), vectors), twice) << deviation;
  }
}

// Each width's fields hold each bit once, and each position of a tile is one coordinate of one vector.
TEST(TilePage, PiecesAndPositionsAreEachOne) {
  for (int width = 0; width <= kMostTileWidth; ++width) {
    std::set<int> bits;
    for (int reg = 0; reg < 8; ++reg) {
      int filled = 0;
      for (int n = 0; n < tile_pieces(width, reg); ++n) {
        const TilePiece piece = tile_piece(width, reg, n);
        EXPECT_EQ(piece.to, filled);
        filled += piece.bits;
        for (int bit = 0; bit < piece.bits; ++bit) {
          EXPECT_TRUE(bits.insert(8 * piece.word + piece.from + bit).second);
        }
      }
      EXPECT_EQ(filled, width);
    }
    EXPECT_EQ(bits.size(), static_cast<std::size_t>(8 * width));
    EXPECT_TRUE(bits.empty() || *bits.rbegin() < 8 * width);
  }
  for (const FieldOrder order : kOrders) {
    std::set<int> positions;
    for (int i = 0; i < 32; ++i) {
      for (int t = 0; t < 128; ++t) {
        const int position = tile_position(order, i, t);
        EXPECT_TRUE(positions.insert(position).second);
        const TileTarget back = tile_target(order, position);
        EXPECT_EQ(back.coordinate, i);
        EXPECT_EQ(back.vector, t);
      }
    }
    EXPECT_EQ(*positions.begin(), 0);
    EXPECT_EQ(*positions.rbegin(), 4095);
  }
}

// The drawing of tile_format.h, register by register, in plain words.
TEST(TilePage, FieldsAreWhereTheDrawingSays) {
  const std::size_t dim = 32, vectors = 128;
  TileHeader header(dim, vectors);
  header.widths = {3, 5, 8, 1};
  std::vector<std::int32_t> v(dim * vectors);
  const Random random(3);
  for (std::size_t i = 0; i < dim; ++i) {
    const int levels = 1 << header.widths[i / 8];
    for (std::size_t t = 0; t < vectors; ++t) {
      v[i * vectors + t] =
          static_cast<std::int32_t>(random.bits(i * vectors + t) >> 40) % levels - levels / 2;
    }
  }
  for (const FieldOrder order : kOrders) {
    std::vector<std::byte> block;
    put_tile_block(header, order, {v.data(), vectors, vectors}, block);
    ASSERT_EQ(block.size(), 8 + 128u * (3 + 5 + 8 + 1));
    for (std::size_t i = 0; i < dim; ++i) {
      for (std::size_t t = 0; t < vectors; ++t) {
        const std::size_t g = i / 8, c = i % 8, row[] = {0, 3, 8, 16};
        std::size_t lane = 8 * (t / 16 % 4) + t % 8, r = 4 * (t / 64) + 2 * (c / 4) + t / 8 % 2,
                    b = c % 4;
        if (order == FieldOrder::values) {
          lane = 4 * c + t % 8 / 2, r = 4 * (t % 2) + t / 8 / 4, b = t / 8 % 4;
        }
        const auto byte = [&](std::size_t k) {
          return std::to_integer<int>(block[8 + 128 * (row[g] + k) + 4 * lane + b]);
        };
        int u = 0;
        if (g == 0) {
          u = r < 6 ? byte(r / 2) >> 3 * (r % 2) & 7
                    : (r == 6 ? byte(0) >> 6 | (byte(1) >> 6 & 1) << 2
                              : byte(1) >> 7 | byte(2) >> 6 << 1);
        } else if (g == 1) {
          u = r < 5    ? byte(r) & 31
              : r == 5 ? byte(0) >> 5 | (byte(1) >> 5 & 3) << 3
              : r == 6 ? byte(1) >> 7 | byte(2) >> 5 << 1 | (byte(3) >> 5 & 1) << 4
                       : byte(3) >> 6 | byte(4) >> 5 << 2;
        } else {
          u = g == 2 ? byte(r) : byte(0) >> r & 1;
        }
        ASSERT_EQ(u - (1 << header.widths[g]) / 2, v[i * vectors + t]) << i << " " << t;
      }
    }
  }
}

// Bits above the entropy of normal coordinates, and entries a coordinate.
TEST(TilePage, CostsLittleMoreThanTheEntropy) {
  const std::size_t dim = 128, vectors = 1024;
  for (const auto& [first, last] : {std::pair(15.5, 0.27), std::pair(9.0, 0.19)}) {
    const auto deviations = falling(dim, first, last);
    const auto twice = normal_points(Lattice::z, vectors, deviations, 5);
    double entropy = 0;
    for (std::size_t i = 0; i < dim; ++i) {
      std::map<std::int32_t, int> counts;
      for (std::size_t t = 0; t < vectors; ++t) ++counts[twice[lane_value(t, i, dim)]];
      for (const auto& [number, count] : counts) entropy -= count * std::log2(count / 1024.0);
    }
    const TileCoder coder(FieldOrder::keys, deviations);
    const auto page = coder.encode(twice, vectors);
    const double values = dim * vectors;
    EXPECT_LT((bits_of(page) - entropy) / values, 0.53);
    EXPECT_GT((bits_of(page) - entropy) / values, 0.2);
    const TileHeader header = tile_header_of(page, dim, vectors);
    const std::size_t at = header.bytes();
    EXPECT_EQ(word_of(page, at), 0u);  // far entries
    std::size_t entries = 0;
    for (const std::size_t word : {1u, 2u}) {
      entries += (word_of(page, at + 4 * word) & 0xffff) + (word_of(page, at + 4 * word) >> 16);
    }
    EXPECT_LT(32.0 * static_cast<double>(entries) / (128.0 * dim), 0.09);
  }
}

// Coordinates that are elsewhere than expected cost eight bytes a group.
TEST(TilePage, ShiftsFollowMedians) {
  const std::size_t dim = 64, vectors = 128;
  const auto deviations = falling(dim, 8, 0.3);
  const TileCoder coder(FieldOrder::keys, deviations);
  const auto still = normal_points(Lattice::z, vectors, deviations, 9);
  auto moved = still;
  for (std::size_t t = 0; t < vectors; ++t) {
    for (std::size_t i = 8; i < 16; ++i) moved[lane_value(t, i, dim)] += 2 * 40;
  }
  const auto page = coder.encode(moved, vectors);
  EXPECT_EQ(tile_header_of(page, dim, vectors).shifted[1], 1);
  EXPECT_LT(page.size(), coder.encode(still, vectors).size() + 16);
  EXPECT_EQ(decoded(coder, page, vectors), moved);
}

TEST(TilePage, KeepsItsBound) {
  expect_kept_bound(TileCoder(FieldOrder::keys, falling(64, 4, 0.1)), {1u, 40u, 128u, 200u});
}

TEST(TilePage, RefusesWhatItCannotCode) {
  const std::vector<double> eight(8, 1.0), twelve(12, 1.0), many(520, 1.0);
  EXPECT_THROW(TileCoder(FieldOrder::keys, twelve), InputError);
  EXPECT_THROW(TileCoder(FieldOrder::keys, many), InputError);
  EXPECT_THROW(TileCoder(FieldOrder::keys, {}), InputError);
  const TileCoder coder(FieldOrder::keys, eight);
  std::vector<std::int32_t> twice(lane_values(1, 8));
  twice[0] = 1;
  EXPECT_THROW(coder.encode(twice, 1), InputError);
}

// True when it was decoded: then it is points, which come back.
bool reads_tiles(const TileCoder& coder, std::span<const std::byte> page, std::size_t vectors) {
  const auto exact = std::make_unique<std::byte[]>(page.size());
  if (!page.empty()) std::memcpy(exact.get(), page.data(), page.size());
  std::vector<std::int32_t> twice(lane_values(vectors, coder.dim()));
  try {
    coder.decode({exact.get(), page.size()}, vectors, twice);
  } catch (const CorruptStream&) {
    return false;
  }
  EXPECT_EQ(decoded(coder, coder.encode(twice, vectors), vectors), twice);
  return true;
}

TEST(TilePage, DamagedPagesAreRefusedOrPoints) {
  const std::size_t dim = 40, vectors = 140;
  const auto deviations = falling(dim, 5, 0.2);
  const TileCoder coder(FieldOrder::values, deviations);
  auto twice = normal_points(Lattice::z, vectors, deviations, 2);
  twice[lane_value(7, 30, dim)] = 2 * 100000;
  const auto page = coder.encode(twice, vectors);
  for (std::size_t bytes = 0; bytes < page.size(); ++bytes) {
    EXPECT_FALSE(reads_tiles(coder, std::span(page).first(bytes), vectors)) << bytes;
  }
  auto longer = page;
  longer.resize(page.size() + 4);
  EXPECT_FALSE(reads_tiles(coder, longer, vectors));
  std::size_t taken = 0;
  for (std::size_t at = 0; at < page.size(); ++at) {
    auto other = page;
    other[at] ^= static_cast<std::byte>(1u << at % 8);
    if (reads_tiles(coder, other, vectors)) ++taken;
  }
  EXPECT_FALSE(reads_tiles(coder, page, vectors - 1));
  EXPECT_FALSE(reads_tiles(coder, page, vectors + 1));
  EXPECT_GT(taken, page.size() / 2);  // fields have no redundancy
}

// A page of 16 vectors of 8 coordinates without fields, with these words of lists.
struct ForgedTile {
  std::uint32_t bits = 0, width = 0, entries = 0, far = 0;  // entries: a 32nd
  std::vector<std::uint32_t> words;

  bool decodes() const {
    std::vector<std::uint32_t> all{15, width, bits, 0, far, entries};
    all.insert(all.end(), words.begin(), words.end());
    return reads_tiles(TileCoder(FieldOrder::keys, std::vector<double>(8, 0.1)),
                       std::as_bytes(std::span(all)), 16);
  }
};

// 32 entries of 8 bits, or of 12: the first `count` of them `entry`, the others quiet.
std::vector<std::uint32_t> words_of(int bits, std::uint32_t entry, int count) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(bits));
  for (int n = 0; n < 32; ++n) {
    const std::uint32_t one = n < count ? entry : tile_quiet(bits);
    for (int k = 0; k < bits; ++k) {
      const int bit = n * bits + k;
      words[static_cast<std::size_t>(bit / 32)] |= (one >> k & 1) << bit % 32;
    }
  }
  return words;
}

TEST(TilePage, ForgedListsAreRefused) {
  EXPECT_TRUE((ForgedTile{}.decodes()));
  EXPECT_FALSE((ForgedTile{2, 0, 0, 0, {}}.decodes()));   // entries of 2 bits
  EXPECT_FALSE((ForgedTile{13, 0, 0, 0, {}}.decodes()));  // of 13
  EXPECT_FALSE((ForgedTile{0, 9, 0, 0, {}}.decodes()));   // fields of 9
  EXPECT_FALSE((ForgedTile{0, 1, 0, 0, {}}.decodes()));   // no room for fields
  EXPECT_TRUE((ForgedTile{8, 0, 1, 0, words_of(8, 5, 3)}.decodes()));
  EXPECT_TRUE((ForgedTile{8, 0, 1, 0, words_of(8, 0x80, 32)}.decodes()));
  EXPECT_FALSE((ForgedTile{0, 0, 1, 0, words_of(8, 5, 3)}.decodes()));       // no bits
  EXPECT_FALSE((ForgedTile{8, 0, 2, 0, words_of(8, 5, 3)}.decodes()));       // too few
  EXPECT_FALSE((ForgedTile{7, 0, 1, 0, words_of(8, 5, 3)}.decodes()));       // a word too many
  EXPECT_TRUE((ForgedTile{12, 0, 1, 0, words_of(12, 1023, 1)}.decodes()));   // the last position
  EXPECT_FALSE((ForgedTile{12, 0, 1, 0, words_of(12, 1024, 1)}.decodes()));  // behind it
  EXPECT_FALSE((ForgedTile{12, 0, 1, 0, words_of(12, 512, 2)}.decodes()));
  EXPECT_TRUE((ForgedTile{0, 0, 0, 1, {1023 | 5u << 16}}.decodes()));   // far
  EXPECT_FALSE((ForgedTile{0, 0, 0, 1, {1024 | 5u << 16}}.decodes()));  // beyond the last
  EXPECT_FALSE((ForgedTile{0, 0, 0, 0x40000001, {0}}.decodes()));       // more than there are bytes
}

// A number beyond 2^21 that two far entries make, named.
TEST(TilePage, NumbersBeyondTheLargestAreRefusedByName) {
  std::vector<std::uint32_t> all{0, 8, 0, 0, 1, 0};
  std::vector<std::uint32_t> rows(256);
  all.insert(all.end(), rows.begin(), rows.end());
  const TileCoder coder(FieldOrder::keys, std::vector<double>(8, 1.0));
  std::vector<std::int32_t> twice(lane_values(1, 8));
  all.push_back(128 * 3 | 8192u << 16);
  coder.decode(std::as_bytes(std::span(all)), 1, twice);
  EXPECT_EQ(twice[lane_value(0, 3, 8)], 2 * (8192 * 256 - 128));
  all.back() = 128 * 3 | 8193u << 16;
  try {
    coder.decode(std::as_bytes(std::span(all)), 1, twice);
    FAIL() << "nothing was thrown";
  } catch (const CorruptStream& error) {
    EXPECT_STREQ(error.what(),
                 "tiles: coordinate 3 of vector 0: 2097280 steps, expected at most 2^21");
  }
}

}  // namespace
}  // namespace kakeya
