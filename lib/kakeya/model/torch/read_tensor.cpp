// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/torch/read_tensor.h"

#include <ATen/ATen.h>

#include <span>

namespace kakeya {

at::Tensor read_stack(const Checkpoint& checkpoint, std::initializer_list<Slot> slots, int layer,
                      std::int64_t columns, const c10::TensorOptions& options) {
  std::size_t total = 0;
  for (const Slot slot : slots) total += checkpoint.values(slot);
  const at::Tensor host =
      at::empty({static_cast<std::int64_t>(total) / columns, columns}, at::kFloat);
  std::span<float> rest(host.data_ptr<float>(), total);
  for (const Slot slot : slots) {
    const std::size_t count = checkpoint.values(slot);
    checkpoint.read(slot, layer, rest.first(count));
    rest = rest.subspan(count);
  }
  return host.to(options);
}

at::Tensor read_vector(const Checkpoint& checkpoint, Slot slot, int layer,
                       const c10::TensorOptions& options) {
  return read_stack(checkpoint, {slot}, layer, 1, options).flatten();
}

ModelFacts facts_of(const Checkpoint& checkpoint) {
  const ModelConfig& config = checkpoint.config();
  ModelFacts facts;
  facts.name = config.name;
  facts.architecture = config.architecture.name;
  facts.shape = config.shape;
  facts.hidden = config.hidden;
  facts.vocab = config.vocab;
  facts.context = config.context;
  facts.rope_base = config.rope_base;
  facts.rope_layout = "rotate-half";
  facts.attention_scale = config.attention_scale;
  facts.weight_types = checkpoint.weight_types();
  for (int i = 0; i < config.shape.layers; ++i) {
    if (config.windowed(i)) facts.windows.layers.push_back(i);
  }
  if (!facts.windows.layers.empty()) facts.windows.tokens = config.window.tokens;
  return facts;
}

}  // namespace kakeya
