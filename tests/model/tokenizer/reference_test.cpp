// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <sstream>

#include "kakeya/measure/passages.h"
#include "kakeya/model/tokenizer/tokenizer.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;
using testing::read_text;
using Ids = std::vector<std::int32_t>;

// The models' own tokenizer files and the outputs of other implementations.
class Reference : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(shared_)) {
      GTEST_SKIP() << "no reference files beside the checkout (../shared)";
    }
  }
  std::string tokenizer(const std::string& name) const {
    return (shared_ / "tokenizers" / name).string();
  }
  // 46 texts and the ids that llama.cpp gives, without special tokens around them.
  void check_vectors(const std::string& path, const std::string& name) const {
    const auto loaded = load_tokenizer(path);
    const std::string base = tokenizer("test-vectors/ggml-vocab-" + name + ".gguf");
    const std::string texts = read_text(base + ".inp");
    const std::string separator = "\n__ggml_vocab_test__\n";
    std::istringstream lines(read_text(base + ".out"));
    std::size_t checked = 0;
    std::size_t at = 0;
    for (std::string line; at <= texts.size() && std::getline(lines, line); ++checked) {
      const std::size_t end = std::min(texts.find(separator, at), texts.size());
      const std::string text = texts.substr(at, end - at);
      Ids expected;
      std::istringstream words(line);
      for (std::int32_t id = 0; words >> id;) expected.push_back(id);
      EXPECT_EQ(loaded->encode(text, false), expected) << text;
      at = end + separator.size();
    }
    EXPECT_EQ(checked, 46u);
  }
  std::size_t count(const std::string& name) const {
    const std::string text = read_text((shared_ / "text/wikitext-2-raw/wiki.test.raw").string());
    const auto loaded = load_tokenizer(tokenizer(name));
    const Ids ids = loaded->encode(text, false);
    EXPECT_EQ(loaded->decode(ids), text);
    return ids.size();
  }

  const fs::path shared_ = fs::path(KAKEYA_SOURCE_DIR) / ".." / "shared";
};

TEST_F(Reference, VectorsOfGpt2) {
  check_vectors(tokenizer("test-vectors/ggml-vocab-gpt-2.gguf"), "gpt-2");
}
TEST_F(Reference, VectorsOfStarCoder) {
  check_vectors(tokenizer("test-vectors/ggml-vocab-starcoder.gguf"), "starcoder");
}
TEST_F(Reference, VectorsOfLlama2) {
  check_vectors(tokenizer("test-vectors/ggml-vocab-llama-spm.gguf"), "llama-spm");
}
TEST_F(Reference, VectorsOfQwen2) { check_vectors(tokenizer("qwen3"), "qwen2"); }

TEST_F(Reference, TokensOfWikiText) {
  EXPECT_EQ(count("smollm2"), 303415u);
  EXPECT_EQ(count("qwen3"), 299078u);
  EXPECT_EQ(count("test-vectors/ggml-vocab-gpt-2.gguf"), 286221u);
  EXPECT_EQ(count("test-vectors/ggml-vocab-llama-spm.gguf"), 335687u);
}

TEST_F(Reference, PassagesOfWikiText) {
  const auto smollm2 = load_tokenizer(tokenizer("smollm2"));
  const auto passages = read_passages((shared_ / "text/wikitext-2-raw/wiki.test.raw").string(),
                                      *smollm2, {2112, 8, Cut::published, ""});
  ASSERT_EQ(passages.size(), 8u);
  EXPECT_EQ(passages[0].origin, "wiki.test.raw lines 107-131");  // three texts before are too short
  for (const Passage& passage : passages) EXPECT_EQ(passage.tokens.size(), 2112u);
}

TEST_F(Reference, SmolLm2IsTheSameFromJsonAndGguf) {
  const fs::path folder = fs::path(KAKEYA_SOURCE_DIR) / "models" / "smollm2-135m";
  fs::path model;
  if (fs::is_directory(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".gguf") model = entry.path();
    }
  }
  if (model.empty()) GTEST_SKIP() << "smollm2-135m is not fetched";
  const auto from_gguf = load_tokenizer(model.string());
  const auto from_json = load_tokenizer(tokenizer("smollm2"));
  EXPECT_EQ(from_gguf->vocab(), from_json->vocab());
  const std::string text = read_text((shared_ / "text/wikitext-2-raw/wiki.valid.raw").string());
  EXPECT_EQ(from_gguf->encode(text), from_json->encode(text));
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    std::string bytes;
    for (std::size_t n = random() % 80; n > 0; --n) bytes.push_back(static_cast<char>(random()));
    ASSERT_EQ(from_gguf->encode(bytes), from_json->encode(bytes));
  }
}

TEST_F(Reference, AnyBytesComeBackFromGpt2) {
  const auto gpt2 = load_tokenizer(tokenizer("test-vectors/ggml-vocab-gpt-2.gguf"));
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    std::string bytes;
    for (std::size_t n = random() % 80; n > 0; --n) bytes.push_back(static_cast<char>(random()));
    ASSERT_EQ(gpt2->decode(gpt2->encode(bytes)), bytes);
  }
}

TEST(Nano, RoundTripsItsOwnTexts) {
  const fs::path data = fs::path(KAKEYA_SOURCE_DIR) / "data";
  ASSERT_TRUE(fs::exists(data / "models/nano/tokenizer.json"));
  const auto nano = load_tokenizer((data / "models/nano").string());
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(data / "text")) {
    if (entry.path().extension() != ".txt") continue;
    const std::string text = read_text(entry.path().string());
    EXPECT_EQ(nano->decode(nano->encode(text)), text);
    ++files;
  }
  EXPECT_GE(files, 8u);
}

}  // namespace
}  // namespace kakeya
