// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/measure/mode.h"
#include "kakeya/model/kv_tap.h"

namespace kakeya {

/// Throws InputError naming the site unless `view` is [tokens, heads, dim] and starts at the first
/// token.
void check_view(KvSite site, const KvView& view, std::size_t tokens, std::size_t heads,
                std::size_t dim);

void check_view(KvSite site, const DeviceKvView& view, std::size_t tokens, std::size_t heads,
                std::size_t dim);

/// Throws InputError where `mode` takes K and V from a clean pass and `clean`, its cache, is null.
void require_clean_pass(EvalMode mode, const void* clean);

/// Copies what `view` holds to where it keeps the version of an exact window of `window` tokens;
/// nothing where that is 0. Throws InputError naming the site when the model keeps no such version.
void keep_exact(KvSite site, const KvView& view, std::size_t window);
void keep_exact(KvSite site, const DeviceKvView& view, std::size_t window);

/// The tap of a reference pass: rounds every K and V to bf16 and, where `keep` is given, stores
/// them there. A pass that is compared with coded ones of an exact window has that window too,
/// though both versions are the same: attention then adds up the same products in the same order.
class ReferenceTap : public KvTap {
 public:
  ReferenceTap(TapPoint tap, int layers, std::size_t tokens, std::size_t heads, std::size_t dim,
               KvCache* keep, std::size_t exact_window = 0);

  void visit(KvSite site, KvView view) override;
  TapPoint tap_point() const override { return tap_; }
  std::size_t exact_window() const override { return exact_window_; }

  double tap_seconds() const { return tap_seconds_; }

  /// Throws InputError unless every K and V of every layer came by exactly once.
  void check_complete() const;

 protected:
  /// Counts a visit. Throws InputError where a pass has no such site.
  void count(KvSite site);

  std::size_t tokens_, heads_, dim_;

 private:
  TapPoint tap_;
  int layers_;
  KvCache* keep_;
  std::size_t exact_window_;
  std::vector<int> visits_;  // [layers][K, V]
  double tap_seconds_ = 0;
};

}  // namespace kakeya
