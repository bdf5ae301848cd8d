// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/streams/v4_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/model/streams/v4_weights.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using nlohmann::json;
using testing::message_of;
using testing::ScratchFolder;

const std::string kTiny = KAKEYA_SOURCE_DIR "/tests/model/streams/tiny";

class V4ConfigOf : public ::testing::Test {
 protected:
  V4Config read(const json& changes = json::object(), const std::string& of = kTiny) {
    json object = json::parse(read_text_file(of + "/config.json"));
    object.update(changes);
    write_file(scratch_ / "config.json", object.dump());
    return read_v4_config(scratch_.path().string());
  }
  std::string refusal(const json& changes, const std::string& of = kTiny) {
    return message_of<InputError>([&] { read(changes, of); });
  }
  ScratchFolder scratch_;
};

TEST_F(V4ConfigOf, BothFormsSayTheSame) {
  const V4Config ours = read(), published = read(json::object(), kTiny + "/fp8");
  EXPECT_EQ(ours.layers, (std::vector{V4Attention::sliding, V4Attention::csa, V4Attention::hca}));
  EXPECT_EQ(published.layers, ours.layers);
  for (const V4Config* each : {&ours, &published}) {
    EXPECT_EQ(each->head_dim, 16);
    EXPECT_EQ(each->rope_dim, 8);
    EXPECT_EQ(each->index_dim, 8);
    EXPECT_EQ(each->window, 32);
    EXPECT_EQ(each->csa_ratio, 4);
    EXPECT_EQ(each->hca_ratio, 128);
    EXPECT_EQ(each->main.base, 10000);
    EXPECT_EQ(each->main.factor, 0);
    EXPECT_EQ(each->compress.base, 160000);
    EXPECT_EQ(each->compress.factor, 16);
    EXPECT_EQ(each->compress.original_context, 64);
  }
  EXPECT_EQ(ours.weight_block, (std::array<std::size_t, 2>{128, 128}));
  EXPECT_EQ(published.weight_block, (std::array<std::size_t, 2>{8, 8}));
}

TEST_F(V4ConfigOf, DefaultsAreTransformers) {
  write_file(scratch_ / "config.json",
             R"({"model_type": "deepseek_v4", "hidden_size": 1024, "num_hidden_layers": 2,
                 "compress_ratios": [128, 4]})");
  const V4Config config = read_v4_config(scratch_.path().string());
  EXPECT_EQ(config.hidden, 1024);
  EXPECT_EQ(config.head_dim, 512);
  EXPECT_EQ(config.rope_dim, 64);
  EXPECT_EQ(config.index_dim, 128);
  EXPECT_EQ(config.layers, (std::vector{V4Attention::hca, V4Attention::csa}));
  EXPECT_EQ(config.compress.factor, 0);
}

TEST_F(V4ConfigOf, WhatMakesTheShapeMustBeThere) {
  EXPECT_NE(refusal({{"hidden_size", nullptr}}).find("hidden_size is missing"), std::string::npos);
  EXPECT_NE(refusal({{"num_hidden_layers", nullptr}}).find("num_hidden_layers is missing"),
            std::string::npos);
  EXPECT_NE(
      refusal({{"layer_types", nullptr}})
          .find("layer_types is missing, expected the kind of each layer, or compress_ratios"),
      std::string::npos);
  EXPECT_NE(refusal({{"num_hidden_layers", 2}}).find("an array of 2 entries, as num_hidden_layers"),
            std::string::npos);
  EXPECT_NE(refusal({{"num_hidden_layers", 4}}).find("an array of 4 entries, as num_hidden_layers"),
            std::string::npos);
  // Ratios of heads behind the layers may follow.
  const json longer = {{"layer_types", nullptr}, {"compress_ratios", {0, 4, 128, 0}}};
  EXPECT_EQ(read(longer).layers.size(), 3u);
  EXPECT_NE(refusal({{"layer_types", nullptr}, {"compress_ratios", {0, 4, 128, 7}}})
                .find("compress_ratios is [0,4,128,7], expected 0, 4 or 128 a layer"),
            std::string::npos);
  EXPECT_NE(refusal({{"layer_types", nullptr}, {"compress_ratios", {0, 4}}})
                .find("compress_ratios is [0,4], expected an array of 3 entries"),
            std::string::npos);
}

