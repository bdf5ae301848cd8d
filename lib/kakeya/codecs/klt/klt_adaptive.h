// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "kakeya/codecs/klt/chain_codec.h"
#include "kakeya/codecs/klt/layer_chain.h"

namespace kakeya {

/// What klt of whole layers with adapt=N is made of.
struct AdaptiveLayers {
  std::shared_ptr<const Profile> profile;
  KltChoice choice;
  LayerRange layers;
  int order = 0;
  std::size_t page = 0;
  double prior_tokens = 0;        ///< that the profile counts as
  std::size_t profile_bytes = 0;  ///< of it that a reader needs
};

/// `chain` and `record`: those of the same codec with adapt=0.
std::unique_ptr<Codec> make_adaptive_layers(const AdaptiveLayers& input, std::string spec,
                                            LayerChain chain, const ChainRecord& record);

}  // namespace kakeya
