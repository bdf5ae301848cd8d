// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/weights/gguf.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <random>

#include "kakeya/core/error.h"
#include "kakeya/model/weights/ggml_type.h"
#include "support/gguf_writer.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::GgufWriter;
using testing::message_of;
using testing::ScratchFolder;
using testing::write_text;

constexpr std::uint32_t kF32 = 0, kF16 = 1, kQ8_0 = 8;

class Gguf : public ::testing::Test {
 protected:
  GgufFile open(const std::string& bytes) {
    write_text(scratch_ / "a.gguf", bytes);
    return GgufFile(scratch_ / "a.gguf");
  }
  std::string refusal(const std::string& bytes) {
    return message_of<CorruptStream>([&] { open(bytes); });
  }

  ScratchFolder scratch_;
};

GgufWriter with_everything(std::uint32_t version = 3) {
  return GgufWriter(version)
      .text("general.architecture", "llama")
      .truth("yes", true)
      .integer("count", 7)
      .real("eps", 0.5f)
      .number<std::int8_t>("i8", 1, -3)
      .number<std::uint16_t>("u16", 2, 65535)
      .number<std::int16_t>("i16", 3, -300)
      .number<std::int32_t>("i32", 5, -70000)
      .number<std::uint64_t>("u64", 10, std::numeric_limits<std::uint64_t>::max())
      .number<std::int64_t>("i64", 11, std::numeric_limits<std::int64_t>::min())
      .number<double>("f64", 12, 0.1)
      .texts("names", {"a", "", "\xff"})
      .numbers<std::int32_t>("types", 5, {1, -2, 3})
      .numbers<std::uint8_t>("flags", 7, {1, 0, 1})
      .numbers<float>("scores", 6, {-1.5f, 2.0f})
      .tensor("w", {32, 2}, kQ8_0, 0)
      .tensor("b", {3}, kF32, 96);
}

// 68 bytes of w, padded to 96, then 12 of b.
std::string data_of_everything() {
  std::string data;
  for (int i = 0; i < 108; ++i) data.push_back(static_cast<char>(i));
  return data;
}

TEST_F(Gguf, ReadsEveryKindOfValueAndTensor) {
  for (const std::uint32_t version : {2u, 3u}) {
    const GgufFile file = open(with_everything(version).file(data_of_everything()));
    EXPECT_EQ(file.metadata().size(), 15u);
    EXPECT_EQ(file.text("general.architecture"), "llama");
    EXPECT_TRUE(std::get<bool>(*file.find("yes")));
    EXPECT_EQ(file.integer("count"), 7);
    EXPECT_EQ(file.integer("i8"), -3);
    EXPECT_EQ(file.integer("u16"), 65535);
    EXPECT_EQ(file.integer("i16"), -300);
    EXPECT_EQ(file.integer("i32"), -70000);
    EXPECT_EQ(file.integer("i64"), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(file.real("eps"), 0.5);
    EXPECT_EQ(file.real("f64"), 0.1);
    EXPECT_EQ(file.real("count"), 7.0);
    EXPECT_EQ(file.texts("names"), (std::vector<std::string>{"a", "", "\xff"}));
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(*file.find("types")),
              (std::vector<std::int64_t>{1, -2, 3}));
    EXPECT_EQ(std::get<std::vector<bool>>(*file.find("flags")),
              (std::vector<bool>{true, false, true}));
    EXPECT_EQ(std::get<std::vector<double>>(*file.find("scores")), (std::vector<double>{-1.5, 2}));
    EXPECT_EQ(file.find("nothing"), nullptr);
    ASSERT_EQ(file.tensors().size(), 2u);
    const GgufTensor& w = file.tensors()[0];
    const GgufTensor& b = file.tensors()[1];
    EXPECT_EQ(w.name, "w");
    EXPECT_EQ(w.dims, (std::vector<std::uint64_t>{32, 2}));
    ASSERT_EQ(w.bytes.size(), 68u);
    ASSERT_EQ(b.bytes.size(), 12u);
    EXPECT_EQ(w.bytes[67], std::byte{67});
    EXPECT_EQ(b.bytes[0], std::byte{96});
  }
}

