// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "kakeya/cache/lane.h"
#include "kakeya/cache/packed_cache.h"

namespace kakeya {

/// The lanes of a layer: keys and values, or both together.
struct LayerCode {
  std::vector<LaneCode> lanes;

  bool together() const { return lanes.size() == 1; }
};

struct PackedCache::State {
  using Sequence = std::vector<std::vector<Lane>>;  // [layer][lane]

  KvShape shape;
  CachePolicy policy;
  ExactEnds ends;  // of the policy
  CacheCodecs codecs;
  std::vector<LayerCode> layers;
  std::map<int, Sequence> sequences;
  int next = 0;

  /// How a layer is coded whose queries see `sliding` tokens. Throws InputError where it is not coded
  /// alone.
  LayerCode code_of(int layer, std::size_t sliding) const;

  /// Throw InputError where there is no such sequence or layer.
  const Sequence& at(int sequence) const;
  const std::vector<Lane>& lanes(int sequence, int layer) const;
  const LayerCode& code(int layer) const { return layers[static_cast<std::size_t>(layer)]; }
};

}  // namespace kakeya
