// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/model/kv_tap.h"

namespace kakeya {

/// The tap of a pass that runs on a cache coded beforehand: K and V of the first tokens of every
/// layer are replaced by those of `cache`, the others rounded to bf16. With an exact window,
/// KvView::exact gets the same of another cache.
class ReplayTap : public KvTap {
 public:
  /// Caches must outlive the tap; `replaced` of their tokens are taken. `exact` is what the last
  /// `exact_window` tokens are seen as.
  ReplayTap(TapPoint tap, const KvCache& cache, std::size_t replaced, const KvCache& exact,
            std::size_t exact_window)
      : tap_(tap), cache_(cache), replaced_(replaced), exact_(exact), exact_window_(exact_window) {}

  void visit(KvSite site, KvView view) override;
  TapPoint tap_point() const override { return tap_; }
  std::size_t replaced_tokens() const override { return replaced_; }
  std::size_t exact_window() const override { return exact_window_; }

 private:
  TapPoint tap_;
  const KvCache& cache_;
  std::size_t replaced_;
  const KvCache& exact_;
  std::size_t exact_window_;
};

}  // namespace kakeya
