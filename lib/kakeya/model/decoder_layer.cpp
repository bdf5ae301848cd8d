// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/decoder_layer.h"

#include <ATen/ATen.h>

#include "kakeya/model/read_tensor.h"

namespace kakeya {

DecoderLayer read_layer(const Checkpoint& checkpoint, int layer,
                        const at::TensorOptions& activations, const at::TensorOptions& products) {
  const ModelConfig& config = checkpoint.config();
  const Architecture& architecture = config.architecture;
  const std::int64_t hidden = config.hidden,
                     width = std::int64_t{config.query_heads} * config.head_dim;
  const auto matrix = [&](std::initializer_list<Slot> slots, std::int64_t columns) {
    return read_stack(checkpoint, slots, layer, columns, activations).to(products);
  };
  const auto norm = [&](Slot slot) {
    return read_vector(checkpoint, slot, layer, activations.dtype(at::kFloat));
  };
  DecoderLayer read;
  read.windowed = config.windowed(layer);
  read.attention_norm = norm(Slot::attention_norm);
  read.ffn_norm = norm(Slot::ffn_norm);
  read.qkv = matrix({Slot::query, Slot::key, Slot::value}, hidden);
  if (architecture.qkv_bias) {
    read.qkv_bias = matrix({Slot::query_bias, Slot::key_bias, Slot::value_bias}, 1).flatten();
  }
  if (architecture.qk_norm) {
    read.query_norm = norm(Slot::query_norm);
    read.key_norm = norm(Slot::key_norm);
  }
  if (architecture.sandwich_norms) {
    read.attention_post_norm = norm(Slot::attention_post_norm);
    read.ffn_post_norm = norm(Slot::ffn_post_norm);
  }
  read.attention_output = matrix({Slot::attention_output}, width);
  read.gate_up = matrix({Slot::gate, Slot::up}, hidden);
  read.down = matrix({Slot::down}, config.ffn);
  return read;
}

}  // namespace kakeya
