// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace kakeya {

/// How far the positions of a stream turn the last values of its vectors, pair by pair.
struct V4Rope {
  double base = 0;
  /// YaRN: pairs that turn seldom within `original_context` are slowed down by `factor`; 0: none.
  /// Cosines and sines are not scaled.
  double factor = 0, original_context = 0, beta_fast = 32, beta_slow = 1;
};

/// What a layer's attention reads besides its window.
enum class V4Attention {
  sliding,  ///< nothing
  csa,      ///< a vector of every 4 tokens ("compressed sparse"), chosen by an indexer
  hca       ///< a vector of every 128 tokens ("heavily compressed")
};

/// What the KV streams of a DeepSeek-V4 need of its config.json. Lengths are positive, and even
/// where they are turned.
struct V4Config {
  std::string name;  ///< of the folder, or of the .json file
  int hidden = 0, query_heads = 0;
  int head_dim = 0;   ///< of latents, 512
  int rope_dim = 0;   ///< the last of these are turned, 64; as many of an indexer's keys
  int index_dim = 0;  ///< of an indexer's keys, 128
  int window = 0;     ///< latents that a layer keeps, 128
  int csa_ratio = 0, hca_ratio = 0;
  double norm_eps = 0;
  V4Rope main, compress;  ///< of layers without and with a compressor, that of their windows too
  std::vector<V4Attention> layers;
  std::array<std::size_t, 2> weight_block = {128, 128};  ///< of E4M3 weights, rows and columns

  const V4Rope& rope(V4Attention layer) const {
    return layer == V4Attention::sliding ? main : compress;
  }
};

/// The configuration of a model: `path` itself where it is a .json file, else config.json in it.
std::string v4_config_path(const std::string& path);

/// Whether the model_type of `path`'s configuration is deepseek_v4. Never throws for what has none.
bool is_v4(const std::string& path);

/// Reads a configuration as transformers 5.24 saves it, or as the model's publisher does
/// (compress_ratios, qk_rope_head_dim, rope_scaling), with transformers' own defaults. hidden_size,
/// num_hidden_layers and layer_types or compress_ratios have none. Keys of what the streams do not need (experts, hyper-connections, queries) are not looked at. Throws IoError,
/// CorruptStream, or InputError naming the key, its value and what was expected.
V4Config read_v4_config(const std::string& path);

/// Radians a token of each of the rope_dim / 2 pairs.
std::vector<double> v4_frequencies(const V4Rope& rope, int rope_dim);

}  // namespace kakeya
