// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/codec/codec.h"

namespace kakeya {

/// What codecs may know when they are built for a whole cache.
struct CacheInput {
  KvShape shape;
  int skipped_layers = 0;  ///< so many first ones and as many last ones are not coded
  const ProfileSource* profiles = nullptr;
};

/// The codecs of all keys or all values of a model: one for all sites or, of VectorScope::head, one
/// each. Cheap to copy.
class SiteCodecs {
 public:
  /// One for all; must outlive this.
  SiteCodecs(const Codec& codec)
      : codecs_{std::shared_ptr<const Codec>(std::shared_ptr<void>(), &codec)} {}
  SiteCodecs(std::shared_ptr<const Codec> codec) : codecs_{std::move(codec)} {}

  /// What `spec` names, for the keys or the values. Throws as make_codec().
  SiteCodecs(std::string_view spec, const CacheInput& cache, Part part);

  const Codec& at(int layer, std::size_t head) const {
    const std::size_t site = static_cast<std::size_t>(layer) * heads_ + head;
    return *codecs_[codecs_.size() == 1 ? 0 : site];
  }

  std::string spec() const { return codecs_.front()->spec(); }
  std::size_t dim() const { return codecs_.front()->dim(); }
  /// Bytes that a reader needs once, besides the frames.
  std::size_t side_bytes() const { return codecs_.front()->account().side_bytes(); }
  /// Codec::profile_bytes() of the sites of all layers that are coded.
  std::size_t profile_bytes() const;

 private:
  std::vector<std::shared_ptr<const Codec>> codecs_;  // one, or [layer][head]
  std::size_t heads_ = 1, skipped_layers_ = 0;
};

}  // namespace kakeya
