// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kakeya/core/layer_windows.h"

namespace kakeya {

namespace h5 {
class File;
}

/// How the queries of a dump look at its keys: softmax(scale q k^T) v over the tokens up to the
/// query's own.
struct AttentionFacts {
  double scale = 0;           ///< of q k^T; 0: not known
  LayerWindows windows = {};  ///< layers whose queries see their last tokens only

  bool operator==(const AttentionFacts&) const = default;
};

/// Writes what is known of it as attributes of the root: attention_scale (real), attention_window
/// (tokens) and attention_window_layers ("0-4,6-10"). Throws InputError naming `path` and the
/// attribute where it cannot be that of a model of `layers` layers.
void put_attention(h5::File& file, const std::string& path, const AttentionFacts& facts,
                   int layers);

/// Reads it; attributes that are not there leave it unknown, and no windows. Throws CorruptStream as
/// put_attention() does InputError.
AttentionFacts get_attention(const h5::File& file, const std::string& path, int layers);

}  // namespace kakeya
