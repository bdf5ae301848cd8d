// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "kakeya/capacity/readers.h"

// Gemma 3n and Gemma 4: the last layers have no keys and values of their own, and every layer gets
// an embedding of its own.

namespace kakeya {
namespace {

struct SharingSizes : CommonSizes {
  std::uint64_t kv_heads = 0, head_dim = 0, shared = 0, per_layer = 0;
  std::vector<bool> windowed;
};

/// What their classes take of keys that a config leaves out.
constexpr std::uint64_t kSharedOfGemma3n = 15, kSharedOfGemma4 = 0, kWidthOfLayerInput = 256;

SharingSizes read_sharing(const ConfigKeys& keys, Decoder& decoder, std::size_t full_every,
                          std::uint64_t shared) {
  SharingSizes sizes;
  static_cast<CommonSizes&>(sizes) = read_common(keys, decoder, true);
  sizes.kv_heads = keys.whole("num_key_value_heads");
  sizes.head_dim = keys.whole("head_dim");
  sizes.shared = keys.whole_or("num_kv_shared_layers", shared);
  if (sizes.shared >= sizes.layers) {
    keys.refuse("num_kv_shared_layers", fmt::format("fewer than {} layers", sizes.layers));
  }
  sizes.windowed = windowed_layers(keys, sizes.layers, full_every);
  sizes.per_layer = keys.whole_or("hidden_size_per_layer_input", kWidthOfLayerInput);
  if (sizes.per_layer > 0) {
    const std::uint64_t width = sizes.layers * sizes.per_layer;
    decoder.count("embedding of layers", keys.whole("vocab_size_per_layer_input") * width +
                                             linear(sizes.hidden, width) + sizes.per_layer);
    decoder.count("feed-forward", sizes.layers * (2 * sizes.hidden * sizes.per_layer));
    decoder.count("norms", sizes.layers * sizes.hidden);
  }
  decoder.count("norms", sizes.layers * 4 * sizes.hidden);
  return sizes;
}

/// Attention of one layer, and what it keeps. A layer that shares has queries alone.
void add_layer(const ConfigKeys& keys, const SharingSizes& sizes, std::uint64_t layer,
               std::uint64_t kv_heads, std::uint64_t dim, bool own_values, Decoder& decoder) {
  const bool own = layer < sizes.layers - sizes.shared;
  const bool bias = keys.truth_or("attention_bias", false);
  const std::uint64_t width = sizes.heads * dim;
  const std::uint64_t part = linear(sizes.hidden, kv_heads * dim, bias);
  decoder.count("attention", linear(sizes.hidden, width, bias) + linear(width, sizes.hidden, bias) +
                                 (own ? (own_values ? 2 : 1) * part : 0));
  decoder.count("norms", own ? 2 * dim : dim);
  const bool windowed = sizes.windowed[layer];
  CacheStream stream = attention_stream(static_cast<int>(layer), kv_heads, dim,
                                        windowed ? keys.whole("sliding_window") : 0);
  if (!own) {
    stream.kind = windowed ? "shared, of a layer with a window" : "shared, of a layer without";
    stream.heads = 0;
  }
  decoder.streams.push_back(std::move(stream));
}

void read_gemma3n(const ConfigKeys& keys, Decoder& decoder) {
  const SharingSizes sizes = read_sharing(keys, decoder, 5, kSharedOfGemma3n);
  std::vector<std::uint64_t> inner(sizes.layers, 0);
  if (const auto listed = keys.wholes("intermediate_size"); listed.size() == 1) {
    inner.assign(sizes.layers, listed.front());
  } else if (listed.size() == sizes.layers) {
    inner = listed;
  } else {
    keys.refuse("intermediate_size", fmt::format("one number, or {}", sizes.layers));
  }
  const std::uint64_t inputs = keys.whole("altup_num_inputs");
  const std::uint64_t rank = keys.whole("laurel_rank");
  for (std::uint64_t i = 0; i < sizes.layers; ++i) {
    add_layer(keys, sizes, i, sizes.kv_heads, sizes.head_dim, true, decoder);
    decoder.count("feed-forward", gated(sizes.hidden, inner[i]));
  }
  const std::uint64_t altup = (keys.truth_or("altup_correct_scale", true) ? sizes.hidden : 0) +
                              inputs * inputs + inputs * inputs * inputs + inputs * sizes.hidden +
                              sizes.hidden;
  const std::uint64_t laurel = 2 * sizes.hidden * rank + sizes.hidden;
  decoder.count("AltUp and LAuReL",
                sizes.layers * (altup + laurel) + 2 * (inputs - 1) * sizes.hidden * sizes.hidden);
}

void read_gemma4(const ConfigKeys& keys, Decoder& decoder) {
  SharingSizes sizes = read_sharing(keys, decoder, 6, kSharedOfGemma4);
  sizes.windowed.back() = false;
  const std::uint64_t full_dim = keys.whole_or("global_head_dim", 512, 1);
  const bool one_projection = keys.truth_or("attention_k_eq_v", false);
  std::uint64_t full_heads = sizes.kv_heads;
  if (one_projection) full_heads = keys.whole_or("num_global_key_value_heads", full_heads, 1);
  const std::uint64_t inner = keys.whole("intermediate_size");
  const bool wide = keys.truth_or("use_double_wide_mlp", false);
  for (std::uint64_t i = 0; i < sizes.layers; ++i) {
    const bool windowed = sizes.windowed[i];
    add_layer(keys, sizes, i, windowed ? sizes.kv_heads : full_heads,
              windowed ? sizes.head_dim : full_dim, windowed || !one_projection, decoder);
    const bool shares = i >= sizes.layers - sizes.shared;
    decoder.count("feed-forward", gated(sizes.hidden, wide && shares ? 2 * inner : inner));
  }
  if (one_projection) {
    decoder.notes.emplace_back(
        "Keys and values of full attention come from one projection; both are kept, as the values "
        "have another norm and no rotary embedding.");
  }
  if (!keys.truth_or("enable_moe_block", false)) return;
  const std::uint64_t experts = keys.whole("num_experts");
  decoder.count("experts",
                sizes.layers * experts * gated(sizes.hidden, keys.whole("moe_intermediate_size")));
  decoder.count("router", sizes.layers * (sizes.hidden * experts + sizes.hidden + experts));
  decoder.count("norms", sizes.layers * 3 * sizes.hidden);
}

constexpr FamilyReader kFamilies[] = {{"gemma3n_text", read_gemma3n}, {"gemma4_text", read_gemma4}};

}  // namespace

std::span<const FamilyReader> gemma_families() { return kFamilies; }

}  // namespace kakeya
