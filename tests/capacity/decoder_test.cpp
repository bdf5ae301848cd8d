// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "kakeya/core/error.h"
#include "made_config.h"

namespace kakeya {
namespace {

using testing::decoder_of;
using testing::shipped_decoder;
using testing::small_config;

/// What transformers 5.24 counts when it makes the model of the same config.
TEST(Decoder, CountsParametersAsTransformersDoes) {
  const std::pair<const char*, std::uint64_t> known[] = {
      {"smollm2-135m", 134'515'008},    {"gemma-3-270m", 268'098'176},
      {"qwen3-4b", 4'022'468'096},      {"glm-4-9b", 9'399'951'360},
      {"glm-4-9b-0414", 9'400'094'720}, {"deepseek-r1-distill-qwen-1.5b", 1'777'088'000},
      {"gemma-4-e4b", 7'463'013'376},   {"gemma-3n-e4b", 6'835'235'568},
      {"llama-3.1-8b", 8'030'261'248},  {"mistral-7b-v0.1", 7'241'732'096},
      {"mixtral-8x7b", 46'702'792'704}, {"phi-3-mini-128k", 3'821'079'552},
      {"gemma-2-9b", 9'241'705'984},    {"qwen3-30b-a3b", 30'532'122'624},
      {"gpt-oss-20b", 20'914'757'184},  {"deepseek-v2-lite", 15'706'484'224},
      {"deepseek-v3", 671'026'404'352}, {"deepseek-v4-flash", 284'332'230'231}};
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(KAKEYA_SOURCE_DIR "/data/configs")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".json" || name == "published") continue;
    ++files;
    const auto at = std::find_if(std::begin(known), std::end(known),
                                 [&](const auto& each) { return each.first == name; });
    ASSERT_NE(at, std::end(known)) << name << " has no known count";
    EXPECT_EQ(shipped_decoder(name).parameter_count(), at->second) << name;
  }
  EXPECT_EQ(files, std::size(known));
}

TEST(Decoder, CountsWhatTheWeightsOfNanoHold) {
  // The header of a safetensors file says where each tensor ends: nano's are all bf16.
  const std::string folder = KAKEYA_SOURCE_DIR "/data/models/nano";
  const std::vector<std::byte> file = read_file(folder + "/model.safetensors");
  std::uint64_t header = 0;
  std::memcpy(&header, file.data(), sizeof header);
  const std::uint64_t held = (file.size() - 8 - header) / 2;
  EXPECT_EQ(read_decoder(folder).parameter_count(), held);
  EXPECT_EQ(held, 4'920'512);
  EXPECT_EQ(read_decoder(folder).name, "nano");
}

TEST(Decoder, CountsVariantsThatNoShippedConfigHas) {
  // Gemma 4 with one projection of keys and values, and with experts: as transformers counts them.
  const std::string gemma4 = R"({"model_type": "gemma4_text", "hidden_size": 256,
    "intermediate_size": 512, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 32,
    "global_head_dim": 64, "vocab_size": 1000, "hidden_size_per_layer_input": 0,
    "sliding_window": 512, "max_position_embeddings": 131072, )";
  const Decoder one = decoder_of(gemma4 + R"("num_hidden_layers": 12, "attention_k_eq_v": true,
    "num_global_key_value_heads": 2})");
  EXPECT_EQ(one.parameter_count(), 7'543'936);
  EXPECT_EQ(one.streams[5].heads, 2);
  EXPECT_EQ(one.streams[4].heads, 4);
  const Decoder experts = decoder_of(gemma4 + R"("num_hidden_layers": 6, "enable_moe_block": true,
    "num_experts": 4, "moe_intermediate_size": 64})");
  EXPECT_EQ(experts.parameter_count(), 5'190'360);
}

