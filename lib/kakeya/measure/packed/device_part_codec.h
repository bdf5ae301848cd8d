// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/cache/part_codec.h"
#include "kakeya/codec/cache_codecs.h"
#include "kakeya/device/device_site_codecs.h"

namespace kakeya {

/// Codes the parts of a cache in host memory on a GPU: vectors are copied there, all heads of a part
/// coded in one launch, and frames put round their sections on the host.
class DevicePartCodec final : public PartCodec {
 public:
  /// Throws as DeviceSiteCodecs(), and as require_codec_device().
  DevicePartCodec(const CodecPair& specs, const CacheInput& cache);

  std::vector<std::vector<std::byte>> encode(const KvCache& cache, KvSite site,
                                             TokenRange tokens) override;
  void decode(std::span<const std::span<const std::byte>> frames, KvSite site, TokenRange tokens,
              KvCache& cache) override;

 private:
  struct Launch;
  const DeviceCodec& codec_of(KvSite site) const;

  DeviceSiteCodecs keys_, values_;
};

}  // namespace kakeya
