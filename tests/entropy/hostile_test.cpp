// SPDX-License-Identifier: Apache-2.0
// Damaged and forged pages: CorruptStream, or points, as a rule those that encode to these very
// bytes; never a crash, and (with the sanitizers) never a byte read outside.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "entropy/points_for_test.h"
#include "kakeya/bitstream/bits.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace test;

// A page on the heap with nothing behind it, so that a sanitizer sees every stray read. True when
// it was decoded; all but one of the pages below are then what encode() writes.
bool decodes(const PointCoder& coder, std::span<const std::byte> page, std::size_t vectors) {
  const auto exact = std::make_unique<std::byte[]>(page.size());
  if (!page.empty()) std::memcpy(exact.get(), page.data(), page.size());
  std::vector<std::int32_t> twice(lane_values(vectors, coder.dim()));
  try {
    coder.decode({exact.get(), page.size()}, vectors, twice);
  } catch (const CorruptStream&) {
    return false;
  }
  const auto again = encode_page(coder, twice, vectors);
  EXPECT_TRUE(std::equal(again.begin(), again.end(), page.begin(), page.end()));
  return true;
}

struct Sample {
  std::string name;
  PointCoder coder;
  std::size_t vectors;
  std::vector<std::byte> page;
};

std::vector<Sample> samples() {
  std::vector<Sample> all;
  for (const Lattice lattice : kLattices) {
    const auto model = std::make_shared<PointModel>(lattice, class_grid(4.0));
    const auto add = [&](const std::string& name, std::uint8_t index, double deviation,
                         std::size_t vectors, std::size_t dim) {
      const PointCoder coder(model, std::vector<std::uint8_t>(dim, index));
      const auto twice =
          normal_points(lattice, vectors, std::vector<double>(dim, deviation), index);
      all.push_back({name + " of lattice " + std::to_string(block_length(lattice)), coder, vectors,
                     encode_page(coder, twice, vectors)});
    };
    add("one vector", 32, 4.0, 1, 16);
    add("a group and a part", 28, 2.0, 37, 8);
    add("raw bits", 47, 50.0, 5, 16);
    add("escapes", 20, 4.0, 34, 8);
    add("no words", 12, 0.1, 3, 8);
  }
  return all;
}

// Half a word is noticed. Whole words are not always missed: the rest may be a page as well.
TEST(HostilePage, EveryTruncation) {
  for (const Sample& sample : samples()) {
    ASSERT_TRUE(decodes(sample.coder, sample.page, sample.vectors)) << sample.name;
    for (std::size_t length = 0; length < sample.page.size(); ++length) {
      const bool decoded =
          decodes(sample.coder, std::span(sample.page).first(length), sample.vectors);
      if ((sample.page.size() - length) % 2 == 1) {
        ASSERT_FALSE(decoded) << sample.name << " " << length;
      }
    }
    EXPECT_FALSE(decodes(sample.coder, std::span(sample.page).first(1), sample.vectors));
  }
}

TEST(HostilePage, BytesTooMany) {
  for (const Sample& sample : samples()) {
    auto page = sample.page;
    for (int extra = 1; extra <= 8; ++extra) {
      page.push_back(static_cast<std::byte>(extra));
      ASSERT_FALSE(decodes(sample.coder, page, sample.vectors)) << sample.name << " " << extra;
    }
  }
}

TEST(HostilePage, AnotherNumberOfVectors) {
  for (const Sample& sample : samples()) {
    for (const std::size_t vectors : {1, 2, 3, 5, 32, 33, 37, 64, 1000}) {
      decodes(sample.coder, sample.page, vectors);
    }
  }
}

