// SPDX-License-Identifier: Apache-2.0
#include "kakeya/bitstream/frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/core/error.h"
#include "kakeya/core/extension.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

constexpr std::string_view kNames[] = {"scales", "codes"};

std::vector<std::byte> small_frame() {
  std::vector<std::byte> out(1000, std::byte{0xee});
  FrameWriter writer(out, "e8:q=10", 64, 3, kNames);
  const auto scales = writer.section(5);
  const auto codes = writer.section(7);
  for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = static_cast<std::byte>(i + 1);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::byte>(0x40 + i);
  out.resize(writer.finish());
  return out;
}

// Replaces bytes of a frame and makes the checksum fit again: what a forger could write.
template <typename T>
std::vector<std::byte> forged(std::vector<std::byte> frame, std::size_t at, T value) {
  std::memcpy(frame.data() + at, &value, sizeof value);
  const std::uint32_t crc = crc32c(std::span(frame).first(frame.size() - 4));
  std::memcpy(frame.data() + frame.size() - 4, &crc, 4);
  return frame;
}

std::string refusal(std::span<const std::byte> frame) {
  try {
    parse_frame(frame);
  } catch (const CorruptStream& error) {
    return error.what();
  }
  return "accepted";
}

std::uint32_t crc_of(std::string_view text) {
  return crc32c(std::as_bytes(std::span(text.data(), text.size())));
}

TEST(Crc32c, KnownAnswers) {
  EXPECT_EQ(crc_of(""), 0u);
  EXPECT_EQ(crc_of("123456789"), 0xE3069283u);
  EXPECT_EQ(crc_of(std::string(32, '\0')), 0x8A9136AAu);  // RFC 3720, B.4
  EXPECT_EQ(crc_of(std::string(32, '\xff')), 0x62A8AB43u);
}

