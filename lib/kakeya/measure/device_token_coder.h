// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "kakeya/cache/partition.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/device/device_site_codecs.h"
#include "kakeya/measure/coding_record.h"
#include "kakeya/measure/device_codings.h"

namespace kakeya {

/// TokenCoder where the model computes: the same frames and sums, read back many at a time. What is
/// coded never leaves the device.
class DeviceTokenCoder {
 public:
  /// `device`: the codecs that write the frames of `host`. What is passed by reference must outlive
  /// the coder. Throws as CachePolicy::exact_ends().
  DeviceTokenCoder(const TokenCodecs& host, const DeviceTokenCodecs& device,
                   const CachePolicy& policy, DeviceWorkspace& workspace, WorkerPool& pool);

  /// As TokenCoder::code(). Waits only where what was coded before fills DeviceCodings::kCodedBytes.
  void code(const DeviceKvCache& clean, std::size_t tokens, DeviceKvCache& decoded,
            DeviceStream stream);

  /// As TokenCoder::code_layer(), of bf16 values in their places.
  void code_layer(int layer, const DeviceVectors& keys, const DeviceVectors& values,
                  std::size_t tokens, DeviceStream stream);

  /// Waits for all frames and counts them. Throws InputError with layers and tokens before it where
  /// vectors are not finite, CorruptStream where sections do not decode.
  void finish();

  /// Of the frames that finish() has seen.
  const CodingRecord& record() const { return record_; }

 private:
  struct CodedFrame {
    FramePlace place;
    std::size_t layers_done;  // with it: their keys and values are all coded
  };
  struct Counted;
  using PartOf = std::function<DeviceVectors(KvSite)>;

  void code_frames(const std::vector<FramePlace>& frames, std::size_t layers, const PartOf& from,
                   const PartOf& to, DeviceStream stream);
  void read_back();
  Counted count_frame(std::size_t frame) const;

  CacheCodecs host_;
  const DeviceTokenCodecs& device_;
  CachePolicy policy_;
  ExactEnds ends_;
  DeviceWorkspace& workspace_;
  WorkerPool& pool_;
  DeviceCodings codings_;
  std::vector<CodedFrame> frames_;        // of codings_
  std::size_t heads_ = 0, head_dim_ = 0;  // of a part
  std::size_t first_token_ = 0;           // that is coded
  CodingRecord record_;
};

}  // namespace kakeya
