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
  std::optional<std::string> special_in(std::string_view) const override { return {}; }
  std::size_t vocab() const override { return 256; }
  std::string describe() const override { return "bytes"; }

 private:
  std::size_t bytes_;
};

class Passages : public ::testing::Test {
 protected:
  std::vector<Passage> cut(const std::string& text, std::size_t tokens_each, std::size_t count,
                           std::size_t bytes_a_token = 1, Cut rule = Cut::published) {
    write_text(scratch_ / "t.txt", text);
    return read_passages(scratch_ / "t.txt", ByteTokenizer(bytes_a_token),
                         {tokens_each, count, rule, ""});
  }
  std::vector<Passage> by_tokens(const std::string& text, std::size_t tokens_each,
                                 std::size_t count, std::size_t bytes_a_token = 1) {
    return cut(text, tokens_each, count, bytes_a_token, Cut::tokens);
  }
  // Why there are too few passages.
  std::string shortage(const std::string& text, const PassageRequest& request) {
    write_text(scratch_ / "t.txt", text);
    return message_of<InputError>(
        [&] { read_passages(scratch_ / "t.txt", ByteTokenizer(), request); });
  }
  testing::ScratchFolder scratch_;
};

TEST_F(Passages, FromAnyOneOn) {
  const std::string text = "one two\nthree\nfour five\nsix seven eight\n";
  const std::vector<Passage> all = by_tokens(text, 6, 0);
  ASSERT_GE(all.size(), 4u);
  PassageRequest request{6, 2, Cut::tokens, ""};
  request.first = 2;
  const std::vector<Passage> later = read_passages(scratch_ / "t.txt", ByteTokenizer(), request);
  ASSERT_EQ(later.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(later[i].tokens, all[2 + i].tokens);
    EXPECT_EQ(later[i].origin, all[2 + i].origin);
  }
  request.count = 100;
  EXPECT_NE(shortage(text, request).find("102 expected (2 of them before the first)"),
            std::string::npos)
      << shortage(text, request);
  request.first = 100;
  request.count = 0;
  EXPECT_NE(shortage(text, request).find("101 expected"), std::string::npos);
}

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

// A long text without spaces: no words, but tokens.
TEST_F(Passages, ByTokensATextWithoutSpacesIsCut) {
  std::string row;
  for (int i = 0; i < 150; ++i) row += "\u6d77\u6f6e";  // six bytes
  const std::string text = row + "\n" + row + "\n";
  EXPECT_THROW(cut(text, 700, 1), InputError);
  const auto passages = by_tokens(text, 700, 0);
  ASSERT_EQ(passages.size(), 2u);
  // A row of 901 bytes is taken in parts of 510 (whole characters) and 391.
  EXPECT_EQ(passages[0].origin, "t.txt lines 1-1");
  EXPECT_EQ(passages[1].origin, "t.txt lines 2-2");
  for (const Passage& passage : passages) {
    EXPECT_EQ(passage.tokens.size(), 700u);
    EXPECT_EQ(ByteTokenizer().decode(passage.tokens), row.substr(0, 699));
  }
  // One row alone gives several passages, each of whole characters.
  std::string line;
  for (int i = 0; i < 10; ++i) line += row;
  const auto parts = by_tokens(line, 1000, 0);
  ASSERT_EQ(parts.size(), 8u);  // of two parts of 510 each
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(ByteTokenizer().decode(parts[i].tokens), line.substr(i * 1020, 999)) << i;
  }
}

TEST_F(Passages, ByTokensAPassageEndsWhenItHasThem) {
  // A row more than the published rule would take, or fewer.
  const auto rows = by_tokens("ab\n \ncd\nefgh\nij\nk\n", 7, 0);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(ByteTokenizer().decode(rows[0].tokens), "ab\ncd\n");
  EXPECT_EQ(rows[0].origin, "t.txt lines 1-3");
  EXPECT_EQ(ByteTokenizer().decode(rows[1].tokens), "efgh\ni");
  EXPECT_EQ(rows[1].origin, "t.txt lines 4-5");
  EXPECT_EQ(by_tokens("a\nb\n", 5, 0).size(), 1u);  // 7, a, LF, b, LF: exactly
  EXPECT_THROW(by_tokens("a\nb", 5, 0), InputError);
  // Two tokens a row by itself and BOS, but four with BOS together: one row more is needed.
  EXPECT_EQ(by_tokens("aaaaa\nbbbbb\nc\n", 5, 0, 4).at(0).origin, "t.txt lines 1-3");
}

