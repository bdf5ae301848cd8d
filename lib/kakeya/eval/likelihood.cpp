// SPDX-License-Identifier: Apache-2.0
#include "kakeya/eval/likelihood.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

/// e^u - 1 - u without cancellation: the series where u is small (relative error below u^3 / 60).
double excess(double u) {
  if (std::fabs(u) < 1e-3) return u * u * (0.5 + u * (1.0 / 6 + u * (1.0 / 24)));
  return std::expm1(u) - u;
}

}  // namespace

ReferenceLikelihood::ReferenceLikelihood(std::vector<float> logits,
                                         std::span<const std::int32_t> targets, std::size_t vocab,
                                         WorkerPool& pool)
    : logits_(std::move(logits)),
      targets_(targets.begin(), targets.end()),
      vocab_(vocab),
      rows_(targets.size()),
      nll_(targets.size()) {
  if (vocab == 0 || targets.empty() || logits_.size() != targets.size() * vocab) {
    throw InputError("reference pass: " + std::to_string(logits_.size()) + " logits, expected " +
                     std::to_string(targets.size()) + " x " + std::to_string(vocab));
  }
  for (const std::int32_t target : targets_) {
    if (target < 0 || static_cast<std::size_t>(target) >= vocab) {
      throw InputError("token " + std::to_string(target) + ": expected an id in [0, " +
                       std::to_string(vocab - 1) + "]");
    }
  }
  pool.run(targets_.size(), [&](std::size_t i) {
    const std::span<const float> row(logits_.data() + i * vocab_, vocab_);
    rows_[i] = normalize(row, i);
    nll_[i] = rows_[i].log_normalizer - row[static_cast<std::size_t>(targets_[i])];
  });
}

ReferenceLikelihood::Row ReferenceLikelihood::normalize(std::span<const float> row,
                                                        std::size_t index) const {
  const auto top = std::max_element(row.begin(), row.end());
  const double largest = *top;
  double sum = 0;
  float lowest = *top;
  for (const float logit : row) {
    sum += std::exp(static_cast<double>(logit) - largest);
    lowest = std::min(lowest, logit);
  }
  if (!std::isfinite(sum) || !std::isfinite(lowest)) {
    throw InputError("logits of scored token " + std::to_string(index) +
                     ": NaN or infinite, expected finite numbers");
  }
  return {largest + std::log(sum), static_cast<std::size_t>(top - row.begin())};
}

LikelihoodSample ReferenceLikelihood::compare(const std::vector<float>& logits,
                                              WorkerPool& pool) const {
  if (logits.size() != logits_.size()) {
    throw InputError("coded pass: " + std::to_string(logits.size()) + " logits, expected " +
                     std::to_string(targets_.size()) + " x " + std::to_string(vocab_));
  }
  LikelihoodSample sample;
  sample.nll.resize(targets_.size());
  sample.kld.resize(targets_.size());
  sample.top1.resize(targets_.size());
  pool.run(targets_.size(), [&](std::size_t i) {
    const std::span<const float> p_row(logits_.data() + i * vocab_, vocab_);
    const std::span<const float> q_row(logits.data() + i * vocab_, vocab_);
    const Row coded = normalize(q_row, i);
    double divergence = 0;
    for (std::size_t token = 0; token < vocab_; ++token) {
      const double log_p = p_row[token] - rows_[i].log_normalizer;
      const double log_q = q_row[token] - coded.log_normalizer;
      const double u = log_q - log_p, p = std::exp(log_p);
      // Where q is far above p, e^u could overflow although q cannot.
      divergence += u < 1 ? p * excess(u) : std::exp(log_q) - p - p * u;
    }
    sample.nll[i] = coded.log_normalizer - q_row[static_cast<std::size_t>(targets_[i])];
    sample.kld[i] = divergence;
    sample.top1[i] = coded.top == rows_[i].top ? 1 : 0;
  });
  return sample;
}

double mean_of(std::span<const double> values) {
  if (values.empty()) throw InputError("mean: no values");
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double relative_perplexity_change(double nll, double nll_reference) {
  return std::expm1(nll - nll_reference);
}

}  // namespace kakeya
