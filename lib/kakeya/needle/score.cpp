// SPDX-License-Identifier: Apache-2.0
#include "kakeya/needle/score.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "kakeya/core/error.h"
#include "kakeya/generate/packed_step_cache.h"
#include "kakeya/generate/sampler.h"

namespace kakeya {
namespace {

double nll_of(std::span<const float> logits, std::int32_t token) {
  double most = logits[0];
  for (const float logit : logits) most = std::max(most, static_cast<double>(logit));
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit - most);
  return most + std::log(sum) - logits[static_cast<std::size_t>(token)];
}

class Scorer {
 public:
  Scorer(Model& model, PackedCache& cache, const NeedleScoring& scoring)
      : model_(model), packed_(cache), cache_(cache, scoring.tap), scoring_(scoring) {}

  NeedleScore run(const NeedlePrompt& prompt) {
    const int sequence = packed_.add_sequence();
    prefill(sequence, std::span(prompt.tokens).first(prompt.tokens.size() - 1));
    const std::size_t most = prompt.answer.size() + scoring_.more_tokens;
    std::optional<int> apart;  // the sequence of what is generated, once it is not the answer
    std::int32_t token = prompt.tokens.back(), next = token;
    for (std::size_t i = 0; i < prompt.answer.size(); ++i) {
      const std::vector<float> logits = step(sequence, token);
      if (i == 0) score_.live = packed_.live_bytes();
      token = prompt.answer[i];
      score_.answer_nll += nll_of(logits, token) / static_cast<double>(prompt.answer.size());
      if (apart) continue;
      next = likeliest(logits);
      if (next != token) apart = packed_.branch(sequence);
      if (!generate(next)) next = -1;
    }
    while (apart && next >= 0 && score_.generated.size() < most) {
      next = likeliest(step(*apart, next));
      if (!generate(next)) break;
    }
    return std::move(score_);
  }

 private:
  void prefill(int sequence, std::span<const std::int32_t> tokens) {
    for (std::size_t done = 0; done < tokens.size();) {
      const std::size_t count = std::min(scoring_.prefill_chunk, tokens.size() - done);
      const StepInput input{sequence, tokens.subspan(done, count), 0};
      model_.step({&input, 1}, cache_);
      done += count;
    }
  }

  std::vector<float> step(int sequence, std::int32_t token) {
    const StepInput input{sequence, {&token, 1}, 1};
    return model_.step({&input, 1}, cache_);
  }

  // Whether it goes on behind this token.
  bool generate(std::int32_t token) {
    const auto& ends = scoring_.end_tokens;
    if (std::find(ends.begin(), ends.end(), token) != ends.end()) return false;
    score_.generated.push_back(token);
    return true;
  }

  Model& model_;
  PackedCache& packed_;
  PackedStepCache cache_;
  const NeedleScoring& scoring_;
  NeedleScore score_;
};

}  // namespace

NeedleScore score_needle(Model& model, PackedCache& cache, const NeedlePrompt& prompt,
                         const NeedleScoring& scoring) {
  if (prompt.tokens.empty() || prompt.answer.empty() || scoring.prefill_chunk == 0) {
    throw InputError("needle: expected a prompt, an answer and chunks of at least one token each");
  }
  const std::size_t all = prompt.tokens.size() + prompt.answer.size() + scoring.more_tokens,
                    context = static_cast<std::size_t>(model.facts().context);
  if (all > context) {
    throw InputError("length " + std::to_string(prompt.tokens.size()) + " and " +
                     std::to_string(all - prompt.tokens.size()) +
                     " tokens of an answer: expected at most the " + std::to_string(context) +
                     " of the model's context");
  }
  return Scorer(model, cache, scoring).run(prompt);
}

}  // namespace kakeya