TEST_F(Gguf, NamesTheKeyAndTheKindExpected) {
  const GgufFile file = open(with_everything().file(data_of_everything()));
  const auto refusal = [](const auto& ask) { return message_of<InputError>(ask); };
  EXPECT_NE(refusal([&] { file.integer("nothing"); }).find("nothing is missing, an integer"),
            std::string::npos);
  EXPECT_NE(refusal([&] { file.integer("eps"); }).find("eps is a float"), std::string::npos);
  EXPECT_NE(refusal([&] { file.integer("u64"); }).find("below 2^63"), std::string::npos);
  EXPECT_NE(refusal([&] { file.real("names"); }).find("a number expected"), std::string::npos);
  EXPECT_NE(refusal([&] { file.text("count"); }).find("a string expected"), std::string::npos);
  EXPECT_NE(refusal([&] { file.texts("types"); }).find("an array of strings"), std::string::npos);
}

TEST_F(Gguf, EveryTruncationIsAnError) {
  const std::string whole = with_everything().file(data_of_everything());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(refusal(whole.substr(0, length)), "") << length;
  }
  EXPECT_EQ(refusal(whole), "");
}

TEST_F(Gguf, EveryTruncationOfAVocabularyIsAnError) {
  const std::string whole = GgufWriter().texts("tokenizer.ggml.tokens", {"a", "bc"}).file();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(refusal(whole.substr(0, length)), "") << length;
  }
  EXPECT_TRUE(open(whole).tensors().empty());
}

TEST_F(Gguf, CountsBeyondTheFileAreErrorsBeforeAnyAllocation) {
  const auto huge = GgufWriter::bytes(std::numeric_limits<std::uint64_t>::max());
  const auto version = GgufWriter::bytes(std::uint32_t{3});
  const auto zero = GgufWriter::bytes(std::uint64_t{0});
  EXPECT_NE(refusal("GGUF" + version + huge + zero).find("tensor count"), std::string::npos);
  EXPECT_NE(refusal("GGUF" + version + zero + huge).find("metadata count"), std::string::npos);
  std::string file = GgufWriter().texts("names", {"a"}).file();
  file.replace(file.size() - 17, 8, huge);  // the array's count
  EXPECT_NE(refusal(file).find("names"), std::string::npos);
  file = GgufWriter().text("name", "a").file();
  file.replace(file.size() - 9, 8, huge);  // the string's length
  EXPECT_NE(refusal(file).find("name"), std::string::npos);
}

TEST_F(Gguf, RefusesWhatIsNotGguf) {
  EXPECT_NE(refusal(std::string(100, 'x')).find("not a GGUF file"), std::string::npos);
  EXPECT_NE(refusal(GgufWriter(1).file()).find("1 given, 2 or 3"), std::string::npos);
  EXPECT_NE(refusal(GgufWriter(0x03000000).file()).find("little-endian"), std::string::npos);
  EXPECT_NE(refusal(GgufWriter().number<std::uint8_t>("k", 13, 0).file()).find("value type 13"),
            std::string::npos);
  EXPECT_NE(refusal(GgufWriter().numbers<std::uint32_t>("k", 9, {1}).file()).find("element type 9"),
            std::string::npos);
  EXPECT_NE(refusal(GgufWriter().number<std::uint8_t>("k", 7, 2).file()).find("bool"),
            std::string::npos);
  EXPECT_NE(refusal(GgufWriter().integer("k", 1).integer("k", 2).file()).find("twice"),
            std::string::npos);
}

TEST_F(Gguf, RefusesTensorsThatCannotBe) {
  const std::string data(256, '\0');
  const auto one = [&](const std::vector<std::uint64_t>& dims, std::uint32_t type,
                       std::uint64_t offset) {
    return refusal(GgufWriter().tensor("w", dims, type, offset).file(data));
  };
  EXPECT_EQ(one({64}, kF32, 0), "");
  EXPECT_NE(one({65}, kF32, 0).find("260 bytes at offset 0"), std::string::npos);
  EXPECT_NE(one({1}, kF32, 256).find("at offset 256"), std::string::npos);
  EXPECT_NE(one({1}, kF32, 1ull << 63).find("at offset"), std::string::npos);
  EXPECT_NE(one({1}, kF32, 4).find("no multiple of 32"), std::string::npos);
  EXPECT_NE(one({33}, kQ8_0, 0).find("multiple of 32 expected of type Q8_0"), std::string::npos);
  EXPECT_NE(one({4}, 77, 0).find("tensor w before offset"), std::string::npos);
  EXPECT_NE(one({4}, 77, 0).find("type 77"), std::string::npos);
  EXPECT_NE(one({1ull << 33, 1ull << 33}, kF32, 0).find("overflows"), std::string::npos);
  EXPECT_NE(one({1ull << 62, 1}, kF32, 0).find("overflows"), std::string::npos);
  EXPECT_NE(one({1, 1, 1, 1, 1}, kF32, 0).find("5 dims"), std::string::npos);
  const auto two = [&](std::uint64_t second, const std::string& name) {
    return refusal(
        GgufWriter().tensor("w", {9}, kF32, 0).tensor(name, {1}, kF16, second).file(data));
  };
  EXPECT_EQ(two(64, "v"), "");
  EXPECT_NE(two(32, "v").find("overlaps"), std::string::npos);
  EXPECT_NE(two(64, "w").find("twice"), std::string::npos);
}

