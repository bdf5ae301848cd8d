// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/model/step_cache.h"

namespace kakeya {

/// A StepCache of one sequence that keeps beside another what it is given, rounded to bf16.
class RecordedCache final : public StepCache {
 public:
  /// `cache` must outlive it. `tokens`: so many will come.
  RecordedCache(StepCache& cache, const KvShape& shape, std::size_t tokens);

  TapPoint tap_point() const override { return cache_.tap_point(); }
  std::size_t tokens(int sequence) const override { return cache_.tokens(sequence); }
  std::size_t first_token(int sequence, int layer) const override {
    return cache_.first_token(sequence, layer);
  }
  /// Throws InputError where more tokens come than were announced, and what the cache throws.
  void append(int sequence, int layer, Rows<const float> keys, Rows<const float> values) override;
  void read(int sequence, KvSite site, TokenRange tokens, Rows<float> out) const override {
    cache_.read(sequence, site, tokens, out);
  }
  void read_both(int sequence, int layer, TokenRange tokens, Rows<float> out) const override {
    cache_.read_both(sequence, layer, tokens, out);
  }
  bool heads_apart(int layer) const override { return cache_.heads_apart(layer); }
  std::size_t run_end(int sequence, KvSite site, std::size_t token) const override {
    return cache_.run_end(sequence, site, token);
  }

  /// What was appended, all tokens of all layers.
  const KvCache& given() const { return given_; }

  /// Seconds inside append(). Reads are a part of attention, on many threads.
  double seconds() const { return seconds_; }

 private:
  StepCache& cache_;
  KvCache given_;
  double seconds_ = 0;
};

}  // namespace kakeya
