// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kakeya {

struct TokenLosses;  // token_losses.h

/// What a forward predicts at some positions, a row each. Logits are made when they are asked for: held are
/// the hidden states that they are made from, [rows, hidden], where the model is ours. The model must
/// outlive them.
class Predictions {
 public:
  /// Rows that are made at once: those of Model::logits() come in blocks of so many.
  static constexpr std::size_t kBlock = 64;

  virtual ~Predictions() = default;

  virtual std::size_t rows() const = 0;

  /// Of rows first .. first + count - 1, [count, vocab], as Model::logits() gives them; to the last bit
  /// where `first` is a multiple of kBlock, and count too unless the rows end there.
  virtual std::vector<float> logits(std::size_t first, std::size_t count) const = 0;

  /// These compared with `reference` where the model computes, in double; targets[i] is the token that row
  /// i predicts, below vocab. Nothing where that is the host, or `reference` is not there: the caller
  /// compares logits(). Throws InputError on a logit that is NaN or infinite.
  virtual std::optional<TokenLosses> compared(const Predictions& reference,
                                              std::span<const std::int32_t> targets) const;
};

/// Logits that are held, [rows, vocab]. Throws InputError where they are no whole rows.
std::unique_ptr<Predictions> held_predictions(std::vector<float> logits, std::size_t vocab);

}  // namespace kakeya
