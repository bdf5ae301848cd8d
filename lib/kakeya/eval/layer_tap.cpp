// SPDX-License-Identifier: Apache-2.0
#include "kakeya/eval/layer_tap.h"

#include <chrono>
#include <span>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/eval/reference_tap.h"

namespace kakeya {

LayerTap::LayerTap(TapPoint tap, const CachePolicy& policy, TokenCoder& coder, std::size_t tokens,
                   std::size_t heads, std::size_t dim)
    : tap_(tap),
      policy_(policy),
      coder_(coder),
      clean_(policy.layers, tokens, heads, dim),
      decoded_(policy.layers, tokens, heads, dim) {}

void LayerTap::visit_pair(int layer, KvView keys, KvView values) {
  const auto started = std::chrono::steady_clock::now();
  const std::pair<KvSite, KvView> parts[] = {{{layer, Part::key}, keys},
                                             {{layer, Part::value}, values}};
  const std::size_t tokens = clean_.tokens();
  const auto numbers = [](const KvView& view) {
    return std::span<float>(view.data, view.tokens * view.heads * view.dim);
  };
  for (const auto& [site, view] : parts) {
    check_view(site, view, tokens, clean_.heads(), clean_.dim());
    round_to_bf16(numbers(view));
    keep_exact(site, view, exact_window());
    clean_.store(site, numbers(view));
    decoded_.store(site, numbers(view));  // of tokens that are not coded
  }
  if (policy_.codes(layer)) {
    coder_.code_layer(layer, clean_, tokens, decoded_);
    for (const auto& [site, view] : parts) decoded_.load(site, tokens, numbers(view));
  }
  tap_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

void LayerTap::visit(KvSite site, KvView) {
  throw InputError(site_name(site) + ": shown alone, expected keys and values together");
}

}  // namespace kakeya
