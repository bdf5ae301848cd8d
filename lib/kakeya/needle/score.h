// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kakeya/cache/packed_cache.h"
#include "kakeya/model/model.h"
#include "kakeya/needle/prompt.h"

namespace kakeya {

struct NeedleScoring {
  TapPoint tap = TapPoint::pre_rope;
  std::size_t prefill_chunk = 512;       ///< prompt tokens of a step
  std::size_t more_tokens = 16;          ///< generated beyond as many as the answer has
  std::vector<std::int32_t> end_tokens;  ///< any of them ends what is generated
};

struct NeedleScore {
  double answer_nll =
      0;  ///< nats a token of the answer, each given the prompt and the answer before it
  std::vector<std::int32_t> generated;  ///< greedy, without an end token
  LiveBytes live;                       ///< of the cache behind the prompt
};

/// Prefills a prompt into an empty cache, in chunks but for its last token, then takes a step a token: along the answer,
/// and along what is likeliest from where the two part; where they never do, the answer is what was generated. Nothing is computed twice. Throws InputError where
/// prompt, answer and more_tokens do not fit the model's context, and what Model::step() throws.
NeedleScore score_needle(Model& model, PackedCache& cache, const NeedlePrompt& prompt,
                         const NeedleScoring& scoring);

}  // namespace kakeya
