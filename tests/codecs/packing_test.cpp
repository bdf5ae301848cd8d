// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "codecs/vectors_for_test.h"
#include "kakeya/bitstream/bits.h"
#include "kakeya/codecs/fixed_rate/index_packing.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace test;

double log2_of(PointIndex count) {
  return std::log2(static_cast<double>(count >> 32) * 0x1p32 +
                   static_cast<double>(static_cast<std::uint32_t>(count)));
}

PointIndex draw(const Random& random, std::uint64_t at, PointIndex count) {
  return ((static_cast<PointIndex>(random.bits(2 * at)) << 64) | random.bits(2 * at + 1)) % count;
}

PointIndex number_at(const TileNumbers& numbers, std::size_t place) {
  const PointIndex high = numbers.high() == nullptr ? 0 : numbers.high()[place];
  return high << 64 | numbers.low()[place];
}

void set_number(TileNumbers& numbers, std::size_t place, PointIndex number) {
  numbers.low()[place] = static_cast<std::uint64_t>(number);
  if (numbers.high() != nullptr) numbers.high()[place] = static_cast<std::uint64_t>(number >> 64);
}

// Every count of the codecs, and some that are awkward: packed, read back, and at most one bit
// longer than the exact count; 1.01 bits where radices are wide or blocks many.
TEST(Packing, JointIsWithinOneBitAVectorAndExact) {
  std::vector<std::pair<PointIndex, std::size_t>> cases;
  std::size_t strict = 0;
  for (int q = 1; q <= 152; ++q) {
    for (const std::size_t dim : {64u, 128u, 256u}) {
      cases.emplace_back(E8Book(q, q).count(), dim / 8);
      cases.emplace_back(D4Book(q).count(), dim / 4);
      cases.emplace_back(static_cast<PointIndex>(2 * q + 1), dim);
    }
  }
  strict = cases.size();
  for (const auto& [q, dim] : {std::pair(64, 712u), std::pair(109, 968u), std::pair(532, 1024u)}) {
    cases.emplace_back(D4Book(q).count(), dim / 4);
  }
  cases.emplace_back(E8Book(1023, 1023).count(), 128);
  cases.emplace_back(D4Book(1023).count(), 256);
  for (const PointIndex count : {2, 3, 65535, 65536, 65537}) cases.emplace_back(count, 1024);
  const Random random(71);
  for (std::size_t which = 0; which < cases.size(); ++which) {
    const auto& [count, blocks] = cases[which];
    const auto packing = joint_packing(count, blocks);
    const double exact = static_cast<double>(blocks) * log2_of(count);
    ASSERT_GE(static_cast<double>(packing->vector_bits()), exact - 1e-6);
    ASSERT_LT(static_cast<double>(packing->vector_bits()), exact + (which < strict ? 1.0 : 1.01))
        << static_cast<double>(count) << " x " << blocks;
    const bool wide = (count - 1) >> 64 != 0;
    TileNumbers in(blocks, wide), out(blocks, wide);
    std::vector<std::byte> bytes(row_bytes(kBitRows, packing->vector_bits()));
    RowBitWriter writer(packing->vector_bits());
    RowBitReader reader(packing->vector_bits());
    // The first number in one row, the last in another, any in the rest; then a part of a tile.
    for (const std::size_t rows : {std::size_t{16}, std::size_t{5}}) {
      for (std::size_t i = 0; i < blocks * kBitRows; ++i) {
        const std::size_t r = i % kBitRows;
        set_number(in, i, r == 0 ? 0 : (r == 1 ? count - 1 : draw(random, i, count)));
      }
      packing->put(in, writer);
      writer.store(bytes, rows);
      reader.load(std::span(bytes).first(row_bytes(rows, packing->vector_bits())), rows);
      packing->get(reader, out);
      for (std::size_t i = 0; i < blocks * kBitRows; ++i) {
        const PointIndex expected = i % kBitRows < rows ? number_at(in, i) : 0;
        ASSERT_TRUE(number_at(out, i) == expected)
            << static_cast<double>(count) << " x " << blocks << ", place " << i;
      }
    }
  }
}

// The fields one after another, as index_packing.h draws them, by the arithmetic of 128 bits.
TEST(Packing, JointFieldsAreWhereTheyAreDrawn) {
  const Random random(76);
  for (const int q : {1, 2, 5, 10, 22, 38, 100, 152, 200, 300, 600, 1023}) {
    for (const bool d4 : {false, true}) {
      const PointIndex count = d4 ? D4Book(q).count() : E8Book(q, q).count();
      const std::size_t blocks = 24;
      const auto packing = joint_packing(count, blocks);
      TileNumbers numbers(blocks, (count - 1) >> 64 != 0);
      for (std::size_t i = 0; i < blocks * kBitRows; ++i) {
        set_number(numbers, i, draw(random, i, count));
      }
      std::vector<std::byte> bytes(row_bytes(kBitRows, packing->vector_bits()));
      RowBitWriter writer(packing->vector_bits());
      packing->put(numbers, writer);
      writer.store(bytes, kBitRows);

      const int raw = std::max(index_bits(count) - 16, 0);
      BitReader reader(bytes);
      for (std::size_t r = 0; r < kBitRows; ++r) {
        std::uint64_t x = 0, radix = 1;
        for (std::size_t block = 0; block < blocks; ++block) {
          const PointIndex number = number_at(numbers, block * kBitRows + r);
          if (raw != 0) {
            ASSERT_TRUE(reader.get_wide(raw) == (number & ((PointIndex{1} << raw) - 1)));
          }
          x += radix * static_cast<std::uint64_t>(number >> raw);
          radix *= static_cast<std::uint64_t>((count - 1) >> raw) + 1;
          if (radix < std::uint64_t{1} << 36) continue;
          ASSERT_EQ(reader.get(16), x & 0xffff);
          x >>= 16;
          radix = ((radix - 1) >> 16) + 1;
        }
        ASSERT_EQ(reader.get(index_bits(radix)), x);
      }
      ASSERT_NO_THROW(reader.finish());
    }
  }
}

