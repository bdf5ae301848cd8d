// SPDX-License-Identifier: Apache-2.0
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

class HfConfig : public ::testing::Test {
 protected:
  ModelConfig read(const json& config) {
    write_text(scratch_ / "config.json", config.dump());
    return read_hf_config(scratch_.path().string());
  }
  /// The InputError that `key` = `value` gives beside a config that is fine; null removes the key.
  std::string refusal(const std::string& key, const json& value,
                      const std::string& architecture = "llama") {
    TinyModel tiny;
    tiny.architecture = architecture;
    json config = tiny.config();
    if (value.is_discarded()) {
      config.erase(key);
    } else {
      config[key] = value;
    }
    return message_of<InputError>([&] { read(config); });
  }
  ScratchFolder scratch_;
};

const json kAbsent = json(json::value_t::discarded);

TEST_F(HfConfig, ReadsWhatTheMathsNeeds) {
  TinyModel tiny;
  tiny.architecture = "qwen3";
  tiny.tied = true;
  const ModelConfig config = read(tiny.config());
  EXPECT_EQ(config.architecture.name, "qwen3");
  EXPECT_TRUE(config.architecture.qk_norm);
  EXPECT_FALSE(config.architecture.qkv_bias);
  EXPECT_EQ(config.shape.layers, 2);
  EXPECT_EQ(config.shape.query_heads, 4);
  EXPECT_EQ(config.shape.kv_heads, 2);
  EXPECT_EQ(config.shape.head_dim, 8);
  EXPECT_EQ(config.hidden, 24);
  EXPECT_EQ(config.ffn, 40);
  EXPECT_EQ(config.vocab, 50);
  EXPECT_EQ(config.context, 128);
  EXPECT_FLOAT_EQ(static_cast<float>(config.norm_eps), 1e-5f);
  EXPECT_EQ(config.rope_base, 10000);
  EXPECT_TRUE(config.tied_embeddings);
  EXPECT_EQ(config.name, scratch_.path().filename().string());
}

TEST_F(HfConfig, HasTheDefaultsOfHuggingFace) {
  json config = TinyModel().config();
  for (const char* key : {"num_key_value_heads", "head_dim", "rope_theta", "tie_word_embeddings",
                          "rms_norm_eps", "hidden_act", "architectures"})
    config.erase(key);
  const ModelConfig read_back = read(config);
  EXPECT_EQ(read_back.shape.kv_heads, 4);
  EXPECT_EQ(read_back.shape.head_dim, 6);
  EXPECT_EQ(read_back.rope_base, 10000);
  EXPECT_FALSE(read_back.tied_embeddings);
  EXPECT_EQ(read_back.norm_eps, 1e-6);
  EXPECT_NE(refusal("head_dim", kAbsent, "qwen3").find("head_dim is missing"), std::string::npos);
}

TEST_F(HfConfig, NamesEveryKeyItCannotFollow) {
  const std::pair<const char*, json> cases[] = {
      {"model_type", "nosuch"},
      {"model_type", 3},
      {"model_type", kAbsent},
      {"hidden_act", "gelu"},
      {"attention_bias", true},
      {"mlp_bias", true},
      {"sliding_window", 4096},
      {"use_sliding_window", true},
      {"layer_types", {"full_attention", "sliding_attention"}},
      {"rope_interleaved", true},
      {"partial_rotary_factor", 0.5},
      {"quantization_config", {{"quant_method", "gptq"}}},
      {"final_logit_softcapping", 30.0},
      {"num_hidden_layers", kAbsent},
      {"num_hidden_layers", 0},
      {"num_hidden_layers", 2.5},
      {"num_hidden_layers", -1},
      {"hidden_size", "24"},
      {"rms_norm_eps", "1e-5"},
      {"tie_word_embeddings", 1},
      {"rope_scaling", {{"rope_type", "yarn"}, {"factor", 4.0}}},
      {"rope_scaling", {{"type", "linear"}, {"factor", 4.0}, {"attention_factor", 2.0}}},
      {"rope_scaling", {{"type", "linear"}}},
      {"rope_scaling", 3},
  };
  for (const auto& [key, value] : cases) {
    const std::string message = refusal(key, value);
    EXPECT_NE(message.find(key), std::string::npos) << key << ": " << message;
    EXPECT_NE(message.find("config.json"), std::string::npos) << message;
  }
  EXPECT_NE(refusal("num_key_value_heads", 3).find("4 attention heads"), std::string::npos);
  EXPECT_NE(refusal("num_key_value_heads", 8).find("key-value heads 8"), std::string::npos);
  EXPECT_NE(refusal("head_dim", 7).find("head dim 7"), std::string::npos);
  EXPECT_NE(refusal("rms_norm_eps", 0).find("norm epsilon"), std::string::npos);
  EXPECT_NE(refusal("rope_theta", 0.5).find("rope base"), std::string::npos);
}

