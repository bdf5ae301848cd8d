// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "kakeya/cache/packed_cache.h"
#include "kakeya/model/model.h"
#include "kakeya/model/step_cache.h"

namespace kakeya {

/// The windows that a PackedCache of a model needs for steps of at most `most_new` tokens: a step
/// appends before it attends, so a layer keeps what the first of its tokens sees until the last has come.
/// One for each layer, 0: it sees all; empty where no layer has a window. Throws InputError where
/// `most_new` is 0.
std::vector<std::size_t> step_windows(const ModelFacts& facts, std::size_t most_new);

/// A PackedCache as what a model decodes over. Sequences have the numbers that it gave them.
///
///     PackedCache packed(facts.shape, policy, codecs, step_windows(facts, 512));
///     PackedStepCache cache(packed, TapPoint::pre_rope);
///     const std::vector<float> logits = model.step({{{packed.add_sequence(), prompt}}}, cache);
class PackedStepCache final : public StepCache {
 public:
  /// `cache` must outlive it. `tap`: what its codecs were calibrated for. With `packed_sums` attention of
  /// steps of few tokens adds values up as they are packed, and multiplies keys so that are kept after RoPE. Throws
  /// InputError where the codec of a coded layer cannot (PackedCache::sums_packed()).
  PackedStepCache(PackedCache& cache, TapPoint tap, bool packed_sums = false);

  TapPoint tap_point() const override { return tap_; }
  std::size_t tokens(int sequence) const override;
  std::size_t first_token(int sequence, int layer) const override {
    return cache_.first_token(sequence, layer);
  }
  /// Throws InputError where a layer has more tokens than another, as after a step that failed.
  void append(int sequence, int layer, Rows<const float> keys, Rows<const float> values) override;
  void read(int sequence, KvSite site, TokenRange tokens, Rows<float> out) const override {
    cache_.read(sequence, site, tokens, out);
  }
  void read_both(int sequence, int layer, TokenRange tokens, Rows<float> out) const override {
    cache_.read_both(sequence, layer, tokens, out);
  }
  bool sums_packed() const override { return packed_sums_; }
  std::size_t add_packed(int sequence, KvSite site, TokenRange tokens, Rows<const float> weights,
                         Rows<float> out) const override {
    return cache_.add_packed(sequence, site, tokens, weights, out);
  }
  std::size_t score_packed(int sequence, KvSite site, TokenRange tokens, Rows<const float> queries,
                           Rows<float> scores) const override {
    return cache_.score_packed(sequence, site, tokens, queries, scores);
  }
  bool heads_apart(int layer) const override { return cache_.heads_apart(layer); }
  std::size_t run_end(int sequence, KvSite site, std::size_t token) const override {
    return cache_.run_end(sequence, site, token);
  }

 private:
  PackedCache& cache_;
  TapPoint tap_;
  bool packed_sums_;
};

}  // namespace kakeya
