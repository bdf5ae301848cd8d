// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/tokenizer.h"
#include "model/tokenizer/tiny_tokenizer.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using nlohmann::json;
using testing::message_of;
using testing::tiny_byte_level;
using Ids = std::vector<std::int32_t>;

class JsonTokenizer : public ::testing::Test {
 protected:
  std::unique_ptr<Tokenizer> load_text(const std::string& text) {
    testing::write_text(scratch_ / "tokenizer.json", text);
    return load_tokenizer(scratch_.path().string());
  }
  std::unique_ptr<Tokenizer> load(const json& file) { return load_text(file.dump()); }
  std::string input_error(const json& file) {
    return message_of<InputError>([&] { load(file); });
  }
  std::string corrupt(const json& file) {
    return message_of<CorruptStream>([&] { load(file); });
  }

  testing::ScratchFolder scratch_;
};

TEST_F(JsonTokenizer, EncodesAndDecodesByteLevelBpe) {
  const auto tokenizer = load(tiny_byte_level());
  EXPECT_EQ(tokenizer->encode("the the t12"), (Ids{257, 258, ' ', 't', '1', '2'}));
  EXPECT_EQ(tokenizer->encode("a<|end|>the<tag>"), (Ids{'a', 259, 257, 260}));
  EXPECT_EQ(tokenizer->encode(""), (Ids{}));
  EXPECT_EQ(tokenizer->decode({257, 259, 258, 260}), "the the<tag>");
  EXPECT_EQ(tokenizer->vocab(), 261u);
  EXPECT_EQ(tokenizer->describe(), "byte-level BPE, 261 tokens, pre-tokenizer Digits+ByteLevel");
  EXPECT_NE(message_of<InputError>([&] { tokenizer->decode({261}); }).find("token id 261"),
            std::string::npos);
  EXPECT_THROW(tokenizer->decode({-1}), InputError);
}

TEST_F(JsonTokenizer, AnyBytesComeBack) {
  const auto tokenizer = load(tiny_byte_level());
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (std::size_t n = random() % 60; n > 0; --n) {
      bytes.push_back(random() % 2 ? static_cast<char>(random()) : "the 12\n"[random() % 7]);
    }
    ASSERT_EQ(tokenizer->decode(tokenizer->encode(bytes)), bytes);
  }
}

TEST_F(JsonTokenizer, ProgressRisesToTheEnd) {
  const auto tokenizer = load(tiny_byte_level());
  std::string text;
  while (text.size() < 400000) text += "the 12 <tag>\nthe ";
  std::size_t last = 0, calls = 0;
  tokenizer->encode(text, true, [&](std::size_t done) {
    EXPECT_GE(done, last);
    last = done;
    ++calls;
  });
  EXPECT_EQ(last, text.size());
  json plain = tiny_byte_level();
  plain["added_tokens"] = json::array();
  calls = 0;
  load(plain)->encode(text, true, [&](std::size_t) { ++calls; });
  EXPECT_GE(calls, 5u);
}

TEST_F(JsonTokenizer, AddsWhatTheTemplateSays) {
  json file = tiny_byte_level();
  file["post_processor"] = {{"type", "Sequence"},
                            {"processors",
                             {{{"type", "ByteLevel"}},
                              {{"type", "TemplateProcessing"},
                               {"single",
                                {{{"SpecialToken", {{"id", "<|end|>"}, {"type_id", 0}}}},
                                 {{"Sequence", {{"id", "A"}, {"type_id", 0}}}},
                                 {{"SpecialToken", {{"id", "<tag>"}, {"type_id", 0}}}}}},
                               {"special_tokens",
                                {{"<|end|>", {{"id", "<|end|>"}, {"ids", {259}}}},
                                 {"<tag>", {{"id", "<tag>"}, {"ids", {260}}}}}}}}}};
  const auto tokenizer = load(file);
  EXPECT_EQ(tokenizer->encode("the"), (Ids{259, 257, 260}));
  EXPECT_EQ(tokenizer->encode("the", false), (Ids{257}));
  file["post_processor"]["processors"][1]["special_tokens"]["<tag>"]["ids"] = {9999};
  EXPECT_NE(corrupt(file).find("id 9999"), std::string::npos);
}

