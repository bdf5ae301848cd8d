// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/reference_tap.h"

#include <algorithm>

#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

std::string shape(std::size_t tokens, std::size_t heads, std::size_t dim) {
  return std::to_string(tokens) + " x " + std::to_string(heads) + " x " + std::to_string(dim);
}

}  // namespace

void check_view(KvSite site, const KvView& view, std::size_t tokens, std::size_t heads,
                std::size_t dim) {
  if (view.tokens != tokens || view.heads != heads || view.dim != dim || view.first_token != 0) {
    throw InputError(site_name(site) + ": the model showed " +
                     shape(view.tokens, view.heads, view.dim) + " from token " +
                     std::to_string(view.first_token) + ", expected " + shape(tokens, heads, dim) +
                     " (tokens x heads x dim) from token 0");
  }
}

void keep_exact(KvSite site, const KvView& view, std::size_t window) {
  if (window == 0) return;
  if (!view.exact) {
    throw InputError(site_name(site) +
                     ": the model keeps one version of it, expected two for a residual window of " +
                     std::to_string(window));
  }
  std::copy_n(view.data, view.tokens * view.heads * view.dim, view.exact);
}

ReferenceTap::ReferenceTap(TapPoint tap, int layers, std::size_t tokens, std::size_t heads,
                           std::size_t dim, KvCache* keep, std::size_t exact_window)
    : tap_(tap),
      layers_(layers),
      tokens_(tokens),
      heads_(heads),
      dim_(dim),
      keep_(keep),
      exact_window_(exact_window),
      visits_(2 * static_cast<std::size_t>(layers), 0) {}

void ReferenceTap::visit(KvSite site, KvView view) {
  const auto started = Clock::now();
  check_view(site, view, tokens_, heads_, dim_);
  if (site.layer < 0 || site.layer >= layers_ || site.part == Part::query) {
    throw InputError(site_name(site) + ": expected keys or values of layers 0 to " +
                     std::to_string(layers_ - 1));
  }
  ++visits_[site.index()];
  const std::span<float> values(view.data, tokens_ * heads_ * dim_);
  round_to_bf16(values);
  keep_exact(site, view, exact_window_);
  if (keep_) keep_->store(site, values);
  tap_seconds_ += seconds_since(started);
}

void ReferenceTap::check_complete() const {
  for (std::size_t i = 0; i < visits_.size(); ++i) {
    if (visits_[i] == 1) continue;
    throw InputError(site_name(site_of_index(i)) + ": seen " + std::to_string(visits_[i]) +
                     " times in the reference pass, expected once");
  }
}

}  // namespace kakeya
