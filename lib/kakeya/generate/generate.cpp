// SPDX-License-Identifier: Apache-2.0
#include "kakeya/generate/generate.h"

#include <algorithm>
#include <string>

#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

void check(const Model& model, const StepCache& cache, const GenerateRequest& request) {
  if (request.prompt.empty()) throw InputError("an empty prompt, expected at least one token");
  if (request.prefill_chunk == 0) throw SpecError("prefill-chunk 0: expected at least 1 token");
  const std::size_t there = cache.tokens(request.sequence),
                    context = static_cast<std::size_t>(model.facts().context);
  // The last token is not put into the cache.
  const std::size_t needed = there + request.prompt.size() + request.max_tokens - 1;
  if (needed > context) {
    throw InputError(std::to_string(there) + " tokens in the cache, " +
                     std::to_string(request.prompt.size()) + " of the prompt and " +
                     std::to_string(request.max_tokens) + " to generate: expected at most the " +
                     std::to_string(context) + " of the model's context");
  }
}

}  // namespace

Generated generate(Model& model, StepCache& cache, const GenerateRequest& request,
                   const GenerateEvents& events) {
  Sampler sampler(request.sampling);
  check(model, cache, request);
  Generated result;
  const auto started = Clock::now();
  const std::span<const std::int32_t> prompt = request.prompt;
  const std::size_t before = prompt.size() - 1;
  for (std::size_t done = 0; done < before;) {
    const std::size_t count = std::min(request.prefill_chunk, before - done);
    const StepInput input{request.sequence, prompt.subspan(done, count), 0};
    model.step({&input, 1}, cache);
    done += count;
    if (events.prefilled) events.prefilled(done, prompt.size());
  }
  result.prefill_seconds = seconds_since(started);
  auto since = started;
  std::int32_t token = prompt.back();
  while (result.tokens.size() < request.max_tokens && !result.ended) {
    const StepInput input{request.sequence, {&token, 1}, 1};
    const std::vector<float> logits = model.step({&input, 1}, cache);
    if (events.predicted) events.predicted(logits);
    token = sampler.pick(logits, cache.tokens(request.sequence));
    if (result.tokens.empty()) {
      result.first_token_seconds = seconds_since(started);
      since = Clock::now();
    } else {
      ++result.decode_steps;
    }
    result.tokens.push_back(token);
    if (events.generated) events.generated(token);
    const auto& ends = request.end_tokens;
    result.ended = std::find(ends.begin(), ends.end(), token) != ends.end();
  }
  if (!result.tokens.empty()) result.decode_seconds = seconds_since(since);
  return result;
}

}  // namespace kakeya
