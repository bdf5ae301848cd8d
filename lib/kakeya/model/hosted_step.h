// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "kakeya/host/host.h"
#include "kakeya/model/model.h"

namespace kakeya {

/// A step of a host over a cache of this program.
class HostedStep {
 public:
  /// Throws as Model::step() of a batch.
  HostedStep(std::span<const StepInput> batch, StepCache& cache, const ModelFacts& facts);

  /// All ids, one input after another; and what the request says of the inputs.
  std::span<const std::int32_t> tokens() const { return tokens_; }
  nlohmann::json batch() const;
  /// Tokens whose logits are wanted.
  std::size_t scored() const;

  /// An "append" of the host: appends keys and values of an input in a layer, and answers what
  /// attention sees. Throws CorruptStream unless the layer is that input's next.
  void append(const HostMessage& call, HostAnswer& answer);

  /// Throws CorruptStream unless every input has gone through all layers before `reply`.
  void finish(const HostMessage& reply) const;

 private:
  std::span<const StepInput> batch_;
  StepCache& cache_;
  const ModelFacts& facts_;
  std::vector<std::int32_t> tokens_;
  std::vector<std::size_t> past_;  // tokens before those of each input
  std::vector<int> next_;          // layer of each input
};

}  // namespace kakeya
