// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/model/model.h"

namespace kakeya::testing {

/// Logits of all `tokens`, by steps of `chunk` of them.
inline std::vector<float> decode(Model& model, StepCache& cache,
                                 std::span<const std::int32_t> tokens, std::size_t chunk,
                                 int sequence = 0) {
  std::vector<float> all;
  for (std::size_t i = 0; i < tokens.size(); i += chunk) {
    const auto part = tokens.subspan(i, std::min(chunk, tokens.size() - i));
    const StepInput input{sequence, part, part.size()};
    const std::vector<float> logits = model.step({&input, 1}, cache);
    all.insert(all.end(), logits.begin(), logits.end());
  }
  return all;
}

}  // namespace kakeya::testing
