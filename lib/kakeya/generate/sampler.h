// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/core/random.h"

namespace kakeya {

/// How the next token is chosen.
struct Sampling {
  double temperature = 0;  ///< logits are divided by it; 0: the likeliest token (greedy)
  std::size_t top_k = 0;   ///< only this many likeliest tokens; 0: all
  double top_p = 1;        ///< only the fewest likeliest tokens of this probability together
  std::uint64_t seed = 0;

  /// Throws SpecError naming what is out of range.
  void check() const;
};

/// Chooses tokens. The choice depends on logits, seed and position alone: whoever goes on from a saved
/// cache gets the tokens of whoever did not stop.
class Sampler {
 public:
  /// Throws as Sampling::check().
  explicit Sampler(const Sampling& sampling);

  /// The token for `position`, from the logits [vocab] of the one before it. Of equal ones the lowest
  /// id is the likelier; one of -infinity never comes. Throws InputError where no logit is finite, or one is
  /// NaN or infinity.
  std::int32_t pick(std::span<const float> logits, std::size_t position);

 private:
  Sampling sampling_;
  Random random_;
  std::vector<std::int32_t> order_;
  std::vector<double> weights_;
};

/// The likeliest token, of equal ones the lowest id. Throws as Sampler::pick().
std::int32_t likeliest(std::span<const float> logits);

}  // namespace kakeya