TEST_F(Passages, ByTokensLongRowsArePartedBehindSpaces) {
  std::string row;
  while (row.size() < 1200) row += "seven77 ";
  row.back() = '\n';
  const auto passages = by_tokens(row, 400, 0);
  ASSERT_EQ(passages.size(), 2u);  // the third part, of 176 bytes, is too short
  EXPECT_EQ(ByteTokenizer().decode(passages[1].tokens), row.substr(512, 399));
}

TEST_F(Passages, TooFewSaysWhatThereIsAndWhy) {
  const std::string rows = "a b c d\na b c d\n";
  EXPECT_EQ(shortage(rows, {5, 3, Cut::published, "--ctx 4 + --eval 1"}),
            scratch_ / "t.txt" +
                std::string(": 2 passages of 5 tokens (--ctx 4 + --eval 1), 3 expected: the file "
                            "has 17 tokens and 8 words, and the published rule closes a passage at "
                            "1.3 tokens a word, and drops it if it has fewer tokens than wanted: "
                            "--cut tokens goes by the tokens themselves"));
  EXPECT_EQ(shortage(rows, {17, 2, Cut::tokens, ""}),
            scratch_ / "t.txt" +
                std::string(": 1 passage of 17 tokens, 2 expected: the file has 17 tokens, and the "
                            "rest of the line in which a passage ends is dropped"));
  write_text(scratch_ / "t.txt", rows);
  EXPECT_EQ(
      read_passages(scratch_ / "t.txt", ByteTokenizer(), {5, 9, Cut::tokens, "", true}).size(), 2u);
  EXPECT_THROW(read_passages(scratch_ / "t.txt", ByteTokenizer(), {99, 9, Cut::tokens, "", true}),
               InputError);
  EXPECT_EQ(cut("a b c d\na b c d\n", 5, 1).size(), 1u);
  EXPECT_THROW(cut("", 5, 0), InputError);
  EXPECT_THROW(cut("a b c d\n", 0, 0), InputError);
  EXPECT_THROW(read_passages(scratch_ / "nothing", ByteTokenizer(), {5, 1, Cut::tokens, ""}),
               IoError);
}

TEST_F(Passages, RulesHaveNames) {
  for (const Cut rule : {Cut::tokens, Cut::published}) {
    EXPECT_EQ(parse_cut(std::string(cut_name(rule))), rule);
  }
  EXPECT_EQ(message_of<SpecError>([] { parse_cut("words"); }),
            "cut words: expected tokens or published");
}

TEST_F(Passages, AFolderIsOnePassageAFileInNameOrder) {
  std::filesystem::create_directory(scratch_.path() / "texts");
  write_text(scratch_ / "texts/2.txt", "second");
  write_text(scratch_ / "texts/1.txt", "first one");
  write_text(scratch_ / "texts/notes.md", "x");
  const auto passages =
      read_passages(scratch_ / "texts", ByteTokenizer(), {6, 0, Cut::tokens, "--ctx 6"});
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(passages[0].origin, "1.txt");
  EXPECT_EQ(ByteTokenizer().decode(passages[0].tokens), "first");
  EXPECT_EQ(passages[1].origin, "2.txt");
  EXPECT_NE(message_of<InputError>([&] {
              read_passages(scratch_ / "texts", ByteTokenizer(), {8, 0, Cut::tokens, "--ctx 8"});
            }).find("2.txt: 7 tokens, expected at least 8 tokens (--ctx 8)"),
            std::string::npos);
  EXPECT_EQ(
      read_passages(scratch_ / "texts", ByteTokenizer(), {8, 1, Cut::tokens, "--ctx 8"}).size(),
      1u);
  EXPECT_NE(message_of<InputError>([&] {
              read_passages(scratch_ / "texts", ByteTokenizer(), {6, 3, Cut::tokens, ""});
            }).find("2 passages of 6 tokens, 3 expected: the folder has 2 .txt files"),
            std::string::npos);
  EXPECT_THROW(read_passages(scratch_ / "texts", ByteTokenizer(), {6, 3, Cut::tokens, "--ctx 6"}),
               InputError);
}

}  // namespace
}  // namespace kakeya