TEST(Decoder, KnowsWhichLayersKeepWhat) {
  const Decoder gemma = shipped_decoder("gemma-4-e4b");
  int full = 0, sliding = 0, shared = 0;
  for (const CacheStream& stream : gemma.streams) {
    if (stream.heads == 0) {
      ++shared;
    } else if (stream.window == 0) {
      ++full;
      EXPECT_EQ(stream.key_dim, 512);
    } else {
      ++sliding;
      EXPECT_EQ(stream.key_dim, 256);
      EXPECT_EQ(stream.window, 512);
    }
  }
  EXPECT_EQ(full, 4);
  EXPECT_EQ(sliding, 20);
  EXPECT_EQ(shared, 18);

  const Decoder v4 = shipped_decoder("deepseek-v4-flash");
  const auto count = [&](std::size_t window, std::size_t ratio, std::size_t dim) {
    return std::count_if(v4.streams.begin(), v4.streams.end(), [&](const CacheStream& stream) {
      return stream.window == window && stream.ratio == ratio && stream.key_dim == dim &&
             stream.value_dim == 0;
    });
  };
  EXPECT_EQ(count(128, 1, 512), 43);
  EXPECT_EQ(count(0, 4, 512), 21);
  EXPECT_EQ(count(0, 4, 128), 21);
  EXPECT_EQ(count(0, 128, 512), 20);
  EXPECT_EQ(v4.streams.size(), 105);

  const Decoder v3 = shipped_decoder("deepseek-v3");
  EXPECT_EQ(v3.streams.size(), 122);
  EXPECT_EQ(v3.streams[0].key_dim + v3.streams[1].key_dim, 576);

  const Decoder oss = shipped_decoder("gpt-oss-20b");
  EXPECT_EQ(oss.streams[0].window, 128);
  EXPECT_EQ(oss.streams[1].window, 0);
}

TEST(Decoder, TakesWindowsWhereTheConfigSaysSo) {
  const auto windows = [](const std::string& more) {
    std::vector<std::size_t> found;
    for (const CacheStream& stream : decoder_of(small_config(4, more)).streams) {
      found.push_back(stream.window);
    }
    return found;
  };
  using List = std::vector<std::size_t>;
  EXPECT_EQ(windows(R"(, "sliding_window": 64, "use_sliding_window": false)"), List(4, 0));
  EXPECT_EQ(
      windows(R"(, "sliding_window": 64, "use_sliding_window": true, "max_window_layers": 3)"),
      (List{0, 0, 0, 64}));
  EXPECT_EQ(windows(R"(, "sliding_window": 64, "layer_types": ["sliding_attention",
    "full_attention", "full_attention", "sliding_attention"])"),
            (List{64, 0, 0, 64}));
}

TEST(Decoder, ReadsTheTextModelOfSeveral) {
  const Decoder text = decoder_of(R"({"model_type": "gemma3", "text_config": {
    "model_type": "gemma3_text", "hidden_size": 640, "intermediate_size": 2048,
    "num_hidden_layers": 18, "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 256,
    "sliding_window": 512, "vocab_size": 262144, "max_position_embeddings": 32768},
    "vision_config": {}})");
  EXPECT_EQ(text.parameter_count(), 268'098'176);
  EXPECT_EQ(text.model_type, "gemma3_text");
  ASSERT_EQ(text.notes.size(), 1);
  EXPECT_NE(text.notes[0].find("Of gemma3 the text model alone"), std::string::npos);
}

TEST(Decoder, VectorsOfAStream) {
  CacheStream stream;
  stream.ratio = 4;
  EXPECT_EQ(stream.vectors(1023), 255);
  stream.window = 100;
  EXPECT_EQ(stream.vectors(1023), 100);
  EXPECT_EQ(stream.vectors(9), 2);
}

/// A Mistral, with what `more` says besides.
std::string mistral(const std::string& type, const std::string& more) {
  return R"({"model_type": ")" + type +
         R"(", "hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 16,
            "intermediate_size": 256, "vocab_size": 1000, "max_position_embeddings": 4096,
            "num_local_experts": 2)" +
         more + "}";
}

