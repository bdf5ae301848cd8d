// SPDX-License-Identifier: Apache-2.0
// From the final norm's output to logits, losses and comparisons, a block of rows at a time.
#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <string>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/check_tokens.h"
#include "kakeya/model/token_losses.h"
#include "kakeya/model/torch/logit_ops.h"
#include "kakeya/model/torch/torch_model.h"

namespace kakeya {
namespace {

constexpr auto kBlockRows =
    static_cast<std::int64_t>(Predictions::kBlock);  // at 150,000 tokens of vocabulary: 38 MB

template <typename Work>
void for_row_blocks(std::int64_t rows, const Work& work) {
  for (std::int64_t row = 0; row < rows; row += kBlockRows)
    work(row, std::min(kBlockRows, rows - row));
}

}  // namespace

// [rows, hidden] float32 of the final norm, or the logits themselves where they were held, on the device of
// the output matrix.
class TorchModel::Rows final : public Predictions {
 public:
  Rows(TorchModel& model, Tensor rows, bool are_logits)
      : model_(model), rows_(std::move(rows)), are_logits_(are_logits) {}

  std::size_t rows() const override { return static_cast<std::size_t>(rows_.size(0)); }

  std::vector<float> logits(std::size_t first, std::size_t count) const override {
    const c10::InferenceMode inference;
    const auto vocab = static_cast<std::int64_t>(model_.config_.vocab);
    std::vector<float> out(count * static_cast<std::size_t>(vocab));
    const Tensor target =
        at::from_blob(out.data(), {static_cast<std::int64_t>(count), vocab}, at::kFloat);
    for_row_blocks(target.size(0), [&](std::int64_t row, std::int64_t some) {
      target.narrow(0, row, some).copy_(block(static_cast<std::int64_t>(first) + row, some));
    });
    return out;
  }

  std::optional<TokenLosses> compared(const Predictions& reference,
                                      std::span<const std::int32_t> targets) const override {
    const auto* before = dynamic_cast<const Rows*>(&reference);
    if (rows_.is_cpu() || before == nullptr || before->rows_.device() != rows_.device() ||
        before->rows() != rows() || before->model_.config_.vocab != model_.config_.vocab)
      return std::nullopt;
    const c10::InferenceMode inference;
    TokenLosses losses;
    for_row_blocks(rows_.size(0), [&](std::int64_t row, std::int64_t some) {
      compare_rows(before->block(row, some), block(row, some),
                   targets.subspan(static_cast<std::size_t>(row), static_cast<std::size_t>(some)),
                   static_cast<std::size_t>(row), losses);
    });
    return losses;
  }

 private:
  Tensor block(std::int64_t first, std::int64_t count) const {
    const Tensor some = rows_.narrow(0, first, count);
    return are_logits_ ? some : model_.vocabulary_rows(some);
  }

  TorchModel& model_;
  Tensor rows_;
  bool are_logits_;
};

// Of final-norm output, [rows, hidden] float32: [rows, vocab].
std::vector<float> TorchModel::logits_of(const Tensor& normed) {
  return Rows(*this, normed, false).logits(0, static_cast<std::size_t>(normed.size(0)));
}

std::vector<float> TorchModel::logits(std::span<const std::int32_t> tokens, std::size_t first,
                                      std::size_t count, KvTap* tap) {
  const c10::InferenceMode inference;
  return logits_of(run(tokens, first, count, tap));
}

std::unique_ptr<Predictions> TorchModel::predict(std::span<const std::int32_t> tokens,
                                                 std::size_t first, std::size_t count, KvTap* tap) {
  const c10::InferenceMode inference;
  const Tensor normed = run(tokens, first, count, tap);
  // Forwards are timed: a row on the host waits until a GPU has computed it.
  if (!normed.is_cpu() && normed.size(0) > 0) normed.narrow(0, 0, 1).to(at::kCPU);
  return std::make_unique<Rows>(*this, normed, false);
}

std::unique_ptr<Predictions> TorchModel::predictions_of(std::vector<float> logits) {
  if (output_.is_cpu()) return Model::predictions_of(std::move(logits));
  const c10::InferenceMode inference;
  const auto vocab = static_cast<std::int64_t>(config_.vocab),
             count = static_cast<std::int64_t>(logits.size());
  if (count % vocab != 0) {
    throw InputError(std::to_string(count) + " logits: expected rows of " + std::to_string(vocab));
  }
  const Tensor held = at::from_blob(logits.data(), {count / vocab, vocab}, at::kFloat);
  return std::make_unique<Rows>(*this, held.to(output_.device()), true);
}

std::vector<double> TorchModel::nll(std::span<const std::int32_t> tokens, std::size_t first_scored,
                                    KvTap* tap) {
  check_scoring(tokens, first_scored);
  const c10::InferenceMode inference;
  const Tensor normed = run(tokens, first_scored - 1, tokens.size() - first_scored, tap);
  std::vector<double> out;
  for_row_blocks(normed.size(0), [&](std::int64_t row, std::int64_t rows) {
    const Tensor loss = losses(vocabulary_rows(normed.narrow(0, row, rows)),
                               tokens.subspan(first_scored + static_cast<std::size_t>(row))
                                   .first(static_cast<std::size_t>(rows)),
                               pool_);
    out.insert(out.end(), loss.data_ptr<double>(), loss.data_ptr<double>() + rows);
  });
  return out;
}

}  // namespace kakeya
