// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/cache/partition.h"
#include "kakeya/codec/cache_codecs.h"
#include "kakeya/core/kv.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/codec_tap.h"

namespace kakeya {

/// Codes the cache of a passage by codecs of whole tokens: real bytes, a frame for each page of
/// each run of layers, decoded from those bytes.
class TokenCoder {
 public:
  /// `pool` must outlive the coder. Throws as CachePolicy::exact_ends().
  TokenCoder(TokenCodecs codecs, const CachePolicy& policy, WorkerPool& pool);

  /// Writes what is decoded of the first `tokens` tokens of the coded layers of `clean`, rounded to
  /// bf16, to `decoded`, which has the same shape; what the policy keeps of those
  /// tokens, other layers and later tokens as they are in `clean`. Throws what the codecs throw, an
  /// InputError with layers and tokens before it.
  void code(const KvCache& clean, std::size_t tokens, KvCache& decoded);

  /// The same of one layer, a run of its own (TokenCodecs::each_layer_alone()), whose keys and
  /// values alone are read; what is coded of them is written, nothing else. Throws InputError
  /// where the layer is no such run.
  void code_layer(int layer, const KvCache& clean, std::size_t tokens, KvCache& decoded);

  /// Of code(). What keys and values cost together is in ledger_k; ledger_v stays empty.
  const CodingRecord& record() const { return record_; }

 private:
  // All frames of `layers` layers, of whose `tokens` first tokens they code some.
  void code_frames(const std::vector<FramePlace>& frames, std::size_t layers, const KvCache& clean,
                   std::size_t tokens, KvCache& decoded);

  CacheCodecs codecs_;
  CachePolicy policy_;
  ExactEnds ends_;
  WorkerPool& pool_;
  CodingRecord record_;
};

}  // namespace kakeya
