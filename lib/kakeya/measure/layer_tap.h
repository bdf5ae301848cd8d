// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/core/kv.h"
#include "kakeya/measure/token_coder.h"
#include "kakeya/model/kv_tap.h"

namespace kakeya {

/// The tap of a cell of EvalMode::in_forward whose codec takes the keys and values of a layer
/// together. Every K and V is rounded to bf16; those of layers that the policy codes go through
/// the coder. Where the policy has a residual window, KvView::exact gets what would be there
/// without a codec.
class LayerTap : public KvTap {
 public:
  /// The coder's codecs code each layer alone. It must outlive the tap.
  LayerTap(TapPoint tap, const CachePolicy& policy, TokenCoder& coder, std::size_t tokens,
           std::size_t heads, std::size_t dim);

  bool wants_pairs() const override { return true; }
  void visit_pair(int layer, KvView keys, KvView values) override;
  /// Not called by a model: throws InputError.
  void visit(KvSite site, KvView view) override;
  TapPoint tap_point() const override { return tap_; }
  std::size_t exact_window() const override { return policy_.exact_window(); }

  /// Seconds spent inside visit_pair(), by the clock on the wall.
  double tap_seconds() const { return tap_seconds_; }

 private:
  TapPoint tap_;
  CachePolicy policy_;
  TokenCoder& coder_;
  std::size_t tokens_, heads_, dim_;
  double tap_seconds_ = 0;
};

}  // namespace kakeya
