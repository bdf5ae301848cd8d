// SPDX-License-Identifier: Apache-2.0
#include "kakeya/bitstream/row_bits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>

#include "kakeya/bitstream/bits.h"
#include "kakeya/core/error.h"
#include "kakeya/core/extension.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

struct Column {
  int width;
  std::array<std::uint64_t, kBitRows> values;
};

// The fields of sixteen rows, each column with a width of its own, narrow or wide ones.
std::vector<Column> random_columns(std::uint64_t seed) {
  const Random random(seed);
  std::vector<Column> columns(1 + seed % 23);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::uint64_t most = seed % 3 == 0 ? 9 : 64;
    columns[i].width = 1 + static_cast<int>(random.bits(100 * i) % most);
    for (std::size_t r = 0; r < kBitRows; ++r) {
      const std::uint64_t bits = seed % 5 == 0 ? ~std::uint64_t{0} : random.bits(100 * i + r + 1);
      columns[i].values[r] = bits >> (64 - columns[i].width);
    }
  }
  return columns;
}

std::size_t bits_of(const std::vector<Column>& columns) {
  std::size_t bits = 0;
  for (const Column& column : columns) bits += static_cast<std::size_t>(column.width);
  return bits;
}

// The first `count` rows, field by field.
std::vector<std::byte> reference(const std::vector<Column>& columns, std::size_t count) {
  std::vector<std::byte> bytes(row_bytes(count, bits_of(columns)));
  BitWriter writer(bytes);
  for (std::size_t r = 0; r < count; ++r) {
    for (const Column& column : columns) writer.put(column.values[r], column.width);
  }
  EXPECT_EQ(writer.finish(), bytes.size());
  return bytes;
}

void put_all(const std::vector<Column>& columns, RowBitWriter& writer) {
  for (const Column& column : columns) writer.put(column.values.data(), column.width);
}

// A heap block of just this length, so that a sanitizer sees any access behind it.
struct Block {
  explicit Block(std::size_t bytes)
      : memory(std::make_unique<std::byte[]>(bytes)), span(memory.get(), bytes) {
    for (std::byte& byte : span) byte = std::byte{0xa5};
  }
  std::unique_ptr<std::byte[]> memory;
  std::span<std::byte> span;
};

// The plain loops, and those of AVX2 where the processor has it, against the same fields.
class RowBits : public ::testing::TestWithParam<Extension> {
 protected:
  void SetUp() override {
    limit_extensions(GetParam());
    if (extension_in_use() != GetParam()) GTEST_SKIP() << "not on this processor";
  }
  void TearDown() override { limit_extensions(kLastExtension); }
};
INSTANTIATE_TEST_SUITE_P(On, RowBits, ::testing::Values(Extension::none, Extension::avx2),
                         [](const auto& each) {
                           return each.param == Extension::none ? "Plain" : "Avx2";
                         });

// Whatever room there is behind them.
TEST_P(RowBits, RowsAreThoseOfTheFieldWriter) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const auto columns = random_columns(seed);
    RowBitWriter writer(bits_of(columns));
    for (const std::size_t count : {1u, 2u, 7u, 15u, 16u}) {
      const auto expected = reference(columns, count);
      for (const std::size_t room : {0u, 1u, 8u, 15u, 16u, 17u, 40u}) {
        const Block out(expected.size() + room);
        put_all(columns, writer);
        writer.store(out.span, count);
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), out.span.begin()))
            << seed << " " << count << " " << room;
      }
    }
  }
}

TEST_P(RowBits, RowsComeBackAndMissingOnesAreZero) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const auto columns = random_columns(seed);
    RowBitReader reader(bits_of(columns));
    for (const std::size_t count : {16u, 1u, 2u, 7u, 15u}) {
      const auto bytes = reference(columns, count);
      for (const std::size_t room : {0u, 1u, 8u, 15u, 16u, 17u, 40u}) {
        const Block in(bytes.size() + room);
        std::copy(bytes.begin(), bytes.end(), in.span.begin());
        reader.load(in.span, count);
        for (const Column& column : columns) {
          std::array<std::uint64_t, kBitRows> values;
          reader.get(values.data(), column.width);
          for (std::size_t r = 0; r < kBitRows; ++r) {
            ASSERT_EQ(values[r], r < count ? column.values[r] : 0)
                << seed << " " << count << " " << room << " row " << r;
          }
        }
      }
    }
  }
}

// Many fields at once are the same as one after another.
TEST_P(RowBits, ManyFieldsAtOnce) {
  const Random random(3);
  for (int width = 1; width <= 64; ++width) {
    const std::size_t fields = 21, bits = 3 + fields * static_cast<std::size_t>(width);
    std::vector<std::uint64_t> values(fields * kBitRows), back(fields * kBitRows);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = random.bits(i) >> (64 - width);
    const std::vector<std::uint64_t> first(kBitRows, 5);
    std::vector<std::byte> each(row_bytes(kBitRows, bits)), all(each.size());
    RowBitWriter writer(bits);
    writer.put(first.data(), 3);
    for (std::size_t i = 0; i < fields; ++i) writer.put(values.data() + i * kBitRows, width);
    writer.store(each, kBitRows);
    writer.put(first.data(), 3);
    writer.put(values.data(), width, fields);
    writer.store(all, kBitRows);
    ASSERT_EQ(all, each) << width;
    RowBitReader reader(bits);
    reader.load(all, kBitRows);
    reader.get(back.data(), 3);
    reader.get(back.data(), width, fields);
    ASSERT_EQ(back, values) << width;
  }
}

TEST_P(RowBits, TooShort) {
  const auto columns = random_columns(7);
  const std::size_t bits = bits_of(columns);
  RowBitWriter writer(bits);
  RowBitReader reader(bits);
  for (const std::size_t count : {1u, 5u, 16u}) {
    for (std::size_t length = 0; length <= row_bytes(count, bits); ++length) {
      const Block block(length);
      put_all(columns, writer);
      if (length < row_bytes(count, bits)) {
        EXPECT_THROW(writer.store(block.span, count), InputError);
        EXPECT_THROW(reader.load(block.span, count), CorruptStream);
      } else {
        EXPECT_NO_THROW(writer.store(block.span, count));
        EXPECT_NO_THROW(reader.load(block.span, count));
      }
    }
  }
}

}  // namespace
}  // namespace kakeya
