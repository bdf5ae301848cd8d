// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/kv_cache.h"

#include <algorithm>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

std::string shape(std::size_t tokens, std::size_t heads, std::size_t dim) {
  return std::to_string(tokens) + " x " + std::to_string(heads) + " x " + std::to_string(dim);
}

}  // namespace

void round_to_bf16(std::span<float> values) {
  for (float& value : values) value = bfloat16_to_float(float_to_bfloat16(value));
}

void round_to_finite_bf16(std::span<float> values) {
  for (float& value : values) value = bfloat16_to_float(float_to_finite_bfloat16(value));
}

KvCache::KvCache(int layers, std::size_t tokens, std::size_t heads, std::size_t dim)
    : tokens_(tokens),
      heads_(heads),
      dim_(dim),
      parts_(2 * static_cast<std::size_t>(layers > 0 ? layers : 0)) {}

std::size_t KvCache::slot(KvSite site) const {
  if (site.part == Part::query || site.layer < 0 || site.layer >= layers()) {
    throw InputError(site_name(site) + ": expected keys or values of layers 0 to " +
                     std::to_string(layers() - 1));
  }
  return site.index();
}

void KvCache::store(KvSite site, std::span<const float> values) {
  std::vector<std::uint16_t>& part = parts_[slot(site)];
  if (values.size() != tokens_ * heads_ * dim_) {
    throw InputError(site_name(site) + ": " + std::to_string(values.size()) + " values, expected " +
                     shape(tokens_, heads_, dim_));
  }
  part.resize(values.size());
  std::transform(values.begin(), values.end(), part.begin(), float_to_bfloat16);
}

void KvCache::load(KvSite site, std::size_t tokens, std::span<float> out) const {
  const std::span<const std::uint16_t> part = patterns(site);
  const std::size_t values = tokens * heads_ * dim_;
  if (values > part.size() || out.size() < values) {
    throw InputError(site_name(site) + ": " + std::to_string(tokens) +
                     " tokens, expected at most " + std::to_string(tokens_));
  }
  std::transform(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(values), out.begin(),
                 bfloat16_to_float);
}

std::span<const std::uint16_t> KvCache::patterns(KvSite site) const {
  const std::vector<std::uint16_t>& part = parts_[slot(site)];
  if (part.empty()) throw InputError(site_name(site) + ": not stored");
  return part;
}

std::span<std::uint16_t> KvCache::writable_patterns(KvSite site) {
  std::vector<std::uint16_t>& part = parts_[slot(site)];
  if (part.empty()) part.resize(tokens_ * heads_ * dim_);
  return part;
}

void KvCache::require_rows(KvSite site, std::size_t token, std::size_t count, std::size_t channel,
                           std::size_t channels) const {
  if (patterns(site).empty() || token > tokens_ || count > tokens_ - token ||
      channel > heads_ * dim_ || channels > heads_ * dim_ - channel) {
    throw InputError(site_name(site) + ": tokens " + std::to_string(token) + " to " +
                     std::to_string(token + count) + ", channels " + std::to_string(channel) +
                     " to " + std::to_string(channel + channels) + ", expected some of " +
                     shape(tokens_, heads_, dim_));
  }
}

void KvCache::load_rows(KvSite site, std::size_t token, std::size_t channel,
                        Rows<float> rows) const {
  require_rows(site, token, rows.count, channel, rows.dim);
  const std::size_t stride = heads_ * dim_;
  const std::uint16_t* from = parts_[slot(site)].data() + token * stride + channel;
  for (std::size_t row = 0; row < rows.count; ++row, from += stride) {
    std::transform(from, from + rows.dim, rows[row].data(), bfloat16_to_float);
  }
}

void KvCache::store_rows(KvSite site, std::size_t token, std::size_t channel,
                         Rows<const float> rows) {
  require_rows(site, token, rows.count, channel, rows.dim);
  const std::size_t stride = heads_ * dim_;
  std::uint16_t* to = parts_[slot(site)].data() + token * stride + channel;
  for (std::size_t row = 0; row < rows.count; ++row, to += stride) {
    std::transform(rows[row].begin(), rows[row].end(), to, float_to_finite_bfloat16);
  }
}

}  // namespace kakeya
