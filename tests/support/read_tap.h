// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "kakeya/model/kv_tap.h"
#include "kakeya/model/step_cache.h"

namespace kakeya::testing {

/// Sets all keys and values to what a cache gives back; those that it dropped to zeros.
class ReadTap : public KvTap {
 public:
  ReadTap(const StepCache& cache, int sequence) : cache_(cache), sequence_(sequence) {}

  void visit(KvSite site, KvView view) override {
    const std::size_t first = cache_.first_token(sequence_, site.layer),
                      width = view.heads * view.dim;
    std::fill_n(view.data, first * width, 0.0f);
    cache_.read(sequence_, site, {first, view.tokens - first},
                dense_rows(view.data + first * width, view.tokens - first, width));
  }
  TapPoint tap_point() const override { return cache_.tap_point(); }

 private:
  const StepCache& cache_;
  int sequence_;
};

}  // namespace kakeya::testing
