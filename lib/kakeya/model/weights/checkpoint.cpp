// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/weights/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr const char* kFactors = "rope_freqs.weight";

enum class Length { none, hidden, ffn, vocab, head_dim, queries, keys };
enum class When { always, untied, qkv_bias, qk_norm, plain_norms, sandwich_norms };

struct SlotRow {
  Slot slot;
  const char *hf, *gguf;  // {} stands for the layer
  Length rows, columns;
  When when;
};

constexpr SlotRow kSlots[] = {
    {Slot::embedding, "model.embed_tokens.weight", "token_embd.weight", Length::vocab,
     Length::hidden, When::always},
    {Slot::output, "lm_head.weight", "output.weight", Length::vocab, Length::hidden, When::untied},
    {Slot::final_norm, "model.norm.weight", "output_norm.weight", Length::hidden, Length::none,
     When::always},
    {Slot::attention_norm, "model.layers.{}.input_layernorm.weight", "blk.{}.attn_norm.weight",
     Length::hidden, Length::none, When::always},
    {Slot::query, "model.layers.{}.self_attn.q_proj.weight", "blk.{}.attn_q.weight",
     Length::queries, Length::hidden, When::always},
    {Slot::key, "model.layers.{}.self_attn.k_proj.weight", "blk.{}.attn_k.weight", Length::keys,
     Length::hidden, When::always},
    {Slot::value, "model.layers.{}.self_attn.v_proj.weight", "blk.{}.attn_v.weight", Length::keys,
     Length::hidden, When::always},
    {Slot::query_bias, "model.layers.{}.self_attn.q_proj.bias", "blk.{}.attn_q.bias",
     Length::queries, Length::none, When::qkv_bias},
    {Slot::key_bias, "model.layers.{}.self_attn.k_proj.bias", "blk.{}.attn_k.bias", Length::keys,
     Length::none, When::qkv_bias},
    {Slot::value_bias, "model.layers.{}.self_attn.v_proj.bias", "blk.{}.attn_v.bias", Length::keys,
     Length::none, When::qkv_bias},
    {Slot::query_norm, "model.layers.{}.self_attn.q_norm.weight", "blk.{}.attn_q_norm.weight",
     Length::head_dim, Length::none, When::qk_norm},
    {Slot::key_norm, "model.layers.{}.self_attn.k_norm.weight", "blk.{}.attn_k_norm.weight",
     Length::head_dim, Length::none, When::qk_norm},
    {Slot::attention_output, "model.layers.{}.self_attn.o_proj.weight", "blk.{}.attn_output.weight",
     Length::hidden, Length::queries, When::always},
    // Hugging Face's name for the norm before the feed-forward is that of another one in models
    // with sandwich norms.
    {Slot::ffn_norm, "model.layers.{}.post_attention_layernorm.weight", "blk.{}.ffn_norm.weight",
     Length::hidden, Length::none, When::plain_norms},
    {Slot::attention_post_norm, "model.layers.{}.post_attention_layernorm.weight",
     "blk.{}.post_attention_norm.weight", Length::hidden, Length::none, When::sandwich_norms},
    {Slot::ffn_norm, "model.layers.{}.pre_feedforward_layernorm.weight", "blk.{}.ffn_norm.weight",
     Length::hidden, Length::none, When::sandwich_norms},
    {Slot::ffn_post_norm, "model.layers.{}.post_feedforward_layernorm.weight",
     "blk.{}.post_ffw_norm.weight", Length::hidden, Length::none, When::sandwich_norms},
    {Slot::gate, "model.layers.{}.mlp.gate_proj.weight", "blk.{}.ffn_gate.weight", Length::ffn,
     Length::hidden, When::always},
    {Slot::up, "model.layers.{}.mlp.up_proj.weight", "blk.{}.ffn_up.weight", Length::ffn,
     Length::hidden, When::always},
    {Slot::down, "model.layers.{}.mlp.down_proj.weight", "blk.{}.ffn_down.weight", Length::hidden,
     Length::ffn, When::always},
};

