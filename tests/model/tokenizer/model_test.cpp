// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/byte_alphabet.h"
#include "kakeya/model/tokenizer/token_model.h"
#include "kakeya/model/tokenizer/utf8.h"
#include "kakeya/model/tokenizer/vocabulary.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using Ids = std::vector<std::int32_t>;

Ids encode(const TokenModel& model, std::string_view word) {
  Ids ids;
  model.encode_word(word, ids);
  return ids;
}

TEST(Utf8, TakesWellFormedTextOnly) {
  for (const std::uint32_t point :
       {0u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xD7FFu, 0xE000u, 0xFFFFu, 0x10000u, 0x10FFFFu}) {
    std::string text;
    append_utf8(text, point);
    const Utf8Char c = utf8_at(text, 0);
    EXPECT_TRUE(c.valid);
    EXPECT_EQ(c.code_point, point);
    EXPECT_EQ(c.byte_count, text.size());
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
      EXPECT_FALSE(utf8_at(text.substr(0, cut), 0).valid);
    }
  }
  for (const char* bad :
       {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80", "\xFF", "\xC3x"}) {
    EXPECT_FALSE(utf8_at(bad, 0).valid) << bad;
    EXPECT_EQ(utf8_at(bad, 0).byte_count, 1u);
  }
  EXPECT_EQ(valid_utf8_bytes("ab\u00e9\xFFz", 0), 4u);
  EXPECT_EQ(valid_utf8_bytes("ab\u00e9\xFFz", 5), 1u);
}

TEST(ByteAlphabet, WritesEachByteAsOneCharacterAndBack) {
  std::string seen;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string bytes(1, static_cast<char>(byte));
    const std::string token = alphabet_of_bytes(bytes);
    EXPECT_EQ(utf8_at(token, 0).byte_count, token.size());
    EXPECT_EQ(seen.find(token), std::string::npos);
    EXPECT_EQ(bytes_of_alphabet(token), bytes);
    seen += token;
  }
  EXPECT_EQ(alphabet_of_bytes(" a\n"), "\u0120a\u010a");
  EXPECT_EQ(bytes_of_alphabet("a b"), std::nullopt);
  EXPECT_EQ(bytes_of_alphabet("\u4f60"), std::nullopt);
}

// a b c ab bc abc, and merges in the order given.
BpeTable letters(const std::vector<std::pair<std::string, std::string>>& merges) {
  BpeTable table;
  table.symbols = {{"a", 0}, {"b", 1}, {"c", 2}, {"ab", 3}, {"bc", 4}, {"abc", 5}};
  table.token_end = 6;
  for (const auto& [left, right] : merges) {
    table.merges.push_back(merge_of(table.symbols, left, right, table.merges.size()));
  }
  return table;
}

TEST(Bpe, MergesByRankAndFromTheLeft) {
  EXPECT_EQ(encode(*make_bpe_model(letters({{"a", "b"}, {"b", "c"}})), "abcbc"), (Ids{3, 2, 4}));
  EXPECT_EQ(encode(*make_bpe_model(letters({{"b", "c"}, {"a", "b"}})), "abcab"), (Ids{0, 4, 3}));
  EXPECT_EQ(encode(*make_bpe_model(letters({{"b", "c"}, {"a", "bc"}})), "abc"), (Ids{5}));
  EXPECT_EQ(encode(*make_bpe_model(letters({})), "abc"), (Ids{0, 1, 2}));
  EXPECT_EQ(encode(*make_bpe_model(letters({})), ""), (Ids{}));
}

TEST(Bpe, TakesAWholeWordFirstOnlyWhereTold) {
  BpeTable table = letters({{"a", "b"}});
  EXPECT_EQ(encode(*make_bpe_model(table), "abc"), (Ids{3, 2}));
  table.whole_words_first = true;
  EXPECT_EQ(encode(*make_bpe_model(table), "abc"), (Ids{5}));
  EXPECT_EQ(encode(*make_bpe_model(table), "abca"), (Ids{3, 2, 0}));
}