// Where the processor has it: lengths below a word, and around those taken in three parts.
TEST(Checksum, TheInstructionGivesWhatTheTablesGive) {
  const Random random(5);
  std::vector<std::byte> bytes(13000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(random.bits(i));
  if (extension_in_use() < Extension::sse42) GTEST_SKIP() << "no SSE4.2";
  for (std::size_t offset = 0; offset < 9; ++offset) {
    for (std::size_t length = 0; length + offset <= bytes.size();
         length += length % 3072 < 40 || length % 3072 > 3050 ? 1 : 97) {
      const auto part = std::span(bytes).subspan(offset, length);
      limit_extensions(Extension::none);
      const std::uint32_t by_tables = crc32c(part);
      limit_extensions(kLastExtension);
      ASSERT_EQ(crc32c(part), by_tables) << offset << " " << length;
    }
  }
}

TEST(Frame, ComesBack) {
  const auto frame = small_frame();
  EXPECT_EQ(frame.size(), frame_overhead(7, 2) + 12);
  const FrameView view = parse_frame(frame);
  EXPECT_EQ(view.version, kFrameVersion);
  EXPECT_EQ(view.spec, "e8:q=10");
  EXPECT_EQ(view.dim, 64u);
  EXPECT_EQ(view.count, 3u);
  ASSERT_EQ(view.sections.size(), 2u);
  EXPECT_EQ(view.section(0, "scales").size(), 5u);
  EXPECT_EQ(view.section(0, "scales")[4], std::byte{5});
  EXPECT_EQ(view.section(1, "codes")[6], std::byte{0x46});
  EXPECT_THROW(view.section(1, "scales"), CorruptStream);
  EXPECT_THROW(view.section(2, "codes"), CorruptStream);
  EXPECT_EQ(view.header_bytes + 12 + view.checksum_bytes, frame.size());
}

// 36 layers of 8 KV heads of 128, keys and values: what a token has in models of this day.
TEST(Frame, WholeTokensOfWideModels) {
  constexpr std::size_t kWide = 36 * 2 * 8 * 128;
  constexpr std::string_view kValues[] = {"values"};
  std::vector<std::byte> bytes(frame_overhead(4, 1) + 16);
  FrameWriter writer(bytes, "some", kWide, 3, kValues);
  writer.section(16);
  bytes.resize(writer.finish());
  EXPECT_EQ(parse_frame(bytes).dim, kWide);
}

TEST(Frame, TheDrawnLayout) {
  const auto frame = small_frame();
  const auto text = [&](std::size_t at, std::size_t length) {
    return std::string(reinterpret_cast<const char*>(frame.data()) + at, length);
  };
  EXPECT_EQ(text(0, 4), "KKYF");
  EXPECT_EQ(text(4, 4), std::string("\x01\x00\x07\x00", 4));
  EXPECT_EQ(text(8, 8), std::string("\x40\x00\x00\x00\x02\x00\x00\x00", 8));
  EXPECT_EQ(text(16, 8), std::string("\x03\x00\x00\x00\x00\x00\x00\x00", 8));
  EXPECT_EQ(text(24, 8), std::string("\x57\x00\x00\x00\x00\x00\x00\x00", 8));
  EXPECT_EQ(text(32, 7), "e8:q=10");
  EXPECT_EQ(text(39, 16), std::string("scales\0\0\x05\0\0\0\0\0\0\0", 16));
  EXPECT_EQ(text(55, 16), std::string("codes\0\0\0\x07\0\0\0\0\0\0\0", 16));
  EXPECT_EQ(text(71, 5), "\x01\x02\x03\x04\x05");
}

TEST(Frame, EveryTruncationAndEveryFlippedBitIsRefused) {
  const auto frame = small_frame();
  for (std::size_t length = 0; length < frame.size(); ++length) {
    auto cut = std::make_unique<std::byte[]>(length);
    std::copy_n(frame.begin(), length, cut.get());
    EXPECT_THROW(parse_frame({cut.get(), length}), CorruptStream) << length;
  }
  for (std::size_t bit = 0; bit < 8 * frame.size(); ++bit) {
    auto bad = frame;
    bad[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    EXPECT_THROW(parse_frame(bad), CorruptStream) << bit;
  }
  auto longer = frame;
  longer.push_back(std::byte{0});
  EXPECT_THROW(parse_frame(longer), CorruptStream);
}

TEST(Frame, ForgeriesWithAFittingChecksumAreRefused) {
  const auto frame = small_frame();
  EXPECT_NE(refusal(forged(frame, 4, std::uint16_t{2})).find("format version 2"),
            std::string::npos);
  EXPECT_NE(refusal(forged(frame, 6, std::uint16_t{60000})).find("out of range"),
            std::string::npos);
  EXPECT_NE(refusal(forged(frame, 8, std::uint32_t{0})).find("out of range"), std::string::npos);
  EXPECT_NE(refusal(forged(frame, 8, std::uint32_t{(1 << 20) + 1})).find("out of range"),
            std::string::npos);
  EXPECT_NE(refusal(forged(frame, 12, std::uint32_t{0})).find("out of range"), std::string::npos);
  EXPECT_NE(refusal(forged(frame, 12, std::uint32_t{0x10000001})).find("out of range"),
            std::string::npos);
  EXPECT_NE(refusal(forged(frame, 24, std::uint64_t{88})).find("88 bytes"), std::string::npos);
  EXPECT_NE(refusal(forged(frame, 47, ~std::uint64_t{0})).find("outside the frame"),
            std::string::npos);
  EXPECT_NE(refusal(forged(frame, 47, std::uint64_t{4})).find("outside every section"),
            std::string::npos);
  EXPECT_NE(refusal(forged(frame, 39, std::uint8_t{0})).find("zero-padded"), std::string::npos);
  EXPECT_NE(refusal(forged(frame, 39, std::uint8_t{'/'})).find("odd character"), std::string::npos);
}

TEST(Frame, WriterChecksItsCaller) {
  std::vector<std::byte> out(200);
  EXPECT_THROW(FrameWriter(std::span(out).first(20), "tq:b=4", 64, 0, kNames), InputError);
  EXPECT_THROW(FrameWriter(out, "tq:b=4", 0, 0, kNames), InputError);
  FrameWriter writer(out, "tq:b=4", 64, 0, kNames);
  EXPECT_THROW(writer.section(500), InputError);
  writer.section(0);
  EXPECT_THROW(writer.finish(), InputError);
  writer.section(0);
  EXPECT_THROW(writer.section(0), InputError);
  EXPECT_EQ(writer.finish(), frame_overhead(6, 2));
}

}  // namespace
}  // namespace kakeya
