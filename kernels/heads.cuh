// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/warp.cuh"

// Heads of kernels that also code pages of a budget (budget.h), each of which is a head to them: which plan one has,
// where it begins in a view, and how many tokens it has.

namespace kakeya::kernels {

__device__ __forceinline__ std::int64_t plan_number(const HeadPlans& plans, std::int64_t head) {
  if (plans.steps == nullptr) return head;
  return static_cast<unsigned>(head) / static_cast<unsigned>(plans.pages) * HeadPlans::kSteps +
         plans.steps[head];
}

/// The head of memory that head `head` is a page of, or itself.
__device__ __forceinline__ std::int64_t whole_head(const Vectors& x, std::int64_t head) {
  return x.pages == 1 ? head : static_cast<unsigned>(head) / static_cast<unsigned>(x.pages);
}
/// The scalar where token 0 of a head begins.
__device__ __forceinline__ std::int64_t begin_of_head(const Vectors& x, std::int64_t head) {
  if (x.pages == 1) return head * x.head_stride;
  const std::int64_t whole = whole_head(x, head);
  return whole * x.head_stride + (head - whole * x.pages) * x.page_stride;
}
/// Tokens of a head: those that `counts` say, or as all have.
__device__ __forceinline__ std::int64_t tokens_of_head(const std::uint32_t* counts,
                                                       std::int64_t tokens, std::int64_t head) {
  return counts == nullptr ? tokens : std::int64_t{counts[head]};
}
__device__ __forceinline__ std::int64_t tokens_of_head(const Vectors& x, std::int64_t head) {
  return tokens_of_head(x.counts, x.tokens, head);
}
/// tile_of(), of heads that may have fewer tokens; `valid` may be 0 or less.
__device__ __forceinline__ Tile counted_tile_of(const Vectors& x) {
  Tile tile = tile_of(x);
  if (x.counts == nullptr) return tile;
  const std::int64_t left = tokens_of_head(x, tile.head) - tile.first;
  tile.valid = left < tile.rows ? static_cast<int>(left) : tile.rows;
  return tile;
}

}  // namespace kakeya::kernels
