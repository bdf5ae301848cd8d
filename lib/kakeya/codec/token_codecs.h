// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/codec/site_codecs.h"

namespace kakeya {

/// The codecs of whole tokens (VectorScope::token): one for each run of layers that decodes alone.
/// Cheap to copy.
class TokenCodecs {
 public:
  struct Run {
    LayerRange layers;
    std::shared_ptr<const Codec> codec;
  };

  /// What `spec` names, for the layers `coded` of a cache, without those of cache.skipped: runs of
  /// as many layers as its key `restart` says, or one run. Throws as make_codec(), and SpecError
  /// where a run of several layers has a skipped one.
  TokenCodecs(std::string_view spec, const CacheInput& cache, LayerRange coded);

  /// What a plan of such codecs names, each layer a run. Writes the canonical specs into the layout.
  /// Throws SpecError, naming plan and layer, where parts or heads of a layer have several codecs,
  /// where one codes several layers together, and where pages differ.
  TokenCodecs(PlanLayout& plan, const CacheInput& cache);

  const std::vector<Run>& runs() const { return runs_; }
  /// Whether no layer needs another to be decoded: such codecs work inside a forward too.
  bool each_layer_alone() const;

  std::string spec() const { return runs_.front().codec->spec(); }
  /// Vectors a page: what is coded together.
  std::size_t page_vectors() const { return runs_.front().codec->page_vectors(); }
  std::size_t side_bytes() const { return runs_.front().codec->account().side_bytes(); }
  /// Codec::profile_bytes() of all runs.
  std::size_t profile_bytes() const;

 private:
  void add_run(std::string_view spec, const CacheInput& cache, LayerRange layers);

  std::vector<Run> runs_;
};

/// All layers of the profile that `spec`, a codec of VectorScope::token, names. Throws as
/// ProfileSource::find().
LayerRange all_layers(std::string_view spec, const ProfileSource& profiles);

}  // namespace kakeya
