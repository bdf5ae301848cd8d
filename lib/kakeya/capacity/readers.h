// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/capacity/config_keys.h"
#include "kakeya/capacity/decoder.h"

namespace kakeya {

/// How the config of one `model_type` is read. A further family is a row of one of the tables below.
struct FamilyReader {
  std::string_view model_type;
  void (*read)(const ConfigKeys& keys, Decoder& decoder);
};

std::span<const FamilyReader> plain_families();     ///< grouped-query attention, dense or experts
std::span<const FamilyReader> gemma_families();     ///< Gemma 3n and 4: shared layers
std::span<const FamilyReader> deepseek_families();  ///< latents, and V4's streams

/// Parameters of a linear map.
constexpr std::uint64_t linear(std::uint64_t from, std::uint64_t to, bool bias = false) {
  return from * to + (bias ? to : 0);
}

/// Parameters of a gated feed-forward: gate, up and down, without biases.
constexpr std::uint64_t gated(std::uint64_t hidden, std::uint64_t inner) {
  return 3 * hidden * inner;
}

/// Sizes that every family's config has.
struct CommonSizes {
  std::uint64_t hidden = 0, layers = 0, heads = 0, vocab = 0;
};

/// Reads them and `max_position_embeddings`, and counts the embedding, the output head where it is
/// not tied (`tied` where the config does not say) and the last norm. Layers are at most 10,000.
CommonSizes read_common(const ConfigKeys& keys, Decoder& decoder, bool tied);

/// "sliding_attention" or "full_attention" of each layer: as `layer_types` lists them, or else all
/// but every `full_every`-th with a window. 0: none has. Throws InputError on other names or another
/// count.
std::vector<bool> windowed_layers(const ConfigKeys& keys, std::size_t layers,
                                  std::size_t full_every);

/// Of as many layers as `full_every` leaves without a window, or with one of `window` tokens.
CacheStream attention_stream(int layer, std::size_t kv_heads, std::size_t head_dim,
                             std::size_t window);

}  // namespace kakeya
