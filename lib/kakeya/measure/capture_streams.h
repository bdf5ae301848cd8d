// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kakeya/model/streams/hidden_states.h"
#include "kakeya/model/streams/kv_streams.h"
#include "kakeya/store/kv_store.h"

namespace kakeya {

/// The KV streams of a DeepSeek-V4 that are to be written.
struct StreamCapture {
  const V4Config& config;
  const V4Weights& weights;
  const HiddenStates& hidden;
  std::vector<int> layers;  ///< of the model, ascending
  int passages = 0;         ///< the first ones of `hidden`
  DumpHead head;            ///< origin, storage and provenance; the rest is filled in
};

/// A dump that was written.
struct CapturedStream {
  StreamKind kind = StreamKind::sliding;
  std::string path;
  DumpHead head;
};

/// The layers of `asked`, or where it is empty all of the model, whose weights are there. Throws
/// InputError naming a layer asked for that the model does not have or whose weights are missing, and
/// where no layer's are there.
std::vector<int> layers_with_weights(const V4Config& config, const V4Weights& weights,
                                     const std::vector<int>& asked);

/// The streams that `layers` have, of which `tokens` tokens make no whole vector: capture_streams()
/// leaves them out.
std::vector<StreamKind> too_short_streams(const V4Config& config, const std::vector<int>& layers,
                                          int tokens);

/// Writes FOLDER/sliding.h5, csa.h5, indexer.h5 and hca.h5, those of which there is a layer and a
/// whole vector, each a dump that says which stream it is (StreamFacts) and what share of the cache's
/// values that is. Its rope_base is 0 where its layers are turned by several. `told` hears of every layer of every passage done, of how many.
///
/// Throws InputError where the hidden states do not fit model or layers; and as kv_streams() and
/// DumpWriter.
std::vector<CapturedStream> capture_streams(
    const StreamCapture& capture, const std::string& folder,
    const std::function<void(std::size_t, std::size_t)>& told);

}  // namespace kakeya
