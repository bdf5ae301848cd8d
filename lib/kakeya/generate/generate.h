// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kakeya/generate/sampler.h"
#include "kakeya/model/model.h"
#include "kakeya/model/step_cache.h"

namespace kakeya {

/// What is generated behind the tokens that a sequence of a cache has.
struct GenerateRequest {
  int sequence = 0;
  std::vector<std::int32_t> prompt;  ///< tokens that come first; at least one
  std::size_t max_tokens = 128;      ///< to generate; 0: the prompt but its last token is prefilled
  std::size_t prefill_chunk = 512;   ///< prompt tokens of a step
  std::vector<std::int32_t> end_tokens;  ///< any of them ends it, and is the last one given
  Sampling sampling;
};

/// What came of it.
struct Generated {
  std::vector<std::int32_t> tokens;  ///< those generated, an end token too
  bool ended = false;                ///< by an end token
  double prefill_seconds = 0;        ///< of the prompt but its last token
  double first_token_seconds = 0;    ///< until the first one was chosen, where there is one
  double decode_seconds = 0;         ///< of all steps after it
  std::size_t decode_steps = 0;      ///< steps after the first token: one a further token

  double tokens_per_second() const {
    return decode_steps == 0 ? 0 : static_cast<double>(decode_steps) / decode_seconds;
  }
};

/// What the work says as it goes on.
struct GenerateEvents {
  std::function<void(std::size_t done, std::size_t all)> prefilled;  ///< tokens of the prompt
  std::function<void(std::int32_t token)> generated;
  std::function<void(std::span<const float> logits)> predicted =
      {};  ///< before a token is chosen of them
};

/// Prefills the prompt but its last token in chunks, then takes one step a token. The last token, of what
/// it gives or where that is nothing of the prompt, comes next: the cache has not been given it. So
/// whoever goes on with it, then or from a saved cache, takes the same steps. Throws SpecError of Sampling::check(), InputError where the
/// prompt is empty or the prompt and max_tokens do not fit the model's context, and what Model::step()
/// throws.
Generated generate(Model& model, StepCache& cache, const GenerateRequest& request,
                   const GenerateEvents& events = {});

}  // namespace kakeya
