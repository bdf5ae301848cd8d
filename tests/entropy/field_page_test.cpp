// SPDX-License-Identifier: Apache-2.0
// Pages of fields: what is written comes back, fields are where the drawing says, widths follow what
// they cost, and damaged pages are refused or points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "entropy/points_for_test.h"
#include "entropy/readable_pages_for_test.h"
#include "kakeya/core/error.h"
#include "kakeya/core/extension.h"
#include "kakeya/entropy/field_choice.h"
#include "kakeya/entropy/field_coder.h"

namespace kakeya {
namespace {

using namespace test;

constexpr FieldOrder kOrders[] = {FieldOrder::keys, FieldOrder::values};
constexpr Lattice kFieldLattices[] = {Lattice::z, Lattice::e8, Lattice::trellis};

FieldHeader header_of(std::span<const std::byte> page, std::size_t dim, std::size_t vectors) {
  FieldHeader header(dim, vectors);
  header.read(page);
  return header;
}

// Far entries, then those of the lists, of all blocks.
std::array<std::size_t, 4> counts_of(std::span<const std::byte> page, std::size_t dim,
                                     std::size_t vectors) {
  std::array<std::size_t, 4> sums{};
  const std::size_t first = header_of(page, dim, vectors).bytes();
  for (std::size_t b = 0; b < (vectors + kFieldBlock - 1) / kFieldBlock; ++b) {
    FieldCounts counts;
    std::memcpy(counts.data(), page.data() + first + b * sizeof counts, sizeof counts);
    for (std::size_t list = 0; list < sums.size(); ++list) sums[list] += counts[list];
  }
  return sums;
}

TEST(FieldPage, EveryPointComesBack) {
  for (const Lattice lattice : kFieldLattices) {
    for (const FieldOrder order : kOrders) {
      for (const std::size_t dim : {8u, 24u, 64u, 128u}) {
        const auto deviations = falling(dim, 40, 0.05);
        const FieldCoder coder(lattice, order, deviations);
        for (const std::size_t vectors : {1u, 5u, 16u, 17u, 127u, 128u, 129u, 300u}) {
          if (lattice == Lattice::trellis && vectors > 129) continue;  // its paths are slow to find
          const auto twice = normal_points(lattice, vectors, deviations, dim + vectors);
          const auto page = coder.encode(twice, vectors);
          EXPECT_EQ(page.size() % 4, 0u);
          EXPECT_EQ(decoded(coder, page, vectors), twice) << dim << " " << vectors;
        }
      }
    }
  }
}

// Every width there is, with numbers beyond it up to the largest.
TEST(FieldPage, NumbersOfEverySizeComeBack) {
  const std::size_t dim = 16, vectors = 150;
  for (double deviation = 0.01; deviation < 3e6; deviation *= 3) {
    const std::vector<double> deviations(dim, deviation);
    for (const Lattice lattice : {Lattice::z, Lattice::e8}) {
      auto twice =
          normal_points(lattice, vectors, std::vector<double>(dim, std::min(deviation, 3e5)), 7);
      for (std::size_t t = 0; t < vectors; t += 29) {  // some far beyond: points of both lattices
        twice[lane_value(t, 3, dim)] = t % 2 == 0 ? 4194304 : -4194304;
        for (std::size_t i = 0; i < 8; ++i) {
          if (i != 3) twice[lane_value(t, i, dim)] = 0;
        }
      }
      const FieldCoder coder(lattice, FieldOrder::values, deviations);
      EXPECT_EQ(decoded(coder, coder.encode(twice, vectors), vectors), twice) << deviation;
    }
  }
}

// A reader of the drawing in field_format.h, word by word, of a page of which no list has entries.
std::int32_t number_in_drawing(std::span<const std::byte> page, std::size_t dim, FieldOrder order,
                               std::size_t vectors, std::size_t vector, std::size_t i) {
  const FieldHeader header = header_of(page, dim, vectors);
  const std::size_t block = vector / 128, t = vector % 128, group = i / 8, c = i % 8;
  const auto registers = [&](std::size_t b) {
    return (std::min<std::size_t>(128, vectors - 128 * b) + 15) / 16;
  };
  const auto bits_at = [](std::uint8_t code, int plane) {  // planes 8, 4, 2, 1, trits
    const int k = code == 0 ? 0 : (code % 2 == 1 ? (code + 1) / 2 : code / 2 - 1);
    return plane == 4 ? (code != 0 && code % 2 == 0 ? 1 : 0)
                      : (plane == 0 ? k / 8 : k >> (3 - plane) & 1);
  };
  const auto rows = [&](int plane, std::size_t b) {
    std::size_t all = 0;
    for (const std::uint8_t code : header.codes)
      all += static_cast<std::size_t>(bits_at(code, plane));
    const std::size_t each = plane == 4 ? 5 : std::size_t{1} << plane;
    return (all * registers(b) + each - 1) / each;
  };
  std::size_t at = header.bytes() + 8 * ((vectors + 127) / 128);
  for (std::size_t b = 0; b < block; ++b) {
    for (int plane = 0; plane < 5; ++plane) at += 128 * rows(plane, b);
  }
  const std::size_t lane = order == FieldOrder::keys ? t % 8 * 4 + c / 2 : c * 4 + t % 4;
  const std::size_t slot = order == FieldOrder::keys ? t / 8 * 2 + c % 2 : t / 4;
  std::int32_t u = 0;
  int low = 0;
  for (int plane = 0; plane < 5; at += 128 * rows(plane, block), ++plane) {
    std::size_t before = 0;
    for (std::size_t g = 0; g < group; ++g) {
      before += static_cast<std::size_t>(bits_at(header.codes[g], plane)) * registers(block);
    }
    for (int unit = 0; unit < bits_at(header.codes[group], plane); ++unit) {
      const std::size_t number =
          before + static_cast<std::size_t>(unit) * registers(block) + slot / 4;
      const std::size_t each = plane == 4 ? 5 : std::size_t{1} << plane;
      std::uint32_t word;
      std::memcpy(&word, page.data() + at + 128 * (number / each) + 4 * lane, 4);
      const std::uint32_t byte = word >> 8 * (slot % 4) & 255;
      if (plane == 4) {
        const int powers[] = {1, 3, 9, 27, 81};
        u |= static_cast<std::int32_t>(byte * static_cast<unsigned>(powers[number % 5]) % 256 * 3 /
                                       256)
             << low;
      } else {
        const int bits = 8 >> plane;
        u |= static_cast<std::int32_t>(byte >> (static_cast<std::size_t>(bits) * (number % each)) &
                                       ((1u << bits) - 1))
             << low;
        low += bits;
      }
    }
  }
  return u - header.levels(group) / 2 + header.shifts[i];
}

// Fields of more than a byte, and of less beside them.
TEST(FieldPage, WideFieldsComeBack) {
  for (const Lattice lattice : kFieldLattices) {
    for (const FieldOrder order : kOrders) {
      const auto deviations = falling(24, 3000, 4);
      const FieldCoder coder(lattice, order, deviations);
      for (const std::size_t vectors : {3u, 128u, 150u}) {
        const auto twice = normal_points(lattice, vectors, deviations, vectors);
        const auto page = coder.encode(twice, vectors);
        EXPECT_GT(header_of(page, 24, vectors).levels(0), 256);
        EXPECT_LE(header_of(page, 24, vectors).levels(2), 256);
        EXPECT_EQ(decoded(coder, page, vectors), twice) << vectors;
      }
    }
  }
}

TEST(FieldPage, FieldsAreWhereTheDrawingSays) {
  const std::size_t dim = 56, vectors = 171;
  FieldHeader header(dim, vectors);
  const std::uint8_t codes[] = {18, 5, 4, 2, 0, 13, 1};  // 768, 8, 6, 3, 1, 128 and 2 levels
  std::copy(std::begin(codes), std::end(codes), header.codes.begin());
  for (const std::size_t units : header.units()) ASSERT_NE(units, 0u);  // of every plane
  header.shifted[2] = 1;
  for (std::size_t c = 0; c < 8; ++c) header.shifts[16 + c] = static_cast<std::int8_t>(15 * c - 60);
  const Random random(3);
  std::vector<std::int32_t> v(dim * vectors);
  for (std::size_t i = 0; i < dim; ++i) {
    const std::int32_t levels = header.levels(i / 8);
    for (std::size_t t = 0; t < vectors; ++t) {
      const auto draw = static_cast<std::uint32_t>(random.bits(i * vectors + t) >> 32);
      const auto u = static_cast<std::int32_t>(draw % static_cast<std::uint32_t>(levels));
      v[i * vectors + t] = u - levels / 2 + header.shifts[i];
    }
  }
  for (const FieldOrder order : kOrders) {
    std::vector<std::byte> page(header.bytes() + 16);
    header.write(page);
    for (const std::size_t first : {0u, 128u}) {
      const FieldBlock block{v.data() + first, vectors,
                             std::min<std::size_t>(128, vectors - first)};
      const std::size_t at = page.size();
      page.resize(at + field_bytes(header.units(), block.vectors));
      put_fields(header, order, block, std::span<std::byte>(page).subspan(at));
    }
    for (std::size_t i = 0; i < dim; ++i) {
      for (std::size_t t = 0; t < vectors; ++t) {
        ASSERT_EQ(number_in_drawing(page, dim, order, vectors, t, i), v[i * vectors + t])
            << t << " " << i;
      }
    }
    for (const Extension extension :
         {Extension::none, kLastExtension}) {  // with registers of their own, or not
      limit_extensions(extension);
      std::vector<std::int32_t> lanes(lane_values(vectors, dim));
      std::size_t at = header.bytes() + 16;
      for (const std::size_t first : {0u, 128u}) {
        const FieldLanes block{lanes.data() + lane_value(first, 0, dim), dim,
                               std::min<std::size_t>(128, vectors - first)};
        take_fields(header, order, std::span<const std::byte>(page).subspan(at), block);
        at += field_bytes(header.units(), block.vectors);
      }
      for (std::size_t i = 0; i < dim; ++i) {
        for (std::size_t t = 0; t < vectors; ++t) {
          ASSERT_EQ(lanes[lane_value(t, i, dim)], v[i * vectors + t]) << t << " " << i;
        }
      }
    }
  }
}

// A page of five vectors of 8 coordinates, all 0 but for one: `number`, of 2^22 levels.
std::vector<std::byte> page_with(std::size_t i, std::size_t t, std::int32_t number) {
  constexpr std::size_t kVectors = 5;
  FieldHeader header(8, kVectors);
  header.codes[0] = field_code_of_bits(22);
  header.shifted[0] = 1;  // the largest that fits is 2^21 - 1 + shift
  std::fill(header.shifts.begin(), header.shifts.end(), number < 0 ? -9 : 9);
  std::vector<std::int32_t> v(8 * kVectors);
  v[i * kVectors + t] = number;
  std::vector<std::byte> page(header.bytes() + sizeof(FieldCounts) +
                              field_bytes(header.units(), kVectors));
  header.write(page);
  put_fields(header, FieldOrder::keys, {v.data(), kVectors, kVectors},
             std::span<std::byte>(page).subspan(header.bytes() + sizeof(FieldCounts)));
  return page;
}

TEST(FieldPage, RefusesNumbersBeyondTheLargestByName) {
  constexpr std::int32_t kMost = 1 << 21;
  const std::vector<double> deviations(8, 1.0);
  for (const Lattice lattice : kFieldLattices) {
    const FieldCoder coder(lattice, FieldOrder::keys, deviations);
    for (const std::int32_t sign : {1, -1}) {
      // Of E8 another coordinate's parity is the last one's; of all three this number is a whole one.
      const auto twice = decoded(coder, page_with(3, 4, sign * kMost), 5);
      EXPECT_EQ(twice[lane_value(4, 3, 8)], sign * 2 * kMost);
      EXPECT_EQ(twice[lane_value(3, 3, 8)], 0);
      const std::int32_t beyond = sign * (kMost + 2);
      try {
        decoded(coder, page_with(3, 4, beyond), 5);
        FAIL() << "nothing was thrown";
      } catch (const CorruptStream& error) {
        EXPECT_STREQ(error.what(), ("fields: coordinate 3 of vector 4: " + std::to_string(beyond) +
                                    " steps, expected at most 2^21")
                                       .c_str());
      }
    }
  }
}

// Bits above the entropy of normal coordinates, and entries a coordinate.
TEST(FieldPage, CostsLittleMoreThanTheEntropy) {
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
    const FieldCoder coder(Lattice::z, FieldOrder::keys, deviations);
    const auto page = coder.encode(twice, vectors);
    const double values = dim * vectors;
    EXPECT_LT((bits_of(page) - entropy) / values, 0.43);
    EXPECT_GT((bits_of(page) - entropy) / values, 0.2);
    const auto counts = counts_of(page, dim, vectors);
    EXPECT_LT(static_cast<double>(counts[0] + counts[1] + counts[2] + counts[3]) / values, 0.04);
  }
}

TEST(FieldPage, KeepsItsBound) {
  expect_kept_bound(FieldCoder(Lattice::z, FieldOrder::keys, falling(64, 4, 0.1)),
                    {1u, 40u, 128u, 200u});
}

TEST(FieldPage, RefusesWhatItCannotCode) {
  const std::vector<double> eight(8, 1.0), twelve(12, 1.0), many(520, 1.0);
  EXPECT_THROW(FieldCoder(Lattice::d4, FieldOrder::keys, eight), InputError);
  EXPECT_THROW(FieldCoder(Lattice::z, FieldOrder::keys, twelve), InputError);
  EXPECT_THROW(FieldCoder(Lattice::z, FieldOrder::keys, many), InputError);
  EXPECT_THROW(FieldCoder(Lattice::z, FieldOrder::keys, {}), InputError);
  const FieldCoder coder(Lattice::e8, FieldOrder::keys, eight);
  std::vector<std::int32_t> twice(lane_values(1, 8));
  twice[0] = 2;  // an odd sum
  EXPECT_THROW(coder.encode(twice, 1), InputError);
}

// True when it was decoded: then it is points, which come back.
bool reads_points(const FieldCoder& coder, std::span<const std::byte> page, std::size_t vectors) {
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

TEST(FieldPage, DamagedPagesAreRefusedOrPoints) {
  const std::size_t dim = 16, vectors = 140;
  for (const Lattice lattice : kFieldLattices) {
    const auto deviations = falling(dim, 5, 0.2);
    const FieldCoder coder(lattice, FieldOrder::values, deviations);
    const auto page = coder.encode(normal_points(lattice, vectors, deviations, 2), vectors);
    for (std::size_t bytes = 0; bytes < page.size(); ++bytes) {
      EXPECT_FALSE(reads_points(coder, std::span(page).first(bytes), vectors)) << bytes;
    }
    auto longer = page;
    longer.resize(page.size() + 4);
    EXPECT_FALSE(reads_points(coder, longer, vectors));
    std::size_t taken = 0;
    for (std::size_t at = 0; at < page.size(); ++at) {
      auto other = page;
      other[at] ^= static_cast<std::byte>(1u << at % 8);
      if (reads_points(coder, other, vectors)) ++taken;
    }
    EXPECT_FALSE(reads_points(coder, page, vectors - 1));
    EXPECT_FALSE(reads_points(coder, page, vectors + 1));
    EXPECT_GT(taken, page.size() / 2);  // fields have no redundancy
  }
}

// A page of 16 vectors of 8 coordinates that are all 0, with these lists.
struct ForgedPage {
  std::uint16_t bits = 0;
  std::uint8_t group = 0;
  FieldCounts counts{};
  std::vector<std::uint8_t> lists;

  bool decodes() const {
    std::vector<std::byte> page(8 + sizeof counts + lists.size());
    const std::uint16_t first[] = {bits, 15};
    std::memcpy(page.data(), first, sizeof first);
    page[4] = static_cast<std::byte>(group);
    std::memcpy(page.data() + 8, counts.data(), sizeof counts);
    std::copy_n(std::as_bytes(std::span(lists)).begin(), lists.size(), page.begin() + 16);
    return reads_points(FieldCoder(Lattice::z, FieldOrder::keys, std::vector<double>(8, 0.1)), page,
                        16);
  }
};

TEST(FieldPage, ForgedListsAreRefused) {
  EXPECT_TRUE((ForgedPage{}.decodes()));
  EXPECT_FALSE((ForgedPage{2, 0, {}, {}}.decodes()));        // entries of 2 bits
  EXPECT_FALSE((ForgedPage{1 << 12, 0, {}, {}}.decodes()));  // a fourth list
  EXPECT_FALSE((ForgedPage{13, 0, {}, {}}.decodes()));       // of 13
  EXPECT_FALSE((ForgedPage{0, 44, {}, {}}.decodes()));       // a code that there is not
  EXPECT_TRUE((ForgedPage{8, 0, {0, 1}, {0x85, 0, 0, 0}}.decodes()));
  EXPECT_FALSE((ForgedPage{8, 0, {0, 2}, {0x85, 0, 0, 0, 0}}.decodes()));    // a word too many
  EXPECT_FALSE((ForgedPage{0, 0, {0, 1}, {0x85, 0, 0, 0}}.decodes()));       // no bits
  EXPECT_FALSE((ForgedPage{8, 0, {0, 5}, {0x85, 0, 0, 0}}.decodes()));       // too few
  EXPECT_FALSE((ForgedPage{8, 0, {0, 1}, {0xff, 0, 0, 0}}.decodes()));       // repeats none
  EXPECT_TRUE((ForgedPage{8, 0, {0, 2}, {0x05, 0xff, 0, 0}}.decodes()));     // repeats one
  EXPECT_TRUE((ForgedPage{3, 0, {0, 2}, {0x38, 0, 0, 0}}.decodes()));        // repeats one
  EXPECT_FALSE((ForgedPage{3, 0, {0, 3}, {0xd8, 0x01, 0, 0}}.decodes()));    // repeats a quiet one
  EXPECT_TRUE((ForgedPage{8, 0, {0, 2}, {0x7f, 0x00, 0, 0}}.decodes()));     // the last position
  EXPECT_FALSE((ForgedPage{8, 0, {0, 2}, {0x7f, 0x01, 0, 0}}.decodes()));    // behind it
  EXPECT_FALSE((ForgedPage{8, 0, {0, 2}, {0x7f, 0x7f, 0, 0}}.decodes()));    // goes on too far
  EXPECT_FALSE((ForgedPage{8, 1 << 6, {0, 1}, {0x00, 0, 0, 0}}.decodes()));  // no group has it
  EXPECT_TRUE((ForgedPage{0, 3 << 6, {1}, {127, 0, 5, 0}}.decodes()));       // far
  EXPECT_FALSE((ForgedPage{0, 3 << 6, {1}, {128, 0, 5, 0}}.decodes()));      // beyond the last
}

// Numbers beyond 2^21 that a far entry would make of widths of 2^12 levels.
TEST(FieldPage, NumbersBeyondTheLargestAreRefused) {
  const std::size_t vectors = 16;
  const std::vector<double> deviations(8, 1000.0);
  const FieldCoder coder(Lattice::z, FieldOrder::keys, deviations);
  auto twice = normal_points(Lattice::z, vectors, deviations, 4);
  twice[0] = 4194304;
  auto page = coder.encode(twice, vectors);
  ASSERT_TRUE(reads_points(coder, page, vectors));
  const FieldHeader header = header_of(page, 8, vectors);
  FieldCounts counts;
  std::memcpy(counts.data(), page.data() + header.bytes(), sizeof counts);
  ASSERT_EQ(counts[0], 1u);
  const std::size_t entry = page.size() - list_bytes(header, counts);
  for (const int high : {0x03, 0x7f}) {
    page[entry + 3] = static_cast<std::byte>(high);
    EXPECT_FALSE(reads_points(coder, page, vectors)) << high;
  }
}

}  // namespace
}  // namespace kakeya
