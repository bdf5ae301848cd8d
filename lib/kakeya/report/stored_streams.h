// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/core/origin.h"
#include "kakeya/store/result_store.h"
#include "kakeya/store/stream_facts.h"

namespace kakeya {

/// A KV stream among those of its model: where it is stored, what it was made of, what it is.
struct StoredStream {
  std::string path;
  Origin origin;
  std::optional<StreamFacts> facts;  ///< nothing: keys and values of a whole model, and no stream
};

/// Of each folder of samples, its stream.
std::vector<StoredStream> streams_of(std::span<const StoredResults> results);

/// Whether one of them is a stream.
bool any_stream(std::span<const StoredStream> all);

/// Throws InputError unless all are streams of one model, of the same weights, hidden states and
/// length, each there once; and where there is none.
void require_one_model(std::span<const StoredStream> all);

/// The shares of the cache's values that these streams are (StreamFacts::byte_share), of them alone:
/// sum 1. Throws InputError where all are 0.
std::vector<double> stream_weights(std::span<const StoredStream> all);

/// Throws InputError unless `stream` has the reference on the passages that `first` has it on: naming
/// both, and the passage that one of them lacks. `what` begins the message.
void require_same_passages(const std::string& what, const std::string& stream,
                           std::span<const int> passages, const std::string& first,
                           std::span<const int> expected);

/// For people: what weights and hidden states made the streams, random weights first of all.
std::string made_of_text(const StoredStream& stream);

}  // namespace kakeya
