// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "kakeya/codec/cache_codecs.h"
#include "kakeya/core/kv.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/device/device_site_codecs.h"
#include "kakeya/measure/coding_record.h"
#include "kakeya/measure/device_codings.h"

namespace kakeya {

/// The codecs of keys and values where the model computes, beside those of the host that write the
/// same frames.
struct DeviceCacheCodecs {
  DeviceSiteCodecs keys, values;

  /// Throws as DeviceSiteCodecs().
  DeviceCacheCodecs(const CodecPair& specs, const CacheInput& cache)
      : keys(specs.keys, cache, Part::key), values(specs.values, cache, Part::value) {}
};

/// What codes on a GPU, in refusals of a policy.
inline constexpr std::string_view kDeviceCoder = "a codec on a GPU";

/// Codes parts of a cache in the memory of a GPU: sections are written there and decoded there, and
/// the parts that the model goes on with never leave it. Sections, and the sums that tell how far
/// decoded vectors are from the originals, are read back many parts at a time; then frames are made
/// of them on the host and counted as PartCoder counts, to the last bit of every field.
class DevicePartCoder {
 public:
  /// `host`: the codecs of single heads that write the same frames. What is passed by reference must
  /// outlive the coder. Throws as CachePolicy::exact_ends().
  DevicePartCoder(const CacheCodecs& host, const DeviceCacheCodecs& device,
                  const CachePolicy& policy, DeviceWorkspace& workspace, WorkerPool& pool);

  /// Puts on the stream what replaces the bf16 values of the first `tokens` tokens of `part`, but
  /// for those that the policy keeps, by what its codec gives back, rounded to bf16.
  /// Waits only where the parts before it fill DeviceCodings::kCodedBytes. Throws as finish() does.
  void code(KvSite site, const DeviceVectors& part, std::size_t tokens, DeviceStream stream);

  /// Waits for all parts and counts them. Throws InputError with layer, part and head before it
  /// where vectors are not finite, CorruptStream where sections do not decode.
  void finish();

  /// Of the parts that finish() has seen.
  const CodingRecord& record() const { return record_; }

 private:
  struct CodedPart {
    KvSite site;
    TokenRange tokens;
  };
  void read_back();
  CodedHead count_head(std::size_t part, std::size_t head) const;

  CacheCodecs host_;
  const DeviceCacheCodecs& device_;
  CachePolicy policy_;
  ExactEnds ends_;
  WorkerPool& pool_;
  DeviceCodings codings_;
  std::vector<CodedPart> parts_;  // of codings_
  CodingRecord record_;
};

}  // namespace kakeya
