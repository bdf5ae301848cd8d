// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/layer_tap.h"

#include <span>
#include <utility>

#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/reference_tap.h"

namespace kakeya {

LayerTap::LayerTap(TapPoint tap, const CachePolicy& policy, TokenCoder& coder, std::size_t tokens,
                   std::size_t heads, std::size_t dim)
    : tap_(tap), policy_(policy), coder_(coder), tokens_(tokens), heads_(heads), dim_(dim) {}

void LayerTap::visit_pair(int layer, KvView keys, KvView values) {
  const auto started = Clock::now();
  const std::pair<KvSite, KvView> parts[] = {{{layer, Part::key}, keys},
                                             {{layer, Part::value}, values}};
  const auto numbers = [](const KvView& view) {
    return std::span<float>(view.data, view.tokens * view.heads * view.dim);
  };
  for (const auto& [site, view] : parts) {
    check_view(site, view, tokens_, heads_, dim_);
    round_to_bf16(numbers(view));
    keep_exact(site, view, exact_window());
  }
  if (policy_.codes(layer)) {
    KvCache clean(policy_.layers, tokens_, heads_, dim_);  // of this layer alone
    for (const auto& [site, view] : parts) clean.store(site, numbers(view));
    KvCache decoded = clean;  // for tokens that are not coded
    coder_.code_layer(layer, clean, tokens_, decoded);
    for (const auto& [site, view] : parts) decoded.load(site, tokens_, numbers(view));
  }
  tap_seconds_ += seconds_since(started);
}

void LayerTap::visit(KvSite site, KvView) {
  throw InputError(site_name(site) + ": shown alone, expected keys and values together");
}

}  // namespace kakeya
