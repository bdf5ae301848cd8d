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

std::unique_ptr<Predictions> wrapped(std::vector<float> logits, std::size_t rows,
                                     std::size_t vocab) {
  if (vocab == 0 || rows == 0 || logits.size() != rows * vocab) {
    throw InputError("reference pass: " + std::to_string(logits.size()) + " logits, expected " +
                     std::to_string(rows) + " x " + std::to_string(vocab));
  }
  return held_predictions(std::move(logits), vocab);
}

}  // namespace

ReferenceLikelihood::ReferenceLikelihood(std::vector<float> logits,
                                         std::span<const std::int32_t> targets, std::size_t vocab,
                                         WorkerPool& pool, LogitMemory memory)
    : ReferenceLikelihood(wrapped(std::move(logits), targets.size(), vocab), targets, vocab, pool,
                          memory) {}

ReferenceLikelihood::ReferenceLikelihood(std::unique_ptr<Predictions> predictions,
                                         std::span<const std::int32_t> targets, std::size_t vocab,
                                         WorkerPool& pool, LogitMemory memory)
    : predictions_(std::move(predictions)),
      targets_(targets.begin(), targets.end()),
      vocab_(vocab),
      memory_(memory),
      nll_(targets.size()) {
  if (vocab == 0 || targets.empty() || predictions_->rows() != targets.size()) {
    throw InputError("reference pass: predictions of " + std::to_string(predictions_->rows()) +
                     " tokens, expected " + std::to_string(targets.size()) + " x " +
                     std::to_string(vocab));
  }
  for (const std::int32_t target : targets_) {
    if (target < 0 || static_cast<std::size_t>(target) >= vocab) {
      throw InputError("token " + std::to_string(target) + ": expected an id in [0, " +
                       std::to_string(vocab - 1) + "]");
    }
  }
  if (const auto there = predictions_->compared(*predictions_, targets_)) {
    nll_ = there->nll_reference;
  } else if (targets_.size() * vocab_ * sizeof(float) <= memory_.held) {
    hold(pool);
  } else {
    score(pool);
  }
}

void ReferenceLikelihood::hold(WorkerPool& pool) {
  logits_ = predictions_->logits(0, targets_.size());
  checked(logits_, targets_.size(), "reference pass");
  predictions_.reset();  // only a GPU would ask for them
  probabilities_.resize(logits_.size());
  rows_.resize(targets_.size());
  pool.run(targets_.size(), [&](std::size_t i) {
    const std::span<const float> row(logits_.data() + i * vocab_, vocab_);
    rows_[i] = normalize(row, i, std::span<double>(probabilities_).subspan(i * vocab_, vocab_));
    nll_[i] = rows_[i].log_normalizer - row[static_cast<std::size_t>(targets_[i])];
  });
}

void ReferenceLikelihood::score(WorkerPool& pool) {
  for_blocks([&](std::size_t first, std::size_t count) {
    const std::vector<float> logits = predictions_->logits(first, count);
    checked(logits, count, "reference pass");
    pool.run(count, [&](std::size_t i) {
      const std::span<const float> row(logits.data() + i * vocab_, vocab_);
      std::vector<double> probabilities(vocab_);
      nll_[first + i] = normalize(row, first + i, probabilities).log_normalizer -
                        row[static_cast<std::size_t>(targets_[first + i])];
    });
  });
}

std::size_t ReferenceLikelihood::block_rows() const {
  const std::size_t rows = memory_.block / (vocab_ * sizeof(float));
  return std::max(Predictions::kBlock, rows / Predictions::kBlock * Predictions::kBlock);
}

void ReferenceLikelihood::for_blocks(
    const std::function<void(std::size_t first, std::size_t count)>& work) const {
  const std::size_t most = block_rows();
  for (std::size_t first = 0; first < targets_.size(); first += most)
    work(first, std::min(most, targets_.size() - first));
}

std::span<const float> ReferenceLikelihood::checked(std::span<const float> logits,
                                                    std::size_t count, const char* pass) const {
  if (logits.size() != count * vocab_) {
    throw InputError(std::string(pass) + ": " + std::to_string(logits.size()) +
                     " logits, expected " + std::to_string(count) + " x " + std::to_string(vocab_));
  }
  return logits;
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
  const std::span<const float> all = checked(logits, targets_.size(), "coded pass");
  return sample_of(
      compare_here([&](std::size_t first,
                       std::size_t count) { return all.subspan(first * vocab_, count * vocab_); },
                   pool));
}

Sample ReferenceLikelihood::compare(const Predictions& coded, WorkerPool& pool) const {
  if (coded.rows() != targets_.size()) {
    throw InputError("coded pass: predictions of " + std::to_string(coded.rows()) +
                     " tokens, expected " + std::to_string(targets_.size()));
  }
  if (predictions_) {
    if (auto there = coded.compared(*predictions_, targets_)) return sample_of(*std::move(there));
  }
  std::vector<float> held;
  return sample_of(compare_here(
      [&](std::size_t first, std::size_t count) {
        held = coded.logits(first, count);
        return checked(held, count, "coded pass");
      },
      pool));
}

TokenLosses ReferenceLikelihood::compare_here(const Block& coded, WorkerPool& pool) const {
  TokenLosses losses;
  losses.nll_reference = nll_;
  losses.nll.resize(targets_.size());
  losses.kld.resize(targets_.size());
  losses.top1.resize(targets_.size());
  const bool is_held = !rows_.empty();
  std::vector<float> made;
  for_blocks([&](std::size_t first, std::size_t count) {
    const std::span<const float> after = coded(first, count);
    if (!is_held) made = predictions_->logits(first, count);
    const std::span<const float> before =
        is_held ? std::span<const float>(logits_).subspan(first * vocab_, count * vocab_)
                : checked(made, count, "reference pass");
    pool.run(count, [&](std::size_t row) {
      const std::size_t i = first + row;
      const std::span<const float> p_row = before.subspan(row * vocab_, vocab_),
                                   q_row = after.subspan(row * vocab_, vocab_);
      std::vector<double> q(vocab_), p_made(is_held ? 0 : vocab_);
      const Row reference = is_held ? rows_[i] : normalize(p_row, i, p_made);
      const std::span<const double> p =
          is_held ? std::span<const double>(probabilities_).subspan(i * vocab_, vocab_) : p_made;
      const Row changed = normalize(q_row, i, q);
      double divergence = 0;
      for (std::size_t token = 0; token < vocab_; ++token) {
        const double log_p = p_row[token] - reference.log_normalizer;
        const double log_q = q_row[token] - changed.log_normalizer;
        divergence += divergence_term(p[token], q[token], log_q - log_p);
      }
      const auto target = static_cast<std::size_t>(targets_[i]);
      losses.nll_reference[i] = reference.log_normalizer - p_row[target];
      losses.nll[i] = changed.log_normalizer - q_row[target];
      losses.kld[i] = divergence;
      losses.top1[i] = changed.top == reference.top ? 1 : 0;
    });
  });
  return losses;
}

Sample ReferenceLikelihood::sample_of(TokenLosses losses) const {
  Sample sample;
  sample.nll_reference_tokens = std::move(losses.nll_reference);
  sample.nll_tokens = std::move(losses.nll);
  sample.kld_tokens = std::move(losses.kld);
  sample.top1_tokens = std::move(losses.top1);
  sample.nll_reference = mean_of(sample.nll_reference_tokens);
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
