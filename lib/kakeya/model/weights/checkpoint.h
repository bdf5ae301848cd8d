// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kakeya/model/weights/model_config.h"
#include "kakeya/model/weights/weight_source.h"

namespace kakeya {

/// The tensors of a decoder, whatever a file calls them. Matrices are [outputs, inputs].
enum class Slot {
  embedding,            ///< [vocab, hidden]
  output,               ///< [vocab, hidden]; the embedding itself where the two are tied
  final_norm,           ///< [hidden]
  attention_norm,       ///< [hidden], and from here on one a layer
  query,                ///< [query_heads * head_dim, hidden], rows in rotate-half order
  key,                  ///< [kv_heads * head_dim, hidden], rows in rotate-half order
  value,                ///< [kv_heads * head_dim, hidden]
  query_bias,           ///< [query_heads * head_dim], where the architecture has biases
  key_bias,             ///< [kv_heads * head_dim]
  value_bias,           ///< [kv_heads * head_dim]
  query_norm,           ///< [head_dim], where the architecture has QK-norm
  key_norm,             ///< [head_dim]
  attention_output,     ///< [hidden, query_heads * head_dim]
  attention_post_norm,  ///< [hidden], where the architecture has sandwich norms
  ffn_norm,             ///< [hidden]
  gate,                 ///< [ffn, hidden]
  up,                   ///< [ffn, hidden]
  down,                 ///< [hidden, ffn]
  ffn_post_norm         ///< [hidden], where the architecture has sandwich norms
};

/// A model's files: its configuration and its tensors, all of them found, of the right shape, and
/// none left over.
class Checkpoint {
 public:
  /// Opens a Hugging Face folder or a .gguf file. Throws IoError, CorruptStream, or InputError
  /// naming a tensor that is missing, of another shape, or not one of this architecture.
  explicit Checkpoint(const std::string& path);
  ~Checkpoint();

  const ModelConfig& config() const { return config_; }

  /// Rotary frequencies of a layer, radians a token, [head_dim / 2]: the configuration's, and the
  /// file's own factors where it has some (layers with a window have none).
  std::vector<double> frequencies(int layer) const;

  /// How many values the tensor in `slot` has.
  std::size_t values(Slot slot) const;

  /// Fills `out` with the tensor in `slot` of `layer` (ignored for the first three slots), Q and K
  /// rows always in rotate-half order, and norms as they multiply. Throws as WeightSource::read().
  void read(Slot slot, int layer, std::span<float> out) const;

  /// "Q4_1 x 210, F32 x 61, Q8_0 x 1": how many tensors are stored how, the commonest first.
  std::string weight_types() const;

 private:
  void check_tensors();
  void check_tied(const WeightInfo& output) const;
  void read_factors();
  std::string name_of(Slot slot, int layer) const;

  std::unique_ptr<GgufFile> gguf_;  // null for a folder
  ModelConfig config_;
  std::unique_ptr<WeightSource> source_;
  std::vector<double> factors_;  // divisors of frequencies, or empty
};

}  // namespace kakeya
