// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/passages.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "kakeya/core/error.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::write_text;

// A token a byte, or a token every `bytes` bytes; 7 in front with add_special.
class ByteTokenizer : public Tokenizer {
 public:
  explicit ByteTokenizer(std::size_t bytes = 1) : bytes_(bytes) {}
  std::vector<std::int32_t> encode(std::string_view text, bool add_special,
                                   const std::function<void(std::size_t)>&) const override {
    std::vector<std::int32_t> ids;
    if (add_special) ids.push_back(7);
    for (std::size_t i = 0; i < text.size(); i += bytes_) {
      ids.push_back(static_cast<std::uint8_t>(text[i]));
    }
    return ids;
  }
  std::string decode(const std::vector<std::int32_t>& ids) const override {
    std::string text;
    for (std::size_t i = 1; i < ids.size(); ++i) text.push_back(static_cast<char>(ids[i]));
    return text;
  }
  std::size_t vocab() const override { return 256; }
  std::string describe() const override { return "bytes"; }

 private:
  std::size_t bytes_;
};

class Passages : public ::testing::Test {
 protected:
  std::vector<Passage> cut(const std::string& text, std::size_t tokens_each, std::size_t count,
                           std::size_t bytes_a_token = 1) {
    write_text(scratch_ / "t.txt", text);
    return read_passages(scratch_ / "t.txt", ByteTokenizer(bytes_a_token), tokens_each, count);
  }
  testing::ScratchFolder scratch_;
};

TEST_F(Passages, CloseAtTheEstimateAndSkipBlankRows) {
  // 4 words x 1.3 = 5.2: closed at the 4th word for 5 tokens, not at the 3rd (3.9).
  const auto passages = cut("\n \t\nab cd\n\nef\ngh ij\n \nkl mn\nop qr\n", 5, 0);
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(ByteTokenizer().decode(passages[0].tokens), "ab c");
  EXPECT_EQ(passages[0].tokens.front(), 7);
  EXPECT_EQ(passages[0].origin, "t.txt lines 3-6");
  EXPECT_EQ(ByteTokenizer().decode(passages[1].tokens), "kl m");
  EXPECT_EQ(passages[1].origin, "t.txt lines 8-9");
  for (const Passage& passage : passages) EXPECT_EQ(passage.tokens.size(), 5u);
}

TEST_F(Passages, TheTextIsTheRowsAsTheyStand) {
  const auto passages = cut("a \n\n b\n", 2, 1);
  EXPECT_EQ(passages[0].tokens, (std::vector<std::int32_t>{7, 'a'}));
  const auto both = cut(" a\n\nb\n", 2, 1);
  EXPECT_EQ(both[0].origin, "t.txt lines 1-3");
  EXPECT_EQ(both[0].tokens, (std::vector<std::int32_t>{7, ' '}));
}

TEST_F(Passages, WhatGivesTooFewTokensIsDropped) {
  // Seven words estimate 9 tokens; at a token for four bytes only the long row has as many.
  const std::string thin = "a b c d e f g\n";
  const std::string fat = "aaaaaaaa bbbbbbbb cccccccc dddddddd e f g\n";
  const auto passages = cut(thin + fat + thin, 9, 0, 4);
  ASSERT_EQ(passages.size(), 1u);
  EXPECT_EQ(passages[0].origin, "t.txt lines 2-2");
}

TEST_F(Passages, WordsAreThoseOfPython) {
  // No-break and ideographic spaces and U+001F part words; a zero-width space does not.
  EXPECT_EQ(cut("a\u00a0b\u3000c\x1f"
                "d\n",
                5, 1)
                .size(),
            1u);
  EXPECT_THROW(cut("a\u200b"
                   "b\u200bc\u200b"
                   "d\n",
                   5, 1),
               InputError);
  EXPECT_THROW(cut("\u2028\u00a0\n", 1, 1), InputError);  // blank
}

TEST_F(Passages, TooFewNamesBothNumbers) {
  const auto message = message_of<InputError>([&] { cut("a b c d\na b c d\n", 5, 3); });
  EXPECT_NE(message.find("2 passages of 5 tokens, 3 expected"), std::string::npos) << message;
  EXPECT_EQ(cut("a b c d\na b c d\n", 5, 1).size(), 1u);
  EXPECT_THROW(cut("", 5, 0), InputError);
  EXPECT_THROW(cut("a b c d\n", 0, 0), InputError);
  EXPECT_THROW(read_passages(scratch_ / "nothing", ByteTokenizer(), 5, 1), IoError);
}

TEST_F(Passages, AFolderIsOnePassageAFileInNameOrder) {
  std::filesystem::create_directory(scratch_.path() / "texts");
  write_text(scratch_ / "texts/2.txt", "second");
  write_text(scratch_ / "texts/1.txt", "first one");
  write_text(scratch_ / "texts/notes.md", "x");
  const auto passages = read_passages(scratch_ / "texts", ByteTokenizer(), 6, 0);
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(passages[0].origin, "1.txt");
  EXPECT_EQ(ByteTokenizer().decode(passages[0].tokens), "first");
  EXPECT_EQ(passages[1].origin, "2.txt");
  EXPECT_NE(message_of<InputError>([&] {
              read_passages(scratch_ / "texts", ByteTokenizer(), 8, 0);
            }).find("2.txt: 7 tokens, at least 8"),
            std::string::npos);
  EXPECT_EQ(read_passages(scratch_ / "texts", ByteTokenizer(), 8, 1).size(), 1u);
  EXPECT_THROW(read_passages(scratch_ / "texts", ByteTokenizer(), 6, 3), InputError);
}

}  // namespace
}  // namespace kakeya
