// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/hosted_step.h"

#include <nlohmann/json.hpp>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/model/check_tokens.h"

namespace kakeya {

HostedStep::HostedStep(std::span<const StepInput> batch, StepCache& cache, const ModelFacts& facts)
    : batch_(batch), cache_(cache), facts_(facts), next_(batch.size(), 0) {
  check_step(batch, cache, facts);
  for (const StepInput& input : batch) {
    tokens_.insert(tokens_.end(), input.tokens.begin(), input.tokens.end());
    past_.push_back(cache.tokens(input.sequence));
  }
}

nlohmann::json HostedStep::batch() const {
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    list.push_back(
        {{"tokens", batch_[i].tokens.size()}, {"scored", batch_[i].scored}, {"past", past_[i]}});
  }
  return list;
}

std::size_t HostedStep::scored() const {
  std::size_t sum = 0;
  for (const StepInput& input : batch_) sum += input.scored;
  return sum;
}

void HostedStep::append(const HostMessage& call, HostAnswer& answer) {
  const std::vector<std::int64_t> place = call.wholes("append", 2, 0, 1 << 24);
  const auto i = static_cast<std::size_t>(place[0]);
  if (i >= batch_.size()) {
    call.refuse("append", "one of " + std::to_string(batch_.size()) + " inputs of the batch");
  }
  const int layer = next_[i];
  if (place[1] != layer || layer >= facts_.shape.layers) {
    call.refuse("append", "layer " + std::to_string(layer) + " of " +
                              std::to_string(facts_.shape.layers) + " next");
  }
  const StepInput& input = batch_[i];
  const std::size_t count = input.tokens.size(), width = facts_.shape.part_width(),
                    end = past_[i] + count;
  call.whole("tokens", static_cast<std::int64_t>(count), static_cast<std::int64_t>(count));
  const std::span<const float> keys = call.floats("keys", count * width),
                               values = call.floats("values", count * width);
  ++next_[i];
  cache_.append(input.sequence, layer, dense_rows(keys.data(), count, width),
                dense_rows(values.data(), count, width));
  const auto window = static_cast<std::size_t>(facts_.windows.tokens);
  const bool windowed = facts_.windows.covers(layer) && past_[i] + 1 > window;
  const std::size_t first = windowed ? past_[i] + 1 - window : 0;
  check_kept(cache_, input.sequence, layer, first, past_[i]);
  const std::size_t seen = end - first;
  for (const auto& [part, key] : {std::pair(Part::key, "keys"), std::pair(Part::value, "values")}) {
    const std::span<float> room = answer.floats(key, seen * width);
    cache_.read(input.sequence, {layer, part}, {first, seen}, dense_rows(room.data(), seen, width));
  }
  answer.json()["first"] = first;
  answer.json()["tokens"] = seen;
}

void HostedStep::finish(const HostMessage& reply) const {
  for (std::size_t i = 0; i < next_.size(); ++i) {
    if (next_[i] == facts_.shape.layers) continue;
    reply.refuse("the step ended before layer " + std::to_string(next_[i]) + " of input " +
                 std::to_string(i) + " was appended");
  }
}

}  // namespace kakeya
