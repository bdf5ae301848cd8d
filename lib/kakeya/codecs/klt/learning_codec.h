// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/segment_reader.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codec/whole_caches.h"

namespace kakeya {

/// klt whose transform learns. Thread-safe.
class LearningCodec : public NamedCodec,
                      public FrameEntropy,
                      public HasSegments,
                      public CodesWholeCaches {
 public:
  using NamedCodec::index_entropy_bits;
  using NamedCodec::NamedCodec;

  /// decode() of the sections of a frame, and index_entropy_of_frame() of them; nothing of none.
  virtual void read_sections(const FrameView& view, Rows<float> out) const = 0;
  /// segments() of the sections; `owner` is kept as long as one of them is read.
  virtual std::unique_ptr<SegmentReader> segments_of(FrameView view,
                                                     std::shared_ptr<const void> owner) const = 0;
  virtual std::optional<double> entropy_of_sections(const FrameView& view) const = 0;
  /// Both at once.
  virtual CountedFrame count_sections(const FrameView& view, Rows<float> out) const = 0;
  /// encode() that adds to `bits`, of each path of points (PagedFormat::path), what they take by their tables; to none
  /// where it is empty.
  virtual std::size_t encode_and_count(Rows<const float> x, std::span<std::byte> out,
                                       std::span<double> bits) const = 0;
};

/// How a codec learns.
struct Learning {
  double prior_tokens = 0;   ///< vectors that the profile counts as; 0: it does not learn
  std::size_t growth = 2;    ///< vectors at one update over those at the update before
  bool scales_only = false;  ///< learns means and variances, not bases and predictors
};

/// What is sent of a cache as a whole, before its pages (chain_seeds.h).
struct Sending {
  std::size_t most = 0;  ///< directions; 0: nothing is sent
  bool choose = false;   ///< as many as make the frame the smallest, layer by layer
};

/// By the keys adapt, grow and learn. Throws SpecError where the others are given without the first.
Learning learning_of(SpecArgs& args);

/// By the key send. Throws SpecError where `learning` has no use for it.
Sending sending_of(SpecArgs& args, const Learning& learning);

}  // namespace kakeya