bool has_slot(const ModelConfig& config, const SlotRow& row) {
  switch (row.when) {
    case When::untied:
      return !config.tied_embeddings;
    case When::qkv_bias:
      return config.architecture.qkv_bias;
    case When::qk_norm:
      return config.architecture.qk_norm;
    case When::plain_norms:
      return !config.architecture.sandwich_norms;
    case When::sandwich_norms:
      return config.architecture.sandwich_norms;
    case When::always:
      break;
  }
  return true;
}

// The row of a slot that the model has, or else its first.
const SlotRow& row_of(const ModelConfig& config, Slot slot) {
  const SlotRow* first = nullptr;
  for (const SlotRow& row : kSlots) {
    if (row.slot != slot) continue;
    if (has_slot(config, row)) return row;
    if (first == nullptr) first = &row;
  }
  return *first;
}

std::size_t length(const ModelConfig& config, Length which) {
  const auto value = [&]() -> int {
    switch (which) {
      case Length::hidden:
        return config.hidden;
      case Length::ffn:
        return config.ffn;
      case Length::vocab:
        return config.vocab;
      case Length::head_dim:
        return config.shape.head_dim;
      case Length::queries:
        return config.shape.query_heads * config.shape.head_dim;
      case Length::keys:
        return config.shape.kv_heads * config.shape.head_dim;
      case Length::none:
        break;
    }
    return 1;
  };
  return static_cast<std::size_t>(value());
}

std::vector<std::size_t> shape_of(const ModelConfig& config, const SlotRow& row) {
  if (row.columns == Length::none) return {length(config, row.rows)};
  return {length(config, row.rows), length(config, row.columns)};
}

std::string with_layer(std::string pattern, int layer) {
  if (const auto at = pattern.find("{}"); at != std::string::npos)
    pattern.replace(at, 2, std::to_string(layer));
  return pattern;
}

bool per_layer(const SlotRow& row) {
  return std::string_view(row.hf).find("{}") != std::string_view::npos;
}

bool is_norm(const SlotRow& row) { return std::string_view(row.hf).ends_with("norm.weight"); }

// Buffers, not weights, that old files carry; and the output matrix that some files repeat though
// it is tied.
bool may_be_left(const std::string& name) { return name.ends_with(".rotary_emb.inv_freq"); }

// GGUF files of Llama hold the rows of each head of Q and K as pairs (0, d/2), (1, d/2 + 1), ...:
// row 2j + h of a head is row h d/2 + j in rotate-half order.
void restore_rotate_half(std::span<float> rows, std::size_t head_dim, std::size_t columns) {
  const std::size_t head_values = head_dim * columns;
  std::vector<float> head(head_values);
  for (std::size_t start = 0; start < rows.size(); start += head_values) {
    for (std::size_t row = 0; row < head_dim; ++row) {
      const std::size_t target = (row % 2) * (head_dim / 2) + row / 2;
      std::copy_n(rows.data() + start + row * columns, columns, head.data() + target * columns);
    }
    std::copy(head.begin(), head.end(), rows.data() + start);
  }
}

}  // namespace

Checkpoint::Checkpoint(const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    config_ = read_hf_config(path);
    source_ = open_safetensors(path);
  } else {
    gguf_ = std::make_unique<GgufFile>(path);
    config_ = read_gguf_config(*gguf_);
    source_ = open_gguf_weights(*gguf_);
  }
  check_tensors();
  read_factors();
}

Checkpoint::~Checkpoint() = default;

std::string Checkpoint::name_of(Slot slot, int layer) const {
  if (slot == Slot::output && config_.tied_embeddings) slot = Slot::embedding;
  const SlotRow& row = row_of(config_, slot);
  return with_layer(gguf_ ? row.gguf : row.hf, layer);
}

std::size_t Checkpoint::values(Slot slot) const {
  std::size_t product = 1;
  for (const std::size_t each : shape_of(config_, row_of(config_, slot))) product *= each;
  return product;
}

