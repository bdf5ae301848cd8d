// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/cache_bytes.h"

#include <fmt/format.h>

#include <algorithm>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr double kPlain = 2;  // bytes of a bf16 scalar

/// How the vectors of a head and part lie.
struct Layout {
  double coded = 0, open = 0, exact = 0, stale = 0;
};

/// Vectors `lowest` to `highest` are coded in pages that begin `phase` before multiples of `page`
/// after `sinks`; those before `lowest` have left the window.
Layout pages_of(std::size_t lowest, std::size_t highest, std::size_t sinks, std::size_t page,
                std::size_t phase) {
  Layout layout;
  const std::size_t count = highest - lowest;
  const std::size_t open = std::min(count, (highest - sinks + phase) % page);
  layout.open = static_cast<double>(open);
  layout.coded = static_cast<double>(count - open);
  if (open < count && lowest > sinks) {
    layout.stale = static_cast<double>((lowest - sinks + phase) % page);
  }
  return layout;
}

Layout layout_of(const CacheStream& stream, std::size_t tokens, const CachePolicy& policy,
                 std::size_t page, OpenPage open) {
  const auto pooled = [&](std::size_t count) { return (count + stream.ratio - 1) / stream.ratio; };
  const std::size_t all = tokens / stream.ratio, here = stream.vectors(tokens);
  const std::size_t first = all - here;
  const std::size_t sinks = std::min(all, pooled(static_cast<std::size_t>(policy.sinks)));
  const std::size_t recent = pooled(static_cast<std::size_t>(policy.residual_window));
  const std::size_t lowest = std::max(first, sinks);
  const std::size_t highest = std::max(lowest, all - std::min(all, recent));
  Layout layout;
  const double exact = static_cast<double>(here - (highest - lowest));
  if (page == 0 || highest == lowest) {
    layout.coded = static_cast<double>(highest - lowest);
  } else if (open == OpenPage::exact) {
    layout = pages_of(lowest, highest, sinks, page, 0);
  } else {
    for (std::size_t phase = 0; phase < page; ++phase) {
      const Layout at = pages_of(lowest, highest, sinks, page, phase);
      layout.coded += at.coded, layout.open += at.open, layout.stale += at.stale;
    }
    const auto phases = static_cast<double>(page);
    layout.coded /= phases, layout.open /= phases, layout.stale /= phases;
  }
  layout.exact = exact;
  return layout;
}

}  // namespace

CachePolicy policy_for(const Decoder& decoder, CachePolicy policy) {
  policy.layers = decoder.layers;
  if (policy.coded_layers() > 0) return policy;
  throw InputError(fmt::format("{}: {} layers, {} skipped at either end: expected a coded layer",
                               decoder.name, policy.layers, policy.skipped_layers));
}

CacheBytes& CacheBytes::operator+=(const CacheBytes& other) {
  coded += other.coded;
  open += other.open;
  exact += other.exact;
  stale += other.stale;
  bf16 += other.bf16;
  nominal = nominal || other.nominal;
  return *this;
}

CodecOfCache::CodecOfCache(std::string_view spec, const Decoder& decoder) {
  const auto add = [&](std::size_t dim, Part part) {
    if (dim == 0 || costs_.contains({dim, part})) return;
    const CodecCost cost = codec_cost(spec, dim, part);
    spec_ = cost.spec;
    nominal_ = nominal_ || cost.nominal;
    costs_.emplace(std::pair(dim, part), cost);
  };
  for (const CacheStream& stream : decoder.streams) {
    if (stream.heads == 0) continue;
    add(stream.key_dim, Part::key);
    add(stream.value_dim, Part::value);
  }
}

const CodecCost& CodecOfCache::cost(std::size_t dim, Part part) const {
  return costs_.at({dim, part});
}

CacheBytes CodecOfCache::bytes(const CacheStream& stream, std::size_t tokens,
                               const CachePolicy& policy, OpenPage open) const {
  CacheBytes sum;
  const auto add = [&](std::size_t dim, Part part) {
    if (dim == 0 || stream.heads == 0) return;
    const CodecCost& each = cost(dim, part);
    const Layout layout = layout_of(stream, tokens, policy, each.page, open);
    const double heads = static_cast<double>(stream.heads);
    const double plain = kPlain * static_cast<double>(dim) * heads;
    const double all = static_cast<double>(stream.vectors(tokens)) * plain;
    sum.bf16 += all;
    if (!policy.codes(stream.layer)) {
      sum.exact += all;
      return;
    }
    const double frames = layout.coded > 0 ? each.frame_bytes * heads : 0;
    sum.coded += layout.coded * each.vector_bytes * heads + frames;
    sum.stale += layout.stale * each.vector_bytes * heads;
    sum.open += layout.open * plain;
    sum.exact += layout.exact * plain;
    sum.nominal = sum.nominal || each.nominal;
  };
  add(stream.key_dim, Part::key);
  add(stream.value_dim, Part::value);
  return sum;
}

CacheBytes CodecOfCache::bytes(const Decoder& decoder, std::size_t tokens,
                               const CachePolicy& policy, OpenPage open) const {
  CacheBytes sum;
  for (const CacheStream& stream : decoder.streams) sum += bytes(stream, tokens, policy, open);
  return sum;
}

double CodecOfCache::profile_bytes(const Decoder& decoder, const CachePolicy& policy) const {
  double sum = 0;
  for (const CacheStream& stream : decoder.streams) {
    if (stream.heads == 0 || !policy.codes(stream.layer)) continue;
    const auto heads = static_cast<double>(stream.heads);
    if (stream.key_dim > 0) sum += heads * cost(stream.key_dim, Part::key).profile_bytes;
    if (stream.value_dim > 0) sum += heads * cost(stream.value_dim, Part::value).profile_bytes;
  }
  return sum;
}

}  // namespace kakeya
