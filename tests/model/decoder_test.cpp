// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/model/model.h"
#include "model/reference_decoder.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"
#include "support/tiny_tokens.h"

namespace kakeya {
namespace {

using testing::largest_difference;
using testing::message_of;
using testing::ReferenceDecoder;
using testing::ScratchFolder;
using testing::some_tokens;
using testing::TinyModel;
using testing::write_text;

TinyModel tiny_of(const char* architecture, bool tied = false) {
  TinyModel tiny;
  tiny.architecture = architecture;
  tiny.tied = tied;
  return tiny.fill();
}

class Decoder : public ::testing::Test {
 protected:
  std::unique_ptr<Model> hf(const TinyModel& tiny, const ModelOptions& options = {}) {
    tiny.write_hf(scratch_ / "hf");
    return load_model(scratch_ / "hf", options);
  }
  std::unique_ptr<Model> gguf(const TinyModel& tiny) {
    write_text(scratch_ / "m.gguf", tiny.gguf());
    return load_model(scratch_ / "m.gguf", {});
  }
  ScratchFolder scratch_;
};

ModelOptions with_block(int block, int threads = 0) {
  ModelOptions options;
  options.block_tokens = block;
  options.threads = threads;
  return options;
}

TEST_F(Decoder, LayersOnSeveralDevicesChangeNothing) {
  TinyModel tiny;
  tiny.architecture = "gemma3_text";
  tiny.layers = 3;
  tiny.window = 5;
  tiny.fill();
  const std::vector<std::int32_t> tokens = some_tokens(20);
  const auto logits_on = [&](const std::string& device) {
    ModelOptions options;
    options.device = device;
    return hf(tiny, options)->logits(tokens, 3, 17, nullptr);
  };
  const std::vector<float> one = logits_on("cpu");
  EXPECT_EQ(logits_on("cpu,cpu"), one);
  EXPECT_EQ(logits_on("cpu,cpu,cpu"), one);
  EXPECT_NE(
      message_of<SpecError>([&] { logits_on("cpu,cpu,cpu,cpu"); }).find("at most one a layer"),
      std::string::npos);
  EXPECT_THROW(logits_on("cpu,"), SpecError);
}

// Against plain loops in double: GQA, MHA, MQA, QK-norm, biases, tied and untied output, head_dim
// other than hidden / heads.
TEST_F(Decoder, AgreesWithPlainLoops) {
  std::vector<TinyModel> models = {tiny_of("llama"), tiny_of("mistral"), tiny_of("qwen2"),
                                   tiny_of("qwen3"), tiny_of("llama", true)};
  // Windows shorter than a block, longer than one, longer than the text; a last layer that has one.
  for (const auto& [window, layers] :
       {std::pair<std::size_t, std::size_t>{1, 2}, {5, 3}, {16, 2}, {17, 2}, {23, 2}, {99, 2}}) {
    TinyModel tiny;
    tiny.architecture = "gemma3_text";
    tiny.window = window;
    tiny.layers = layers;
    tiny.tied = layers == 3;
    tiny.query_scalar = 12;
    models.push_back(tiny.fill());
  }
  for (const std::size_t kv_heads : {1u, 4u}) {
    TinyModel tiny;
    tiny.kv_heads = kv_heads;
    tiny.layers = 1;
    models.push_back(tiny.fill());
  }
  const std::vector<std::int32_t> tokens = some_tokens(37);
  for (const TinyModel& tiny : models) {
    const auto expected = ReferenceDecoder(tiny).logits(tokens);
    const std::vector<float> got =
        hf(tiny, with_block(16))->logits(tokens, 0, tokens.size(), nullptr);
    ASSERT_EQ(got.size(), 37u * 50u);
    double most = 0, largest = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double want = expected[i / 50][i % 50];
      most = std::max(most, std::abs(static_cast<double>(got[i]) - want));
      largest = std::max(largest, std::abs(want));
    }
    EXPECT_LT(most, 2e-5 * largest)
        << tiny.architecture << " kv heads " << tiny.kv_heads << " window " << tiny.window;
    EXPECT_GT(largest, 0.5);
  }
}

TEST_F(Decoder, BothFormatsGiveTheSameLogits) {
  const std::vector<std::int32_t> tokens = some_tokens(20);
  for (const char* architecture : {"llama", "qwen2", "qwen3", "gemma3_text"}) {
    const TinyModel tiny = tiny_of(architecture);
    EXPECT_EQ(hf(tiny)->logits(tokens, 0, 20, nullptr), gguf(tiny)->logits(tokens, 0, 20, nullptr))
        << architecture;
  }
}

TEST_F(Decoder, BlocksAndThreadsChangeNothing) {
  const std::vector<std::int32_t> tokens = some_tokens(100);
  for (const char* architecture : {"qwen3", "gemma3_text"}) {
    const TinyModel tiny = tiny_of(architecture);
    const std::vector<float> whole = hf(tiny, with_block(100))->logits(tokens, 0, 100, nullptr);
    for (const int block : {1, 7, 32, 64, 1000}) {
      EXPECT_LT(
          largest_difference(hf(tiny, with_block(block))->logits(tokens, 0, 100, nullptr), whole),
          2e-5)
          << architecture << " " << block;
    }
    const std::vector<float> alone = hf(tiny, with_block(8, 1))->logits(tokens, 0, 100, nullptr);
    for (const int threads : {2, 3, 5}) {
      EXPECT_EQ(hf(tiny, with_block(8, threads))->logits(tokens, 0, 100, nullptr), alone)
          << architecture << " " << threads;
    }
  }
}

// A model of one windowed layer: what is last to see token 0 is the fifth token of a window of 5.
TEST_F(Decoder, AWindowEndsWhereItShould) {
  TinyModel tiny;
  tiny.architecture = "gemma3_text";
  tiny.layers = 1;
  const auto model = hf(tiny.fill(), with_block(3));
  std::vector<std::int32_t> tokens = some_tokens(20);
  const std::vector<float> before = model->logits(tokens, 0, 20, nullptr);
  tokens[0] = (tokens[0] + 17) % 50;
  const std::vector<float> after = model->logits(tokens, 0, 20, nullptr);
  for (std::ptrdiff_t t = 0; t < 20; ++t) {
    const auto row = [&](const std::vector<float>& all) {
      return std::vector<float>(all.begin() + t * 50, all.begin() + (t + 1) * 50);
    };
    if (t < 5) {
      EXPECT_GT(largest_difference(row(after), row(before)), 1e-3) << t;
    } else {
      EXPECT_EQ(row(after), row(before)) << t;
    }
  }
}

TEST_F(Decoder, EveryLayerHasItsOwnFrequenciesAndOutput) {
  for (const char* architecture : {"llama", "gemma3_text"}) {
    const TinyModel tiny = tiny_of(architecture);
    const auto model = hf(tiny);
    for (int layer = 0; layer < 2; ++layer) {
      const bool windowed = tiny.gemma() && layer == 0;
      const double base = static_cast<double>(windowed ? tiny.window_rope_base : tiny.rope_base);
      const std::vector<double> frequencies = model->rope_frequencies(layer);
      ASSERT_EQ(frequencies.size(), 4u);
      for (int i = 0; i < 4; ++i) EXPECT_NEAR(frequencies[i], std::pow(base, -i / 4.0), 1e-12);

      const std::string name = "model.layers." + std::to_string(layer) + ".";
      const auto& matrix = tiny.tensors.at(name + "self_attn.o_proj.weight").values;
      const auto& norm = tiny.tensors.at(name + "post_attention_layernorm.weight").values;
      const std::vector<float> output = model->attention_output(layer);
      ASSERT_EQ(output.size(), 24u * 32u);
      for (std::size_t i = 0; i < output.size(); ++i) {
        EXPECT_EQ(output[i], tiny.gemma() ? matrix[i] * (1 + norm[i / 32]) : matrix[i]);
      }
    }
    EXPECT_THROW(model->rope_frequencies(2), std::out_of_range);
  }
}

TEST_F(Decoder, RowsAskedForAreThoseOfTheWhole) {
  const auto model = hf(tiny_of("llama"), with_block(16));
  const std::vector<std::int32_t> tokens = some_tokens(50);
  const std::vector<float> whole = model->logits(tokens, 0, 50, nullptr);
  for (const auto& [first, count] :
       {std::pair<std::size_t, std::size_t>{0, 1}, {13, 20}, {49, 1}, {50, 0}}) {
    const std::vector<float> part = model->logits(tokens, first, count, nullptr);
    const auto start = whole.begin() + static_cast<std::ptrdiff_t>(first * 50);
    EXPECT_LT(largest_difference(part, {start, start + static_cast<std::ptrdiff_t>(count * 50)}),
              1e-5)
        << first;
  }
}

TEST_F(Decoder, LaterTokensDoNotMatter) {
  const auto model = hf(tiny_of("llama"), with_block(8));
  std::vector<std::int32_t> tokens = some_tokens(40);
  const std::vector<float> before = model->logits(tokens, 0, 20, nullptr);
  for (std::size_t i = 20; i < 40; ++i) tokens[i] = (tokens[i] + 17) % 50;
  EXPECT_EQ(model->logits(tokens, 0, 20, nullptr), before);
  tokens[19] = (tokens[19] + 17) % 50;
  EXPECT_GT(largest_difference(model->logits(tokens, 0, 20, nullptr), before), 1e-3);
}

TEST_F(Decoder, LikelihoodsAreThoseOfTheLogits) {
  const auto model = hf(tiny_of("qwen3"));
  const std::vector<std::int32_t> tokens = some_tokens(90);
  const std::vector<float> logits = model->logits(tokens, 0, 90, nullptr);
  for (const std::size_t first : {1u, 2u, 30u, 89u}) {
    const std::vector<double> nll = model->nll(tokens, first, nullptr);
    ASSERT_EQ(nll.size(), 90 - first);
    for (std::size_t i = 0; i < nll.size(); ++i) {
      const float* row = logits.data() + (first + i - 1) * 50;
      double sum = 0;
      for (int v = 0; v < 50; ++v) sum += std::exp(static_cast<double>(row[v]));
      EXPECT_NEAR(nll[i], std::log(sum) - static_cast<double>(row[tokens[first + i]]), 1e-4);
    }
  }
  EXPECT_TRUE(model->nll(tokens, 90, nullptr).empty());
}

TEST_F(Decoder, Bf16IsNearFp32) {
  ModelOptions bf16;
  bf16.dtype = "bf16";
  const std::vector<std::int32_t> tokens = some_tokens(60);
  for (const char* architecture : {"llama", "qwen2", "qwen3", "gemma3_text"}) {
    const TinyModel tiny = tiny_of(architecture);
    const std::vector<double> wide = hf(tiny)->nll(tokens, 1, nullptr),
                              narrow = hf(tiny, bf16)->nll(tokens, 1, nullptr);
    double difference = 0, off = 0;
    for (std::size_t i = 0; i < wide.size(); ++i) {
      difference += std::abs(wide[i] - narrow[i]) / static_cast<double>(wide.size());
      off = std::max(off, std::abs(wide[i] - narrow[i]));
    }
    EXPECT_LT(difference, 0.1) << architecture;
    EXPECT_GT(off, 1e-5) << architecture;
  }
}

TEST_F(Decoder, SaysWhatItIs) {
  const auto model = hf(tiny_of("qwen3"));
  const ModelFacts& facts = model->facts();
  EXPECT_EQ(facts.name, "hf");
  EXPECT_EQ(facts.architecture, "qwen3");
  EXPECT_EQ(facts.shape.layers, 2);
  EXPECT_EQ(facts.shape.query_heads, 4);
  EXPECT_EQ(facts.shape.kv_heads, 2);
  EXPECT_EQ(facts.shape.head_dim, 8);
  EXPECT_EQ(facts.vocab, 50);
  EXPECT_EQ(facts.context, 128);
  EXPECT_EQ(facts.weight_types, "F32 x 25");
  EXPECT_EQ(facts.windows, LayerWindows());
  EXPECT_EQ(hf(tiny_of("gemma3_text"))->facts().windows, (LayerWindows{5, {0}}));
}

TEST_F(Decoder, RefusesWhatCannotBe) {
  const auto model = hf(tiny_of("llama"));
  const auto fails = [&](std::vector<std::int32_t> tokens, std::size_t first, std::size_t count) {
    return message_of<InputError>([&] { model->logits(tokens, first, count, nullptr); });
  };
  EXPECT_EQ(fails({1, 2, 49}, 0, 3), "");
  EXPECT_EQ(fails({1, 2, 50}, 0, 3), "token 2 is 50, expected 0 to 49");
  EXPECT_EQ(fails({1, -2, 3}, 0, 3), "token 1 is -2, expected 0 to 49");
  EXPECT_NE(fails({}, 0, 0), "");
  EXPECT_NE(fails({1, 2, 3}, 2, 2), "");
  EXPECT_NE(fails({1, 2, 3}, ~std::size_t{0}, 2), "");
  EXPECT_NE(fails(some_tokens(129), 0, 1).find("128, the model's context"), std::string::npos);
  EXPECT_NE(message_of<InputError>([&] { model->nll(some_tokens(5), 0, nullptr); }), "");
  EXPECT_NE(message_of<InputError>([&] { model->nll(some_tokens(5), 6, nullptr); }), "");

  const auto with = [&](const char* device, const char* dtype, int threads) {
    return message_of<SpecError>([&] { load_model(scratch_ / "hf", {device, dtype, threads}); });
  };
  EXPECT_NE(with("gpu", "fp32", 0).find("device gpu"), std::string::npos);
  EXPECT_NE(with("cuda:x", "fp32", 0).find("device cuda:x"), std::string::npos);
  EXPECT_NE(with("cpu", "fp16", 0).find("dtype fp16"), std::string::npos);
  EXPECT_NE(with("cpu", "fp32", -1).find("threads -1"), std::string::npos);
  EXPECT_NE(message_of<InputError>([&] {
              load_model(scratch_ / "hf", {"cuda:999", "fp32", 0});
            }).find("cuda:999"),
            std::string::npos);
  EXPECT_FALSE(message_of<IoError>([&] { load_model(scratch_ / "none", {}); }).empty());
}

}  // namespace
}  // namespace kakeya
