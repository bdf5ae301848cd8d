// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "kakeya/core/rows.h"
#include "kakeya/model/streams/v4_weights.h"

namespace kakeya {

/// The KV streams of a DeepSeek-V4: what its layers cache, each its own kind of vector. Keys and
/// values are one: attention reads the same vector as both.
enum class StreamKind {
  sliding,  ///< a latent a token; a layer keeps the last `window`
  csa,      ///< a latent of every csa_ratio tokens and those before them
  indexer,  ///< beside each of csa, the key by which an indexer finds it
  hca       ///< a latent of every hca_ratio tokens
};
inline constexpr StreamKind kStreamKinds[] = {StreamKind::sliding, StreamKind::csa,
                                              StreamKind::indexer, StreamKind::hca};

/// "sliding", "csa", "indexer", "hca": in file names, attributes and reports.
std::string_view stream_name(StreamKind kind);

/// Tokens that come for each vector: 1 for sliding.
int stream_ratio(const V4Config& config, StreamKind kind);

/// Values of a vector.
int stream_dim(const V4Config& config, StreamKind kind);

/// The layers that have this stream.
std::vector<int> stream_layers(const V4Config& config, StreamKind kind);

/// Vectors of this stream that a layer's cache keeps of `tokens` tokens: of sliding no more than the
/// window. What is not yet a whole vector is not counted.
std::size_t cached_vectors(const V4Config& config, StreamKind kind, std::size_t tokens);

/// The share of this stream of the values that the caches of all the model's layers hold behind
/// `tokens` tokens; all kinds' sum to 1.
double stream_share(const V4Config& config, StreamKind kind, std::size_t tokens);

/// Vectors of one stream of one layer, dense [vectors, dim].
struct KvStream {
  std::size_t vectors = 0, dim = 0;
  std::vector<float> values;
};

/// What a layer adds to its cache behind the given tokens: every sliding latent, also those that have
/// left the window since.
struct LayerStreams {
  V4Attention attention = V4Attention::sliding;
  KvStream sliding;
  std::optional<KvStream> compressed, indexer;

  /// Null where the layer has no such stream.
  const KvStream* find(StreamKind kind) const;
};

/// The streams of a layer of kind `attention`, of what its attention is given: `hidden`, dense
/// [tokens, config.hidden], behind hyper-connection and input norm, at positions 0, 1, ... As
/// transformers 5.24 computes them in float32: a matrix product, for the compressed ones a softmax
/// over the tokens of a vector, channel by channel; RMSNorm; RoPE of the last values, interleaved.
/// Tokens behind the last whole vector give none.
///
/// Throws InputError where there is no token, where `hidden` has another width, or where kPaddingRun
/// tokens or more in a row have the same hidden state, bit for bit; and as matrix_product().
LayerStreams kv_streams(const V4Config& config, V4Attention attention,
                        const V4LayerWeights& weights, Rows<const float> hidden);

/// So many equal hidden states in a row are refused: padding, or a token that repeats.
inline constexpr std::size_t kPaddingRun = 8;

}  // namespace kakeya
