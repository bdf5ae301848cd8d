// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/predictions.h"

#include <string>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/model.h"
#include "kakeya/model/token_losses.h"

namespace kakeya {
namespace {

class HeldPredictions final : public Predictions {
 public:
  HeldPredictions(std::vector<float> logits, std::size_t vocab)
      : logits_(std::move(logits)), vocab_(vocab) {
    if (vocab == 0 || logits_.size() % vocab != 0) {
      throw InputError(std::to_string(logits_.size()) + " logits: expected rows of " +
                       std::to_string(vocab));
    }
  }

  std::size_t rows() const override { return logits_.size() / vocab_; }

  std::vector<float> logits(std::size_t first, std::size_t count) const override {
    const std::span<const float> some =
        std::span<const float>(logits_).subspan(first * vocab_, count * vocab_);
    return {some.begin(), some.end()};
  }

 private:
  std::vector<float> logits_;
  std::size_t vocab_;
};

}  // namespace

std::optional<TokenLosses> Predictions::compared(const Predictions&,
                                                 std::span<const std::int32_t>) const {
  return std::nullopt;
}

std::unique_ptr<Predictions> held_predictions(std::vector<float> logits, std::size_t vocab) {
  return std::make_unique<HeldPredictions>(std::move(logits), vocab);
}

std::unique_ptr<Predictions> Model::predict(std::span<const std::int32_t> tokens, std::size_t first,
                                            std::size_t count, KvTap* tap) {
  return predictions_of(logits(tokens, first, count, tap));
}

std::unique_ptr<Predictions> Model::predictions_of(std::vector<float> logits) {
  return held_predictions(std::move(logits), static_cast<std::size_t>(facts().vocab));
}

}  // namespace kakeya
