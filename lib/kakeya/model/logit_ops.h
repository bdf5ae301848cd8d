// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace at {
class Tensor;
}

namespace kakeya {

class WorkerPool;

/// The rows of `table` [vocab, hidden] that are those of `tokens`: [tokens, hidden]. Throws
/// InputError naming a token that is not below vocab.
at::Tensor token_rows(const at::Tensor& table, std::span<const std::int32_t> tokens);

/// Logits of float32 rows [n, hidden]: [n, vocab] float32, whatever the output matrix [vocab,
/// hidden] is stored as.
at::Tensor logit_rows(const at::Tensor& normed, const at::Tensor& output, WorkerPool& pool);

/// -log softmax(logits)[target] in double; logits [n, vocab], n targets, each below vocab; the
/// result is [n, 1] on the host.
at::Tensor losses(const at::Tensor& logits, std::span<const std::int32_t> targets,
                  WorkerPool& pool);

}  // namespace kakeya
