// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/weights/checkpoint.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::ScratchFolder;
using testing::TinyModel;
using testing::TinyTensor;
using testing::write_text;

constexpr Slot kSlots[] = {Slot::embedding, Slot::output, Slot::final_norm, Slot::attention_norm,
                           Slot::query,     Slot::key,    Slot::value,      Slot::ffn_norm,
                           Slot::gate,      Slot::up,     Slot::down,       Slot::attention_output};

std::vector<float> read(const Checkpoint& checkpoint, Slot slot, int layer) {
  std::vector<float> out(checkpoint.values(slot));
  checkpoint.read(slot, layer, out);
  return out;
}

class Checkpoints : public ::testing::Test {
 protected:
  Checkpoint hf(const TinyModel& tiny) {
    tiny.write_hf(scratch_ / "hf");
    return Checkpoint(scratch_ / "hf");
  }
  Checkpoint gguf(const TinyModel& tiny) {
    write_text(scratch_ / "m.gguf", tiny.gguf());
    return Checkpoint(scratch_ / "m.gguf");
  }
  ScratchFolder scratch_;
};

TinyModel tiny_of(const char* architecture, bool tied = false) {
  TinyModel tiny;
  tiny.architecture = architecture;
  tiny.tied = tied;
  return tiny.fill();
}

TEST_F(Checkpoints, BothFormatsGiveTheSameTensors) {
  for (const char* architecture : {"llama", "qwen2", "qwen3", "gemma3_text"}) {
    const TinyModel tiny = tiny_of(architecture);
    const Checkpoint a = hf(tiny), b = gguf(tiny);
    for (const Slot slot : kSlots) {
      for (int layer = 0; layer < 2; ++layer)
        EXPECT_EQ(read(a, slot, layer), read(b, slot, layer)) << architecture;
    }
    EXPECT_EQ(read(a, Slot::key, 1),
              tiny.tensors.at("model.layers.1.self_attn.k_proj.weight").values);
    if (tiny.qkv_bias()) {
      EXPECT_EQ(read(b, Slot::key_bias, 1),
                tiny.tensors.at("model.layers.1.self_attn.k_proj.bias").values);
    }
    if (tiny.qk_norm()) {
      EXPECT_EQ(read(a, Slot::query_norm, 0), read(b, Slot::query_norm, 0));
    }
    EXPECT_EQ(a.frequencies(0), b.frequencies(0));
    EXPECT_EQ(a.frequencies(0) == a.frequencies(1), !tiny.gemma());
  }
}

TEST_F(Checkpoints, SandwichNormsAreAsTheyMultiply) {
  const TinyModel tiny = tiny_of("gemma3_text");
  const std::pair<Slot, const char*> norms[] = {
      {Slot::final_norm, "model.norm"},
      {Slot::attention_norm, "model.layers.1.input_layernorm"},
      {Slot::attention_post_norm, "model.layers.1.post_attention_layernorm"},
      {Slot::ffn_norm, "model.layers.1.pre_feedforward_layernorm"},
      {Slot::ffn_post_norm, "model.layers.1.post_feedforward_layernorm"},
      {Slot::query_norm, "model.layers.1.self_attn.q_norm"},
      {Slot::key_norm, "model.layers.1.self_attn.k_norm"}};
  for (const auto& [slot, name] : norms) {
    std::vector<float> expected = tiny.tensors.at(std::string(name) + ".weight").values;
    for (float& value : expected) value += 1;
    EXPECT_EQ(read(hf(tiny), slot, 1), expected) << name;
    EXPECT_EQ(read(gguf(tiny), slot, 1), expected) << name;
  }
}

TEST_F(Checkpoints, TiedEmbeddingsAreTheOutput) {
  TinyModel tiny = tiny_of("llama", true);
  const auto& embedding = tiny.tensors.at("model.embed_tokens.weight").values;
  EXPECT_EQ(read(hf(tiny), Slot::output, 0), embedding);
  EXPECT_EQ(read(gguf(tiny), Slot::output, 0), embedding);
  tiny.tensors["lm_head.weight"] =
      tiny.tensors["model.embed_tokens.weight"];  // repeated, as some files do
  EXPECT_EQ(read(hf(tiny), Slot::output, 0), embedding);
  tiny.tensors["lm_head.weight"].values[3] += 1;
  EXPECT_NE(message_of<InputError>([&] { hf(tiny); }).find("lm_head.weight differs"),
            std::string::npos);
}

