// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/key_biases.h"

#include <span>

#include "kakeya/core/error.h"
#include "kakeya/host/start_host.h"
#include "kakeya/model/weights/checkpoint.h"

namespace kakeya {

KeyBiases read_key_biases(const std::string& path) {
  if (is_hosted(path)) {
    throw InputError(
        path + ": a model in a host does not tell its biases: expected its folder or .gguf file");
  }
  const Checkpoint files(path);
  const ModelConfig& config = files.config();
  if (!config.architecture.qkv_bias || config.architecture.qk_norm) {
    throw InputError(config.name + ": the keys of a " + std::string(config.architecture.name) +
                     " model have no bias: expected a model whose keys have one, such as qwen2");
  }
  KeyBiases biases{config.name, config.shape, {}};
  const std::size_t width = files.values(Slot::key_bias);
  biases.values.resize(static_cast<std::size_t>(config.shape.layers) * width);
  for (int layer = 0; layer < config.shape.layers; ++layer) {
    files.read(Slot::key_bias, layer,
               std::span(biases.values).subspan(static_cast<std::size_t>(layer) * width, width));
  }
  return biases;
}

}  // namespace kakeya
