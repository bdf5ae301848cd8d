// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "kakeya/codec/codec.h"
#include "kakeya/codecs/klt/chain_record.h"
#include "kakeya/codecs/klt/klt_adaptive.h"
#include "kakeya/codecs/klt/learning_codec.h"

namespace kakeya {

/// klt of whole layers whose frames say something of a cache before their pages. Sections:
///
///     "layers"    klt_layers.cpp
///     "look"      first_look.h, where there is no profile: what the first 256 tokens are like
///     "seeds"     chain_seeds.h, with the key send: along which directions the cache has more than was expected
///     others      klt_layers.cpp
struct Foreword {
  AdaptiveLayers layers;  ///< of a first look profile and prior are none
  int group = 1;          ///< layers that are transformed together
  ChainRecord record{};
  Sending sending;
  bool looks() const { return layers.profile == nullptr; }
};

/// For vectors of `dim`. With Sending::choose encoding tries frames that send nothing, 8 directions, 32, 128 and 512, as long as these
/// would be less than half a bit a value, and one in which each group has what was the best for it by the
/// tables of its points: the shortest is written. Of fewer than kLeastSeeded tokens nothing is sent.
std::unique_ptr<Codec> make_foreword_codec(const Foreword& foreword, std::string spec,
                                           std::size_t dim);

}  // namespace kakeya