TEST(Bpe, FallsBackToBytesThenToUnknownThenToNothing) {
  BpeTable table = letters({{"a", "b"}});
  EXPECT_EQ(encode(*make_bpe_model(table), "a\u00e9b"), (Ids{3}));  // neighbours meet
  table.fallback.unknown = 9;
  EXPECT_EQ(encode(*make_bpe_model(table), "a\u00e9\u00e9b"), (Ids{0, 9, 9, 1}));
  table.fallback.fuse_unknown = true;
  EXPECT_EQ(encode(*make_bpe_model(table), "a\u00e9\u00e9b\u00e9"), (Ids{0, 9, 1, 9}));
  table.fallback.byte_tokens[0xC3] = 7;
  EXPECT_EQ(encode(*make_bpe_model(table), "\u00e9"), (Ids{9}));  // one byte of two is no help
  table.fallback.byte_tokens[0xA9] = 8;
  EXPECT_EQ(encode(*make_bpe_model(table), "a\u00e9\xA9"), (Ids{0, 7, 8, 8}));
}

TEST(Bpe, NamesAMergeOfWhatIsNotThere) {
  const auto refusal = testing::message_of<CorruptStream>([] { letters({{"c", "a"}}); });
  EXPECT_EQ(refusal, "merge 0 (c a): ca is not in the vocabulary");
}

// The definition: the best pair, the leftmost among equals, until there is none.
Ids merged_slowly(const BpeTable& table, const std::string& word) {
  Ids ids;
  for (const char byte : word) ids.push_back(table.symbols.at(std::string(1, byte)));
  for (;;) {
    const BpeMerge* best = nullptr;
    std::size_t where = 0;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
      for (const BpeMerge& merge : table.merges) {
        if (merge.left != ids[i] || merge.right != ids[i + 1]) continue;
        if (best == nullptr || merge.rank < best->rank) {
          best = &merge;
          where = i;
        }
      }
    }
    if (best == nullptr) return ids;
    ids[where] = best->merged;
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(where) + 1);
  }
}

TEST(Bpe, AgreesWithTheDefinitionOnRandomVocabularies) {
  std::mt19937 random(11);
  for (int round = 0; round < 50; ++round) {
    BpeTable table;
    std::vector<std::string> tokens = {"a", "b", "c"};
    for (std::size_t i = 0; i < tokens.size(); ++i) table.symbols[tokens[i]] = static_cast<int>(i);
    while (tokens.size() < 25) {
      const std::string left = tokens[random() % tokens.size()];
      const std::string right = tokens[random() % tokens.size()];
      if (!table.symbols.emplace(left + right, static_cast<int>(tokens.size())).second) continue;
      tokens.push_back(left + right);
      table.merges.push_back(merge_of(table.symbols, left, right, table.merges.size()));
    }
    table.token_end = 25;
    const auto model = make_bpe_model(table);
    for (int i = 0; i < 40; ++i) {
      std::string word;
      for (std::size_t n = random() % 40; n > 0; --n) word.push_back("abc"[random() % 3]);
      ASSERT_EQ(encode(*model, word), merged_slowly(table, word)) << word;
    }
  }
}

TEST(Bpe, AWordWithoutSpacesIsNotQuadratic) {
  const auto model = make_bpe_model(letters({{"a", "b"}, {"ab", "c"}}));
  std::string word;
  while (word.size() < 600000) word += "abc";
  const auto begin = std::chrono::steady_clock::now();
  const Ids ids = encode(*model, word);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(ids, Ids(word.size() / 3, 5));
  EXPECT_LT(taken.count(), 20);  // a quadratic merge takes hours
}