TEST_F(Checkpoints, EveryTensorIsMissed) {
  for (const char* architecture : {"qwen3", "gemma3_text"}) {
    const TinyModel whole = tiny_of(architecture);
    for (const auto& [name, tensor] : whole.tensors) {
      TinyModel tiny = whole;
      tiny.tensors.erase(name);
      EXPECT_NE(message_of<InputError>([&] { hf(tiny); }).find("tensor " + name + " is missing"),
                std::string::npos)
          << name;
      if (name == "lm_head.weight") continue;  // in a GGUF file this says: tied
      EXPECT_NE(message_of<InputError>([&] { gguf(tiny); }).find(" is missing"), std::string::npos)
          << name;
    }
  }
}

TEST_F(Checkpoints, EveryShapeIsChecked) {
  const TinyModel whole = tiny_of("qwen2");
  for (const auto& [name, tensor] : whole.tensors) {
    TinyModel tiny = whole;
    TinyTensor& changed = tiny.tensors[name];
    changed.shape.insert(changed.shape.begin(), 1);  // as many values, one dim more
    EXPECT_NE(message_of<InputError>([&] { hf(tiny); }).find("tensor " + name + " is [1, "),
              std::string::npos)
        << name;
  }
  TinyModel tiny = whole;
  tiny.kv_heads = 4;  // the config says so, the tensors do not
  EXPECT_NE(message_of<InputError>([&] { hf(tiny); }).find("[16, 24], [32, 24] expected"),
            std::string::npos);
  EXPECT_NE(message_of<InputError>([&] { gguf(tiny); }).find("blk.0.attn_k.weight is [16, 24]"),
            std::string::npos);
}

TEST_F(Checkpoints, NothingIsLeftOver) {
  TinyModel tiny = tiny_of("llama");
  tiny.tensors["model.layers.0.self_attn.q_norm.weight"] = {{8}, std::vector<float>(8)};
  EXPECT_NE(
      message_of<InputError>([&] { hf(tiny); }).find("q_norm.weight [8] is not one of a llama"),
      std::string::npos);
  EXPECT_NE(message_of<InputError>([&] { gguf(tiny); }).find("blk.0.attn_q_norm.weight"),
            std::string::npos);
  tiny = tiny_of("llama");
  tiny.tensors["model.layers.2.mlp.up_proj.weight"] = {{1}, {0}};
  EXPECT_NE(message_of<InputError>([&] { hf(tiny); }).find("model.layers.2.mlp"),
            std::string::npos);
  tiny = tiny_of("llama");
  tiny.tensors["model.layers.0.self_attn.rotary_emb.inv_freq"] = {
      {4}, {1, 2, 3, 4}};  // a buffer of old files
  EXPECT_EQ(message_of<InputError>([&] { hf(tiny); }), "");
}

TEST_F(Checkpoints, GgufFactorsDivideTheFrequencies) {
  TinyModel tiny = tiny_of("llama");
  const std::vector<double> plain = gguf(tiny).frequencies(0);
  tiny.tensors["rope_freqs.weight"] = {{4}, {1, 2, 4, 8}};
  const std::vector<double> divided = gguf(tiny).frequencies(0);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(divided[i], plain[i] / static_cast<double>(1 << i));
  tiny.tensors["rope_freqs.weight"].values[2] = 0;
  EXPECT_NE(message_of<InputError>([&] { gguf(tiny); }).find("value 2 is 0"), std::string::npos);
}

TEST_F(Checkpoints, SaysHowTensorsAreStored) {
  EXPECT_EQ(hf(tiny_of("llama")).weight_types(), "F32 x 21");
}

}  // namespace
}  // namespace kakeya
