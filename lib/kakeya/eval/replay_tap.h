// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/eval/clean_cache.h"
#include "kakeya/model/kv_tap.h"

namespace kakeya {

/// The tap of a pass that runs on a cache coded beforehand: K and V of the first tokens of every
/// layer are replaced by those of `cache`, the others rounded to bf16.
class ReplayTap : public KvTap {
 public:
  /// `cache` must outlive the tap; `replaced` of its tokens are taken.
  ReplayTap(TapPoint tap, const CleanCache& cache, std::size_t replaced)
      : tap_(tap), cache_(cache), replaced_(replaced) {}

  void visit(KvSite site, KvView view) override;
  TapPoint tap_point() const override { return tap_; }

 private:
  TapPoint tap_;
  const CleanCache& cache_;
  std::size_t replaced_;
};

}  // namespace kakeya
