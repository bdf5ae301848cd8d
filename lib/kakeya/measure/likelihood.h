// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "kakeya/core/worker_pool.h"
#include "kakeya/model/predictions.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// Bytes of logits that a comparison on the host may have at once.
struct LogitMemory {
  /// Of the reference: as many are held, with their probabilities (twice that); more are made anew, in
  /// blocks, for every comparison.
  std::size_t held = std::size_t{256} << 20;
  /// Of a block, of either pass; at least Predictions::kBlock rows.
  std::size_t block = std::size_t{64} << 20;
};

/// The predictions of a reference pass; all sums in double. Where the model computes on a GPU, passes are
/// compared there (Predictions::compared()), otherwise here: the numbers are the same to the last bit
/// whether the reference is held or not.
class ReferenceLikelihood {
 public:
  /// Row i of `predictions`, logits over `vocab` tokens, natural, predicts targets[i]. Throws InputError on
  /// a shape that does not fit, a target outside the vocabulary or a logit that is NaN or infinite.
  ReferenceLikelihood(std::unique_ptr<Predictions> predictions,
                      std::span<const std::int32_t> targets, std::size_t vocab, WorkerPool& pool,
                      LogitMemory memory = {});

  /// The same of logits [targets, vocab].
  ReferenceLikelihood(std::vector<float> logits, std::span<const std::int32_t> targets,
                      std::size_t vocab, WorkerPool& pool, LogitMemory memory = {});

  /// -log p(target), nats, one a scored token.
  const std::vector<double>& nll() const { return nll_; }

  /// The same tokens under a coded pass, as many rows: sample_of() what two passes make of them
  /// (token_losses.h). KL(reference || coded) = sum_i p_i log(p_i / q_i) is over the whole vocabulary,
  /// summed by divergence_term(); of equally likely tokens the lowest id is the top one. Equal logits
  /// give exactly 0. Throws as the constructor does.
  Sample compare(const Predictions& coded, WorkerPool& pool) const;

  /// Of logits [targets, vocab].
  Sample compare(const std::vector<float>& logits, WorkerPool& pool) const;

 private:
  struct Row {
    double log_normalizer = 0;
    std::size_t top = 0;
  };
  /// The logits of so many rows from one on.
  using Block = std::function<std::span<const float>(std::size_t first, std::size_t count)>;

  std::size_t block_rows() const;
  void for_blocks(const std::function<void(std::size_t first, std::size_t count)>& work) const;
  std::span<const float> checked(std::span<const float> logits, std::size_t count,
                                 const char* pass) const;
  void hold(WorkerPool& pool);
  void score(WorkerPool& pool);
  TokenLosses compare_here(const Block& coded, WorkerPool& pool) const;
  /// The normaliser of a row of logits; `probabilities` gets softmax(row).
  Row normalize(std::span<const float> row, std::size_t index,
                std::span<double> probabilities) const;

  std::unique_ptr<Predictions> predictions_;  // null where all is held
  std::vector<std::int32_t> targets_;
  std::size_t vocab_;
  LogitMemory memory_;
  std::vector<double> nll_;
  // Where they are held, [targets, vocab]: an exponential less in every compare().
  std::vector<float> logits_;
  std::vector<double> probabilities_;
  std::vector<Row> rows_;
};

}  // namespace kakeya
