// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "kakeya/core/half.h"
#include "kakeya/model/step_cache.h"

namespace kakeya::testing {

/// A StepCache of float32 vectors, all of them kept, or rounded to bf16. Remembers how it was read.
class PlainStepCache : public StepCache {
 public:
  PlainStepCache(const KvShape& shape, TapPoint tap, bool bf16 = false)
      : width_(shape.part_width()),
        dim_(shape.dim()),
        layers_(shape.layers),
        tap_(tap),
        bf16_(bf16) {}

  TapPoint tap_point() const override { return tap_; }
  std::size_t tokens(int sequence) const override {
    const auto found = parts_.find(sequence);
    if (found == parts_.end()) return 0;
    std::size_t least = found->second[0].size();
    for (const auto& part : found->second) least = std::min(least, part.size());
    return least / width_;
  }
  std::size_t first_token(int, int layer) const override {
    const auto found = first.find(layer);
    return found == first.end() ? 0 : found->second;
  }
  void append(int sequence, int layer, Rows<const float> keys, Rows<const float> values) override {
    if (keys.dim != width_ || values.dim != width_ || keys.count != values.count) {
      throw std::logic_error("keys and values of other shapes");
    }
    if (layer == fail_at) throw std::runtime_error("full");
    auto& parts = parts_.try_emplace(sequence, 2 * static_cast<std::size_t>(layers_)).first->second;
    for (const Part part : {Part::key, Part::value}) {
      std::vector<float>& kept = parts[KvSite{layer, part}.index()];
      const Rows<const float> rows = part == Part::key ? keys : values;
      for (std::size_t row = 0; row < rows.count; ++row) {
        kept.insert(kept.end(), rows[row].begin(), rows[row].end());
        if (!bf16_) continue;
        for (auto value = kept.end() - static_cast<std::ptrdiff_t>(width_); value != kept.end();
             ++value) {
          *value = bfloat16_to_float(float_to_bfloat16(*value));
        }
      }
    }
  }
  void read(int sequence, KvSite site, TokenRange tokens, Rows<float> out) const override {
    const bool one = site.head != KvSite::kAllHeads;
    const std::vector<float>& kept = parts_.at(sequence)[site.index()];
    if ((tokens.first + tokens.count) * width_ > kept.size() || out.count != tokens.count ||
        out.dim != (one ? dim_ : width_)) {
      throw std::logic_error("a read of what is not there");
    }
    for (std::size_t row = 0; row < tokens.count; ++row) {
      const std::size_t at =
          (tokens.first + row) * width_ + (one ? static_cast<std::size_t>(site.head) * dim_ : 0);
      std::copy_n(kept.begin() + static_cast<std::ptrdiff_t>(at), out.dim, out[row].begin());
    }
    const std::lock_guard lock(mutex_);
    reads.push_back({site, tokens});
  }
  bool heads_apart(int) const override { return apart; }
  std::size_t run_end(int, KvSite, std::size_t token) const override {
    return (token / run + 1) * run;
  }

  /// Whether nothing was ever appended.
  bool empty() const { return parts_.empty(); }

  struct Read {
    KvSite site;
    TokenRange tokens;
  };
  mutable std::vector<Read> reads;   ///< in their order
  bool apart = true;                 ///< what heads_apart() says
  std::size_t run = 100;             ///< tokens of a page, as run_end() says
  int fail_at = -1;                  ///< the layer whose appends fail
  std::map<int, std::size_t> first;  ///< what first_token() says of a layer

 private:
  std::size_t width_, dim_;
  mutable std::mutex mutex_;
  int layers_;
  TapPoint tap_;
  bool bf16_;
  std::map<int, std::vector<std::vector<float>>> parts_;  // [sequence][site]: [tokens, width]
};

}  // namespace kakeya::testing
