// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kakeya/codec/cache_codecs.h"

namespace kakeya {

/// The pairs, and for each but `identity` and plans the cells that tell what layers do: every coded
/// layer coded alone, and sets of 1, 2, 4, ... layers, spread evenly over the coded ones, each set
/// with those before it in it, up to the largest power of two below all of them; all of them are the
/// pair itself. Each is a plan of one codec for keys and one for values with all other layers
/// skipped, of the name "layers". Throws SpecError where no pair is left to study, and where fewer
/// than two layers are coded.
std::vector<CodecPair> with_layer_study(const std::vector<CodecPair>& pairs,
                                        const CachePolicy& policy);

/// The sets of that study, of layers [0, count): 1, 2, 4, ... of them.
std::vector<IndexSet> nested_layers(int count);

}  // namespace kakeya
