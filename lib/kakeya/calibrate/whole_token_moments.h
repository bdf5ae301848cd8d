// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "kakeya/core/worker_pool.h"
#include "kakeya/model/kv_tap.h"
#include "kakeya/model/model.h"

namespace kakeya {

/// Of the keys, or of the values, of all layers and heads together: what kvtc's profile is made of.
struct WholeTokens {
  std::vector<double> mean;       ///< [width]
  std::vector<float> covariance;  ///< [width, width], row-major, symmetric
  std::vector<float> samples;     ///< [tokens, width], some of them
};

/// Sums over tokens of the keys, or of the values, of all layers and heads together. Takes 4 *
/// width^2 bytes, and as many again in covariance().
class WholeTokenMoments {
 public:
  explicit WholeTokenMoments(std::size_t width) : width_(width), sum_(width) {}

  std::size_t width() const { return width_; }
  double tokens() const { return count_; }

  /// Adds the rows of `x`, [tokens, width].
  void add(const std::vector<float>& x, WorkerPool& pool);

  std::vector<double> mean() const;

  /// [width, width], row-major, symmetric. Leaves nothing but the mean behind.
  std::vector<float> take_covariance();

 private:
  std::size_t width_;
  double count_ = 0;
  std::vector<double> sum_;
  // Near the mean, so that products are of small numbers: that of the first tokens.
  std::vector<float> centre_;
  std::vector<float> products_;  // upper triangle, of what is left of tokens without the centre
};

/// Gathers them in prefills, K and V rounded to bf16 first, as a cache holds them.
class WholeTokenTap final : public KvTap {
 public:
  /// About `samples` of `tokens_in_all` are kept. Everything passed by reference must outlive the
  /// tap.
  WholeTokenTap(const ModelFacts& facts, TapPoint tap, std::size_t sinks, std::size_t tokens_in_all,
                std::size_t samples, WorkerPool& pool);

  void visit(KvSite site, KvView view) override;
  TapPoint tap_point() const override { return tap_; }

  /// Of keys (0) and of values (1).
  WholeTokenMoments& moments(std::size_t part) { return moments_[part]; }

  /// The sampled tokens, [tokens, width].
  const std::vector<float>& samples(std::size_t part) const { return samples_[part]; }

  /// All of it, after the last passage: keys, then values. Leaves nothing but the means behind.
  std::array<WholeTokens, 2> take();

 private:
  int layers_;
  TapPoint tap_;
  std::size_t sinks_, stride_, seen_ = 0;
  WorkerPool& pool_;
  std::array<WholeTokenMoments, 2> moments_;
  std::array<std::vector<float>, 2> tokens_, samples_;  // of this prefill, of all
};

}  // namespace kakeya
