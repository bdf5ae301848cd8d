// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/sweep.h"
#include "kakeya/store/kv_store.h"

namespace kakeya {

/// Cells measured on captured K and V (kakeya-capture): rates and distortion, no likelihoods; the
/// mode is "distortion". The values are rounded to bf16, as the cache that is being coded would
/// hold them. Of a dump of a stream its vectors are coded once, as keys, by one codec.
class DumpSubject : public SweepSubject {
 public:
  /// Takes the first `passages` passages of the dump (0: all). `file` is the name of the dump in
  /// error messages. `dump` and `pool` must outlive the subject; `policy.layers` is taken from the
  /// dump. Throws InputError when the dump has fewer passages or the policy leaves nothing to code.
  DumpSubject(const DumpReader& dump, std::string file, int passages, CachePolicy policy,
              WorkerPool& pool);

  int passages() const override { return passages_; }
  std::vector<std::string> modes() const override { return {"distortion"}; }

  /// Refuses two codecs, one of whole tokens, and a plan, for a stream, which has no values of its
  /// own.
  void check(const GridCell& cell) const override;

  /// Layers are read where a cell codes them, 2 bytes a value in memory.
  void start_passage(int passage, const std::vector<std::string>& modes) override;

  /// InputError of a codec names the file, the layer, the part and the head.
  Sample measure(const GridCell& cell, const std::string& mode) override;

 private:
  void read_layers(const CachePolicy& policy);

  const DumpReader& dump_;
  std::string file_;
  int passages_;
  CachePolicy policy_;
  WorkerPool& pool_;
  std::optional<KvCache> clean_;
  int passage_ = 0;
  std::vector<bool> read_;  // layers of clean_
};

}  // namespace kakeya
