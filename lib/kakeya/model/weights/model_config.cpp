// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/weights/model_config.h"

#include <cmath>
#include <numbers>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// Mistral differs from Llama by its sliding window alone, which must be off; its GGUF files say
// "llama".
constexpr Architecture kArchitectures[] = {
    {.name = "llama", .hf_class = "LlamaForCausalLM", .gguf = "llama", .gguf_interleaved = true},
    {.name = "mistral", .hf_class = "MistralForCausalLM", .gguf = ""},
    {.name = "qwen2", .hf_class = "Qwen2ForCausalLM", .gguf = "qwen2", .qkv_bias = true},
    {.name = "qwen3",
     .hf_class = "Qwen3ForCausalLM",
     .gguf = "qwen3",
     .qk_norm = true,
     .own_head_dim = true},
    {.name = "gemma3_text",
     .hf_class = "Gemma3ForCausalLM",
     .gguf = "gemma3",
     .qk_norm = true,
     .own_head_dim = true,
     .sandwich_norms = true,
     .hf_norms_less_one = true,
     .scaled_embedding = true,
     .activation = Activation::gelu_tanh,
     .full_every = 6,
     .rope_base = 1e6,
     .tied_embeddings = true},
};

void check_length(const std::string& origin, const char* field, int value, int most) {
  if (value < 1 || value > most) {
    throw InputError(origin + ": " + field + " " + std::to_string(value) + ", expected 1 to " +
                     std::to_string(most));
  }
}

// Llama 3.1: wavelengths below original_context / high_freq_factor are kept, those above
// original_context / low_freq_factor are stretched by `factor`, and a ramp joins the two.
double llama3_frequency(double frequency, const RopeScaling& scaling) {
  const double turns = scaling.original_context * frequency / (2 * std::numbers::pi);
  if (turns > scaling.high_freq_factor) return frequency;
  if (turns < scaling.low_freq_factor) return frequency / scaling.factor;
  const double kept =
      (turns - scaling.low_freq_factor) / (scaling.high_freq_factor - scaling.low_freq_factor);
  return (1 - kept) * frequency / scaling.factor + kept * frequency;
}

}  // namespace

std::span<const Architecture> known_architectures() { return kArchitectures; }

std::vector<double> rope_frequencies(const ModelConfig& config, int layer) {
  const bool windowed = config.windowed(layer);
  const double base = windowed ? config.window.rope_base : config.rope_base;
  std::vector<double> frequencies;
  for (int i = 0; i < config.shape.head_dim / 2; ++i) {
    double frequency = std::pow(base, -2.0 * i / config.shape.head_dim);
    switch (windowed ? RopeScalingKind::none : config.rope_scaling.kind) {
      case RopeScalingKind::none:
        break;
      case RopeScalingKind::linear:
        frequency /= config.rope_scaling.factor;
        break;
      case RopeScalingKind::llama3:
        frequency = llama3_frequency(frequency, config.rope_scaling);
        break;
    }
    frequencies.push_back(frequency);
  }
  return frequencies;
}

std::vector<bool> window_layers(int layers, int full_every) {
  std::vector<bool> windowed;
  for (int i = 0; i < layers; ++i) windowed.push_back((i + 1) % full_every != 0);
  return windowed;
}

void check_config(const ModelConfig& config, const std::string& origin) {
  check_length(origin, "number of layers", config.shape.layers, 10'000);
  check_length(origin, "number of attention heads", config.shape.query_heads, 4096);
  check_length(origin, "number of key-value heads", config.shape.kv_heads,
               config.shape.query_heads);
  check_length(origin, "head dim", config.shape.head_dim, 4096);
  check_length(origin, "hidden size", config.hidden, 1 << 18);
  check_length(origin, "feed-forward size", config.ffn, 1 << 20);
  check_length(origin, "vocabulary", config.vocab, 1 << 24);
  check_length(origin, "context length", config.context, 1 << 28);
  if (config.shape.query_heads % config.shape.kv_heads != 0) {
    throw InputError(origin + ": " + std::to_string(config.shape.query_heads) +
                     " attention heads, expected a multiple of the " +
                     std::to_string(config.shape.kv_heads) + " key-value heads");
  }
  if (config.shape.head_dim % 2 != 0) {
    throw InputError(origin + ": head dim " + std::to_string(config.shape.head_dim) +
                     ", expected an even number");
  }
  if (!(config.norm_eps > 0 && config.norm_eps < 1)) {
    throw InputError(origin + ": norm epsilon " + std::to_string(config.norm_eps) +
                     ", expected 0 to 1");
  }
  const RopeScaling& scaling = config.rope_scaling;
  for (const double base : {config.rope_base, config.window.rope_base}) {
    if (!(base > 1) || !std::isfinite(base)) {
      throw InputError(origin + ": rope base " + std::to_string(base) + ", expected above 1");
    }
  }
  if (!(config.attention_scale > 0) || !std::isfinite(config.attention_scale)) {
    throw InputError(origin + ": attention scale " + std::to_string(config.attention_scale) +
                     ", expected above 0");
  }
  if (!config.window.layers.empty()) {
    check_length(origin, "sliding window", config.window.tokens, 1 << 28);
  }
  if (!(scaling.factor >= 1) || !std::isfinite(scaling.factor) || !(scaling.original_context > 0) ||
      !(scaling.low_freq_factor > 0) || !(scaling.high_freq_factor > scaling.low_freq_factor)) {
    throw InputError(
        origin +
        ": rope scaling: expected a factor of at least 1, and 0 < low < high frequency factors");
  }
}

}  // namespace kakeya