// A page has next to no redundancy, so that half of all damage makes another page: it is for the
// frame's checksum to notice.
TEST(HostilePage, EveryFlippedBit) {
  for (Sample& sample : samples()) {
    std::size_t unnoticed = 0;
    for (std::size_t bit = 0; bit < 8 * sample.page.size(); ++bit) {
      sample.page[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      unnoticed += decodes(sample.coder, sample.page, sample.vectors) ? 1 : 0;
      sample.page[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    }
    EXPECT_LT(unnoticed, 8 * sample.page.size()) << sample.name;
  }
}

TEST(HostilePage, RandomBytes) {
  const Random random(8);
  std::uint64_t index = 0;
  for (const Sample& sample : samples()) {
    for (std::size_t round = 0; round < 2000; ++round) {
      std::vector<std::byte> page(random.bits(index++) % (2 * sample.page.size()));
      for (auto& byte : page) byte = static_cast<std::byte>(random.bits(index++));
      if (!page.empty()) page[0] &= std::byte{1};
      decodes(sample.coder, page, sample.vectors);
    }
  }
}

// Words exchanged for others at random places: deep into the page, escapes of any value included.
TEST(HostilePage, RandomWords) {
  const Random random(9);
  std::uint64_t index = 0;
  for (const Sample& sample : samples()) {
    for (std::size_t round = 0; round < 2000; ++round) {
      auto page = sample.page;
      for (int change = 0; change < 3; ++change) {
        const std::size_t at = random.bits(index++) % page.size();
        page[at] = static_cast<std::byte>(random.bits(index++));
      }
      decodes(sample.coder, page, sample.vectors);
    }
  }
}

// An escaped number that has a symbol, and one beyond the largest coordinate.
TEST(HostilePage, EscapesThatNobodyWrites) {
  const auto model = std::make_shared<PointModel>(Lattice::z, std::vector<CoordinateShape>{{1.0}});
  const PointCoder coder(model, {0});
  std::vector<std::int32_t> twice(kLanes);
  twice[0] = 2 * 300000;
  auto page = encode_page(coder, twice, 1);
  ASSERT_TRUE(decodes(coder, page, 1));
  const auto replace = [&](std::int32_t value) {
    std::memcpy(page.data() + page.size() - 4, &value, 4);
    return decodes(coder, page, 1);
  };
  EXPECT_TRUE(replace(300001));
  EXPECT_TRUE(replace(-2097152));
  EXPECT_FALSE(replace(2097153));
  EXPECT_FALSE(replace(-2097153));
  EXPECT_FALSE(replace(INT32_MIN));
  EXPECT_FALSE(replace(INT32_MAX));
  EXPECT_FALSE(replace(0));
  EXPECT_FALSE(replace(-1));
}

// The lane takes a word that an encoder has no need of, which begins with a state that holds all.
TEST(HostilePage, AnotherEncodingOfAPoint) {
  const auto model =
      std::make_shared<PointModel>(Lattice::z, std::vector<CoordinateShape>{{16000.0}});
  const PointCoder coder(model, {0});
  const auto bytes_of = [](std::initializer_list<int> list) {
    std::vector<std::byte> bytes;
    for (const int value : list) bytes.push_back(static_cast<std::byte>(value));
    return bytes;
  };
  const auto forged = bytes_of({0x01, 0xe1, 0x4b, 0x02, 0x00, 0x00});
  std::vector<std::int32_t> twice(kLanes);
  coder.decode(forged, 1, twice);
  EXPECT_EQ(twice[0], 2 * -18432);
  EXPECT_EQ(encode_page(coder, twice, 1), bytes_of({0x01, 0x01, 0x02, 0x00}));
}

TEST(HostilePage, States) {
  const auto model = std::make_shared<PointModel>(Lattice::z, std::vector<CoordinateShape>{{1.0}});
  const PointCoder coder(model, {0});
  const std::vector<std::int32_t> twice(kLanes);
  const auto page = encode_page(coder, twice, 2);  // flag, lifted 2, widths 8, states 32, padding 6
  ASSERT_EQ(page.size(), 7u);
  ASSERT_EQ(page[0], std::byte{1});
  const auto with = [&](std::size_t at, unsigned value) {
    auto changed = page;
    changed[at] = static_cast<std::byte>(value);
    return decodes(coder, changed, 2);
  };
  for (unsigned flag = 2; flag < 256; ++flag) EXPECT_FALSE(with(0, flag)) << flag;
  EXPECT_FALSE(with(1, std::to_integer<unsigned>(page[1]) & 0xfcu)) << "none lifted";
  EXPECT_FALSE(with(1, std::to_integer<unsigned>(page[1]) & 0xfdu)) << "one of two lifted";
  EXPECT_FALSE(with(6, std::to_integer<unsigned>(page[6]) | 0x80u)) << "padding";
}

}  // namespace
}  // namespace kakeya
