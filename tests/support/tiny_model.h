// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/gguf_writer.h"
#include "support/scratch_folder.h"

namespace kakeya::testing {

struct TinyTensor {
  std::vector<std::size_t> shape;
  std::vector<float> values;
};

/// A small decoder with random weights, under the names of Hugging Face, and its files in both
/// formats. A test may change tensors, config and metadata before they are written.
struct TinyModel {
  std::string architecture = "llama";
  std::size_t layers = 2, query_heads = 4, kv_heads = 2, head_dim = 8, hidden = 24, ffn = 40,
              vocab = 50, context = 128;
  float norm_eps = 1e-5f, rope_base = 10000;
  // Of gemma3_text alone: every full_every-th layer sees all, the others the last `window` tokens.
  std::size_t window = 5, full_every = 2;
  float window_rope_base = 100;
  double query_scalar = 0;  // 0: head_dim; GGUF files cannot have another
  bool tied = false;
  std::map<std::string, TinyTensor> tensors;

  bool gemma() const { return architecture == "gemma3_text"; }
  bool qk_norm() const { return architecture == "qwen3" || gemma(); }
  bool qkv_bias() const { return architecture == "qwen2"; }

  /// Draws every tensor; call it when the sizes are set.
  TinyModel& fill(std::uint64_t seed = 1) {
    seed_ = seed;
    const float norm = gemma() ? 0 : 1;  // Gemma's files hold weights less 1
    matrix("model.embed_tokens.weight", vocab, hidden, 1.0f);
    if (!tied) matrix("lm_head.weight", vocab, hidden, 0.5f);
    vector("model.norm.weight", hidden, norm);
    for (std::size_t i = 0; i < layers; ++i) {
      const std::string layer = "model.layers." + std::to_string(i) + ".";
      vector(layer + "input_layernorm.weight", hidden, norm);
      vector(layer + "post_attention_layernorm.weight", hidden, norm);
      if (gemma()) {
        vector(layer + "pre_feedforward_layernorm.weight", hidden, norm);
        vector(layer + "post_feedforward_layernorm.weight", hidden, norm);
      }
      const std::size_t queries = query_heads * head_dim, keys = kv_heads * head_dim;
      matrix(layer + "self_attn.q_proj.weight", queries, hidden, 0.4f);
      matrix(layer + "self_attn.k_proj.weight", keys, hidden, 0.4f);
      matrix(layer + "self_attn.v_proj.weight", keys, hidden, 0.4f);
      matrix(layer + "self_attn.o_proj.weight", hidden, queries, 0.4f);
      matrix(layer + "mlp.gate_proj.weight", ffn, hidden, 0.3f);
      matrix(layer + "mlp.up_proj.weight", ffn, hidden, 0.3f);
      matrix(layer + "mlp.down_proj.weight", hidden, ffn, 0.3f);
      if (qkv_bias()) {
        vector(layer + "self_attn.q_proj.bias", queries, 0);
        vector(layer + "self_attn.k_proj.bias", keys, 0);
        vector(layer + "self_attn.v_proj.bias", keys, 0);
      }
      if (qk_norm()) {
        vector(layer + "self_attn.q_norm.weight", head_dim, norm);
        vector(layer + "self_attn.k_norm.weight", head_dim, norm);
      }
    }
    return *this;
  }

  /// "qwen2": "Qwen2ForCausalLM".
  static std::string hf_class(std::string name) {
    if (name == "gemma3_text") name = "gemma3";
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name + "ForCausalLM";
  }

  nlohmann::json config() const {
    nlohmann::json all = {{"architectures", {hf_class(architecture)}},
                          {"model_type", architecture},
                          {"hidden_size", hidden},
                          {"num_hidden_layers", layers},
                          {"num_attention_heads", query_heads},
                          {"num_key_value_heads", kv_heads},
                          {"head_dim", head_dim},
                          {"intermediate_size", ffn},
                          {"vocab_size", vocab},
                          {"max_position_embeddings", context},
                          {"rms_norm_eps", static_cast<double>(norm_eps)},
                          {"rope_theta", static_cast<double>(rope_base)},
                          {"tie_word_embeddings", tied},
                          {"torch_dtype", "float32"},
                          {"use_cache", true}};
    if (!gemma()) {
      all["hidden_act"] = "silu";
      return all;
    }
    all["hidden_activation"] = "gelu_pytorch_tanh";
    all["query_pre_attn_scalar"] = query_scalar > 0 ? query_scalar : static_cast<double>(head_dim);
    all["rope_local_base_freq"] = static_cast<double>(window_rope_base);
    all["sliding_window"] = window;
    all["sliding_window_pattern"] = full_every;
    all["final_logit_softcapping"] = nullptr;
    return all;
  }

  /// The bytes of a safetensors file of those tensors that `chosen` takes, float32.
  std::string safetensors(const std::function<bool(const std::string&)>& chosen = {}) const {
    nlohmann::json header = {{"__metadata__", {{"format", "pt"}}}};
    std::string data;
    for (const auto& [name, tensor] : tensors) {
      if (chosen && !chosen(name)) continue;
      const std::size_t begin = data.size();
      data.append(reinterpret_cast<const char*>(tensor.values.data()),
                  tensor.values.size() * sizeof(float));
      header[name] = {
          {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, data.size()}}};
    }
    const std::string text = header.dump();
    return GgufWriter::bytes(std::uint64_t{text.size()}) + text + data;
  }