TEST(Decoder, TakesWhatTheClassDoesForAbsentKeys) {
  const auto stream = [](const std::string& text) { return decoder_of(text).streams.front(); };
  // Absent and null differ.
  EXPECT_EQ(stream(mistral("mistral", "")).window, 4096u);
  EXPECT_EQ(stream(mistral("mistral", R"(, "sliding_window": null)")).window, 0u);
  EXPECT_EQ(stream(mistral("mistral", R"(, "sliding_window": 64)")).window, 64u);
  EXPECT_EQ(stream(mistral("mixtral", "")).window, 0u);
  for (const char* type : {"mistral", "mixtral"}) {
    EXPECT_EQ(stream(mistral(type, "")).heads, 8u) << type;
    EXPECT_EQ(stream(mistral(type, R"(, "num_key_value_heads": null)")).heads, 16u) << type;
  }
  EXPECT_EQ(stream(mistral("llama", "")).heads, 16u);
  // Gemma 3n shares its last 15 layers, Gemma 4 none; both give each layer 256 of an embedding.
  const auto gemma = [](const std::string& type, const std::string& more) {
    return decoder_of(R"({"model_type": ")" + type +
                      R"(", "hidden_size": 256, "num_hidden_layers": 20, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 64, "intermediate_size": 256, "vocab_size": 1000,
        "vocab_size_per_layer_input": 1000, "max_position_embeddings": 4096,
        "sliding_window": 512, "altup_num_inputs": 4, "laurel_rank": 64)" +
                      more + "}");
  };
  for (const auto& [type, shared] : {std::pair("gemma3n_text", 15), {"gemma4_text", 0}}) {
    const Decoder absent = gemma(type, "");
    const auto nothing = std::count_if(absent.streams.begin(), absent.streams.end(),
                                       [](const CacheStream& each) { return each.heads == 0; });
    EXPECT_EQ(nothing, shared) << type;
    const std::string said = R"(, "num_kv_shared_layers": )" + std::to_string(shared) +
                             R"(, "hidden_size_per_layer_input": 256)";
    EXPECT_EQ(absent.parameter_count(), gemma(type, said).parameter_count()) << type;
  }
}

TEST(Decoder, KnowsQuantisedConfigs) {
  EXPECT_FALSE(decoder_of(small_config()).quantised);
  EXPECT_TRUE(decoder_of(small_config(4, R"(, "quantization_config": {"bits": 4})")).quantised);
}

