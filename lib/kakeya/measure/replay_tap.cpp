// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/replay_tap.h"

#include <span>

#include "kakeya/measure/reference_tap.h"

namespace kakeya {

void ReplayTap::visit(KvSite site, KvView view) {
  check_view(site, view, cache_.tokens(), cache_.heads(), cache_.dim());
  const std::size_t stride = view.heads * view.dim;
  const std::span<float> values(view.data, view.tokens * stride);
  round_to_bf16(values.subspan(replaced_ * stride));
  if (replaced_ > 0) exact_.load(site, replaced_, values);
  keep_exact(site, view, exact_window_);
  if (replaced_ > 0) cache_.load(site, replaced_, values);
}

}  // namespace kakeya
