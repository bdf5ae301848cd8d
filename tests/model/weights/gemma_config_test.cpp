// SPDX-License-Identifier: Apache-2.0
// What the configurations of Gemma 3 have and others have not.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/model/weights/model_config.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"

namespace kakeya {
namespace {

using nlohmann::json;
using testing::GgufWriter;
using testing::message_of;
using testing::ScratchFolder;
using testing::TinyModel;
using testing::write_text;

class GemmaConfig : public ::testing::Test {
 protected:
  GemmaConfig() {
    tiny_.architecture = "gemma3_text";
    tiny_.fill();
  }
  ModelConfig read(const json& config) {
    write_text(scratch_ / "config.json", config.dump());
    return read_hf_config(scratch_.path().string());
  }
  ModelConfig read(const GgufWriter& metadata) {
    write_text(scratch_ / "m.gguf", tiny_.gguf(metadata));
    return read_gguf_config(GgufFile(scratch_ / "m.gguf"));
  }
  /// The config with `key` = `value`.
  json with(const std::string& key, const json& value) {
    json config = tiny_.config();
    config[key] = value;
    return config;
  }
  json without(const std::string& key) {
    json config = tiny_.config();
    config.erase(key);
    return config;
  }
  template <typename Config>
  std::string refusal(const Config& config) {
    return message_of<InputError>([&] { read(config); });
  }
  /// A GGUF file of Gemma without its window; the rest still to be added.
  GgufWriter plain_gguf(std::uint32_t layers = 2) {
    GgufWriter out;
    out.text("general.architecture", "gemma3")
        .integer("gemma3.block_count", layers)
        .integer("gemma3.context_length", 128)
        .integer("gemma3.embedding_length", 24)
        .integer("gemma3.feed_forward_length", 40)
        .integer("gemma3.attention.head_count", 4)
        .integer("gemma3.attention.head_count_kv", 2)
        .integer("gemma3.attention.key_length", 8)
        .real("gemma3.attention.layer_norm_rms_epsilon", 1e-6f)
        .real("gemma3.rope.freq_base", 1e6f);
    return out;
  }
  ScratchFolder scratch_;
  TinyModel tiny_;
};

TEST_F(GemmaConfig, ReadsWindowsAndScale) {
  tiny_.layers = 7;
  tiny_.full_every = 3;
  tiny_.query_scalar = 25;
  const ModelConfig config = read(tiny_.config());
  EXPECT_EQ(config.architecture.name, "gemma3_text");
  EXPECT_EQ(config.attention_scale, 0.2);
  EXPECT_EQ(config.window.tokens, 5);
  EXPECT_EQ(config.window.rope_base, 100);
  EXPECT_EQ(config.window.layers, (std::vector<bool>{true, true, false, true, true, false, true}));
}

TEST_F(GemmaConfig, HasTheDefaultsOfHuggingFace) {
  json config = tiny_.config();
  for (const char* key : {"rope_theta", "rope_local_base_freq", "sliding_window_pattern",
                          "query_pre_attn_scalar", "tie_word_embeddings", "hidden_activation"})
    config.erase(key);
  config["num_hidden_layers"] = 12;
  const ModelConfig got = read(config);
  EXPECT_EQ(got.rope_base, 1e6);
  EXPECT_EQ(got.window.rope_base, 1e4);
  EXPECT_EQ(got.attention_scale, 1.0 / 16);
  EXPECT_TRUE(got.tied_embeddings);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(got.windowed(i), i != 5 && i != 11) << i;
}

// Every key that transformers writes for Gemma 3 270M, of release 4.55 and of release 5.
TEST_F(GemmaConfig, ReadsEveryKeyOfTheRealOne) {
  json config = {{"_sliding_window_pattern", 6},
                 {"architectures", {"Gemma3ForCausalLM"}},
                 {"attention_bias", false},
                 {"attention_dropout", 0.0},
                 {"attn_logit_softcapping", nullptr},
                 {"bos_token_id", 2},
                 {"eos_token_id", 1},
                 {"final_logit_softcapping", nullptr},
                 {"head_dim", 256},
                 {"hidden_activation", "gelu_pytorch_tanh"},
                 {"hidden_size", 640},
                 {"initializer_range", 0.02},
                 {"intermediate_size", 2048},
                 {"layer_types", json::array()},
                 {"max_position_embeddings", 32768},
                 {"model_type", "gemma3_text"},
                 {"num_attention_heads", 4},
                 {"num_hidden_layers", 18},
                 {"num_key_value_heads", 1},
                 {"pad_token_id", 0},
                 {"query_pre_attn_scalar", 256},
                 {"rms_norm_eps", 1e-06},
                 {"rope_local_base_freq", 10000.0},
                 {"rope_scaling", nullptr},
                 {"rope_theta", 1000000.0},
                 {"sliding_window", 512},
                 {"torch_dtype", "bfloat16"},
                 {"transformers_version", "4.55.0.dev0"},
                 {"use_bidirectional_attention", false},
                 {"use_cache", true},
                 {"vocab_size", 262144}};
  for (int i = 0; i < 18; ++i) {
    config["layer_types"].push_back(i % 6 == 5 ? "full_attention" : "sliding_attention");
  }
  const auto check = [&] {
    const ModelConfig got = read(config);
    EXPECT_EQ(got.attention_scale, 1.0 / 16);
    EXPECT_EQ(got.window.tokens, 512);
    EXPECT_EQ(got.rope_base, 1e6);
    EXPECT_EQ(got.window.rope_base, 1e4);
    EXPECT_TRUE(got.tied_embeddings);
    for (int i = 0; i < 18; ++i) EXPECT_EQ(got.windowed(i), i % 6 != 5) << i;
  };
  check();
  for (const char* key : {"rope_theta", "rope_local_base_freq", "rope_scaling", "torch_dtype"}) {
    config.erase(key);
  }
  config["dtype"] = "bfloat16";
  config["tie_word_embeddings"] = true;
  config["rope_parameters"] = {
      {"full_attention", {{"rope_theta", 1000000.0}, {"rope_type", "default"}}},
      {"sliding_attention", {{"rope_theta", 10000.0}, {"rope_type", "default"}}}};
  check();
}

TEST_F(GemmaConfig, LayersMayBeNamed) {
  const ModelConfig got =
      read(with("layer_types", {"full_attention", "sliding_attention"}));  // against the pattern
  EXPECT_FALSE(got.windowed(0));
  EXPECT_TRUE(got.windowed(1));
  EXPECT_TRUE(read(with("_sliding_window_pattern", 6)).windowed(0));
}

TEST_F(GemmaConfig, ScalesTheLayersThatSeeAll) {
  json config = with("rope_scaling", {{"rope_type", "linear"}, {"factor", 8.0}});
  ModelConfig got = read(config);
  const auto check = [&] {
    for (std::size_t i = 0; i < 4; ++i) {
      const double power = -static_cast<double>(i) / 4;
      EXPECT_NEAR(rope_frequencies(got, 0)[i], std::pow(100, power), 1e-15);
      EXPECT_NEAR(rope_frequencies(got, 1)[i], std::pow(1e4, power) / 8, 1e-15);
    }
  };
  check();
  for (const char* key : {"rope_scaling", "rope_theta", "rope_local_base_freq"}) config.erase(key);
  config["rope_parameters"] = {
      {"full_attention", {{"rope_type", "linear"}, {"factor", 8.0}, {"rope_theta", 1e4}}},
      {"sliding_attention", {{"rope_type", "default"}, {"rope_theta", 100.0}}}};
  got = read(config);
  check();
}

TEST_F(GemmaConfig, NamesEveryKeyItCannotFollow) {
  const json linear = {{"rope_type", "linear"}, {"factor", 8.0}},
             plain = {{"rope_type", "default"}};
  const std::pair<const char*, json> cases[] = {
      {"final_logit_softcapping", 30.0},
      {"attn_logit_softcapping", 50.0},
      {"use_bidirectional_attention", true},
      {"hidden_activation", "silu"},
      {"hidden_act", "gelu"},
      {"attention_bias", true},
      {"query_pre_attn_scalar", 0},
      {"query_pre_attn_scalar", "256"},
      {"sliding_window", nullptr},
      {"sliding_window", 0},
      {"sliding_window_pattern", 0},
      {"_sliding_window_pattern", "6"},
      {"layer_types", "full_attention"},
      {"layer_types", {"full_attention"}},
      {"layer_types", {"full_attention", "chunked_attention"}},
      {"rope_local_base_freq", "1e4"},
      {"rope_parameters", plain},
      {"rope_parameters", {{"full_attention", plain}}},
      {"rope_parameters", {{"full_attention", plain}, {"sliding_attention", linear}}},
      {"rope_parameters", {{"full_attention", plain}, {"sliding_attention", plain}, {"x", plain}}},
      {"vision_config", json::object()},
  };
  for (const auto& [key, value] : cases) {
    const std::string message = refusal(with(key, value));
    EXPECT_NE(message.find(key), std::string::npos) << key << ": " << message;
    EXPECT_NE(message.find("config.json"), std::string::npos) << message;
  }
  EXPECT_NE(refusal(with("rope_local_base_freq", 0.5)).find("rope base"), std::string::npos);
  EXPECT_NE(refusal(without("sliding_window")).find("sliding_window is missing"),
            std::string::npos);
  EXPECT_NE(refusal(without("head_dim")).find("head_dim is missing"), std::string::npos);
  for (const char* key : {"attn_logit_softcapping", "final_logit_softcapping"}) {
    EXPECT_EQ(refusal(with(key, nullptr)), "") << key;
  }
  EXPECT_EQ(refusal(with("cache_implementation", "hybrid")), "");
  // Keys of Gemma alone stay unknown elsewhere.
  for (const char* key : {"query_pre_attn_scalar", "rope_local_base_freq"}) {
    json llama = TinyModel().config();
    llama[key] = 256;
    EXPECT_NE(refusal(llama).find(key), std::string::npos) << key;
  }
}

TEST_F(GemmaConfig, GgufDefaultsAreThoseOfLlamaCpp) {
  const auto window = [&](GgufWriter out) {
    return out.integer("gemma3.attention.sliding_window", 512);
  };
  const ModelConfig got = read(window(plain_gguf(18)));
  EXPECT_EQ(got.window.tokens, 512);
  EXPECT_EQ(got.window.rope_base, 1e4);
  EXPECT_EQ(got.rope_base, 1e6);
  EXPECT_EQ(got.attention_scale, 1 / std::sqrt(8.0));
  for (int i = 0; i < 18; ++i) EXPECT_EQ(got.windowed(i), i % 6 != 5) << i;
  EXPECT_EQ(read(window(plain_gguf(62))).attention_scale, 1 / std::sqrt(6.0));  // 27B

  const ModelConfig scaled = read(window(plain_gguf(6))
                                      .text("gemma3.rope.scaling.type", "linear")
                                      .real("gemma3.rope.scaling.factor", 8));
  EXPECT_EQ(rope_frequencies(scaled, 5)[0], 1.0 / 8);
  EXPECT_EQ(rope_frequencies(scaled, 4)[0], 1.0);

  const std::pair<const char*, std::string> cases[] = {
      {"gemma3.attention.sliding_window", refusal(plain_gguf())},
      {"sliding window 0", refusal(plain_gguf().integer("gemma3.attention.sliding_window", 0))},
      {"gemma3.attention.sliding_window_pattern",
       refusal(window(plain_gguf()).integer("gemma3.attention.sliding_window_pattern", 0))},
      {"gemma3.final_logit_softcapping",
       refusal(window(plain_gguf()).real("gemma3.final_logit_softcapping", 30))},
      {"gemma3.attn_logit_softcapping",
       refusal(window(plain_gguf()).real("gemma3.attn_logit_softcapping", 50))},
  };
  for (const auto& [key, message] : cases) {
    EXPECT_NE(message.find(key), std::string::npos) << key << ": " << message;
    EXPECT_NE(message.find("m.gguf"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace kakeya