TEST_F(HfConfig, AllowsWhatChangesNothing) {
  const std::pair<const char*, json> cases[] = {
      {"sliding_window", nullptr},
      {"attention_bias", false},
      {"rope_scaling", nullptr},
      {"use_cache", false},
      {"transformers_version", "4.51.0"},
      {"layer_types", {"full_attention", "full_attention"}},
      {"attention_dropout", 0.0},
      {"partial_rotary_factor", 1.0},
      {"rope_scaling", {{"rope_type", "default"}}},
  };
  for (const auto& [key, value] : cases) EXPECT_EQ(refusal(key, value), "") << key;
  json qwen = TinyModel().config();
  qwen["model_type"] = "qwen2";
  qwen["architectures"] = {"Qwen2ForCausalLM"};
  qwen["sliding_window"] = 32768;
  qwen["use_sliding_window"] = false;
  EXPECT_TRUE(read(qwen).architecture.qkv_bias);
}

TEST_F(HfConfig, TheClassBelongsToTheModelType) {
  const std::pair<const char*, const char*> classes[] = {{"llama", "LlamaForCausalLM"},
                                                         {"mistral", "MistralForCausalLM"},
                                                         {"qwen2", "Qwen2ForCausalLM"},
                                                         {"qwen3", "Qwen3ForCausalLM"},
                                                         {"gemma3_text", "Gemma3ForCausalLM"}};
  for (const auto& [type, own] : classes) {
    for (const auto& [other, name] : classes) {
      const std::string message = refusal("architectures", json::array({name}), type);
      EXPECT_EQ(message.empty(), std::string(type) == other) << type << " " << name;
      if (!message.empty()) {
        EXPECT_NE(message.find(name), std::string::npos) << message;
        EXPECT_NE(message.find(own), std::string::npos) << message;
      }
    }
  }
  EXPECT_EQ(refusal("architectures", nullptr), "");
  const json wrong[] = {json::array({"NoSuchForCausalLM"}), json::array(), "LlamaForCausalLM",
                        json::array({"LlamaForCausalLM", "LlamaModel"})};
  for (const json& value : wrong) {
    EXPECT_NE(refusal("architectures", value).find("architectures is " + value.dump()),
              std::string::npos);
  }
}

TEST_F(HfConfig, AFolderWithoutConfigNamesTheGgufInIt) {
  const std::string folder = scratch_.path().string();
  const auto message = [&] { return message_of<IoError>([&] { read_hf_config(folder); }); };
  EXPECT_EQ(message().find(folder + ": holds no config.json"), 0u) << message();
  EXPECT_EQ(message().find("but"), std::string::npos) << message();
  write_text(scratch_ / "m.gguf", "");
  write_text(scratch_ / "n.gguf", "");
  EXPECT_EQ(message().find(folder + ": holds no config.json"), 0u) << message();
  EXPECT_NE(message().find(scratch_ / "m.gguf"), std::string::npos) << message();
}

