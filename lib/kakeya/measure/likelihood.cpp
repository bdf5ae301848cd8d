// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/likelihood.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/token_losses.h"

namespace kakeya {
namespace {

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
  const auto make_room = [&](std::vector<double>& values, auto, const auto&) {
    values.resize(targets_.size());
  };
  for_each_loss(losses, make_room);
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
      const auto word = [&](std::size_t token) {
        return WordPair<double>{p[token], q[token], p_row[token] - reference.log_normalizer,
                                q_row[token] - changed.log_normalizer};
      };
      const auto target = static_cast<std::size_t>(targets_[i]);
      const auto take = [&](std::vector<double>& values, auto over, const auto& term) {
        values[i] = over.of(vocab_, target, [&](std::size_t t) { return term(word(t)); });
      };
      for_each_loss(losses, take);
      losses.top1[i] = changed.top == reference.top ? 1 : 0;
    });
  });
  return losses;
}

}  // namespace kakeya
