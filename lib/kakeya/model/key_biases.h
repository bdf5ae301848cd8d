// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/core/kv.h"

namespace kakeya {

/// What a model adds to every key of a head, whatever the token: the biases of its key projections.
struct KeyBiases {
  std::string name;  ///< as ModelFacts::name
  KvShape shape;
  std::vector<float> values;  ///< [layer][KV head][head_dim], keys before RoPE, rotate-half order
};

/// Reads them from the Hugging Face folder or .gguf file `path`, and no other weights. Throws as
/// load_model(), and InputError, naming the model, where its keys have no biases, are normed after
/// them, or where it runs in a host, which does not tell them.
KeyBiases read_key_biases(const std::string& path);

}  // namespace kakeya
