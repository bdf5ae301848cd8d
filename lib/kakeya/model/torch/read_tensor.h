// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>

#include "kakeya/model/model.h"
#include "kakeya/model/weights/checkpoint.h"

namespace at {
class Tensor;
}
namespace c10 {
struct TensorOptions;
}

namespace kakeya {

/// The tensors in `slots` of a layer, one below the other, [rows of all, columns], on the device
/// and in the type of `options`. Throws as Checkpoint::read().
at::Tensor read_stack(const Checkpoint& checkpoint, std::initializer_list<Slot> slots, int layer,
                      std::int64_t columns, const c10::TensorOptions& options);

/// The vector in `slot` of a layer; as read_stack().
at::Tensor read_vector(const Checkpoint& checkpoint, Slot slot, int layer,
                       const c10::TensorOptions& options);

/// What a harness must know of a model, from its checkpoint.
ModelFacts facts_of(const Checkpoint& checkpoint);

}  // namespace kakeya
