// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kakeya {

/// What is to be known of vectors that are one KV stream of a model with several (model/streams):
/// the model caches one vector where others cache a key and a value for each token.
struct StreamFacts {
  std::string name;       ///< "sliding", "csa", "indexer", "hca"
  std::string layers;     ///< the layers of the model that they are of, an IndexSet: "2,4"
  int model_layers = 0;   ///< how many of the model's layers have this stream
  int ratio = 0;          ///< tokens that come for each vector
  int source_tokens = 0;  ///< tokens of a passage
  int window = 0;         ///< vectors that a layer keeps; 0: all
  /// The share of the cache's values (equal bits in all streams) that this stream is: of what all
  /// layers of the model hold behind source_tokens tokens. The weight of its rate and of its error in
  /// those of the cache. It is called after bytes, as files have it, but counts scalars.
  double byte_share = 0;
  std::string weights;  ///< what made them: "random, seed 7" or "F8_E4M3, BF16"
  bool operator==(const StreamFacts&) const = default;
};

/// The fields by the names of a dump's attributes, which are their keys in provenance.json too.
template <typename Facts, typename Visit>
void describe_stream(Facts& facts, Visit&& field) {
  field("stream", facts.name);
  field("stream_layers", facts.layers);
  field("stream_model_layers", facts.model_layers);
  field("stream_ratio", facts.ratio);
  field("stream_source_tokens", facts.source_tokens);
  field("stream_window", facts.window);
  field("stream_byte_share", facts.byte_share);
  field("stream_weights", facts.weights);
}

}  // namespace kakeya
