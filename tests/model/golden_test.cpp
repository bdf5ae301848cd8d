// SPDX-License-Identifier: Apache-2.0
// Real models against likelihoods that other implementations computed.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kakeya/measure/passages.h"
#include "kakeya/model/model.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

struct Difference {
  double mean = 0, most = 0;
};

Difference compare(Model& model, const nlohmann::json& sequence) {
  const auto expected = sequence["nll"].get<std::vector<double>>();
  const auto got = model.nll(sequence["tokens"].get<std::vector<std::int32_t>>(), 1, nullptr);
  EXPECT_EQ(got.size(), expected.size());
  EXPECT_GT(got.size(), 100u);
  Difference difference;
  for (std::size_t i = 0; i < std::min(got.size(), expected.size()); ++i) {
    const double off = std::abs(got[i] - expected[i]);
    difference.mean += off / static_cast<double>(expected.size());
    difference.most = std::isnan(off) ? off : std::max(difference.most, off);
  }
  return difference;
}

nlohmann::json read_json(const fs::path& path) {
  return nlohmann::json::parse(std::ifstream(path));
}

TEST(Golden, Stories260K) {
  const fs::path shared = fs::path(KAKEYA_SOURCE_DIR) / ".." / "shared";
  if (!fs::exists(shared)) GTEST_SKIP() << "no folder shared beside the source tree";
  const auto model = load_model((shared / "models/stories260K/stories260K-f32.gguf").string(), {});
  const nlohmann::json sequences = read_json(shared / "golden/stories260K_nll.json")["sequences"];
  ASSERT_EQ(sequences.size(), 3u);
  for (const auto& sequence : sequences) {
    const Difference difference = compare(*model, sequence);
    EXPECT_LT(difference.mean, 2e-5);
    EXPECT_LT(difference.most, 2e-4);
  }
}

TEST(Golden, Nano) {
  const fs::path root = KAKEYA_SOURCE_DIR;
  const fs::path model_path = root / "data/models/nano",
                 golden = root / "tests/golden/nano_nll.json";
  ASSERT_TRUE(fs::exists(model_path)) << "part of the source tree";
  ASSERT_TRUE(fs::exists(golden)) << "part of the source tree";
  const auto model = load_model(model_path.string(), {});
  const nlohmann::json sequences = read_json(golden)["sequences"];
  ASSERT_GE(sequences.size(), 1u);
  for (const auto& sequence : sequences) {
    const Difference difference = compare(*model, sequence);
    EXPECT_LT(difference.mean, 2e-5);
    EXPECT_LT(difference.most, 5e-4);
  }
}

TEST(Golden, SmolLm2) {
  const fs::path root = KAKEYA_SOURCE_DIR, shared = root / ".." / "shared";
  const fs::path model_path = root / "models/smollm2-135m/SmolLM2-135M-Instruct.Q4_1.gguf";
  if (!fs::exists(shared)) GTEST_SKIP() << "no folder shared beside the source tree";
  if (!fs::exists(model_path)) GTEST_SKIP() << "no SmolLM2: scripts/fetch_model.sh smollm2-135m";
  const auto model = load_model(model_path.string(), {});
  nlohmann::json sequence = read_json(shared / "golden/smollm2_nll.json")["sequences"][0];
  sequence["tokens"].get_ref<nlohmann::json::array_t&>().resize(
      257);  // causal: a prefix has the same likelihoods
  sequence["nll"].get_ref<nlohmann::json::array_t&>().resize(256);
  const Difference difference = compare(*model, sequence);
  EXPECT_LT(difference.mean, 5e-5);
  EXPECT_LT(difference.most, 1e-3);
}

// Longer than its window of 512, and cut and tokenized here as there, BOS first.
TEST(Golden, Gemma3) {
  const fs::path root = KAKEYA_SOURCE_DIR, shared = root / ".." / "shared";
  const fs::path model_path = root / "models/gemma3-270m/gemma-3-270m-q4_k_m.gguf";
  if (!fs::exists(shared)) GTEST_SKIP() << "no folder shared beside the source tree";
  if (!fs::exists(model_path)) GTEST_SKIP() << "no Gemma 3: scripts/fetch_model.sh gemma3-270m";
  nlohmann::json sequence = read_json(shared / "golden/gemma3_270m_nll.json")["sequences"][0];
  const auto tokenizer = load_tokenizer(model_path.string());
  const std::string text = (shared / "text/wikitext-2-raw/wiki.test.raw").string();
  Passage passage = read_passages(text, *tokenizer, {2112, 1, Cut::published, ""}).front();
  passage.tokens.resize(1200);
  EXPECT_EQ(sequence["tokens"].get<std::vector<std::int32_t>>(), passage.tokens);
  const auto model = load_model(model_path.string(), {});
  sequence["tokens"].get_ref<nlohmann::json::array_t&>().resize(641);
  sequence["nll"].get_ref<nlohmann::json::array_t&>().resize(640);
  const Difference difference = compare(*model, sequence);
  EXPECT_LT(difference.mean, 5e-5);
  EXPECT_LT(difference.most, 1e-3);
}

}  // namespace
}  // namespace kakeya
