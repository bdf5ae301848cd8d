// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "kakeya/codecs/klt/chain_codec.h"
#include "kakeya/codecs/klt/chain_seeds.h"
#include "kakeya/codecs/klt/head_chain.h"
#include "kakeya/codecs/klt/head_learner.h"
#include "kakeya/codecs/klt/layer_chain.h"
#include "kakeya/codecs/klt/learning_codec.h"

namespace kakeya {

/// What klt of whole layers with adapt=N is made of.
struct AdaptiveLayers {
  std::shared_ptr<const Profile> profile;
  KltChoice choice;
  LayerRange layers;
  int order = 0;
  std::size_t page = 0;
  Learning learning;
  std::size_t profile_bytes = 0;  ///< of it that a reader needs
  /// make_chain_prior() of the profile, where it is known.
  std::shared_ptr<const ChainPrior> prior = nullptr;
  /// What was sent of the cache, where anything was.
  std::shared_ptr<const ChainSeeds> seeds = nullptr;
};

/// The most coordinates of layers that are put together by the key group.
inline constexpr std::size_t kMostGroupWidth = 4096;

/// The most numbers that the matrices of a frame's groups may have, [n, n] each: a small frame must not ask for much
/// memory.
inline constexpr std::size_t kMostMatrices = std::size_t{1} << 29;

/// Throws InputError unless `layers`, of `width` coordinates each, are whole groups of so many that have no more
/// coordinates together, nor more numbers in their matrices.
void require_group(int group, LayerRange layers, std::size_t width);

/// `chain` and `record`: those of the same codec with adapt=0.
std::unique_ptr<LearningCodec> make_adaptive_layers(const AdaptiveLayers& input, std::string spec,
                                                    LayerChain chain, const ChainRecord& record);

/// What klt of single heads with adapt=N is made of.
struct AdaptiveHeads {
  HeadLesson lesson;
  Part part = Part::key;
  std::string pages;  ///< the key
  std::size_t page = 0;
  std::size_t growth = 2;  ///< as Learning
};

/// As make_adaptive_layers().
std::unique_ptr<LearningCodec> make_adaptive_heads(const AdaptiveHeads& input, std::string spec,
                                                   HeadChain chain, const ChainRecord& record);

}  // namespace kakeya
