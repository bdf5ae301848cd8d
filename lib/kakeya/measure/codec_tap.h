// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/codec/codec.h"
#include "kakeya/codec/site_codecs.h"
#include "kakeya/core/kv.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/coding_record.h"
#include "kakeya/measure/mode.h"
#include "kakeya/model/kv_tap.h"

namespace kakeya {

/// Codes parts of a cache: real bytes, one frame for each KV head, decoded from those bytes.
class PartCoder {
 public:
  /// `pool`, and codecs that were passed by reference, must outlive the coder. Throws as
  /// CachePolicy::exact_ends().
  PartCoder(SiteCodecs keys, SiteCodecs values, const CachePolicy& policy, WorkerPool& pool);

  /// Replaces the bf16 values of the first `tokens` tokens of `view`, but for those that the
  /// policy keeps, by what the codec of the part gives back, rounded to bf16.
  /// Throws what the codec throws, an InputError with layer, part and head before it, and
  /// InputError when the codec wrote more than it promised.
  void code(KvSite site, KvView view, std::size_t tokens);

  const CodingRecord& record() const { return record_; }

 private:
  struct Head : CodedHead {
    std::vector<std::byte> frame;
    std::vector<float> decoded;
    std::size_t bytes = 0;
  };
  class Tasks;

  SiteCodecs keys_, values_;
  CachePolicy policy_;
  ExactEnds ends_;
  WorkerPool& pool_;
  std::vector<Head> heads_;
  CodingRecord record_;
};

/// The tap of one cell. Every K and V is rounded to bf16; the layers that the policy codes go
/// through the codec, at the place that the mode says (mode.h). Where the policy has a
/// residual window, KvView::exact gets what would be there without a codec; in EvalMode::prefix
/// what is there with it.
class CodecTap : public KvTap {
 public:
  /// `clean` is the cache of the passage's reference pass; null is allowed for EvalMode::in_forward
  /// only. `context` tokens of the passage's `tokens` come before the scored ones. Everything
  /// passed by reference must outlive the tap.
  CodecTap(EvalMode mode, TapPoint tap, const CachePolicy& policy, PartCoder& coder,
           const KvCache* clean, std::size_t tokens, std::size_t context, std::size_t heads,
           std::size_t dim);

  void visit(KvSite site, KvView view) override;
  TapPoint tap_point() const override { return tap_; }
  std::size_t replaced_tokens() const override {
    return mode_ == EvalMode::in_forward ? 0 : coded_tokens();
  }
  std::size_t exact_window() const override { return policy_.exact_window(); }

  /// Seconds spent inside visit(), by the clock on the wall.
  double tap_seconds() const { return tap_seconds_; }

  /// Tokens of a part that the mode codes: the context's for EvalMode::prefix, otherwise all of
  /// them.
  std::size_t coded_tokens() const { return mode_ == EvalMode::prefix ? context_ : tokens_; }

 private:
  EvalMode mode_;
  TapPoint tap_;
  CachePolicy policy_;
  PartCoder& coder_;
  const KvCache* clean_;
  std::size_t tokens_, context_, heads_, dim_;
  double tap_seconds_ = 0;
};

}  // namespace kakeya
