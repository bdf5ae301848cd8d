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

void require_exact(KvSite site, const void* exact, std::size_t window) {
  if (exact != nullptr) return;
  throw InputError(site_name(site) +
                   ": the model keeps one version of it, expected two for a residual window of " +
                   std::to_string(window));
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

void check_view(KvSite site, const DeviceKvView& view, std::size_t tokens, std::size_t heads,
                std::size_t dim) {
  const DeviceVectors& x = view.values;
  check_view(site, KvView{nullptr, x.tokens, x.heads, x.dim, view.first_token}, tokens, heads, dim);
}

void require_clean_pass(EvalMode mode, const void* clean) {
  if (mode == EvalMode::in_forward || clean != nullptr) return;
  throw InputError("mode " + std::string(mode_name(mode)) +
                   ": expected the K and V of a clean pass");
}

void keep_exact(KvSite site, const KvView& view, std::size_t window) {
  if (window == 0) return;
  require_exact(site, view.exact, window);
  std::copy_n(view.data, view.tokens * view.heads * view.dim, view.exact);
}

void keep_exact(KvSite site, const DeviceKvView& view, std::size_t window) {
  if (window == 0) return;
  require_exact(site, view.exact.data, window);
  convert_vectors(view.values, view.exact, view.stream);
}

ReferenceTap::ReferenceTap(TapPoint tap, int layers, std::size_t tokens, std::size_t heads,
                           std::size_t dim, KvCache* keep, std::size_t exact_window)
    : tokens_(tokens),
      heads_(heads),
      dim_(dim),
      tap_(tap),
      layers_(layers),
      keep_(keep),
      exact_window_(exact_window),
      visits_(2 * static_cast<std::size_t>(layers), 0) {}

void ReferenceTap::count(KvSite site) {
  if (site.layer < 0 || site.layer >= layers_ || site.part == Part::query) {
    throw InputError(site_name(site) + ": expected keys or values of layers 0 to " +
                     std::to_string(layers_ - 1));
  }
  ++visits_[site.index()];
}

void ReferenceTap::visit(KvSite site, KvView view) {
  const auto started = Clock::now();
  check_view(site, view, tokens_, heads_, dim_);
  count(site);
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
