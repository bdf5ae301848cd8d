// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/core/worker_pool.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// The predictions of a reference pass, its normalisers computed once; all sums in double.
class ReferenceLikelihood {
 public:
  /// `logits` is [targets, vocab], natural, row i predicting targets[i]. Throws InputError on a
  /// shape that does not fit, a target outside the vocabulary or a logit that is NaN or infinite.
  ReferenceLikelihood(std::vector<float> logits, std::span<const std::int32_t> targets,
                      std::size_t vocab, WorkerPool& pool);

  /// -log p(target), nats, one a scored token.
  const std::vector<double>& nll() const { return nll_; }

  /// The same tokens under a coded pass, logits [targets, vocab]: a sample with all that predictions
  /// tell, and nothing else. KL(reference || coded) = sum_i p_i log(p_i / q_i) is over the whole
  /// vocabulary; of equally likely tokens the lowest id is the top one. Throws as the constructor
  /// does. Equal logits give exactly 0. KL is summed as p_i (e^u - 1 - u), u = log q_i - log p_i: the
  /// added sum of q_i - p_i is 0, no term is negative, and digits are kept when p and q are close.
  Sample compare(const std::vector<float>& logits, WorkerPool& pool) const;

 private:
  struct Row {
    double log_normalizer = 0;
    std::size_t top = 0;
  };
  /// The normaliser of a row of logits; `probabilities` gets softmax(row).
  Row normalize(std::span<const float> row, std::size_t index,
                std::span<double> probabilities) const;

  std::vector<float> logits_;
  std::vector<double> probabilities_;  // [targets, vocab]: an exponential less in every compare()
  std::vector<std::int32_t> targets_;
  std::size_t vocab_;
  std::vector<Row> rows_;
  std::vector<double> nll_;
};

/// The arithmetic mean, summed in order. Throws InputError on no values.
double mean_of(std::span<const double> values);

/// (perplexity - reference) / reference = exp(nll - nll_reference) - 1, a signed fraction;
/// arguments are means in nats.
double relative_perplexity_change(double nll, double nll_reference);

}  // namespace kakeya