TEST_F(V4ConfigOf, WhatIsNotImplementedIsRefused) {
  EXPECT_NE(refusal({{"model_type", "deepseek_v3"}}).find("model_type is \"deepseek_v3\""),
            std::string::npos);
  EXPECT_NE(refusal({{"num_key_value_heads", 2}}).find("num_key_value_heads is 2, expected 1"),
            std::string::npos);
  EXPECT_NE(refusal({{"layer_types", {"sliding_attention", "full_attention", "x"}}})
                .find("layer_types is"),
            std::string::npos);
  EXPECT_NE(refusal({{"layer_types", json::array()}}).find("an array of 3 entries"),
            std::string::npos);
  EXPECT_NE(refusal({{"qk_rope_head_dim", 7}}, kTiny + "/fp8").find("even number"),
            std::string::npos);
  EXPECT_NE(refusal({{"qk_rope_head_dim", 12}}).find("partial_rotary_factor is 0.5"),
            std::string::npos);
  for (const double share : {1.5, 0.0, -0.5}) {
    EXPECT_NE(refusal({{"partial_rotary_factor", share}}).find("partial_rotary_factor is"),
              std::string::npos);
  }
  EXPECT_NE(refusal({{"partial_rotary_factor", 1e300}, {"qk_rope_head_dim", nullptr}})
                .find("expected a number above 0, at most 1"),
            std::string::npos);
  json ropes = json::parse(read_text_file(kTiny + "/config.json"))["rope_parameters"];
  for (const auto& [there, lacks] :
       {std::pair{"main", "compress"}, std::pair{"compress", "main"}}) {
    const json one = {{there, ropes[there]}};
    EXPECT_NE(
        refusal({{"rope_parameters", one}})
            .find(std::string("rope_parameters: ") + lacks + " is missing, expected an object"),
        std::string::npos);
  }
  ropes["compress"].erase("attention_factor");
  EXPECT_NE(refusal({{"rope_parameters", ropes}}).find("attention_factor is missing, expected 1.0"),
            std::string::npos);
  ropes["compress"]["rope_type"] = "llama3";
  EXPECT_NE(refusal({{"rope_parameters", ropes}}).find("expected default or yarn"),
            std::string::npos);
  EXPECT_NE(refusal({{"rms_norm_eps", 0}}).find("rms_norm_eps is 0"), std::string::npos);
}

TEST_F(V4ConfigOf, FoldersOfOthersAreNone) {
  EXPECT_TRUE(is_v4(kTiny));
  EXPECT_TRUE(is_v4(kTiny + "/config.json"));
  EXPECT_FALSE(is_v4(KAKEYA_SOURCE_DIR "/data/models/nano"));
  EXPECT_FALSE(is_v4("/nonexistent"));
  EXPECT_FALSE(is_v4("/nonexistent.json"));
  write_file(scratch_ / "config.json", "{");
  EXPECT_FALSE(is_v4(scratch_.path().string()));
}

TEST_F(V4ConfigOf, TheShippedShapeIsThePublishedOne) {
  const V4Config flash = read_v4_config(KAKEYA_SOURCE_DIR "/data/configs/deepseek-v4-flash.json");
  EXPECT_EQ(flash.name, "deepseek-v4-flash");
  ASSERT_EQ(flash.layers.size(), 43u);
  EXPECT_EQ(std::ranges::count(flash.layers, V4Attention::sliding), 2);
  EXPECT_EQ(std::ranges::count(flash.layers, V4Attention::csa), 21);
  EXPECT_EQ(std::ranges::count(flash.layers, V4Attention::hca), 20);
  EXPECT_EQ(flash.hidden, 4096);
  EXPECT_EQ(flash.head_dim, 512);
  EXPECT_EQ(flash.rope_dim, 64);
  EXPECT_EQ(flash.index_dim, 128);
  EXPECT_EQ(flash.window, 128);
  EXPECT_EQ(flash.main.base, 10000);
  EXPECT_EQ(flash.main.factor, 0);
  EXPECT_EQ(flash.compress.base, 160000);
  EXPECT_EQ(flash.compress.factor, 16);
  EXPECT_EQ(flash.compress.original_context, 65536);
}