TEST(ScoredMerges, TheHighestScoreGoesFirstThroughCharactersThatAreNoTokens) {
  // "x" is no token, "xy" is; "yz" scores higher than "xy".
  const Vocabulary tokens = {{"y", 0}, {"z", 1}, {"xy", 2}, {"yz", 3}, {"xyz", 4}};
  const auto model = [&](const std::vector<double>& scores) {
    BpeTable table;
    table.token_end = 6;
    table.fallback.unknown = 5;
    add_scored_merges(tokens, scores, table);
    return make_bpe_model(std::move(table));
  };
  EXPECT_EQ(encode(*model({-1, -1, -3, -2, -9, 0}), "xyz"), (Ids{4}));
  EXPECT_EQ(encode(*model({-1, -1, -3, -2, -9, 0}), "xyy"), (Ids{2, 0}));
  EXPECT_EQ(encode(*model({-1, -1, -2, -2, -9, 0}), "yzxyx"), (Ids{3, 2, 5}));
  EXPECT_THROW(model({-1, -1, std::nan(""), -2, -9, 0}), CorruptStream);
}

TEST(Marks, BeginWordsOnlyWhereNoTokenHasOneInside) {
  const std::string mark(kSpaceMark);
  EXPECT_TRUE(marks_begin_words({{mark, 0}, {mark + mark + "a", 1}, {"b", 2}}, mark));
  EXPECT_FALSE(marks_begin_words({{mark, 0}, {"a" + mark, 1}}, mark));
  EXPECT_FALSE(marks_begin_words({{"a", 0}}, mark));
}

TEST(Unigram, TakesTheMostProbableCut) {
  UnigramTable table;
  table.pieces = {"<unk>", "a", "b", "ab", "abc", "c"};
  table.scores = {0, -1, -1, -1.5, -9, -1};
  table.fallback.unknown = 0;
  const auto model = make_unigram_model(table);
  EXPECT_EQ(encode(*model, "abc"), (Ids{3, 5}));  // -2.5 beats -3 and -9
  EXPECT_EQ(encode(*model, "ba"), (Ids{2, 1}));
  EXPECT_EQ(encode(*model, "axxb"), (Ids{1, 0, 2}));  // unknown ones fused
  EXPECT_EQ(encode(*model, "a\u00e9b"), (Ids{1, 0, 2}));
  EXPECT_EQ(encode(*model, "<unk>"), (Ids{0}));  // never the piece itself
  for (const char* piece : {"x", "y"}) {
    table.fallback.byte_tokens[static_cast<std::uint8_t>(*piece)] = *piece;
  }
  EXPECT_EQ(encode(*make_unigram_model(table), "axyb"), (Ids{1, 'x', 'y', 2}));
  table.scores.pop_back();
  EXPECT_THROW(make_unigram_model(table), InputError);
}

TEST(Unigram, AgreesWithAllCutsOnRandomScores) {
  std::mt19937 random(3);
  UnigramTable table;
  table.pieces = {"a", "b", "aa", "ab", "ba", "aab", "bab", "abba"};
  for (int round = 0; round < 20; ++round) {
    table.scores.clear();
    for (std::size_t i = 0; i < table.pieces.size(); ++i) {
      table.scores.push_back(-static_cast<double>(random() % 1000) / 100 - 0.01);
    }
    const auto model = make_unigram_model(table);
    std::string word;
    for (int n = 0; n < 12; ++n) word.push_back("ab"[random() % 2]);
    double score = 0;
    for (const auto id : encode(*model, word)) score += table.scores[static_cast<std::size_t>(id)];
    std::vector<double> best(word.size() + 1, -1e9);
    best[0] = 0;
    for (std::size_t at = 0; at < word.size(); ++at) {
      for (std::size_t p = 0; p < table.pieces.size(); ++p) {
        const std::string& piece = table.pieces[p];
        if (word.compare(at, piece.size(), piece) != 0) continue;
        best[at + piece.size()] = std::max(best[at + piece.size()], best[at] + table.scores[p]);
      }
    }
    EXPECT_NEAR(score, best.back(), 1e-9) << word;
  }
}

}  // namespace
}  // namespace kakeya
