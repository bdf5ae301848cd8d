// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kakeya/cache/kv_cache.h"

namespace kakeya {

/// Who codes all heads of the keys or values of a layer together, where their vectors are coded
/// elsewhere than on the host: the frames and the values of the codecs of single heads, to the last
/// bit. Called from one thread.
class PartCodec {
 public:
  virtual ~PartCodec() = default;

  /// The frames of `tokens` of one part of `cache`, one a head. Throws as the codecs, an InputError
  /// with the place before it.
  virtual std::vector<std::vector<std::byte>> encode(const KvCache& cache, KvSite site,
                                                     TokenRange tokens) = 0;

  /// Puts what `frames`, one a head, hold in its place in `cache`, rounded to finite bf16. Throws
  /// CorruptStream where they are damaged or not such frames.
  virtual void decode(std::span<const std::span<const std::byte>> frames, KvSite site,
                      TokenRange tokens, KvCache& cache) = 0;
};

}  // namespace kakeya