  /// Writes config.json and model.safetensors below `folder`.
  void write_hf(const std::string& folder) const { write_hf(folder, config()); }
  void write_hf(const std::string& folder, const nlohmann::json& with_config) const {
    std::filesystem::create_directories(folder);
    write_text(folder + "/config.json", with_config.dump());
    write_text(folder + "/model.safetensors", safetensors());
  }

  /// Metadata of a GGUF file of this model; tensors still to be added.
  GgufWriter gguf_metadata() const {
    const std::string prefix = gguf_architecture() + ".";
    const auto whole = [](std::size_t value) { return static_cast<std::uint32_t>(value); };
    GgufWriter out;
    out.text("general.architecture", gguf_architecture())
        .text("general.name", "tiny")
        .integer(prefix + "block_count", whole(layers))
        .integer(prefix + "context_length", whole(context))
        .integer(prefix + "embedding_length", whole(hidden))
        .integer(prefix + "feed_forward_length", whole(ffn))
        .integer(prefix + "attention.head_count", whole(query_heads))
        .integer(prefix + "attention.head_count_kv", whole(kv_heads))
        .integer(prefix + "attention.key_length", whole(head_dim))
        .integer(prefix + "attention.value_length", whole(head_dim))
        .real(prefix + "attention.layer_norm_rms_epsilon", norm_eps)
        .real(prefix + "rope.freq_base", rope_base);
    if (gemma()) {
      out.integer(prefix + "attention.sliding_window", whole(window))
          .integer(prefix + "attention.sliding_window_pattern", whole(full_every))
          .real(prefix + "rope.freq_base_swa", window_rope_base);
    }
    return out;
  }

  /// The bytes of a GGUF file, float32; Q and K rows in interleaved order where such files hold
  /// them so.
  std::string gguf(GgufWriter with_metadata) const {
    std::string data;
    for (const auto& [name, tensor] : tensors) {
      std::vector<float> values = tensor.values;
      const bool rotary =
          name.find("q_proj") != std::string::npos || name.find("k_proj") != std::string::npos;
      if (rotary && gguf_architecture() == "llama")
        values = interleaved(values, values.size() / tensor.shape[0]);
      if (gemma() && name.ends_with("norm.weight")) {
        for (float& value : values) value += 1;
      }
      with_metadata.tensor(gguf_name(name, gemma()), {tensor.shape.rbegin(), tensor.shape.rend()},
                           0, data.size());
      data.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
      data.resize((data.size() + 31) / 32 * 32);
    }
    return with_metadata.file(data);
  }
  std::string gguf() const { return gguf(gguf_metadata()); }

 private:
  std::string gguf_architecture() const {
    return architecture == "mistral" ? "llama" : gemma() ? "gemma3" : architecture;
  }

  static std::string gguf_name(std::string name, bool sandwich) {
    const std::vector<std::pair<std::string, std::string>> names = {
        {"model.embed_tokens", "token_embd"},
        {"lm_head", "output"},
        {"model.norm", "output_norm"},
        {"model.layers", "blk"},
        {"post_attention_layernorm", sandwich ? "post_attention_norm" : "ffn_norm"},
        {"pre_feedforward_layernorm", "ffn_norm"},
        {"post_feedforward_layernorm", "post_ffw_norm"},
        {"input_layernorm", "attn_norm"},
        {"self_attn.q_proj", "attn_q"},
        {"self_attn.k_proj", "attn_k"},
        {"self_attn.v_proj", "attn_v"},
        {"self_attn.o_proj", "attn_output"},
        {"self_attn.q_norm", "attn_q_norm"},
        {"self_attn.k_norm", "attn_k_norm"},
        {"mlp.gate_proj", "ffn_gate"},
        {"mlp.up_proj", "ffn_up"},
        {"mlp.down_proj", "ffn_down"}};
    for (const auto& [hf, gguf] : names) {
      if (const auto at = name.find(hf); at != std::string::npos) name.replace(at, hf.size(), gguf);
    }
    return name;
  }

  // Row (head, half, pair) goes to row (head, pair, half), as llama.cpp's converter writes it.
  std::vector<float> interleaved(const std::vector<float>& rows, std::size_t columns) const {
    std::vector<float> out(rows.size());
    for (std::size_t row = 0; row < rows.size() / columns; ++row) {
      const std::size_t head = row / head_dim, half = row % head_dim / (head_dim / 2),
                        pair = row % (head_dim / 2);
      const std::size_t target = head * head_dim + 2 * pair + half;
      for (std::size_t c = 0; c < columns; ++c) out[target * columns + c] = rows[row * columns + c];
    }
    return out;
  }

  // Roughly normal: a sum of four uniform numbers.
  float draw() {
    float sum = 0;
    for (int i = 0; i < 4; ++i) {
      seed_ = seed_ * 6364136223846793005u + 1442695040888963407u;
      sum += static_cast<float>(seed_ >> 40) / 16777216.0f - 0.5f;
    }
    return sum * 1.7f;
  }
  void matrix(const std::string& name, std::size_t rows, std::size_t columns, float scale) {
    TinyTensor tensor{{rows, columns}, {}};
    for (std::size_t i = 0; i < rows * columns; ++i) tensor.values.push_back(scale * draw());
    tensors[name] = std::move(tensor);
  }
  void vector(const std::string& name, std::size_t length, float around) {
    TinyTensor tensor{{length}, {}};
    for (std::size_t i = 0; i < length; ++i) tensor.values.push_back(around + 0.3f * draw());
    tensors[name] = std::move(tensor);
  }

  std::uint64_t seed_ = 1;
};

}  // namespace kakeya::testing
