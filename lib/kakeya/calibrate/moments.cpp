// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/moments.h"

#include <algorithm>

#include "kakeya/cache/kv_cache.h"

namespace kakeya {

CacheMoments::CacheMoments(const ModelFacts& facts, std::size_t tokens_in_all, std::size_t samples)
    : kv_heads_(facts.shape.heads()),
      query_heads_(facts.shape.heads(Part::query)),
      stride_(std::max<std::size_t>(1, (tokens_in_all + samples - 1) / samples)),
      heads_(static_cast<std::size_t>(facts.shape.layers) * (2 * kv_heads_ + query_heads_),
             Head(facts.shape.dim())) {}

std::size_t CacheMoments::place(KvSite site, std::size_t head) const {
  const std::size_t start = static_cast<std::size_t>(site.layer) * (2 * kv_heads_ + query_heads_);
  const std::size_t part = site.part == Part::key     ? 0
                           : site.part == Part::value ? kv_heads_
                                                      : 2 * kv_heads_;
  return start + part + head;
}

const CacheMoments::Head& CacheMoments::head(const KvSite& site) const {
  return heads_[place(site, static_cast<std::size_t>(site.head))];
}

void CacheMoments::add(KvSite site, const KvView& view, std::size_t sinks) {
  const std::size_t skipped = std::min(sinks, view.tokens), stride = view.heads * view.dim;
  for (std::size_t h = 0; h < view.heads; ++h) {
    Head& to = heads_[place(site, h)];
    const Rows<const float> rows{view.data + skipped * stride + h * view.dim, view.tokens - skipped,
                                 view.dim, stride};
    to.moments.add(rows);
    if (site.part == Part::query) continue;
    for (std::size_t row = 0; row < rows.count; ++row) {
      if (to.seen++ % stride_ == 0) {
        to.samples.insert(to.samples.end(), rows[row].begin(), rows[row].end());
      }
    }
  }
}

void CacheMoments::add_sums(const KvSite& head, std::span<const double> sum,
                            std::span<const double> product, std::size_t vectors) {
  heads_[place(head, static_cast<std::size_t>(head.head))].moments.add_sums(sum, product, vectors);
}

void CacheMoments::add_sample(const KvSite& head, std::span<const float> vector) {
  std::vector<float>& samples = heads_[place(head, static_cast<std::size_t>(head.head))].samples;
  samples.insert(samples.end(), vector.begin(), vector.end());
}

const SecondMoments& CacheMoments::queries(int layer, int query_head) const {
  return heads_[place({layer, Part::query}, static_cast<std::size_t>(query_head))].moments;
}

const SecondMoments& CacheMoments::cache(const KvSite& site) const { return head(site).moments; }

const std::vector<float>& CacheMoments::samples(const KvSite& site) const {
  return head(site).samples;
}

void MomentsTap::visit(KvSite site, KvView view) {
  if (site.part != Part::query) {
    round_to_bf16(std::span<float>(view.data, view.tokens * view.heads * view.dim));
  }
  moments_.add(site, view, sinks_);
}

}  // namespace kakeya
