// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "kakeya/capacity/readers.h"

// DeepSeek V2 and V3 keep a latent a token and layer; V4 the last tokens, and pooled vectors of every
// 4 or 128 tokens.

namespace kakeya {
namespace {

/// Of so many layers: experts, those that all tokens share, and the router without its bias.
void count_experts(const ConfigKeys& keys, const CommonSizes& sizes, std::uint64_t layers,
                   Decoder& decoder) {
  const std::uint64_t experts = keys.whole("n_routed_experts");
  const std::uint64_t inner = keys.whole("moe_intermediate_size");
  const std::uint64_t shared = keys.whole_or_null("n_shared_experts", 0);
  decoder.count("experts", layers * (experts * gated(sizes.hidden, inner) +
                                     gated(sizes.hidden, shared * inner)));
  decoder.count("router", layers * experts * sizes.hidden);
}

void read_latent(const ConfigKeys& keys, Decoder& decoder) {
  const CommonSizes sizes = read_common(keys, decoder, false);
  const std::uint64_t latent = keys.whole("kv_lora_rank"), rotary = keys.whole("qk_rope_head_dim");
  const std::uint64_t plain = keys.whole("qk_nope_head_dim"), value = keys.whole("v_head_dim");
  const std::uint64_t queries = sizes.heads * (plain + rotary);
  const bool bias = keys.truth_or("attention_bias", false);
  std::uint64_t query_maps = linear(sizes.hidden, queries), norms = 2 * sizes.hidden + latent;
  if (const std::uint64_t rank = keys.whole_or_null("q_lora_rank", 0); rank > 0) {
    query_maps = linear(sizes.hidden, rank, bias) + linear(rank, queries);
    norms += rank;
  }
  decoder.count("attention",
                sizes.layers * (query_maps + linear(sizes.hidden, latent + rotary, bias) +
                                linear(latent, sizes.heads * (plain + value)) +
                                linear(sizes.heads * value, sizes.hidden, bias)));
  decoder.count("norms", sizes.layers * norms);
  if (keys.whole_or("moe_layer_freq", 1) != 1) keys.refuse("moe_layer_freq", "1, or absent");
  std::uint64_t dense = sizes.layers;
  if (keys.whole_or_null("n_routed_experts", 0) > 0) {
    dense = std::min(sizes.layers, keys.whole_or_null("first_k_dense_replace", 0));
    count_experts(keys, sizes, sizes.layers - dense, decoder);
  }
  if (dense > 0) {
    decoder.count("feed-forward", dense * gated(sizes.hidden, keys.whole("intermediate_size")));
  }
  for (std::uint64_t i = 0; i < sizes.layers; ++i) {
    CacheStream stream;
    stream.layer = static_cast<int>(i);
    stream.kind = "latent";
    stream.key_dim = latent;
    decoder.streams.push_back(stream);
    stream.kind = "rotary key of the latent";
    stream.key_dim = rotary;
    decoder.streams.push_back(stream);
  }
  decoder.notes.emplace_back(
      "The latent and one rotary key a token, as engines keep them; transformers keeps the keys and "
      "values of all heads that are made of them.");
  if (keys.whole_or("num_nextn_predict_layers", 0) > 0) {
    decoder.notes.emplace_back("Layers that predict further tokens are not counted.");
  }
}

/// What a layer of V4 pools: a vector of every `ratio` tokens; 0: nothing. Layers that pool few tokens
/// choose among the pooled vectors: they have an indexer.
struct Pool {
  std::size_t ratio = 0;
  bool indexed = false;
};

/// Of each layer. The reader of a V4's streams (model/streams/v4_config.h) holds the same lists to the same.
std::vector<Pool> read_pools(const ConfigKeys& keys, std::size_t layers) {
  Pool few{4, true}, many{128, false};
  if (keys.has("compress_rates")) {
    const ConfigKeys rates = keys.inside("compress_rates");
    few.ratio = rates.whole("compressed_sparse_attention");
    many.ratio = rates.whole("heavily_compressed_attention");
  }
  few.ratio = keys.whole_or("compress_rate_csa", few.ratio, 1);
  many.ratio = keys.whole_or("compress_rate_hca", many.ratio, 1);
  std::vector<Pool> pools;
  if (keys.has("layer_types")) {
    for (const std::string& type : keys.texts("layer_types")) {
      if (type == "compressed_sparse_attention") {
        pools.push_back(few);
      } else if (type == "heavily_compressed_attention") {
        pools.push_back(many);
      } else if (type == "sliding_attention") {
        pools.push_back({});
      } else {
        keys.refuse(
            "layer_types",
            "sliding_attention, compressed_sparse_attention or heavily_compressed_attention");
      }
    }
    if (pools.size() != layers) keys.refuse("layer_types", fmt::format("{} names", layers));
    return pools;
  }
  // Published configs list a ratio a layer, and behind them those of layers that predict further
  // tokens.
  for (const std::uint64_t ratio : keys.wholes("compress_ratios")) {
    if (ratio != 0 && ratio != 4 && ratio != 128) keys.refuse("compress_ratios", "0, 4 and 128");
    pools.push_back(ratio == 0 ? Pool{} : ratio == 4 ? few : many);
  }
  if (pools.size() < layers) {
    keys.refuse(keys.has("compress_ratios") ? "compress_ratios" : "layer_types",
                fmt::format("a list of {}, one a layer", layers));
  }
  pools.resize(layers);
  return pools;
}

struct V4Sizes : CommonSizes {
  std::uint64_t dim = 0, index_dim = 0, index_heads = 0, query_rank = 0;
};

/// Streams and maps of a layer's compressor.
void add_compressor(const V4Sizes& sizes, Pool pool, CacheStream stream, Decoder& decoder) {
  const auto maps = [&](std::uint64_t dim, std::uint64_t series) {
    decoder.count("compressors",
                  pool.ratio * series * dim + 2 * linear(sizes.hidden, series * dim) + dim);
  };
  maps(sizes.dim, pool.indexed ? 2 : 1);
  stream.window = 0;
  stream.ratio = pool.ratio;
  stream.kind = fmt::format("pooled, 1 of {} tokens", pool.ratio);
  decoder.streams.push_back(stream);
  if (!pool.indexed) return;
  maps(sizes.index_dim, 2);
  decoder.count("compressors", linear(sizes.query_rank, sizes.index_heads * sizes.index_dim) +
                                   linear(sizes.hidden, sizes.index_heads));
  stream.kind = fmt::format("indexer keys, 1 of {} tokens", pool.ratio);
  stream.key_dim = sizes.index_dim;
  decoder.streams.push_back(stream);
}

void read_v4(const ConfigKeys& keys, Decoder& decoder) {
  if (keys.whole_or("num_key_value_heads", 1) != 1) keys.refuse("num_key_value_heads", "1");
  if (keys.truth_or("attention_bias", false)) keys.refuse("attention_bias", "false");
  V4Sizes sizes;
  static_cast<CommonSizes&>(sizes) = read_common(keys, decoder, false);
  sizes.dim = keys.whole("head_dim");
  sizes.index_dim = keys.whole("index_head_dim");
  sizes.index_heads = keys.whole("index_n_heads");
  sizes.query_rank = keys.whole("q_lora_rank");
  const std::uint64_t groups = keys.whole("o_groups"), group_rank = keys.whole("o_lora_rank");
  const std::uint64_t width = sizes.heads * sizes.dim, lanes = keys.whole("hc_mult");
  decoder.count("attention",
                sizes.layers * (sizes.heads + linear(sizes.hidden, sizes.query_rank) +
                                linear(sizes.query_rank, width) + linear(sizes.hidden, sizes.dim) +
                                group_rank * width + linear(groups * group_rank, sizes.hidden)));
  decoder.count("norms", sizes.layers * (sizes.query_rank + sizes.dim + 2 * sizes.hidden));
  const std::uint64_t mixes = (2 + lanes) * lanes;
  decoder.count("hyper-connections", sizes.layers * 2 * (mixes * lanes * sizes.hidden + mixes + 3) +
                                         lanes * lanes * sizes.hidden + lanes + 1);
  count_experts(keys, sizes, sizes.layers, decoder);
  const std::vector<Pool> pools = read_pools(keys, sizes.layers);
  for (std::size_t i = 0; i < sizes.layers; ++i) {
    CacheStream stream;
    stream.layer = static_cast<int>(i);
    stream.window = keys.whole("sliding_window");
    stream.kind = fmt::format("sliding window of {}", stream.window);
    stream.key_dim = sizes.dim;
    decoder.streams.push_back(stream);
    if (pools[i].ratio > 0) add_compressor(sizes, pools[i], stream, decoder);
  }
  decoder.notes.emplace_back(
      "One vector serves as key and value. Tokens that wait for their pool to fill, less than one "
      "pool a layer, are not counted, nor layers that predict further tokens.");
}

constexpr FamilyReader kFamilies[] = {
    {"deepseek_v2", read_latent}, {"deepseek_v3", read_latent}, {"deepseek_v4", read_v4}};

}  // namespace

std::span<const FamilyReader> deepseek_families() { return kFamilies; }

}  // namespace kakeya
