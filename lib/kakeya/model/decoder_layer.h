// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "kakeya/weights/checkpoint.h"

namespace kakeya {

/// The weights of one layer of a decoder. Matrices are [outputs, inputs].
struct DecoderLayer {
  at::Tensor attention_norm, ffn_norm;            // [hidden] float32
  at::Tensor attention_post_norm, ffn_post_norm;  // [hidden] float32, or undefined
  at::Tensor qkv;                                 // [(query_heads + 2 kv_heads) * head_dim, hidden]
  at::Tensor qkv_bias;                            // [rows of qkv] or undefined
  at::Tensor query_norm, key_norm;                // [head_dim] float32, or undefined
  at::Tensor attention_output;                    // [hidden, query_heads * head_dim]
  at::Tensor gate_up;                             // [2 ffn, hidden]: gate above up
  at::Tensor down;                                // [hidden, ffn]
  bool windowed = false;                          // attention sees the last tokens only
};

/// Reads layer `layer`: matrices rounded to `activations` and held as `products`, vectors as
/// float32 on the device of `activations`. Throws what read_stack() and read_vector() throw.
DecoderLayer read_layer(const Checkpoint& checkpoint, int layer,
                        const at::TensorOptions& activations, const at::TensorOptions& products);

}  // namespace kakeya
