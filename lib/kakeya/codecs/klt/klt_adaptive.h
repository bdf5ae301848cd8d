// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/vectors.h"
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
  std::size_t growth = 2;         ///< tokens at one update over those at the update before
  bool scales_only = false;       ///< learns means and variances, not bases and predictors
  std::size_t profile_bytes = 0;  ///< of it that a reader needs
};

/// klt whose transform learns. Thread-safe.
class LearningCodec : public NamedCodec, public FrameEntropy {
 public:
  using NamedCodec::index_entropy_bits;
  using NamedCodec::NamedCodec;

  /// decode() of the sections of a frame, and index_entropy_of_frame() of them; nothing of none.
  virtual void read_sections(const FrameView& view, Rows<float> out) const = 0;
  virtual std::optional<double> entropy_of_sections(const FrameView& view) const = 0;
  /// Both at once.
  virtual CountedFrame count_sections(const FrameView& view, Rows<float> out) const = 0;
};

/// `chain` and `record`: those of the same codec with adapt=0.
std::unique_ptr<LearningCodec> make_adaptive_layers(const AdaptiveLayers& input, std::string spec,
                                                    LayerChain chain, const ChainRecord& record);

}  // namespace kakeya