TEST_F(HfConfig, RefusesDeepNesting) {
  for (const std::string& text : {std::string(100'000, '['), "{\"a\":" + std::string(100'000, '[') +
                                                                 std::string(100'000, ']') + "}"}) {
    write_text(scratch_ / "config.json", text);
    EXPECT_NE(message_of<CorruptStream>([&] {
                read_hf_config(scratch_.path().string());
              }).find("config.json: not JSON at byte "),
              std::string::npos);
  }
}

TEST_F(HfConfig, ReadsRopeFromEitherKey) {
  json config = TinyModel().config();
  const json llama3 = {{"rope_type", "llama3"},
                       {"factor", 8.0},
                       {"low_freq_factor", 1.0},
                       {"high_freq_factor", 4.0},
                       {"original_max_position_embeddings", 8192}};
  config["rope_theta"] = 500000.0;
  config["rope_scaling"] = llama3;
  EXPECT_EQ(read(config).rope_scaling.kind, RopeScalingKind::llama3);
  config.erase("rope_theta");
  config.erase("rope_scaling");
  config["rope_parameters"] = llama3;
  config["rope_parameters"]["rope_theta"] = 500000.0;
  const ModelConfig read_back = read(config);
  EXPECT_EQ(read_back.rope_base, 500000);
  EXPECT_EQ(read_back.rope_scaling.original_context, 8192);
  config["rope_scaling"] = llama3;
  EXPECT_NE(message_of<InputError>([&] { read(config); }).find("rope_scaling"), std::string::npos);
}

TEST_F(HfConfig, RefusesDamagedFiles) {
  EXPECT_FALSE(message_of<IoError>([&] { read_hf_config(scratch_ / "none"); }).empty());
  const std::string whole = TinyModel().config().dump();
  for (std::size_t length = 0; length < whole.size(); length += 5) {
    write_text(scratch_ / "config.json", whole.substr(0, length));
    ASSERT_FALSE(
        message_of<CorruptStream>([&] { read_hf_config(scratch_.path().string()); }).empty())
        << length;
  }
}

// Llama 3.1: transformers' modeling_rope_utils, _compute_llama3_parameters, worked by hand for
// three pairs of head_dim 128.
TEST(Rope, FrequenciesFollowTheirScaling) {
  ModelConfig config;
  config.shape.head_dim = 128;
  config.rope_base = 500000;
  const std::vector<double> plain = rope_frequencies(config, 0);
  ASSERT_EQ(plain.size(), 64u);
  EXPECT_EQ(plain[0], 1.0);
  EXPECT_NEAR(plain[32], 1 / std::sqrt(500000.0), 1e-15);
  config.rope_scaling = {RopeScalingKind::linear, 4, 1, 4, 8192};
  EXPECT_NEAR(rope_frequencies(config, 0)[32], plain[32] / 4, 1e-15);
  config.rope_scaling = {RopeScalingKind::llama3, 8, 1, 4, 8192};
  const std::vector<double> scaled = rope_frequencies(config, 0);
  EXPECT_EQ(scaled[0], plain[0]);                             // wavelength 6.3: kept
  EXPECT_EQ(scaled[63], plain[63] / 8);                       // wavelength 2.6 million: stretched
  const double wavelength = 2 * std::acos(-1.0) / plain[32];  // 4443, between 2048 and 8192
  const double kept = (8192 / wavelength - 1) / 3;
  EXPECT_NEAR(scaled[32], ((1 - kept) / 8 + kept) * plain[32], 1e-15);
}

class GgufConfig : public ::testing::Test {
 protected:
  ModelConfig read(const TinyModel& tiny, const GgufWriter& metadata) {
    write_text(scratch_ / "m.gguf", tiny.gguf(metadata));
    return read_gguf_config(GgufFile(scratch_ / "m.gguf"));
  }
  std::string refusal(const GgufWriter& metadata) {
    return message_of<InputError>([&] { read(tiny_, metadata); });
  }
  ScratchFolder scratch_;
  TinyModel tiny_ = TinyModel().fill();
};

TEST_F(GgufConfig, ReadsTheSameAsFromJson) {
  for (const char* architecture : {"llama", "qwen2", "qwen3", "gemma3_text"}) {
    TinyModel tiny;
    tiny.architecture = architecture;
    tiny.tied = std::string(architecture) == "qwen2";
    tiny.fill();
    const ModelConfig got = read(tiny, tiny.gguf_metadata());
    EXPECT_EQ(got.architecture.name, architecture);
    EXPECT_EQ(got.architecture.gguf_interleaved, std::string(architecture) == "llama");
    EXPECT_EQ(got.name, "m");  // m.gguf
    EXPECT_EQ(got.shape.layers, 2);
    EXPECT_EQ(got.shape.kv_heads, 2);
    EXPECT_EQ(got.shape.head_dim, 8);
    EXPECT_EQ(got.ffn, 40);
    EXPECT_EQ(got.vocab, 50);
    EXPECT_EQ(got.context, 128);
    EXPECT_EQ(got.tied_embeddings, tiny.tied);
    EXPECT_EQ(got.attention_scale, 1 / std::sqrt(8.0));
    EXPECT_EQ(got.windowed(0), tiny.gemma());
    EXPECT_FALSE(got.windowed(1));
  }
}

TEST_F(GgufConfig, NamesEveryKeyItCannotFollow) {
  const auto metadata = [&] { return tiny_.gguf_metadata(); };
  EXPECT_EQ(
      refusal(metadata().integer("llama.vocab_size", 50).integer("llama.rope.dimension_count", 8)),
      "");
  EXPECT_EQ(
      refusal(metadata().text("llama.rope.scaling.type", "none").integer("gemma.what_ever", 8)),
      "");
  const std::pair<const char*, std::string> cases[] = {
      {"llama.attention.sliding_window",
       refusal(metadata().integer("llama.attention.sliding_window", 4096))},
      {"llama.rope.dimension_count", refusal(metadata().integer("llama.rope.dimension_count", 4))},
      {"llama.rope.scaling.type", refusal(metadata().text("llama.rope.scaling.type", "yarn"))},
      {"llama.expert_count", refusal(metadata().integer("llama.expert_count", 8))},
      {"llama.logit_scale", refusal(metadata().real("llama.logit_scale", 2))},
      {"split.count", refusal(metadata().integer("split.count", 2))},
      {"general.architecture", refusal(GgufWriter().text("general.architecture", "nosuch"))},
      {"llama.block_count", refusal(GgufWriter().text("general.architecture", "llama"))},
      {"general.architecture", refusal(GgufWriter())},
  };
  for (const auto& [key, message] : cases) {
    EXPECT_NE(message.find(key), std::string::npos) << key << ": " << message;
    EXPECT_NE(message.find("m.gguf"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace kakeya
