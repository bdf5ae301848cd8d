// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kakeya/model/kv_tap.h"
#include "kakeya/model/model.h"
#include "kakeya/profile/profile.h"
#include "kakeya/stats/second_moments.h"

namespace kakeya {

/// What calibration keeps of the prefills: sums of every head of Q, K and V of every layer, and
/// every n-th vector of K and V.
class CacheMoments {
 public:
  /// `tokens_in_all` are the tokens that will come, sinks left out; of these about `samples`
  /// vectors a head are kept.
  CacheMoments(const ModelFacts& facts, std::size_t tokens_in_all, std::size_t samples);

  /// Adds the tokens of `view` from `sinks` on. `view` is dense [tokens, heads, dim].
  void add(KvSite site, const KvView& view, std::size_t sinks);

  /// Adds `vectors` of a head of Q, K or V by their sum, [dim], and that of their outer products,
  /// [dim, dim].
  void add_sums(const KvSite& head, std::span<const double> sum, std::span<const double> product,
                std::size_t vectors);

  /// Keeps a vector of K or V, whichever it is.
  void add_sample(const KvSite& head, std::span<const float> vector);

  const SecondMoments& queries(int layer, int query_head) const;
  const SecondMoments& cache(const KvSite& site) const;

  /// The vectors kept of a site, one after another.
  const std::vector<float>& samples(const KvSite& site) const;

 private:
  struct Head {
    explicit Head(std::size_t dim) : moments(dim) {}
    SecondMoments moments;
    std::vector<float> samples;
    std::size_t seen = 0;
  };
  std::size_t place(KvSite site, std::size_t head) const;
  const Head& head(const KvSite& site) const;

  std::size_t kv_heads_, query_heads_, stride_;
  std::vector<Head> heads_;  // layer by layer: K, V, Q
};

/// Adds a prefill to `moments`, K and V rounded to bf16 first, as a cache holds them.
class MomentsTap : public KvTap {
 public:
  MomentsTap(CacheMoments& moments, TapPoint tap, std::size_t sinks)
      : moments_(moments), tap_(tap), sinks_(sinks) {}
  void visit(KvSite site, KvView view) override;
  bool wants(KvSite) const override { return true; }
  TapPoint tap_point() const override { return tap_; }

 private:
  CacheMoments& moments_;
  TapPoint tap_;
  std::size_t sinks_;
};

}  // namespace kakeya
