// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/model/model.h"

namespace kakeya {

/// Throws InputError unless Model::logits() can be taken of these tokens and positions, whatever the
/// ids are.
void check_forward(std::span<const std::int32_t> tokens, std::size_t first, std::size_t count,
                   const ModelFacts& facts);

/// Throws InputError unless Model::nll() can score from there.
void check_scoring(std::span<const std::int32_t> tokens, std::size_t first_scored);

/// Throws InputError as Model::step() does of a batch.
void check_step(std::span<const StepInput> batch, const StepCache& cache, const ModelFacts& facts);

/// Throws InputError where the cache no longer has all tokens of a layer from `begin` on, the first
/// that new tokens of the sequence, which begin at `position`, see.
void check_kept(const StepCache& cache, int sequence, int layer, std::size_t begin,
                std::size_t position);

}  // namespace kakeya
