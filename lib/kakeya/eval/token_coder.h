// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/codec/token_codecs.h"
#include "kakeya/eval/clean_cache.h"
#include "kakeya/eval/codec_tap.h"
#include "kakeya/eval/policy.h"
#include "kakeya/eval/worker_pool.h"

namespace kakeya {

/// Codes the cache of a passage by codecs of whole tokens: real bytes, a frame for each page of
/// each run of layers, decoded from those bytes.
class TokenCoder {
 public:
  /// `pool` must outlive the coder.
  TokenCoder(TokenCodecs codecs, const CachePolicy& policy, WorkerPool& pool);

  /// Writes what is decoded of the first `tokens` tokens of the coded layers of `clean`, rounded to
  /// bf16, to `decoded`, which has the same shape; the policy's sinks, the last `recent` of those
  /// tokens, other layers and later tokens as they are in `clean`. Throws what the codecs throw, an
  /// InputError with layers and tokens before it.
  void code(const CleanCache& clean, std::size_t tokens, CleanCache& decoded);

  /// Of code(). What keys and values cost together is in ledger_k; ledger_v stays empty.
  const CodingRecord& record() const { return record_; }

 private:
  TokenCodecs codecs_;
  CachePolicy policy_;
  WorkerPool& pool_;
  CodingRecord record_;
};

}  // namespace kakeya
