// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/byte_alphabet.h"
#include "kakeya/model/tokenizer/tokenizer.h"
#include "support/gguf_writer.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::GgufWriter;
using testing::message_of;
using Ids = std::vector<std::int32_t>;

class GgufTokenizer : public ::testing::Test {
 protected:
  std::unique_ptr<Tokenizer> load(const GgufWriter& writer) {
    testing::write_text(scratch_ / "a.gguf", writer.file());
    return load_tokenizer(scratch_ / "a.gguf");
  }
  testing::ScratchFolder scratch_;
};

constexpr char kNoPre[] = "(none)";  // stands for a file without the key

// Bytes, "th" (256), "12" (257), a control token <|end|> (258) and a user-defined \n\n (259).
GgufWriter byte_level(const std::string& pre) {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) {
    tokens.push_back(alphabet_of_bytes(std::string(1, static_cast<char>(byte))));
  }
  std::vector<std::int32_t> types(258, 1);
  tokens.insert(tokens.end(), {"th", "12", "<|end|>", "\n\n"});
  types.insert(types.end(), {3, 4});
  GgufWriter writer;
  if (pre != kNoPre) writer.text("tokenizer.ggml.pre", pre);
  return writer.text("tokenizer.ggml.model", "gpt2")
      .texts("tokenizer.ggml.tokens", tokens)
      .numbers("tokenizer.ggml.token_type", 5, types)
      .texts("tokenizer.ggml.merges", {"t h", "1 2"})
      .integer("tokenizer.ggml.bos_token_id", 258);
}

TEST_F(GgufTokenizer, CutsWordsAsThePreTokenizerSays) {
  EXPECT_EQ(load(byte_level("gpt-2"))->encode("th12"), (Ids{256, 257}));
  EXPECT_EQ(load(byte_level("smollm"))->encode("th12"), (Ids{256, '1', '2'}));
  EXPECT_EQ(load(byte_level("qwen2"))->encode("th12"), (Ids{256, '1', '2'}));
  EXPECT_EQ(load(byte_level("llama-bpe"))->encode("th12"), (Ids{258, 256, 257}));
  EXPECT_EQ(load(byte_level("qwen2"))->encode("e\u0301"), (Ids{0xC3, 0xA9}));
  EXPECT_EQ(load(byte_level("gpt-2"))->encode("e\u0301"), (Ids{'e', 0xCC, 0x81}));
  EXPECT_EQ(load(byte_level("smollm"))->describe(),
            "byte-level BPE, 260 tokens, pre-tokenizer smollm");
}

TEST_F(GgufTokenizer, WithoutAPreTokenizerTakesTheDefaultAndSaysSo) {
  for (const char* pre : {kNoPre, ""}) {
    const auto tokenizer = load(byte_level(pre));
    for (const char* text : {"th12", "th 1234567 $x", "a  th.\n\nth's 12", "th1234"}) {
      EXPECT_EQ(tokenizer->encode(text), load(byte_level("default"))->encode(text)) << text;
    }
    EXPECT_EQ(tokenizer->encode("12312"), (Ids{257, '3', 257}));  // cut in threes: 123 12
    EXPECT_EQ(tokenizer->describe(),
              "byte-level BPE, 260 tokens, pre-tokenizer default (the file names none)");
  }
  EXPECT_EQ(load(byte_level("default"))->describe(),
            "byte-level BPE, 260 tokens, pre-tokenizer default");
}

TEST_F(GgufTokenizer, MatchesTokensThatAreNotText) {
  const auto tokenizer = load(byte_level("gpt-2"));
  EXPECT_EQ(tokenizer->encode("th<|end|>\n\n\n"), (Ids{256, 258, 259, '\n'}));
  EXPECT_EQ(tokenizer->decode({256, 258, 259, 'x'}), "th\n\nx");
}

TEST_F(GgufTokenizer, AddsBeginningAndEndAsTold) {
  EXPECT_EQ(load(byte_level("gpt-2").truth("tokenizer.ggml.add_bos_token", true))->encode("x"),
            (Ids{258, 'x'}));
  EXPECT_EQ(load(byte_level("llama-bpe").truth("tokenizer.ggml.add_bos_token", false))->encode("x"),
            (Ids{'x'}));
  EXPECT_EQ(load(byte_level("gpt-2")
                     .truth("tokenizer.ggml.add_eos_token", true)
                     .integer("tokenizer.ggml.eos_token_id", 257))
                ->encode("x"),
            (Ids{'x', 257}));
  EXPECT_THROW(load(byte_level("gpt-2").truth("tokenizer.ggml.add_eos_token", true)), InputError);
}

