// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

namespace kakeya {

/// Layers whose queries see the last tokens only, so that a cache need not keep more of them.
struct LayerWindows {
  int tokens = 0;           ///< how many, the query's own included; 0: no layer has a window
  std::vector<int> layers;  ///< which have one, ascending
  /// Whether queries of `layer` see only the last `tokens`.
  bool covers(int layer) const { return std::binary_search(layers.begin(), layers.end(), layer); }
  bool empty() const { return layers.empty(); }
  bool operator==(const LayerWindows&) const = default;
};

}  // namespace kakeya
