// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/whole_token_moments.h"

#include <Eigen/Core>
#include <algorithm>
#include <utility>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using Eigen::Index;
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr Index kBand = 128;  // rows of the products that are one task

std::size_t width_of(const ModelFacts& facts) {
  return static_cast<std::size_t>(facts.shape.layers) * facts.shape.part_width();
}

}  // namespace

void WholeTokenMoments::add(const std::vector<float>& x, WorkerPool& pool) {
  const auto n = static_cast<Index>(width_), tokens = static_cast<Index>(x.size()) / n;
  if (tokens == 0) return;
  const Eigen::Map<const RowMajor> rows(x.data(), tokens, n);
  const Eigen::RowVectorXd sum = rows.cast<double>().colwise().sum();
  for (std::size_t i = 0; i < width_; ++i) sum_[i] += sum(static_cast<Index>(i));
  if (centre_.empty()) {
    centre_.resize(width_);
    for (std::size_t i = 0; i < width_; ++i) {
      centre_[i] = static_cast<float>(sum_[i] / static_cast<double>(tokens));
    }
    products_.assign(width_ * width_, 0.0f);
  }
  count_ += static_cast<double>(tokens);
  const RowMajor left = rows.rowwise() - Eigen::Map<const Eigen::RowVectorXf>(centre_.data(), n);
  pool.run(static_cast<std::size_t>((n + kBand - 1) / kBand), [&](std::size_t task) {
    const Index first = static_cast<Index>(task) * kBand, band = std::min(kBand, n - first);
    Eigen::Map<RowMajor> products(products_.data(), n, n);
    products.block(first, first, band, n - first).noalias() +=
        left.middleCols(first, band).transpose() * left.rightCols(n - first);
  });
}

std::vector<double> WholeTokenMoments::mean() const {
  std::vector<double> mean = sum_;
  for (double& value : mean) value /= count_;
  return mean;
}

std::vector<float> WholeTokenMoments::take_covariance() {
  std::vector<float> covariance = std::move(products_);
  const std::vector<double> mean = this->mean();
  for (std::size_t i = 0; i < width_; ++i) {
    for (std::size_t j = i; j < width_; ++j) {
      const double product = covariance[i * width_ + j] / count_ -
                             (mean[i] - double{centre_[i]}) * (mean[j] - double{centre_[j]});
      covariance[i * width_ + j] = covariance[j * width_ + i] = static_cast<float>(product);
    }
  }
  return covariance;
}

WholeTokenTap::WholeTokenTap(const ModelFacts& facts, TapPoint tap, std::size_t sinks,
                             std::size_t tokens_in_all, std::size_t samples, WorkerPool& pool)
    : layers_(facts.shape.layers),
      tap_(tap),
      sinks_(sinks),
      stride_(std::max<std::size_t>(1, (tokens_in_all + samples - 1) / samples)),
      pool_(pool),
      moments_{WholeTokenMoments(width_of(facts)), WholeTokenMoments(width_of(facts))} {}

void WholeTokenTap::visit(KvSite site, KvView view) {
  round_to_bf16(std::span<float>(view.data, view.tokens * view.heads * view.dim));
  const std::size_t part = site.part == Part::key ? 0 : 1, here = view.heads * view.dim,
                    width = moments_[part].width(), skipped = std::min(sinks_, view.tokens),
                    tokens = view.tokens - skipped;
  if (here * static_cast<std::size_t>(layers_) != width) {
    throw InputError(site_name(site) + ": " + std::to_string(here) + " scalars a token, expected " +
                     std::to_string(width / static_cast<std::size_t>(layers_)));
  }
  std::vector<float>& all = tokens_[part];
  if (site.layer == 0) all.assign(tokens * width, 0.0f);
  for (std::size_t token = 0; token < tokens; ++token) {
    std::copy_n(view.data + (skipped + token) * here, here,
                all.data() + token * width + static_cast<std::size_t>(site.layer) * here);
  }
  if (site.layer + 1 != layers_) return;
  moments_[part].add(all, pool_);
  for (std::size_t token = (stride_ - seen_ % stride_) % stride_; token < tokens;
       token += stride_) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(token * width);
    samples_[part].insert(samples_[part].end(), from, from + static_cast<std::ptrdiff_t>(width));
  }
  if (part == 1) seen_ += tokens;
}

std::array<WholeTokens, 2> WholeTokenTap::take() {
  std::array<WholeTokens, 2> all;
  for (std::size_t part = 0; part < all.size(); ++part) {
    all[part] = {moments_[part].mean(), moments_[part].take_covariance(),
                 std::move(samples_[part])};
  }
  return all;
}

}  // namespace kakeya
