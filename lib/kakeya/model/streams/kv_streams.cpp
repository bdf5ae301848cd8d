// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/streams/kv_streams.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/model/streams/product.h"

namespace kakeya {
namespace {

void refuse_padding(Rows<const float> hidden) {
  std::size_t first = 0;  // of the run of equal rows that ends here
  for (std::size_t t = 1; t <= hidden.count; ++t) {
    const bool same =
        t < hidden.count && std::equal(hidden[t].begin(), hidden[t].end(), hidden[first].begin());
    if (same) continue;
    if (t - first >= kPaddingRun) {
      throw InputError("hidden states of tokens " + std::to_string(first) + " to " +
                       std::to_string(t - 1) + ": " + std::to_string(t - first) +
                       " equal rows: padding, or a token that repeats; expected fewer than " +
                       std::to_string(kPaddingRun) + " in a row (cut them out of the file)");
    }
    first = t;
  }
}

// Sums in double: the order of the oracle's is not known.
void rms_norm(std::span<float> vector, std::span<const float> weight, double epsilon) {
  double squares = 0;
  for (const float value : vector) squares += static_cast<double>(value) * value;
  const double scale = 1 / std::sqrt(squares / static_cast<double>(vector.size()) + epsilon);
  for (std::size_t i = 0; i < vector.size(); ++i)
    vector[i] = static_cast<float>(scale * vector[i] * weight[i]);
}

// Pairs of neighbours at the end of the vector, turned by position x frequency.
void turn(std::span<float> vector, std::span<const double> frequencies, std::size_t position) {
  float* pair = vector.data() + (vector.size() - 2 * frequencies.size());
  for (const double frequency : frequencies) {
    const double angle = static_cast<double>(position) * frequency;
    const double cosine = std::cos(angle), sine = std::sin(angle), even = pair[0], odd = pair[1];
    pair[0] = static_cast<float>(even * cosine - odd * sine);
    pair[1] = static_cast<float>(odd * cosine + even * sine);
    pair += 2;
  }
}

// The tokens that one vector is made of, their slots' values of one channel weighted by a softmax of
// their gates.
class Pool {
 public:
  void clear() { values_.clear(), gates_.clear(); }
  void add(float value, float gate) { values_.push_back(value), gates_.push_back(gate); }
  float mean() const {
    const float largest = *std::max_element(gates_.begin(), gates_.end());
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < gates_.size(); ++i) {
      const double weight = std::exp(static_cast<double>(gates_[i]) - largest);
      weights += weight;
      sum += weight * values_[i];
    }
    return static_cast<float>(sum / weights);
  }

 private:
  std::vector<float> values_, gates_;
};

KvStream compress(const V4Config& config, const V4Compressor& with, Rows<const float> hidden) {
  const std::size_t wide = with.overlap ? 2 * with.dim : with.dim, ratio = with.ratio;
  KvStream stream{hidden.count / ratio, with.dim, {}};
  stream.values.resize(stream.vectors * stream.dim);
  const Rows<const float> used = hidden.slice(0, stream.vectors * ratio);
  if (stream.vectors == 0) return stream;
  const std::vector<float> kv = matrix_product(used, with.kv),
                           gate = matrix_product(used, with.gate);
  const std::vector<double> frequencies = v4_frequencies(config.compress, config.rope_dim);
  Pool pool;
  for (std::size_t v = 0; v < stream.vectors; ++v) {
    const std::span<float> out(stream.values.data() + v * with.dim, with.dim);
    for (std::size_t channel = 0; channel < with.dim; ++channel) {
      pool.clear();
      const auto add = [&](std::size_t vector, std::size_t column) {
        for (std::size_t i = 0; i < ratio; ++i) {
          const std::size_t at = (vector * ratio + i) * wide + column;
          pool.add(kv[at], gate[at] + with.position_bias[i * wide + column]);
        }
      };
      // With overlap: of the vector's own tokens the later columns, of those before them the first.
      if (with.overlap && v > 0) add(v - 1, channel);
      add(v, with.overlap ? with.dim + channel : channel);
      out[channel] = pool.mean();
    }
    rms_norm(out, with.norm, config.norm_eps);
    turn(out, frequencies, v * ratio);
  }
  return stream;
}

}  // namespace

