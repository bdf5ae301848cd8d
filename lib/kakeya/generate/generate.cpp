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
  const std::span<const std::int32_t> all = request.prompt, prompt = request.max_tokens == 0
                                                                         ? all.first(all.size() - 1)
                                                                         : all;
  std::vector<float> logits;
  for (std::size_t done = 0; done < prompt.size();) {
    const std::size_t count = std::min(request.prefill_chunk, prompt.size() - done);
    const bool last = done + count == prompt.size();
    const StepInput input{request.sequence, prompt.subspan(done, count), last ? 1u : 0u};
    logits = model.step({&input, 1}, cache);
    done += count;
    if (events.prefilled) events.prefilled(done, prompt.size());
  }
  auto since = started;
  while (result.tokens.size() < request.max_tokens) {
    const std::int32_t token = sampler.pick(logits, cache.tokens(request.sequence));
    if (result.tokens.empty()) {
      result.first_token_seconds = seconds_since(started);
      since = Clock::now();
    }
    result.tokens.push_back(token);
    if (events.generated) events.generated(token);
    const auto& ends = request.end_tokens;
    result.ended = std::find(ends.begin(), ends.end(), token) != ends.end();
    if (result.ended || result.tokens.size() == request.max_tokens) break;
    const StepInput input{request.sequence, {&token, 1}, 1};
    logits = model.step({&input, 1}, cache);
    ++result.decode_steps;
  }
  result.decode_seconds = seconds_since(since);
  return result;
}

}  // namespace kakeya