/// What reading `text` says.
std::string refusal(const std::string& text) {
  try {
    decoder_of(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Decoder, RefusesWhatItCouldOnlyGuess) {
  const std::string unknown = refusal(R"({"model_type": "mamba2"})");
  EXPECT_NE(unknown.find("config.json: model_type mamba2: not known"), std::string::npos);
  EXPECT_NE(unknown.find("qwen3_moe"), std::string::npos) << unknown;
  EXPECT_NE(refusal("{}").find("model_type: absent"), std::string::npos);
  EXPECT_NE(refusal("[]").find("a JSON object"), std::string::npos);
  EXPECT_NE(refusal(R"({"model_type": 7})").find("model_type: 7, expected a text"),
            std::string::npos);
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = small_config();
    text.replace(text.find(from), from.size(), to);
    return refusal(text);
  };
  EXPECT_NE(changed("\"head_dim\": 64", "\"head_dim\": 0").find("head_dim: 0, expected"),
            std::string::npos);
  EXPECT_NE(changed("\"head_dim\": 64,", "").find("head_dim: absent"), std::string::npos);
  EXPECT_NE(changed("\"head_dim\": 64", "\"head_dim\": 65537").find("from 1 to 65536"),
            std::string::npos);
  for (const char* key : {"\"hidden_size\": 128", "\"vocab_size\": 1000"}) {
    const std::string name = std::string(key).substr(0, std::string(key).find(':') + 2);
    EXPECT_NE(changed(key, name + "268435457").find("from 1 to 268435456"), std::string::npos)
        << key;
  }
  // DeepSeek's classes differ in what they take of these.
  const std::string latent = R"({"model_type": "deepseek_v3", "hidden_size": 128,
    "num_hidden_layers": 1, "num_attention_heads": 2, "vocab_size": 100,
    "max_position_embeddings": 100, "kv_lora_rank": 32, "qk_rope_head_dim": 16,
    "qk_nope_head_dim": 16, "v_head_dim": 16, "intermediate_size": 64)";
  EXPECT_NE(refusal(latent + "}").find("q_lora_rank: absent"), std::string::npos);
  EXPECT_NE(refusal(latent + R"(, "q_lora_rank": null})").find("n_routed_experts: absent"),
            std::string::npos);
  EXPECT_EQ(refusal(latent + R"(, "q_lora_rank": null, "n_routed_experts": null})"),
            "nothing was refused");
  EXPECT_NE(changed("layers\": 4", "layers\": 20000").find("at most 10000"), std::string::npos);
  EXPECT_NE(changed("value_heads\": 2", "value_heads\": 3").find("a divisor"), std::string::npos);
  EXPECT_NE(changed("layers\": 4", "layers\": 4.5").find("4.5, expected a whole number"),
            std::string::npos);
  EXPECT_NE(refusal(small_config(4, R"(, "use_sliding_window": 1)")).find("true or false"),
            std::string::npos);
  EXPECT_NE(refusal(small_config(4, R"(, "layer_types": ["full_attention"])")).find("4 names"),
            std::string::npos);
  EXPECT_NE(refusal(small_config(1, R"(, "layer_types": ["linear_attention"])"))
                .find("sliding_attention or full_attention"),
            std::string::npos);
  EXPECT_NE(refusal(small_config(4, R"(, "use_sliding_window": true, "max_window_layers": 0)"))
                .find("sliding_window: absent"),
            std::string::npos);
  EXPECT_THROW(read_decoder("/no/such/config.json"), IoError);
}

// What the reader of its streams refuses too: model/streams.
TEST(Decoder, RefusesAV4ThatSaysTooLittle) {
  const std::string path = KAKEYA_SOURCE_DIR "/data/configs/deepseek-v4-flash.json";
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = read_text_file(path);
    text.replace(text.find(from), from.size(), to);
    return refusal(text);
  };
  EXPECT_EQ(changed("\"hc_mult\"", "\"attention_bias\": false, \"hc_mult\""),
            "nothing was refused");
  EXPECT_NE(
      changed("value_heads\": 1", "value_heads\": 2").find("num_key_value_heads: 2, expected 1"),
      std::string::npos);
  EXPECT_NE(changed("\"hc_mult\"", "\"attention_bias\": true, \"hc_mult\"")
                .find("attention_bias: true, expected false"),
            std::string::npos);
  EXPECT_NE(changed("\"hidden_size\": 4096,", "").find("hidden_size: absent"), std::string::npos);
  EXPECT_NE(changed("\"num_hidden_layers\": 43,", "").find("num_hidden_layers: absent"),
            std::string::npos);
  EXPECT_NE(changed("\"num_hidden_layers\": 43", "\"num_hidden_layers\": 45")
                .find("expected a list of 45, one a layer"),
            std::string::npos);
  EXPECT_NE(changed("\"compress_ratios\"", "\"unread\"").find("layer_types: absent"),
            std::string::npos);
  EXPECT_NE(changed("4, 0]", "4, 7]").find("expected 0, 4 and 128"), std::string::npos);
  // Where kinds are listed the ratios do not stand in for them.
  EXPECT_NE(changed("\"compress_ratios\"", "\"layer_types\": [], \"compress_ratios\"")
                .find("layer_types: [], expected 43 names"),
            std::string::npos);
}

}  // namespace
}  // namespace kakeya
