// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/codec_plan.h"

namespace kakeya {

/// What codecs may know when they are built for a whole cache.
struct CacheInput {
  KvShape shape;
  int skipped_layers = 0;  ///< so many first ones and as many last ones are not coded
  const ProfileSource* profiles = nullptr;
  IndexSet skipped = {};                ///< nor are these
  std::vector<int> layer_devices = {};  ///< of each layer, its GPU; empty: that of the thread

  CacheInput() = default;
  CacheInput(const KvShape& its_shape, int skipped_at_ends = 0,
             const ProfileSource* its_profiles = nullptr)
      : shape(its_shape), skipped_layers(skipped_at_ends), profiles(its_profiles) {}
  /// What `policy` skips is not coded.
  CacheInput(const KvShape& its_shape, const CachePolicy& policy,
             const ProfileSource* its_profiles = nullptr)
      : shape(its_shape), profiles(its_profiles) {
    CachePolicy same = policy;
    same.layers = shape.layers;
    same.skip(same.all_skipped());
    skipped_layers = same.skipped_layers;
    skipped = same.skipped;
  }

  /// The policy that skips the same layers.
  CachePolicy policy() const {
    CachePolicy policy{.layers = shape.layers, .skipped_layers = skipped_layers};
    policy.skipped = skipped;
    return policy;
  }
};

/// The codecs of all keys or all values of a model: one for all sites or, of VectorScope::head and of
/// a plan, one each. Cheap to copy.
class SiteCodecs {
 public:
  /// One for all; must outlive this.
  SiteCodecs(const Codec& codec)
      : codecs_{std::shared_ptr<const Codec>(std::shared_ptr<void>(), &codec)} {}
  SiteCodecs(std::shared_ptr<const Codec> codec) : codecs_{std::move(codec)} {}

  /// What `spec` names, for the keys or the values. Throws as make_codec().
  SiteCodecs(std::string_view spec, const CacheInput& cache, Part part);

  /// What a plan names for them; its own skipped layers have none. Writes the canonical specs into
  /// the layout. Throws as make_codec(), with plan and site before it, and SpecError on a codec of
  /// whole tokens.
  SiteCodecs(PlanLayout& plan, const CacheInput& cache, Part part);

  /// Throws InputError of a layer that a plan skips.
  const Codec& at(int layer, std::size_t head) const;

  /// The one spec of all sites; not of a plan.
  std::string spec() const { return codecs_.front()->spec(); }
  /// Bytes that a reader needs once, besides the frames: of each spec once.
  std::size_t side_bytes() const;
  /// Codec::profile_bytes() of the sites of all layers that are coded.
  std::size_t profile_bytes() const;

 private:
  std::vector<std::shared_ptr<const Codec>> codecs_;  // one, or [layer][head]; null: skipped
  std::size_t heads_ = 1;
  CachePolicy policy_;  // where there are several
};

}  // namespace kakeya
