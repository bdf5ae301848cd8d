// SPDX-License-Identifier: Apache-2.0
#include "kakeya/eval/clean_cache.h"

#include <algorithm>
#include <chrono>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

std::size_t part_index(KvSite site) {
  return 2 * static_cast<std::size_t>(site.layer) + (site.part == Part::value ? 1 : 0);
}

std::string shape(std::size_t tokens, std::size_t heads, std::size_t dim) {
  return std::to_string(tokens) + " x " + std::to_string(heads) + " x " + std::to_string(dim);
}

}  // namespace

void round_to_bf16(std::span<float> values) {
  for (float& value : values) value = bfloat16_to_float(float_to_bfloat16(value));
}

std::string site_name(KvSite site) {
  const char* part = site.part == Part::key     ? " keys"
                     : site.part == Part::value ? " values"
                                                : " queries";
  return "layer " + std::to_string(site.layer) + part;
}

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
    throw InputError(site_name(site) + ": the model keeps one version of it, expected two for " +
                     std::to_string(window) + " recent tokens");
  }
  std::copy_n(view.data, view.tokens * view.heads * view.dim, view.exact);
}

CleanCache::CleanCache(int layers, std::size_t tokens, std::size_t heads, std::size_t dim)
    : tokens_(tokens),
      heads_(heads),
      dim_(dim),
      parts_(2 * static_cast<std::size_t>(layers > 0 ? layers : 0)) {}

std::size_t CleanCache::slot(KvSite site) const {
  if (site.part == Part::query || site.layer < 0 || part_index(site) >= parts_.size()) {
    throw InputError(site_name(site) + ": expected keys or values of layers 0 to " +
                     std::to_string(layers() - 1));
  }
  return part_index(site);
}

void CleanCache::store(KvSite site, std::span<const float> values) {
  std::vector<std::uint16_t>& part = parts_[slot(site)];
  if (values.size() != tokens_ * heads_ * dim_) {
    throw InputError(site_name(site) + ": " + std::to_string(values.size()) + " values, expected " +
                     shape(tokens_, heads_, dim_));
  }
  part.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) part[i] = float_to_bfloat16(values[i]);
}

void CleanCache::load(KvSite site, std::size_t tokens, std::span<float> out) const {
  const std::vector<std::uint16_t>& part = parts_[slot(site)];
  if (part.empty()) throw InputError(site_name(site) + ": not seen in the clean pass");
  const std::size_t values = tokens * heads_ * dim_;
  if (values > part.size() || out.size() < values) {
    throw InputError(site_name(site) + ": " + std::to_string(tokens) +
                     " tokens, expected at most " + std::to_string(tokens_));
  }
  for (std::size_t i = 0; i < values; ++i) out[i] = bfloat16_to_float(part[i]);
}

void CleanCache::require_tokens(KvSite site, std::size_t first, std::size_t count,
                                std::size_t width) const {
  const std::vector<std::uint16_t>& part = parts_[slot(site)];
  if (part.empty()) throw InputError(site_name(site) + ": not seen in the clean pass");
  if (width != heads_ * dim_ || first > tokens_ || count > tokens_ - first) {
    throw InputError(site_name(site) + ": tokens " + std::to_string(first) + " to " +
                     std::to_string(first + count) + " of " + std::to_string(width) +
                     " values, expected some of " + shape(tokens_, heads_, dim_));
  }
}

void CleanCache::load_tokens(KvSite site, std::size_t first, Rows<float> rows) const {
  require_tokens(site, first, rows.count, rows.dim);
  const std::uint16_t* from = parts_[slot(site)].data() + first * rows.dim;
  for (std::size_t row = 0; row < rows.count; ++row, from += rows.dim) {
    std::transform(from, from + rows.dim, rows[row].data(), bfloat16_to_float);
  }
}

void CleanCache::store_tokens(KvSite site, std::size_t first, Rows<const float> rows) {
  require_tokens(site, first, rows.count, rows.dim);
  std::uint16_t* to = parts_[slot(site)].data() + first * rows.dim;
  for (std::size_t row = 0; row < rows.count; ++row, to += rows.dim) {
    std::transform(rows[row].begin(), rows[row].end(), to, float_to_bfloat16);
  }
}

ReferenceTap::ReferenceTap(TapPoint tap, int layers, std::size_t tokens, std::size_t heads,
                           std::size_t dim, CleanCache* keep, std::size_t exact_window)
    : tap_(tap),
      layers_(layers),
      tokens_(tokens),
      heads_(heads),
      dim_(dim),
      keep_(keep),
      exact_window_(exact_window),
      visits_(2 * static_cast<std::size_t>(layers), 0) {}

void ReferenceTap::visit(KvSite site, KvView view) {
  const auto started = std::chrono::steady_clock::now();
  check_view(site, view, tokens_, heads_, dim_);
  if (site.layer < 0 || site.layer >= layers_ || site.part == Part::query) {
    throw InputError(site_name(site) + ": expected keys or values of layers 0 to " +
                     std::to_string(layers_ - 1));
  }
  ++visits_[part_index(site)];
  const std::span<float> values(view.data, tokens_ * heads_ * dim_);
  round_to_bf16(values);
  keep_exact(site, view, exact_window_);
  if (keep_) keep_->store(site, values);
  tap_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

void ReferenceTap::check_complete() const {
  for (std::size_t i = 0; i < visits_.size(); ++i) {
    if (visits_[i] == 1) continue;
    const KvSite site{static_cast<int>(i / 2), i % 2 == 0 ? Part::key : Part::value};
    throw InputError(site_name(site) + ": seen " + std::to_string(visits_[i]) +
                     " times in the reference pass, expected once");
  }
}

}  // namespace kakeya
