// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/cache_bytes.h"

#include <fmt/format.h>

#include <algorithm>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr double kPlain = 2;  // bytes of a bf16 scalar

constexpr std::string_view kArithmetic = "the arithmetic of capacity";

/// How the vectors of a head and part lie.
struct Layout {
  double coded = 0, open = 0, exact = 0, stale = 0;
};

/// What a policy and a window make of a stream after some tokens, in vectors.
struct Span {
  std::size_t all = 0;      ///< that were appended
  std::size_t first = 0;    ///< the first that the window sees
  std::size_t sinks = 0;    ///< those before it are exact for good
  std::size_t highest = 0;  ///< those from here on are of the residual window
};

Span span_of(const CacheStream& stream, std::size_t tokens, const CachePolicy& policy) {
  const auto pooled = [&](std::size_t count) { return (count + stream.ratio - 1) / stream.ratio; };
  Span span;
  span.all = tokens / stream.ratio;
  span.first = span.all - stream.vectors(tokens);
  const ExactEnds ends = policy.exact_ends(kArithmetic);
  span.sinks = std::min(span.all, pooled(ends.first));
  const std::size_t recent = pooled(ends.last);
  span.highest = std::max(span.sinks, span.all - std::min(span.all, recent));
  return span;
}

/// Pages begin `phase` before multiples of `page` after the sinks. The open tail is never trimmed:
/// a window drops whole sealed pages alone, those that it has left altogether.
Layout pages_of(const Span& span, std::size_t page, std::size_t phase) {
  Layout layout;
  const std::size_t open = (span.highest - span.sinks + phase) % page;
  layout.open = static_cast<double>(open);
  const std::size_t sealed = span.highest - open, lowest = std::max(span.first, span.sinks);
  if (lowest >= sealed) return layout;
  layout.coded = static_cast<double>(sealed - lowest);
  if (lowest > span.sinks) {
    layout.stale = static_cast<double>((lowest - span.sinks + phase) % page);
  }
  return layout;
}

/// Vectors that lie alone: a window keeps what it sees and no more.
Layout plain_layout(const Span& span) {
  Layout layout;
  const std::size_t lowest = std::max(span.first, span.sinks);
  const std::size_t highest = std::max(lowest, span.highest);
  layout.coded = static_cast<double>(highest - lowest);
  layout.exact = static_cast<double>(span.all - span.first - (highest - lowest));
  return layout;
}

Layout layout_of(const CacheStream& stream, std::size_t tokens, const CachePolicy& policy,
                 std::size_t page, OpenPage open) {
  const Span span = span_of(stream, tokens, policy);
  if (page == 0) return plain_layout(span);
  Layout layout;
  // Tokens that cannot have filled a page all wait, wherever a longer sequence's page stands.
  if (open == OpenPage::exact || span.highest - span.sinks < page) {
    layout = pages_of(span, page, 0);
  } else {
    for (std::size_t phase = 0; phase < page; ++phase) {
      const Layout at = pages_of(span, page, phase);
      layout.coded += at.coded, layout.open += at.open, layout.stale += at.stale;
    }
    const auto phases = static_cast<double>(page);
    layout.coded /= phases, layout.open /= phases, layout.stale /= phases;
  }
  // Sinks go when the window has left the last of them; the residual window is never cut.
  const std::size_t sinks = span.first >= span.sinks ? 0 : span.sinks;
  layout.exact = static_cast<double>(sinks + span.all - span.highest);
  return layout;
}

}  // namespace

CachePolicy policy_for(const Decoder& decoder, CachePolicy policy) {
  policy.exact_ends(kArithmetic);
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

CodecOfCache::CodecOfCache(std::string_view spec, const Decoder& decoder, PlainVectors plain) {
  const auto add = [&](std::size_t dim, Part part) {
    if (dim == 0 || costs_.contains({dim, part})) return;
    const CodecCost cost = codec_cost(spec, dim, part, plain);
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
    const double frames = each.frame_a_page
                              ? (layout.coded + layout.stale) / static_cast<double>(each.page)
                              : (layout.coded > 0 ? 1 : 0);
    sum.coded += (layout.coded * each.vector_bytes + frames * each.frame_bytes) * heads;
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

std::vector<std::size_t> CodecOfCache::first_full_pages(const Decoder& decoder,
                                                        const CachePolicy& policy) const {
  const ExactEnds ends = policy.exact_ends(kArithmetic);
  std::vector<std::size_t> lengths;
  for (const CacheStream& stream : decoder.streams) {
    for (const auto& [of, each] : costs_) {
      if (each.page == 0 || stream.heads == 0 || !policy.codes(stream.layer)) continue;
      const auto pooled = [&](std::size_t count) {
        return (count + stream.ratio - 1) / stream.ratio;
      };
      lengths.push_back(stream.ratio * (pooled(ends.first) + pooled(ends.last) + each.page));
    }
  }
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
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
