// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/layer_moments.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <span>

#include "kakeya/cache/kv_cache.h"

namespace kakeya {
namespace {

using Eigen::Index;
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

std::vector<double> LayerMoments::product(std::size_t group, std::size_t back) const {
  std::vector<double> mean = products_[group][back];
  for (double& value : mean) value /= counts_[group];
  return mean;
}

void LayerMoments::add(std::size_t group, const std::vector<const Tokens*>& before, const Tokens& u,
                       std::size_t seen, std::size_t stride, WorkerPool& pool) {
  // Bands of rows of each product: enough tasks for many threads, each a product of its own.
  constexpr Index kBand = 64;
  const auto n = static_cast<Index>(width_);
  const Index bands = (n + kBand - 1) / kBand, tokens = static_cast<Index>(u.size()) / n;
  const std::size_t products = 1 + before.size();
  for (std::size_t back = 0; back < products; ++back) {
    products_[group][back].resize(width_ * width_);
  }
  const Eigen::Map<const RowMajor> own(u.data(), tokens, n);
  pool.run(products * static_cast<std::size_t>(bands), [&](std::size_t task) {
    const std::size_t back = task / static_cast<std::size_t>(bands);
    const Index first = static_cast<Index>(task) % bands * kBand, rows = std::min(kBand, n - first);
    const Eigen::Map<const RowMajor> other((back == 0 ? u : *before[back - 1]).data(), tokens, n);
    const RowMajor part = own.middleCols(first, rows).transpose() * other;
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> sum(
        products_[group][back].data(), n, n);
    sum.middleRows(first, rows) += part.cast<double>();
  });
  counts_[group] += static_cast<double>(tokens);
  for (std::size_t row = (stride - seen % stride) % stride; row < static_cast<std::size_t>(tokens);
       row += stride) {
    const auto from = u.begin() + static_cast<std::ptrdiff_t>(row * width_);
    samples_[group].insert(samples_[group].end(), from, from + static_cast<std::ptrdiff_t>(width_));
  }
}

void LayerMoments::add_samples(std::size_t group, const Tokens& kept, std::size_t tokens) {
  counts_[group] += static_cast<double>(tokens);
  samples_[group].insert(samples_[group].end(), kept.begin(), kept.end());
}

LayerMomentsTap::LayerMomentsTap(const Profile& profile, LayerMoments& moments, TapPoint tap,
                                 std::size_t tokens_in_all, std::size_t samples, WorkerPool& pool)
    : profile_(profile),
      moments_(moments),
      tap_(tap),
      stride_(std::max<std::size_t>(1, (tokens_in_all + samples - 1) / samples)),
      pool_(pool),
      recent_(kMostOrder + 1) {}

void LayerMomentsTap::visit(KvSite site, KvView view) {
  round_to_bf16(std::span<float>(view.data, view.tokens * view.heads * view.dim));
  const bool key = site.part == Part::key;
  const auto layer = static_cast<std::size_t>(site.layer);
  const auto sinks = std::min(static_cast<std::size_t>(profile_.sinks), view.tokens);
  const auto dim = static_cast<Index>(view.dim), heads = static_cast<Index>(view.heads),
             tokens = static_cast<Index>(view.tokens - sinks);
  const auto together = static_cast<std::size_t>(profile_.layer_group);
  const std::size_t group = layer / together;
  LayerMoments::Tokens& u = recent_[group % (kMostOrder + 1)];
  u.resize(static_cast<std::size_t>(tokens) * moments_.width());
  Eigen::Map<RowMajor> coordinates(u.data(), tokens, static_cast<Index>(moments_.width()));
  const Index start = static_cast<Index>(layer % together) * 2 * heads * dim;
  const auto up = static_cast<float>(std::exp2(profile_.layer_octaves[site.index()]));
  pool_.run(view.heads, [&](std::size_t head) {
    const SiteTransform& made =
        profile_.transform({site.layer, site.part, static_cast<int>(head)}, TransformVariant{});
    const Eigen::Map<const RowMajor, 0, Eigen::OuterStride<>> x(
        view.data + (sinks * view.heads + head) * view.dim, tokens, dim,
        Eigen::OuterStride<>(heads * dim));
    const Eigen::Map<const Eigen::RowVectorXf> mean(made.mean.data(), dim);
    const Eigen::Map<const RowMajor> forward(made.forward.data(), dim, dim);
    const Index at = start + ((key ? 0 : heads) + static_cast<Index>(head)) * dim;
    coordinates.middleCols(at, dim).noalias() = (x.rowwise() - mean) * forward * up;
  });
  if (key || (layer + 1) % together != 0) return;
  std::vector<const LayerMoments::Tokens*> before;
  for (std::size_t back = 1; back <= std::min(group, moments_.most_order()); ++back) {
    before.push_back(&recent_[(group - back) % (kMostOrder + 1)]);
  }
  moments_.add(group, before, u, seen_, stride_, pool_);
  if (site.layer + 1 == profile_.shape.layers) seen_ += static_cast<std::size_t>(tokens);
}

}  // namespace kakeya
