// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/model/streams/v4_config.h"
#include "kakeya/model/weights/weight_source.h"

namespace kakeya {

/// What makes one vector of every `ratio` tokens. With overlap, matrices and biases have 2 x dim
/// rows: the first dim are what a token gives to the next vector, the others to its own.
struct V4Compressor {
  std::size_t ratio = 0, dim = 0;
  bool overlap = false;
  std::vector<float> kv = {}, gate = {};  ///< [dim or 2 dim, hidden]
  std::vector<float> position_bias = {};  ///< [ratio, dim or 2 dim]
  std::vector<float> norm = {};           ///< [dim]
};

/// The weights of a layer that its KV streams are made with.
struct V4LayerWeights {
  std::vector<float> kv;    ///< [head_dim, hidden]
  std::vector<float> norm;  ///< [head_dim]
  std::optional<V4Compressor> compressor, indexer;
};

/// Where weights of layers come from.
class V4Weights {
 public:
  virtual ~V4Weights() = default;

  /// The tensor of `layer` that is not there, be it the scales of one that is; or nothing where all
  /// are.
  virtual std::optional<std::string> missing(int layer) const = 0;

  /// Throws InputError naming a tensor that is missing or of another shape than the configuration
  /// says.
  virtual V4LayerWeights read(int layer) const = 0;

  /// "random, seed 7" or "F8_E4M3, BF16": what is said wherever these weights are used.
  virtual std::string text() const = 0;
};

/// Those of a folder's safetensors, of which some files may be missing. Names are transformers' or
/// the publisher's; E4M3 matrices are multiplied by the scales of their blocks. Throws as
/// open_safetensors().
std::unique_ptr<V4Weights> open_v4_weights(const std::string& folder, const V4Config& config);

/// Drawn from normal distributions: matrices of variance 1 / hidden, position biases of deviation
/// 0.02, norms 1. The same for a seed whichever layers are asked for.
std::unique_ptr<V4Weights> random_v4_weights(const V4Config& config, std::uint64_t seed);

}  // namespace kakeya