std::string_view stream_name(StreamKind kind) {
  switch (kind) {
    case StreamKind::sliding:
      return "sliding";
    case StreamKind::csa:
      return "csa";
    case StreamKind::indexer:
      return "indexer";
    case StreamKind::hca:
      return "hca";
  }
  throw Error("a stream of no kind");
}

int stream_ratio(const V4Config& config, StreamKind kind) {
  if (kind == StreamKind::sliding) return 1;
  return kind == StreamKind::hca ? config.hca_ratio : config.csa_ratio;
}

int stream_dim(const V4Config& config, StreamKind kind) {
  return kind == StreamKind::indexer ? config.index_dim : config.head_dim;
}

std::vector<int> stream_layers(const V4Config& config, StreamKind kind) {
  std::vector<int> layers;
  for (std::size_t i = 0; i < config.layers.size(); ++i) {
    const V4Attention attention = config.layers[i];
    const bool has =
        kind == StreamKind::sliding ||
        (kind == StreamKind::hca ? attention == V4Attention::hca : attention == V4Attention::csa);
    if (has) layers.push_back(static_cast<int>(i));
  }
  return layers;
}

std::size_t cached_vectors(const V4Config& config, StreamKind kind, std::size_t tokens) {
  if (kind == StreamKind::sliding) return std::min(tokens, static_cast<std::size_t>(config.window));
  return tokens / static_cast<std::size_t>(stream_ratio(config, kind));
}

double stream_share(const V4Config& config, StreamKind kind, std::size_t tokens) {
  const auto values = [&](StreamKind of) {
    return static_cast<double>(stream_layers(config, of).size() *
                               cached_vectors(config, of, tokens)) *
           stream_dim(config, of);
  };
  double all = 0;
  for (const StreamKind each : kStreamKinds) all += values(each);
  if (all == 0) throw InputError("shares of the values of 0 tokens: expected one or more");
  return values(kind) / all;
}

const KvStream* LayerStreams::find(StreamKind kind) const {
  if (kind == StreamKind::sliding) return &sliding;
  const bool here = attention == (kind == StreamKind::hca ? V4Attention::hca : V4Attention::csa);
  const std::optional<KvStream>& found = kind == StreamKind::indexer ? indexer : compressed;
  return here && found ? &*found : nullptr;
}

LayerStreams kv_streams(const V4Config& config, V4Attention attention,
                        const V4LayerWeights& weights, Rows<const float> hidden) {
  const auto dim = static_cast<std::size_t>(config.head_dim);
  if (hidden.count == 0 || hidden.dim != static_cast<std::size_t>(config.hidden) ||
      !hidden.contiguous()) {
    throw InputError("hidden states [" + std::to_string(hidden.count) + ", " +
                     std::to_string(hidden.dim) + "], expected tokens of " +
                     std::to_string(config.hidden) + " values (hidden_size)");
  }
  refuse_padding(hidden);
  LayerStreams streams;
  streams.attention = attention;
  streams.sliding = {hidden.count, dim, matrix_product(hidden, weights.kv)};
  const std::vector<double> frequencies = v4_frequencies(config.rope(attention), config.rope_dim);
  for (std::size_t t = 0; t < hidden.count; ++t) {
    const std::span<float> latent(streams.sliding.values.data() + t * dim, dim);
    rms_norm(latent, weights.norm, config.norm_eps);
    turn(latent, frequencies, t);
  }
  if (weights.compressor) streams.compressed = compress(config, *weights.compressor, hidden);
  if (weights.indexer) streams.indexer = compress(config, *weights.indexer, hidden);
  return streams;
}

}  // namespace kakeya