void Checkpoint::check_tensors() {
  std::set<std::string> used;
  for (const SlotRow& row : kSlots) {
    if (!has_slot(config_, row)) continue;
    const auto expected = shape_of(config_, row);
    for (int layer = 0; layer < (per_layer(row) ? config_.shape.layers : 1); ++layer) {
      const std::string name = name_of(row.slot, layer);
      const WeightInfo* info = source_->find(name);
      if (info == nullptr) {
        throw InputError(source_->path() + ": tensor " + name + " is missing, " +
                         shape_text(expected) + " expected");
      }
      if (info->shape != expected) {
        throw InputError(source_->path() + ": tensor " + name + " is " + shape_text(info->shape) +
                         ", " + shape_text(expected) + " expected");
      }
      used.insert(name);
    }
  }
  if (gguf_ && source_->find(kFactors) != nullptr) used.insert(kFactors);
  for (const WeightInfo& info : source_->tensors()) {
    if (used.contains(info.name) || may_be_left(info.name)) continue;
    if (config_.tied_embeddings && info.name == row_of(config_, Slot::output).hf) {
      check_tied(info);
      continue;
    }
    throw InputError(source_->path() + ": tensor " + info.name + " " + shape_text(info.shape) +
                     " is not one of a " + std::string(config_.architecture.name) + " model");
  }
}

// Some files repeat the embedding as the output matrix though the two are tied: as long as it is
// the same, it is not missed.
void Checkpoint::check_tied(const WeightInfo& output) const {
  const std::string embedding = name_of(Slot::embedding, 0);
  const auto a = source_->stored(embedding), b = source_->stored(output.name);
  if (source_->find(embedding)->type != output.type ||
      !std::equal(a.begin(), a.end(), b.begin(), b.end())) {
    throw InputError(source_->path() + ": tensor " + output.name + " differs from " + embedding +
                     ", though tie_word_embeddings is true");
  }
}

// Llama 3.1 GGUF files hold its frequency scaling as a divisor for each rotary pair.
void Checkpoint::read_factors() {
  if (!gguf_ || source_->find(kFactors) == nullptr) return;
  std::vector<float> factors(static_cast<std::size_t>(config_.shape.head_dim / 2));
  source_->read(kFactors, factors);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (!(factors[i] > 0) || !std::isfinite(factors[i])) {
      throw InputError(source_->path() + ": tensor " + kFactors + ": value " + std::to_string(i) +
                       " is " + std::to_string(factors[i]) + ", expected above 0");
    }
    factors_.push_back(static_cast<double>(factors[i]));
  }
}

std::vector<double> Checkpoint::frequencies(int layer) const {
  std::vector<double> frequencies = rope_frequencies(config_, layer);
  if (config_.windowed(layer)) return frequencies;
  for (std::size_t i = 0; i < factors_.size(); ++i) frequencies[i] /= factors_[i];
  return frequencies;
}

void Checkpoint::read(Slot slot, int layer, std::span<float> out) const {
  source_->read(name_of(slot, layer), out);
  const bool rotary = slot == Slot::query || slot == Slot::key || slot == Slot::query_bias ||
                      slot == Slot::key_bias;
  if (gguf_ && config_.architecture.gguf_interleaved && rotary) {
    const bool matrix = slot == Slot::query || slot == Slot::key;
    restore_rotate_half(out, config_.shape.dim(),
                        matrix ? static_cast<std::size_t>(config_.hidden) : 1);
  }
  if (!gguf_ && config_.architecture.hf_norms_less_one && is_norm(row_of(config_, slot))) {
    for (float& weight : out) weight += 1;
  }
}

std::string Checkpoint::weight_types() const {
  std::map<std::string, std::size_t> counts;
  for (const WeightInfo& info : source_->tensors()) ++counts[info.type];
  std::vector<std::pair<std::string, std::size_t>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [type, count] : order) {
    text += (text.empty() ? "" : ", ") + type + " x " + std::to_string(count);
  }
  return text;
}

}  // namespace kakeya