// Whatever the bits: a number that no vector has is none below the count, so that what is read
// without one is what would be written.
TEST(Packing, JointReadsAnyBits) {
  const Random random(72);
  for (const int q : {1, 10, 38, 127, 152, 1023}) {
    for (const bool d4 : {false, true}) {
      const PointIndex count = d4 ? D4Book(q).count() : E8Book(q, q).count();
      const std::size_t blocks = 3;
      const auto packing = joint_packing(count, blocks);
      std::vector<std::byte> bytes(row_bytes(kBitRows, packing->vector_bits())), again = bytes;
      TileNumbers numbers(blocks, (count - 1) >> 64 != 0);
      RowBitReader reader(packing->vector_bits());
      RowBitWriter writer(packing->vector_bits());
      for (std::uint64_t trial = 0; trial < 500; ++trial) {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
          bytes[i] =
              trial == 0 ? std::byte{0xff} : static_cast<std::byte>(random.bits(trial * 10000 + i));
        }
        reader.load(bytes, kBitRows);
        packing->get(reader, numbers);
        bool exists[kBitRows];
        std::fill_n(exists, kBitRows, true);
        for (std::size_t i = 0; i < blocks * kBitRows; ++i) {
          if (number_at(numbers, i) < count) continue;
          exists[i % kBitRows] = false;
          set_number(numbers, i, 0);
        }
        packing->put(numbers, writer);
        writer.store(again, kBitRows);
        for (std::size_t bit = 0; bit < kBitRows * packing->vector_bits(); ++bit) {
          const auto differ = (bytes[bit / 8] ^ again[bit / 8]) >> (bit % 8) & std::byte{1};
          ASSERT_TRUE(differ == std::byte{0} || !exists[bit / packing->vector_bits()]) << q;
        }
      }
    }
  }
}

TEST(Packing, BlockIsAFieldOfFixedWidth) {
  EXPECT_EQ(block_packing(E8Book(38, 38).count(), 16)->vector_bits(), 16u * 51);
  EXPECT_EQ(block_packing(7, 128)->vector_bits(), 128u * 3);
}

// The published E8 at q=38 has 848 nominal bits for 128 values.
TEST(Packing, E8AtQ38TakesAtMost818BitsAVector) {
  const std::size_t dim = 128, count = 16384;
  const auto x = normals(dim * count, 73);
  const auto codec = make_codec("e8:q=38,pack=joint,scales=one", {dim});
  const auto frame = encode(*codec, dense_rows(x.data(), count, dim));
  EXPECT_LE(8.0 * static_cast<double>(frame.size()) / static_cast<double>(count), 818.0);
  EXPECT_GT(8.0 * static_cast<double>(frame.size()) / static_cast<double>(count), 816.9);
  const double joint = rel_mse(x, decode(*codec, frame, count));
  const double published = rel_mse(x, roundtrip(*make_codec("e8:q=38,rule=published", {dim}), x));
  EXPECT_LT(joint, 1.01 * published);
  EXPECT_GT(joint, 0.99 * published);
}

TEST(Packing, WritesTheSamePointsEveryWay) {
  const std::size_t dim = 128, count = 700;
  const auto x = normals(dim * count, 74);
  for (const std::string codec : {"e8:q=10", "d4:q=38", "tq:b=5"}) {
    const auto block = roundtrip(*make_codec(codec, {dim}), x);
    EXPECT_EQ(roundtrip(*make_codec(codec + ",pack=joint", {dim}), x), block) << codec;
    EXPECT_EQ(roundtrip(*make_codec(codec + ",pack=rans", {dim}), x), block) << codec;
  }
}

// Entropy coding pays for the indices of a normal source what their entropy is.
TEST(Packing, RansIsNearTheEntropyOfTheIndices) {
  const std::size_t dim = 128, count = 8192;
  const auto x = normals(dim * count, 75);
  const auto rows = dense_rows(x.data(), count, dim);
  for (const std::string spec : {"e8:q=10", "d4:q=38", "tq:b=4", "e8:q=3"}) {
    const auto codec = make_codec(spec + ",pack=rans,scales=log8", {dim});
    const double bits =
        8.0 * static_cast<double>(encode(*codec, rows).size()) / static_cast<double>(rows.values());
    const double entropy = *codec->account().index_entropy_bits_per_value(rows);
    EXPECT_GT(bits, entropy + 8.0 / dim) << spec;
    EXPECT_LT(bits, entropy + 8.0 / dim + 0.03) << spec;
  }
}

}  // namespace
}  // namespace kakeya
