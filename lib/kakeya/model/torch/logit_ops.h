// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace at {
class Tensor;
}

namespace kakeya {

class WorkerPool;
struct TokenLosses;

/// The rows of `table` [vocab, hidden] that are those of `tokens`: [tokens, hidden]. Throws
/// InputError naming a token that is not below vocab.
at::Tensor token_rows(const at::Tensor& table, std::span<const std::int32_t> tokens);

/// Logits of float32 rows [n, hidden]: [n, vocab] float32, whatever the output matrix [vocab,
/// hidden] is stored as.
at::Tensor logit_rows(const at::Tensor& normed, const at::Tensor& output, WorkerPool& pool);

/// x weight^T of a few rows on the CPU, as project_rows(): what a product costs is reading `weight`
/// [outputs, inputs], float32, of which each task of `pool` takes a part. Not for a task of the pool.
at::Tensor product_of_few(const at::Tensor& x, const at::Tensor& weight, WorkerPool& pool);

/// Whether product_of_few() can be taken, and is the faster one: of one to three rows, and many weights.
bool are_few(const at::Tensor& x, const at::Tensor& weight);

/// -log softmax(logits)[target] in double; logits [n, vocab], n targets, each below vocab; the
/// result is [n, 1] on the host.
at::Tensor losses(const at::Tensor& logits, std::span<const std::int32_t> targets,
                  WorkerPool& pool);

/// Appends what logits `coded` make of `targets` beside `reference`, both [n, vocab] float32 on one device, where
/// it is computed, in double and in the form of token_losses.h: up to the order of sums the same
/// numbers. Throws InputError on a logit that is NaN or infinite, naming the row from `first` on.
void compare_rows(const at::Tensor& reference, const at::Tensor& coded,
                  std::span<const std::int32_t> targets, std::size_t first, TokenLosses& losses);

}  // namespace kakeya