TEST_F(V4ConfigOf, RandomWeightsAreOfTheirSeedAndShape) {
  const V4Config config = read();
  const auto weights = random_v4_weights(config, 7);
  EXPECT_EQ(weights->text(), "random, seed 7");
  EXPECT_FALSE(weights->missing(1));
  const V4LayerWeights one = weights->read(1), again = random_v4_weights(config, 7)->read(1),
                       other = random_v4_weights(config, 8)->read(1);
  EXPECT_EQ(one.kv, again.kv);
  EXPECT_NE(one.kv, other.kv);
  ASSERT_TRUE(one.compressor && one.indexer);
  EXPECT_EQ(one.compressor->kv.size(), 32u * 24);
  EXPECT_NE(one.compressor->kv, one.compressor->gate);
  EXPECT_EQ(one.compressor->position_bias.size(), 4u * 32);
  EXPECT_EQ(one.indexer->norm, std::vector<float>(8, 1.0f));
  double squares = 0;
  for (const float value : one.compressor->kv) squares += double{value} * value;
  EXPECT_NEAR(squares / static_cast<double>(one.compressor->kv.size()), 1.0 / 24, 0.01);
}

TEST_F(V4ConfigOf, WeightsOfSomeShardsServeTheLayersThatTheyHave) {
  namespace fs = std::filesystem;
  const V4Config config = read();
  const auto whole = open_v4_weights(kTiny, config);
  EXPECT_EQ(whole->text(), "F32");
  EXPECT_FALSE(whole->missing(2));
  fs::copy_file(kTiny + "/model.safetensors", scratch_ / "a.safetensors");
  json map;
  const auto files = open_safetensors(kTiny);
  for (const WeightInfo& each : files->tensors()) map[each.name] = "a.safetensors";
  map["model.layers.3.attn.wkv.weight"] = "b.safetensors";
  write_file(scratch_ / "model.safetensors.index.json", json{{"weight_map", map}}.dump());
  const auto some = open_v4_weights(scratch_.path().string(), read({{"num_hidden_layers", 3}}));
  EXPECT_EQ(some->read(1).kv, whole->read(1).kv);
  EXPECT_THROW(open_safetensors(scratch_.path().string()), IoError);
  V4Config four = config;
  four.layers.push_back(V4Attention::sliding);
  const auto fewer = open_v4_weights(scratch_.path().string(), four);
  EXPECT_EQ(fewer->missing(3), "layers.3.self_attn.kv_proj.weight (or attn.wkv.weight)");
  EXPECT_THROW(fewer->read(3), InputError);
  fs::remove(scratch_ / "a.safetensors");
  EXPECT_NE(message_of<IoError>([&] {
              open_v4_weights(scratch_.path().string(), config);
            }).find("none of the files"),
            std::string::npos);
  V4Config wider = config;
  wider.hidden = 25;
  EXPECT_NE(message_of<InputError>([&] {
              open_v4_weights(kTiny, wider)->read(0);
            }).find("[16, 24], expected [16, 25]"),
            std::string::npos);
}

/// Of the publisher's tiny model, layer 0's E4M3 matrix without its scales, as where those are in a
/// shard that is not there.
void write_without_scales(const ScratchFolder& folder, const std::string& name) {
  const std::string bytes(24, '\x38');  // ones
  const std::string latent = "layers.0.attn.wkv.weight", norm = "layers.0.attn.kv_norm.weight";
  const json header = {
      {latent, {{"dtype", "F8_E4M3"}, {"shape", {16, 24}}, {"data_offsets", {0, 384}}}},
      {norm, {{"dtype", "F32"}, {"shape", json::array({16})}, {"data_offsets", {384, 448}}}}};
  const std::string text = header.dump();
  std::string file;
  for (std::size_t i = 0; i < 8; ++i) file += static_cast<char>(text.size() >> (8 * i) & 255);
  file += text;
  for (int row = 0; row < 16; ++row) file += bytes;
  file += std::string(64, '\0');
  write_file(folder / "a.safetensors", file);
  const json map = {{latent, "a.safetensors"}, {norm, "a.safetensors"}, {name, "b.safetensors"}};
  write_file(folder / "model.safetensors.index.json", json{{"weight_map", map}}.dump());
}

TEST_F(V4ConfigOf, ALayerWithoutTheScalesOfItsMatrixIsMissing) {
  const V4Config config = read(json::object(), kTiny + "/fp8");
  EXPECT_FALSE(open_v4_weights(kTiny + "/fp8", config)->missing(0));
  write_without_scales(scratch_, "layers.0.attn.wkv.scale");
  const auto weights = open_v4_weights(scratch_.path().string(), config);
  EXPECT_EQ(weights->missing(0), "layers.0.attn.wkv.scale");
  EXPECT_NE(message_of<InputError>([&] {
              weights->read(0);
            }).find("expected a tensor layers.0.attn.wkv.scale"),
            std::string::npos);
}

}  // namespace
}  // namespace kakeya
