// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "kakeya/core/worker_pool.h"
#include "kakeya/model/kv_tap.h"
#include "kakeya/model/model.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

/// Sums over tokens of the coordinates u of groups of layers (LayerTransform) and of up to
/// `most_order` groups before.
class LayerMoments {
 public:
  /// u of some tokens, [tokens, width].
  using Tokens = std::vector<float>;

  LayerMoments(std::size_t groups, std::size_t width, int most_order = kMostOrder)
      : products_(groups,
                  std::vector<std::vector<double>>(static_cast<std::size_t>(most_order) + 1)),
        samples_(groups),
        counts_(groups),
        width_(width) {}

  std::size_t width() const { return width_; }
  std::size_t most_order() const { return products_.front().size() - 1; }

  /// The mean of u^T w, [width, width], row-major: u a row of `group`, w of the group `back` before
  /// it; their means are taken as 0.
  std::vector<double> product(std::size_t group, std::size_t back) const;

  /// u of every n-th token, the same tokens in all groups.
  const Tokens& samples(std::size_t group) const { return samples_[group]; }

  /// Adds the u of `group` of some tokens; `before`: those of the groups before it, nearest first.
  /// Every `stride`-th token, of those from `seen` on, is kept.
  void add(std::size_t group, const std::vector<const Tokens*>& before, const Tokens& u,
           std::size_t seen, std::size_t stride, WorkerPool& pool);

  /// The same of sums that were taken elsewhere: tokens of `group`, those kept of them, and at the
  /// end each sum of u^T w, [width, width].
  void add_samples(std::size_t group, const Tokens& kept, std::size_t tokens);
  void set_product(std::size_t group, std::size_t back, std::vector<double> sum) {
    products_[group][back] = std::move(sum);
  }

 private:
  std::vector<std::vector<std::vector<double>>> products_;  // [group][back], sums
  std::vector<Tokens> samples_;
  std::vector<double> counts_;
  std::size_t width_;
};

/// Gathers them in a prefill, layer by layer, K and V rounded to bf16 first.
class LayerMomentsTap final : public KvTap {
 public:
  /// `profile` has the transforms of the heads, layer_octaves and layer_group; about `samples` of
  /// `tokens_in_all` are kept. Everything passed by reference must outlive the tap.
  LayerMomentsTap(const Profile& profile, LayerMoments& moments, TapPoint tap,
                  std::size_t tokens_in_all, std::size_t samples, WorkerPool& pool);

  void visit(KvSite site, KvView view) override;
  TapPoint tap_point() const override { return tap_; }

 private:
  const Profile& profile_;
  LayerMoments& moments_;
  TapPoint tap_;
  std::size_t stride_, seen_ = 0;
  WorkerPool& pool_;
  std::vector<LayerMoments::Tokens> recent_;  // u of the last groups, [group % (kMostOrder + 1)]
};

}  // namespace kakeya
