// SPDX-License-Identifier: Apache-2.0
// read_gguf_config of model_config.h.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/model/weights/model_config.h"

namespace kakeya {
namespace {

// The keys "<architecture>.<suffix>" of a file, each to be answered for.
class Keys {
 public:
  Keys(const GgufFile& file, std::string architecture)
      : file_(file), prefix_(std::move(architecture) + ".") {
    for (const auto& [key, value] : file.metadata()) {
      if (key.starts_with(prefix_)) left_.insert(key);
    }
  }

  bool has(const std::string& suffix) {
    left_.erase(prefix_ + suffix);
    return file_.find(prefix_ + suffix) != nullptr;
  }
  int integer(const std::string& suffix) {
    has(suffix);
    const std::int64_t value = file_.integer(prefix_ + suffix);
    if (value < 0 || value > (1 << 28))
      refuse(suffix, std::to_string(value), "a whole number up to 2^28");
    return static_cast<int>(value);
  }
  int integer_or(const std::string& suffix, int fallback) {
    return has(suffix) ? integer(suffix) : fallback;
  }
  double real(const std::string& suffix) {
    has(suffix);
    return file_.real(prefix_ + suffix);
  }
  double real_or(const std::string& suffix, double fallback) {
    return has(suffix) ? real(suffix) : fallback;
  }
  std::string text_or(const std::string& suffix, const std::string& fallback) {
    return has(suffix) ? file_.text(prefix_ + suffix) : fallback;
  }
  /// An integer key that may be there with the value `only` alone.
  void demand(const std::string& suffix, int only) {
    if (const int value = integer_or(suffix, only); value != only) {
      refuse(suffix, std::to_string(value), std::to_string(only));
    }
  }
  [[noreturn]] void refuse(const std::string& suffix, const std::string& given,
                           const std::string& expected) const {
    throw InputError(file_.path() + ": " + prefix_ + suffix + " is " + given + ", expected " +
                     expected);
  }
  void finish() const {
    if (!left_.empty()) {
      throw InputError(file_.path() + ": metadata key " + *left_.begin() +
                       " is not known, and may change the maths");
    }
  }

 private:
  const GgufFile& file_;
  std::string prefix_;
  std::set<std::string> left_;
};

const Architecture& find_architecture(const GgufFile& file) {
  const std::string& given = file.text("general.architecture");
  std::string names;
  for (const Architecture& each : known_architectures()) {
    if (each.gguf.empty()) continue;
    if (each.gguf == given) return each;
    names += (names.empty() ? "" : ", ") + std::string(each.gguf);
  }
  throw InputError(file.path() + ": general.architecture is " + given + ", expected one of " +
                   names);
}

void read_rope(Keys& keys, ModelConfig& config) {
  // llama.cpp takes 10000 where the key is missing, whatever the architecture.
  config.rope_base = keys.real_or("rope.freq_base", 10000);
  keys.demand("rope.dimension_count", config.shape.head_dim);
  const std::string kind = keys.text_or("rope.scaling.type", "none");
  const double factor = keys.real_or("rope.scaling.factor", 1);
  keys.has("rope.scaling.original_context_length");  // yarn's; linear scaling does not use it
  keys.has("rope.scaling.finetuned");
  if (kind == "linear") {
    config.rope_scaling.kind = RopeScalingKind::linear;
    config.rope_scaling.factor = factor;
  } else if (kind != "none") {
    keys.refuse("rope.scaling.type", kind, "none or linear");
  }
}

void read_window(Keys& keys, ModelConfig& config) {
  if (config.architecture.full_every == 0) return keys.demand("attention.sliding_window", 0);
  config.window.tokens = keys.integer("attention.sliding_window");
  config.window.rope_base = keys.real_or("rope.freq_base_swa", config.window.rope_base);
  const int full_every =
      keys.integer_or("attention.sliding_window_pattern", config.architecture.full_every);
  if (full_every < 1) {
    keys.refuse("attention.sliding_window_pattern", std::to_string(full_every), "1 or more");
  }
  config.window.layers = window_layers(config.shape.layers, full_every);
}

// Gemma 3 of 62 layers (27B) divides by sqrt(hidden / heads), all others by sqrt(head_dim); its
// files do not say.
double attention_scale(const ModelConfig& config) {
  const bool gemma_27b = config.architecture.gguf == "gemma3" && config.shape.layers == 62;
  const double scalar = gemma_27b ? static_cast<double>(config.hidden) / config.shape.query_heads
                                  : static_cast<double>(config.shape.head_dim);
  return 1 / std::sqrt(scalar);
}

}  // namespace

ModelConfig read_gguf_config(const GgufFile& file) {
  ModelConfig config;
  config.architecture = find_architecture(file);
  // The file's name, not general.name: converters often leave there what the training run was
  // called.
  config.name = std::filesystem::path(file.path()).stem().string();
  if (file.find("split.count") != nullptr && file.integer("split.count") > 1) {
    throw InputError(file.path() + ": one of " + std::to_string(file.integer("split.count")) +
                     " parts (split.count), expected a whole model");
  }
  Keys keys(file, std::string(config.architecture.gguf));
  config.shape.layers = keys.integer("block_count");
  config.shape.query_heads = keys.integer("attention.head_count");
  config.shape.kv_heads = keys.integer_or("attention.head_count_kv", config.shape.query_heads);
  config.hidden = keys.integer("embedding_length");
  config.ffn = keys.integer("feed_forward_length");
  config.context = keys.integer("context_length");
  config.norm_eps = keys.real("attention.layer_norm_rms_epsilon");
  config.shape.head_dim = keys.integer_or(
      "attention.key_length", config.shape.query_heads > 0 && !config.architecture.own_head_dim
                                  ? config.hidden / config.shape.query_heads
                                  : 0);
  if (config.shape.head_dim == 0)
    keys.refuse("attention.key_length", "missing or 0", "the head dim");
  keys.demand("attention.value_length", config.shape.head_dim);
  keys.demand("expert_count", 0);
  keys.demand("expert_used_count", 0);
  read_rope(keys, config);
  read_window(keys, config);
  config.attention_scale = attention_scale(config);

  const auto& tensors = file.tensors();
  const auto named = [&](const char* name) {
    return std::find_if(tensors.begin(), tensors.end(),
                        [&](const GgufTensor& each) { return each.name == name; });
  };
  config.tied_embeddings = named("output.weight") == tensors.end();
  // The embedding has a row a token; vocab_size, which not every file has, must agree (its shape is
  // checked later).
  const auto embedding = named("token_embd.weight");
  if (embedding == tensors.end())
    throw InputError(file.path() + ": tensor token_embd.weight is missing");
  const std::uint64_t rows =
      embedding->dims.size() == 2 ? std::min<std::uint64_t>(embedding->dims[1], 1 << 28) : 0;
  config.vocab = keys.integer_or("vocab_size", static_cast<int>(rows));
  keys.finish();
  check_config(config, file.path());
  return config;
}

}  // namespace kakeya
