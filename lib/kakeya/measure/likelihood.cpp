// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/likelihood.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

/// p (e^u - 1 - u) for q = p e^u: the term of one token in KL(p || q), u = log q - log p.
/// Where u is small the difference would cancel, so its series is summed (relative error below u^5
/// / 2520); elsewhere q - p - p u loses at most 5 digits of 16, and cannot overflow as e^u could.
double divergence_term(double p, double q, double u) {
  if (std::fabs(u) < 0.01) {
    return p * u * u * (0.5 + u * (1.0 / 6 + u * (1.0 / 24 + u * (1.0 / 120 + u * (1.0 / 720)))));
  }
  return q - p - p * u;
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
  probabilities_.resize(logits_.size());
  pool.run(targets_.size(), [&](std::size_t i) {
    const std::span<const float> row(logits_.data() + i * vocab_, vocab_);
    rows_[i] = normalize(row, i, std::span<double>(probabilities_).subspan(i * vocab_, vocab_));
    nll_[i] = rows_[i].log_normalizer - row[static_cast<std::size_t>(targets_[i])];
  });
}

ReferenceLikelihood::Row ReferenceLikelihood::normalize(std::span<const float> row,
                                                        std::size_t index,
                                                        std::span<double> probabilities) const {
  const auto top = std::max_element(row.begin(), row.end());
  const double largest = *top;
  double sum = 0;
  float lowest = *top;
  for (std::size_t token = 0; token < vocab_; ++token) {
    probabilities[token] = std::exp(row[token] - largest);
    sum += probabilities[token];
    lowest = std::min(lowest, row[token]);
  }
  if (!std::isfinite(sum) || !std::isfinite(lowest)) {
    throw InputError("logits of scored token " + std::to_string(index) +
                     ": NaN or infinite, expected finite numbers");
  }
  for (double& probability : probabilities) probability /= sum;
  return {largest + std::log(sum), static_cast<std::size_t>(top - row.begin())};
}

Sample ReferenceLikelihood::compare(const std::vector<float>& logits, WorkerPool& pool) const {
  if (logits.size() != logits_.size()) {
    throw InputError("coded pass: " + std::to_string(logits.size()) + " logits, expected " +
                     std::to_string(targets_.size()) + " x " + std::to_string(vocab_));
  }
  Sample sample;
  sample.nll_reference_tokens = nll_;
  sample.nll_tokens.resize(targets_.size());
  sample.kld_tokens.resize(targets_.size());
  sample.top1_tokens.resize(targets_.size());
  pool.run(targets_.size(), [&](std::size_t i) {
    const std::span<const float> p_row(logits_.data() + i * vocab_, vocab_);
    const std::span<const float> q_row(logits.data() + i * vocab_, vocab_);
    const std::span<const double> p(probabilities_.data() + i * vocab_, vocab_);
    std::vector<double> q(vocab_);
    const Row coded = normalize(q_row, i, q);
    double divergence = 0;
    for (std::size_t token = 0; token < vocab_; ++token) {
      const double log_p = p_row[token] - rows_[i].log_normalizer;
      const double log_q = q_row[token] - coded.log_normalizer;
      divergence += divergence_term(p[token], q[token], log_q - log_p);
    }
    sample.nll_tokens[i] = coded.log_normalizer - q_row[static_cast<std::size_t>(targets_[i])];
    sample.kld_tokens[i] = divergence;
    sample.top1_tokens[i] = coded.top == rows_[i].top ? 1 : 0;
  });
  sample.nll_reference = mean_of(nll_);
  sample.nll = mean_of(sample.nll_tokens);
  sample.delta_ppl = relative_perplexity_change(*sample.nll, *sample.nll_reference);
  sample.kld_mean = mean_of(sample.kld_tokens);
  sample.kld_max = *std::max_element(sample.kld_tokens.begin(), sample.kld_tokens.end());
  const auto stayed = std::count(sample.top1_tokens.begin(), sample.top1_tokens.end(), 1);
  sample.top1 = static_cast<double>(stayed) / static_cast<double>(targets_.size());
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