TEST_F(Gguf, FollowsTheAlignmentOfTheFile) {
  const auto file = [](std::uint32_t alignment) {
    return GgufWriter()
        .integer("general.alignment", alignment)
        .tensor("w", {2}, kF32, 0)
        .tensor("v", {2}, kF32, 8);
  };
  const GgufFile tight = open(file(8).file("12345678abcdefgh", 8));
  EXPECT_EQ(tight.tensors()[1].bytes[0], std::byte{'a'});
  EXPECT_NE(refusal(file(24).file("12345678abcdefgh", 24)).find("power of two"), std::string::npos);
  EXPECT_NE(refusal(file(0).file("12345678abcdefgh")).find("power of two"), std::string::npos);
}

TEST_F(Gguf, DamagedBytesNeverCrash) {
  const std::string whole = with_everything().file(data_of_everything());
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < 500; ++round) {
    std::string damaged = whole;
    for (int i = 0; i < 3; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    try {
      const GgufFile file = open(damaged);
      for (const GgufTensor& tensor : file.tensors()) {
        ASSERT_LE(tensor.bytes.size(), damaged.size());
      }
    } catch (const CorruptStream&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST_F(Gguf, WhatCannotBeReadIsAnIoError) {
  EXPECT_THROW(GgufFile(scratch_ / "nothing.gguf"), IoError);
  EXPECT_THROW(GgufFile(scratch_.path().string()), IoError);
}

TEST(GgmlType, BlocksHoldTheBytesThatGgmlCounts) {
  const auto bits = [](std::uint32_t type) {
    const GgmlLayout* layout = ggml_layout(type);
    return layout ? 8.0 * layout->bytes / layout->values : -1;
  };
  EXPECT_EQ(bits(kF32), 32);
  EXPECT_EQ(bits(30), 16);  // BF16
  EXPECT_EQ(bits(2), 4.5);  // Q4_0
  EXPECT_EQ(bits(3), 5);    // Q4_1
  EXPECT_EQ(bits(kQ8_0), 8.5);
  EXPECT_EQ(bits(12), 4.5);            // Q4_K
  EXPECT_EQ(bits(14), 6.5625);         // Q6_K
  EXPECT_EQ(ggml_layout(4), nullptr);  // Q4_2, gone since 2023
  EXPECT_STREQ(ggml_layout(3)->name, "Q4_1");
}

TEST(GgufReference, ReadsRealFiles) {
  const auto shared = std::filesystem::path(KAKEYA_SOURCE_DIR) / ".." / "shared";
  if (!std::filesystem::exists(shared)) {
    GTEST_SKIP() << "no reference files beside the checkout (../shared)";
  }
  const GgufFile vocabulary(
      (shared / "tokenizers/test-vectors/ggml-vocab-llama-spm.gguf").string());
  EXPECT_TRUE(vocabulary.tensors().empty());
  EXPECT_EQ(vocabulary.texts("tokenizer.ggml.tokens").size(), 32000u);
  const GgufFile stories((shared / "models/stories260K/stories260K-f32.gguf").string());
  EXPECT_EQ(stories.tensors().size(), 48u);
  EXPECT_EQ(stories.integer("llama.block_count"), 5);
  EXPECT_EQ(stories.tensors().front().bytes.size(), 512u * 64 * 4);
}

}  // namespace
}  // namespace kakeya