TEST_F(GgufTokenizer, NamesWhatItDoesNotKnow) {
  EXPECT_NE(message_of<InputError>([&] { load(byte_level("martian")); }).find("martian"),
            std::string::npos);
  EXPECT_NE(message_of<InputError>([&] {
              load(GgufWriter().text("tokenizer.ggml.model", "bert"));
            }).find("tokenizer.ggml.model bert"),
            std::string::npos);
  EXPECT_NE(message_of<InputError>([&] {
              load(GgufWriter().text("a", "b"));
            }).find("tokenizer.ggml.model is missing"),
            std::string::npos);
}

// <unk> <s> </s>, all bytes, then pieces by score.
GgufWriter sentencepiece(bool prefix, std::size_t drop_scores = 0) {
  std::vector<std::string> tokens = {"<unk>", "<s>", "</s>"};
  std::vector<std::int32_t> types = {2, 3, 3};
  for (int byte = 0; byte < 256; ++byte) {
    char name[8];
    std::snprintf(name, sizeof(name), "<0x%02X>", byte);
    tokens.push_back(name);
    types.push_back(6);
  }
  tokens.insert(tokens.end(), {"\u2581", "a", "b", "ab", "\u2581a", "\u2581ab"});
  types.insert(types.end(), 6, 1);
  std::vector<float> scores(259, 0.0f);
  scores.insert(scores.end(), {-4.0f, -5.0f, -6.0f, -1.0f, -2.0f, -3.0f});
  scores.resize(scores.size() - drop_scores);
  return GgufWriter()
      .text("tokenizer.ggml.model", "llama")
      .texts("tokenizer.ggml.tokens", tokens)
      .numbers("tokenizer.ggml.token_type", 5, types)
      .numbers("tokenizer.ggml.scores", 6, scores)
      .truth("tokenizer.ggml.add_space_prefix", prefix);
}

TEST_F(GgufTokenizer, MergesSentencePieceByScore) {
  constexpr std::int32_t kMark = 259, kA = 260, kB = 261, kMarkA = 263, kMarkAb = 264;
  const auto tokenizer = load(sentencepiece(true));
  EXPECT_EQ(tokenizer->encode("ab a"), (Ids{1, kMarkAb, kMarkA}));
  EXPECT_EQ(tokenizer->encode("ba", false), (Ids{kMark, kB, kA}));
  EXPECT_EQ(tokenizer->encode("<s>a", false), (Ids{1, kMarkA}));
  EXPECT_EQ(tokenizer->encode("a\u00e9", false), (Ids{kMarkA, 3 + 0xC3, 3 + 0xA9}));
  EXPECT_EQ(tokenizer->encode("\xFF", false), (Ids{kMark, 3 + 0xFF}));
  EXPECT_EQ(tokenizer->encode("<0x41>", false).size(), 7u);  // text, not the byte's token
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("ab  \xFF\n a")), "ab  \xFF\n a");
  EXPECT_EQ(load(sentencepiece(false))->encode("ab", false), (Ids{262}));
  EXPECT_EQ(load(sentencepiece(false))->decode({kMarkA}), " a");
}

TEST_F(GgufTokenizer, ArraysMustFitTogether) {
  EXPECT_NE(message_of<CorruptStream>([&] { load(sentencepiece(true, 1)); }).find("265 numbers"),
            std::string::npos);
  const auto wrong_types = GgufWriter()
                               .text("tokenizer.ggml.model", "llama")
                               .texts("tokenizer.ggml.tokens", {"a", "b"})
                               .numbers<std::int32_t>("tokenizer.ggml.token_type", 5, {1});
  EXPECT_NE(message_of<CorruptStream>([&] { load(wrong_types); }).find("has 1 entries"),
            std::string::npos);
  const auto far = sentencepiece(true).integer("tokenizer.ggml.bos_token_id", 999);
  EXPECT_NE(message_of<CorruptStream>([&] { load(far); }).find("is 999"), std::string::npos);
}

}  // namespace
}  // namespace kakeya
