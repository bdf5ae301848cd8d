// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/codec/codec.h"

namespace kakeya {

/// What a codec is, besides, whose frames are of whole caches: what it has coded of one decides how it codes
/// the rest. Caches that grow page by page refuse it.
class CodesWholeCaches {
 public:
  virtual ~CodesWholeCaches() = default;
};

inline bool codes_whole_caches(const Codec& codec) {
  return dynamic_cast<const CodesWholeCaches*>(&codec) != nullptr;
}

}  // namespace kakeya