TEST_F(JsonTokenizer, NormalizesBeforeNormalizedAddedTokensOnly) {
  json file = tiny_byte_level();
  file["normalizer"] = {
      {"type", "Sequence"},
      {"normalizers",
       {{{"type", "NFC"}},
        {{"type", "Replace"}, {"pattern", {{"String", "x"}}}, {"content", "<tag>"}}}}};
  EXPECT_EQ(load(file)->encode("x").size(), 5u);  // "<tag>" of the normalizer is plain text
  file["added_tokens"][1]["normalized"] = true;
  EXPECT_EQ(load(file)->encode("x"), (Ids{260}));
  EXPECT_EQ(load(file)->encode("e\u0301"), (Ids{0xC3, 0xA9}));
}

// Llama's shape: spaces marked by the normalizer, the whole text one word, bytes to fall back on.
json tiny_sentencepiece() {
  json vocabulary = {{"<unk>", 0}, {"<s>", 1}, {"\u2581", 2},  {"h", 3},
                     {"i", 4},     {"hi", 5},  {"\u2581hi", 6}};
  for (int byte = 0; byte < 256; ++byte) {
    char name[8];
    std::snprintf(name, sizeof(name), "<0x%02X>", byte);
    vocabulary[name] = 7 + byte;
  }
  json file = tiny_byte_level();
  file["added_tokens"] = json::array();
  file["normalizer"] = {
      {"type", "Sequence"},
      {"normalizers",
       {{{"type", "Prepend"}, {"prepend", "\u2581"}},
        {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "\u2581"}}}}};
  file["pre_tokenizer"] = nullptr;
  file["decoder"] = {{"type", "Sequence"},
                     {"decoders",
                      {{{"type", "Replace"}, {"pattern", {{"String", "\u2581"}}}, {"content", " "}},
                       {{"type", "ByteFallback"}},
                       {{"type", "Fuse"}},
                       {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}}}};
  file["model"] = {
      {"type", "BPE"},         {"vocab", vocabulary},  {"merges", {"h i", "\u2581 hi"}},
      {"byte_fallback", true}, {"unk_token", "<unk>"}, {"fuse_unk", true}};
  return file;
}

TEST_F(JsonTokenizer, EncodesSentencePieceBpe) {
  const auto tokenizer = load(tiny_sentencepiece());
  EXPECT_EQ(tokenizer->encode("hi hi"), (Ids{6, 6}));
  EXPECT_EQ(tokenizer->encode("hi\u00e9\xFF"), (Ids{6, 7 + 0xC3, 7 + 0xA9, 7 + 0xFF}));
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("hi  \xFF\u4f60 hi")), "hi  \xFF\u4f60 hi");
  EXPECT_EQ(tokenizer->describe(), "BPE, 263 tokens, pre-tokenizer none");
}

