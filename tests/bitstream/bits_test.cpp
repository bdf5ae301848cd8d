// SPDX-License-Identifier: Apache-2.0
#include "kakeya/bitstream/bits.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "kakeya/core/random.h"

namespace kakeya {
namespace {

struct Field {
  Uint128 value;
  int width;
};

std::vector<Field> random_fields(std::uint64_t seed, std::size_t count) {
  const Random random(seed);
  std::vector<Field> fields(count);
  for (std::size_t i = 0; i < count; ++i) {
    const int width = 1 + static_cast<int>(random.bits(3 * i) % 128);
    const Uint128 bits =
        static_cast<Uint128>(random.bits(3 * i + 1)) << 64 | random.bits(3 * i + 2);
    fields[i] = {width == 128 ? bits : bits & ((Uint128{1} << width) - 1), width};
  }
  return fields;
}

std::size_t bytes_of(const std::vector<Field>& fields) {
  std::size_t bits = 0;
  for (const Field& field : fields) bits += static_cast<std::size_t>(field.width);
  return (bits + 7) / 8;
}

TEST(Bits, FieldsOfAllWidthsComeBack) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto fields = random_fields(seed, 1 + seed % 40);
    std::vector<std::byte> bytes(bytes_of(fields));
    BitWriter writer(bytes);
    for (const Field& field : fields) writer.put_wide(field.value, field.width);
    ASSERT_EQ(writer.finish(), bytes.size());
    BitReader reader(bytes);
    for (const Field& field : fields) ASSERT_TRUE(reader.get_wide(field.width) == field.value);
    reader.finish();
  }
}

TEST(Bits, TheDrawnLayout) {
  std::vector<std::byte> bytes(2);
  BitWriter writer(bytes);
  writer.put(0b101, 3);
  writer.put(0b1100110, 7);
  writer.put(0b011011, 6);
  EXPECT_EQ(writer.finish(), 2u);
  EXPECT_EQ(bytes[0], std::byte{0b00110101});
  EXPECT_EQ(bytes[1], std::byte{0b01101111});
}

TEST(Bits, NeverOutsideTheirBytes) {
  const auto fields = random_fields(77, 30);
  std::vector<std::byte> bytes(bytes_of(fields));
  BitWriter writer(bytes);
  for (const Field& field : fields) writer.put_wide(field.value, field.width);
  writer.finish();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    // A heap block of just this length, so that a sanitizer sees any read behind it.
    auto cut = std::make_unique<std::byte[]>(length);
    std::copy_n(bytes.begin(), length, cut.get());
    BitReader reader({cut.get(), length});
    EXPECT_THROW(
        {
          for (const Field& field : fields) reader.get_wide(field.width);
        },
        CorruptStream);
    BitWriter small({cut.get(), length});
    EXPECT_THROW(
        {
          for (const Field& field : fields) small.put_wide(field.value, field.width);
          small.finish();
        },
        InputError);
  }
}

TEST(Bits, PaddingMustBeZeroAndBytesUsedUp) {
  const std::vector<std::byte> clean{std::byte{0x05}}, dirty{std::byte{0x85}},
      longer{std::byte{5}, std::byte{0}};
  BitReader a(clean), b(dirty), c(longer);
  EXPECT_EQ(a.get(3), 5u);
  EXPECT_NO_THROW(a.finish());
  EXPECT_EQ(b.get(3), 5u);
  EXPECT_THROW(b.finish(), CorruptStream);
  EXPECT_EQ(c.get(3), 5u);
  EXPECT_THROW(c.finish(), CorruptStream);
}

}  // namespace
}  // namespace kakeya
