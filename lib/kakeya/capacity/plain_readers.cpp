// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kakeya/capacity/readers.h"

// Families whose layers are grouped-query attention and a gated feed-forward or experts: they differ
// by biases, norms, windows and where experts stand.

namespace kakeya {
namespace {

/// Which maps of attention have biases where the config says attention_bias.
enum class Bias { never, qkv, all };

/// Who has a sliding window.
enum class Windows {
  none,     ///< no layer, whatever the config says
  all,      ///< every layer, of `sliding_window` tokens; null: none; absent: `window`
  qwen,     ///< with use_sliding_window, the layers from max_window_layers on
  pattern,  ///< all but every so many-th
};

struct PlainFamily {
  Bias bias = Bias::never;
  bool always_bias = false;   ///< of Q, K and V, whatever the config says
  bool qk_norm = false;       ///< over each head, of Q and of K
  bool own_head_dim = false;  ///< head_dim has to be there
  int norms = 2;              ///< a layer
  Windows windows = Windows::none;
  std::size_t full_every = 0;
  bool tied = false;
  std::uint64_t kv_heads = 0;  ///< where the config has no such key, as the class; 0: all heads
  std::size_t window = 0;      ///< of Windows::all, likewise; 0: none
};

bool windowed_by_qwen(const ConfigKeys& keys, std::uint64_t layer) {
  if (!keys.truth_or("use_sliding_window", false)) return false;
  return layer >= keys.whole_or("max_window_layers", 28);
}

/// Tokens that each layer keeps; 0: all.
std::vector<std::size_t> read_windows(const ConfigKeys& keys, std::size_t layers,
                                      const PlainFamily& family) {
  std::vector<std::size_t> windows(layers, 0);
  if (family.windows == Windows::none) return windows;
  if (family.windows == Windows::all && !keys.given("sliding_window")) {
    return std::vector<std::size_t>(layers, family.window);
  }
  std::vector<bool> windowed(layers, keys.has("sliding_window"));
  if (family.windows == Windows::qwen) {
    for (std::size_t i = 0; i < layers; ++i) windowed[i] = windowed_by_qwen(keys, i);
    if (keys.has("layer_types")) windowed = windowed_layers(keys, layers, 0);
  } else if (family.windows == Windows::pattern) {
    std::size_t every = keys.whole_or("sliding_window_pattern", family.full_every, 1);
    every = keys.whole_or("_sliding_window_pattern", every, 1);
    windowed = windowed_layers(keys, layers, every);
  }
  for (std::size_t i = 0; i < layers; ++i) {
    if (windowed[i]) windows[i] = keys.whole("sliding_window");
  }
  return windows;
}

struct AttentionSizes {
  std::uint64_t kv_heads = 0, head_dim = 0;
};

/// Streams, and the parameters of all but the feed-forward.
AttentionSizes read_attention(const ConfigKeys& keys, const CommonSizes& sizes,
                              const PlainFamily& family, Decoder& decoder) {
  AttentionSizes found;
  const bool left_out = !keys.given("num_key_value_heads") && family.kv_heads > 0;
  found.kv_heads =
      keys.whole_or("num_key_value_heads", left_out ? family.kv_heads : sizes.heads, 1);
  if (sizes.heads % found.kv_heads != 0) {
    keys.refuse("num_key_value_heads", "a divisor of num_attention_heads");
  }
  found.head_dim = family.own_head_dim ? keys.whole("head_dim")
                                       : keys.whole_or("head_dim", sizes.hidden / sizes.heads, 1);
  const bool biased =
      family.bias != Bias::never && keys.truth_or("attention_bias", family.bias == Bias::qkv);
  const bool qkv = family.always_bias || biased;
  const std::uint64_t width = sizes.heads * found.head_dim;
  const std::uint64_t kv_width = found.kv_heads * found.head_dim;
  decoder.count(
      "attention",
      sizes.layers * (linear(sizes.hidden, width, qkv) + 2 * linear(sizes.hidden, kv_width, qkv) +
                      linear(width, sizes.hidden, biased && family.bias == Bias::all)));
  const std::uint64_t norms = static_cast<std::uint64_t>(family.norms) * sizes.hidden +
                              (family.qk_norm ? 2 * found.head_dim : 0);
  decoder.count("norms", sizes.layers * norms);
  const std::vector<std::size_t> windows = read_windows(keys, sizes.layers, family);
  for (std::size_t i = 0; i < sizes.layers; ++i) {
    decoder.streams.push_back(
        attention_stream(static_cast<int>(i), found.kv_heads, found.head_dim, windows[i]));
  }
  return found;
}

CommonSizes read_attention_of(const ConfigKeys& keys, const PlainFamily& family, Decoder& decoder) {
  const CommonSizes sizes = read_common(keys, decoder, family.tied);
  read_attention(keys, sizes, family, decoder);
  return sizes;
}

void read_dense(const ConfigKeys& keys, const PlainFamily& family, Decoder& decoder) {
  const CommonSizes sizes = read_attention_of(keys, family, decoder);
  const std::uint64_t inner = keys.whole("intermediate_size");
  const std::uint64_t biases = keys.truth_or("mlp_bias", false) ? 2 * inner + sizes.hidden : 0;
  decoder.count("feed-forward", sizes.layers * (gated(sizes.hidden, inner) + biases));
}

void read_llama(const ConfigKeys& keys, Decoder& decoder) {
  read_dense(keys, {.bias = Bias::all}, decoder);
}

void read_mistral(const ConfigKeys& keys, Decoder& decoder) {
  read_dense(keys, {.windows = Windows::all, .kv_heads = 8, .window = 4096}, decoder);
}

void read_phi3(const ConfigKeys& keys, Decoder& decoder) {
  read_dense(keys, {.windows = Windows::all}, decoder);
}

void read_qwen2(const ConfigKeys& keys, Decoder& decoder) {
  read_dense(keys, {.always_bias = true, .windows = Windows::qwen, .kv_heads = 32}, decoder);
}

constexpr PlainFamily qwen3(std::uint64_t kv_heads) {
  return {.bias = Bias::all,
          .qk_norm = true,
          .own_head_dim = true,
          .windows = Windows::qwen,
          .kv_heads = kv_heads};
}

void read_qwen3(const ConfigKeys& keys, Decoder& decoder) { read_dense(keys, qwen3(32), decoder); }

void read_glm(const ConfigKeys& keys, Decoder& decoder) {
  read_dense(keys, {.bias = Bias::qkv, .own_head_dim = true, .kv_heads = 2}, decoder);
}

void read_glm4(const ConfigKeys& keys, Decoder& decoder) {
  read_dense(keys, {.bias = Bias::qkv, .own_head_dim = true, .norms = 4, .kv_heads = 2}, decoder);
}

void read_gemma2(const ConfigKeys& keys, Decoder& decoder) {
  read_dense(keys,
             {.bias = Bias::all,
              .own_head_dim = true,
              .norms = 4,
              .windows = Windows::pattern,
              .full_every = 2,
              .tied = true,
              .kv_heads = 4},
             decoder);
}

void read_gemma3(const ConfigKeys& keys, Decoder& decoder) {
  read_dense(keys,
             {.bias = Bias::all,
              .qk_norm = true,
              .own_head_dim = true,
              .norms = 4,
              .windows = Windows::pattern,
              .full_every = 6,
              .tied = true,
              .kv_heads = 4},
             decoder);
}

void read_mixtral(const ConfigKeys& keys, Decoder& decoder) {
  const CommonSizes sizes =
      read_attention_of(keys, {.windows = Windows::all, .kv_heads = 8}, decoder);
  const std::uint64_t experts = keys.whole("num_local_experts");
  const std::uint64_t inner = keys.whole("intermediate_size");
  decoder.count("experts", sizes.layers * experts * gated(sizes.hidden, inner));
  decoder.count("router", sizes.layers * sizes.hidden * experts);
}

void read_qwen3_moe(const ConfigKeys& keys, Decoder& decoder) {
  const CommonSizes sizes = read_attention_of(keys, qwen3(4), decoder);
  const std::uint64_t experts = keys.whole("num_experts");
  const std::uint64_t every = keys.whole_or("decoder_sparse_step", 1, 1);
  const std::vector<std::uint64_t> dense = keys.wholes("mlp_only_layers");
  for (std::uint64_t i = 0; i < sizes.layers; ++i) {
    const bool named = std::find(dense.begin(), dense.end(), i) != dense.end();
    if (named || (i + 1) % every != 0) {
      decoder.count("feed-forward", gated(sizes.hidden, keys.whole("intermediate_size")));
      continue;
    }
    decoder.count("experts", experts * gated(sizes.hidden, keys.whole("moe_intermediate_size")));
    decoder.count("router", sizes.hidden * experts);
  }
}

void read_gpt_oss(const ConfigKeys& keys, Decoder& decoder) {
  const CommonSizes sizes = read_common(keys, decoder, false);
  // Biases everywhere, in its experts too, and a number a head that takes attention's rest.
  const std::uint64_t kv_heads = keys.whole("num_key_value_heads"), dim = keys.whole("head_dim");
  const std::uint64_t width = sizes.heads * dim, inner = keys.whole("intermediate_size");
  const std::uint64_t experts = keys.whole("num_local_experts");
  decoder.count("attention", sizes.layers * (linear(sizes.hidden, width, true) +
                                             2 * linear(sizes.hidden, kv_heads * dim, true) +
                                             linear(width, sizes.hidden, true) + sizes.heads));
  decoder.count("experts",
                sizes.layers * experts *
                    (linear(sizes.hidden, 2 * inner, true) + linear(inner, sizes.hidden, true)));
  decoder.count("router", sizes.layers * linear(sizes.hidden, experts, true));
  decoder.count("norms", sizes.layers * 2 * sizes.hidden);
  const std::vector<bool> windowed = windowed_layers(keys, sizes.layers, 2);
  for (std::size_t i = 0; i < sizes.layers; ++i) {
    decoder.streams.push_back(attention_stream(static_cast<int>(i), kv_heads, dim,
                                               windowed[i] ? keys.whole("sliding_window") : 0));
  }
}

constexpr FamilyReader kFamilies[] = {
    {"llama", read_llama},         {"mistral", read_mistral},
    {"mixtral", read_mixtral},     {"phi3", read_phi3},
    {"qwen2", read_qwen2},         {"qwen3", read_qwen3},
    {"qwen3_moe", read_qwen3_moe}, {"glm", read_glm},
    {"glm4", read_glm4},           {"gemma2", read_gemma2},
    {"gemma3_text", read_gemma3},  {"gpt_oss", read_gpt_oss},
};

}  // namespace

std::span<const FamilyReader> plain_families() { return kFamilies; }

}  // namespace kakeya