TEST_F(JsonTokenizer, EncodesUnigram) {
  json file = tiny_sentencepiece();
  file["normalizer"] = nullptr;
  file["pre_tokenizer"] = {
      {"type", "Metaspace"}, {"replacement", "\u2581"}, {"prepend_scheme", "always"}};
  file["decoder"] = {
      {"type", "Metaspace"}, {"replacement", "\u2581"}, {"prepend_scheme", "always"}};
  file["model"] = {{"type", "Unigram"},
                   {"unk_id", 0},
                   {"vocab", json::parse(R"([["<unk>", 0.0], ["\u2581", -1.0], ["h", -2.0],
                                             ["i", -2.0], ["\u2581hi", -2.5]])")}};
  const auto tokenizer = load(file);
  EXPECT_EQ(tokenizer->encode("hi ih?"), (Ids{4, 1, 3, 2, 0}));
  EXPECT_EQ(tokenizer->decode({4, 1, 3}), "hi i");
  EXPECT_EQ(tokenizer->describe(), "unigram, 5 tokens, pre-tokenizer Metaspace");
  file["model"]["unk_id"] = 5;
  EXPECT_NE(corrupt(file).find("unk_id 5"), std::string::npos);
}

TEST_F(JsonTokenizer, NamesEveryPartThatIsNotImplemented) {
  const auto with = [](const char* part, const json& value) {
    json file = tiny_byte_level();
    file[part] = value;
    return file;
  };
  const auto model = [](const char* key, const json& value) {
    json file = tiny_byte_level();
    file["model"][key] = value;
    return file;
  };
  const json later = {{"type", "Sequence"},
                      {"pretokenizers", {{{"type", "ByteLevel"}}, {{"type", "Digits"}}}}};
  const std::vector<std::pair<json, std::string>> refused = {
      {with("normalizer", {{"type", "Precompiled"}}), "normalizer Precompiled"},
      {with("pre_tokenizer", {{"type", "BertPreTokenizer"}}), "pre-tokenizer BertPreTokenizer"},
      {with("pre_tokenizer", later), "pre-tokenizer Digits after ByteLevel"},
      {with("post_processor", {{"type", "BertProcessing"}}), "post-processor BertProcessing"},
      {with("decoder", {{"type", "WordPiece"}}), "decoder WordPiece"},
      {model("type", "WordPiece"), "tokenizer model WordPiece"},
      {model("continuing_subword_prefix", "##"), "continuing_subword_prefix"},
      {model("end_of_word_suffix", "</w>"), "end_of_word_suffix"},
      {model("dropout", 0.1), "dropout"}};
  for (const auto& [file, name] : refused) {
    const std::string message = input_error(file);
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_NE(message.find("tokenizer.json: "), std::string::npos) << message;
  }
}

TEST_F(JsonTokenizer, RefusesIdsAndMergesThatCannotBe) {
  json file = tiny_byte_level();
  file["model"]["vocab"]["far"] = 2000000000;
  EXPECT_NE(corrupt(file).find("id 2000000000"), std::string::npos);
  for (const json& id : {json(1.5), json(-1), json(1ull << 40), json("1"), json(nullptr)}) {
    file["model"]["vocab"]["far"] = id;
    EXPECT_NE(corrupt(file).find("id " + id.dump()), std::string::npos) << corrupt(file);
  }
  file = tiny_byte_level();
  file["added_tokens"][0]["id"] = -1;
  EXPECT_NE(corrupt(file).find("id -1"), std::string::npos);
  file = tiny_byte_level();
  file["model"]["merges"].push_back("a zz");
  EXPECT_NE(corrupt(file).find("zz is not in the vocabulary"), std::string::npos);
  file["model"]["merges"].back() = "a b c";
  EXPECT_NE(corrupt(file).find("two tokens and one space"), std::string::npos);
  file["model"]["merges"].back() = 5;
  EXPECT_NE(corrupt(file), "");
  file = tiny_byte_level();
  file["model"]["vocab"] = json::object();
  file["model"]["merges"] = file["added_tokens"] = json::array();
  EXPECT_NE(corrupt(file).find("empty"), std::string::npos);
}

TEST_F(JsonTokenizer, EveryTruncationIsALineThatNamesTheFile) {
  const std::string whole = tiny_byte_level().dump();
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    const auto message = message_of<CorruptStream>([&] { load_text(whole.substr(0, length)); });
    EXPECT_NE(message.find("tokenizer.json: "), std::string::npos) << length;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST_F(JsonTokenizer, RefusesDeepNesting) {
  const std::string deep(100'000, '['), closed = deep + std::string(100'000, ']');
  for (const std::string& text : {deep, closed, "{\"model\":" + closed + "}"}) {
    EXPECT_NE(message_of<CorruptStream>([&] {
                load_text(text);
              }).find("tokenizer.json: not JSON at byte "),
              std::string::npos);
  }
}

TEST_F(JsonTokenizer, DamagedBytesNeverCrash) {
  const std::string whole = tiny_byte_level().dump();
  std::mt19937 random(9);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string damaged = whole;
    for (int i = 0; i < 2; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    try {
      load_text(damaged)->encode("the 12 \xFF<tag>");
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST_F(JsonTokenizer, WhatIsNotThereIsNamed) {
  EXPECT_NE(message_of<IoError>([&] {
              load_tokenizer(scratch_.path().string());
            }).find("no tokenizer.json"),
            std::string::npos);
  EXPECT_THROW(load_tokenizer(scratch_ / "nothing"), IoError);
  EXPECT_THROW(load_tokenizer(scratch_ / "nothing.json"), IoError);
  testing::write_text(scratch_ / "a.txt", "x");
  EXPECT_THROW(load_tokenizer(scratch_ / "a.txt"), InputError);
}

}  // namespace
}  // namespace kakeya
