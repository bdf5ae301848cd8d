// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/check_tokens.h"

#include <set>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

std::string of_sequence(int sequence) { return "sequence " + std::to_string(sequence) + ": "; }

void check_input(const StepInput& input, std::size_t kept, const ModelFacts& facts) {
  const std::string who = of_sequence(input.sequence);
  const std::size_t count = input.tokens.size(), context = static_cast<std::size_t>(facts.context);
  if (count == 0) throw InputError(who + "no tokens, expected at least one");
  if (kept > context || count > context - kept) {
    throw InputError(who + std::to_string(count) + " tokens behind " + std::to_string(kept) +
                     ", expected at most " + std::to_string(context) + ", the model's context");
  }
  if (input.scored > count) {
    throw InputError(who + "logits of the last " + std::to_string(input.scored) +
                     " tokens asked for, of " + std::to_string(count));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (input.tokens[i] >= 0 && input.tokens[i] < facts.vocab) continue;
    throw InputError(who + "token " + std::to_string(kept + i) + " is " +
                     std::to_string(input.tokens[i]) + ", expected 0 to " +
                     std::to_string(facts.vocab - 1));
  }
}

}  // namespace

void check_forward(std::span<const std::int32_t> tokens, std::size_t first, std::size_t count,
                   const ModelFacts& facts) {
  if (tokens.empty() || tokens.size() > static_cast<std::size_t>(facts.context)) {
    throw InputError(std::to_string(tokens.size()) + " tokens, expected 1 to " +
                     std::to_string(facts.context) + ", the model's context");
  }
  if (first > tokens.size() || count > tokens.size() - first) {
    throw InputError("logits of positions " + std::to_string(first) + " to " +
                     std::to_string(first + count) + " asked for, of " +
                     std::to_string(tokens.size()) + " tokens");
  }
}

void check_scoring(std::span<const std::int32_t> tokens, std::size_t first_scored) {
  if (first_scored >= 1 && first_scored <= tokens.size()) return;
  throw InputError("scoring from token " + std::to_string(first_scored) + ", expected 1 to " +
                   std::to_string(tokens.size()));
}

void check_step(std::span<const StepInput> batch, const StepCache& cache, const ModelFacts& facts) {
  if (batch.empty()) throw InputError("a step of no sequences, expected at least one");
  std::set<int> seen;
  for (const StepInput& input : batch) {
    if (!seen.insert(input.sequence).second) {
      throw InputError(of_sequence(input.sequence) + "twice in a step, expected once");
    }
    check_input(input, cache.tokens(input.sequence), facts);
  }
}

void check_kept(const StepCache& cache, int sequence, int layer, std::size_t begin,
                std::size_t position) {
  const std::size_t kept = cache.first_token(sequence, layer);
  if (kept <= begin) return;
  throw InputError(of_sequence(sequence) + "layer " + std::to_string(layer) +
                   ": the cache has dropped tokens before " + std::to_string(kept) +
                   ", expected all from " + std::to_string(begin) + " on, which token " +
                   std::to_string(position) + " sees");
}

}  // namespace kakeya
