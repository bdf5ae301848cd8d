// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "codec/vectors_for_test.h"
#include "kakeya/codec/index_packing.h"
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

// Every count of the codecs, and some that are awkward: packed, read back, and no longer than the
// exact count allows.
TEST(Packing, JointIsWithinOneBitAVectorAndExact) {
  std::vector<std::pair<PointIndex, std::size_t>> cases;
  for (int q = 1; q <= 152; ++q) {
    for (const std::size_t dim : {64u, 128u, 256u}) {
      cases.emplace_back(E8Book(q, q).count(), dim / 8);
      cases.emplace_back(D4Book(q).count(), dim / 4);
      cases.emplace_back(static_cast<PointIndex>(2 * q + 1), dim);
    }
  }
  cases.emplace_back(E8Book(1023, 1023).count(), 128);
  cases.emplace_back(D4Book(1023).count(), 256);
  for (const PointIndex count : {2, 3, 65535, 65536, 65537}) cases.emplace_back(count, 1024);
  const Random random(71);
  for (const auto& [count, blocks] : cases) {
    const auto packing = joint_packing(count, blocks);
    const double exact = static_cast<double>(blocks) * log2_of(count);
    ASSERT_GE(static_cast<double>(packing->vector_bits()), exact - 1e-6);
    ASSERT_LT(static_cast<double>(packing->vector_bits()), exact + 1.02)
        << static_cast<double>(count) << " x " << blocks;
    std::vector<PointIndex> in(blocks), out(blocks);
    for (int kind = 0; kind < 4; ++kind) {
      for (std::size_t i = 0; i < blocks; ++i) {
        in[i] = kind == 0 ? 0 : (kind == 1 ? count - 1 : draw(random, i + 5000u * kind, count));
      }
      std::vector<std::byte> bytes((packing->vector_bits() + 7) / 8);
      BitWriter writer(bytes);
      packing->put(in, writer);
      ASSERT_EQ(writer.finish(), bytes.size());
      BitReader reader(bytes);
      packing->get(reader, out);
      ASSERT_NO_THROW(reader.finish());
      ASSERT_EQ(in, out) << static_cast<double>(count) << " x " << blocks;
    }
  }
}

// Whatever the bits, reading neither fails nor leaves 128 bits an index.
TEST(Packing, JointReadsAnyBits) {
  const Random random(72);
  for (const int q : {1, 10, 38, 152, 1023}) {
    const PointIndex count = E8Book(q, q).count();
    const auto packing = joint_packing(count, 16);
    std::vector<std::byte> bytes((packing->vector_bits() + 7) / 8);
    std::vector<PointIndex> out(16);
    for (std::uint64_t trial = 0; trial < 500; ++trial) {
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(random.bits(trial * 1000 + i));
      }
      BitReader reader(bytes);
      packing->get(reader, out);
      for (const PointIndex index : out) ASSERT_LT(index >> 120, PointIndex{1});
    }
  }
}

TEST(Packing, BlockIsAFieldOfFixedWidth) {
  EXPECT_EQ(block_packing(E8Book(38, 38).count(), 16)->vector_bits(), 16u * 51);
  EXPECT_EQ(block_packing(7, 128)->vector_bits(), 128u * 3);
}

// The published E8 at q=38 is charged 848 bits for 128 values.
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
    const double entropy = *codec->index_entropy_bits_per_value(rows);
    EXPECT_GT(bits, entropy + 8.0 / dim) << spec;
    EXPECT_LT(bits, entropy + 8.0 / dim + 0.03) << spec;
  }
}

}  // namespace
}  // namespace kakeya
