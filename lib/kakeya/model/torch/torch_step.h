// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private (rooms.json): what torch_step.cpp and torch_step_few.cpp share.
#include <cstdint>

#include "kakeya/model/device_step_cache.h"
#include "kakeya/model/torch/torch_model.h"

namespace kakeya {

inline constexpr std::int64_t kTileTokens = 1024;  ///< read from the cache at once

/// From so many on, of a key-value head, LibTorch's products are faster than attend_rows.h.
inline constexpr std::int64_t kFewQueries = 32;

// What every layer shares.
struct TorchModel::Step {
  StepCache& cache;
  DeviceStepCache* device;  // the same, where it is on the device of the model; else null
  bool post_rope;           // keys are kept after RoPE
  std::int64_t block;       // rows worked on at once
  Product product;          // of rows that are few
  // Of each row, of layers that see all (0) and of windowed ones (1).
  struct Angles {
    Tensor cos[2], sin[2];
  };
  std::vector<Angles> angles;  // on each device
};

}  // namespace kakeya
