// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/heads.cuh"
#include "kernels/klt.h"

// Pages of klt, and which of them have vectors that are kept beside the code.

namespace kakeya::kernels {
namespace {

constexpr int kKeptThreads = 256;
constexpr int kMostGroups = 4096 / 32;  // of a page

// A page: its groups of 32 vectors, and the vectors that there are.
struct KeptPage {
  std::int64_t head, page, first;  ///< the first token
  std::int64_t plan;               ///< of the head
  std::int64_t first_group;        ///< among those of all heads
  int groups, vectors;
};
__device__ __forceinline__ KeptPage page_of(const Klt& codec, std::int64_t tokens,
                                            std::int64_t number) {
  const std::int64_t pages = (tokens + codec.page - 1) / codec.page;
  KeptPage at;
  at.head = number / pages;
  at.page = number - at.head * pages;
  at.first = at.page * codec.page;
  at.plan = plan_number(codec.plans, at.head);
  const std::int64_t left = tokens_of_head(codec.counts, tokens, at.head) - at.first;
  at.vectors = left < codec.page ? static_cast<int>(left) : codec.page;
  at.groups = (at.vectors + 31) / 32;
  at.first_group = at.head * klt_groups(tokens) + at.first / 32;
  return at;
}
__device__ __forceinline__ KeptPage page_of_block(const Klt& codec, std::int64_t tokens) {
  return page_of(codec, tokens, blockIdx.x);
}
std::int64_t kept_pages(const Klt& codec, std::int64_t tokens, std::int64_t heads) {
  return (tokens + codec.page - 1) / codec.page * heads;
}

// A block has eight neighbouring pages, as in most of them no vector is kept.
constexpr int kPagesOfBlock = kKeptThreads / 32;
std::int64_t kept_blocks(const Klt& codec, std::int64_t tokens, std::int64_t heads) {
  return (kept_pages(codec, tokens, heads) + kPagesOfBlock - 1) / kPagesOfBlock;
}
// Calls each(page) for those of a block's pages, of `all`, in which some are, by all of its warps.
template <typename Each>
__device__ __forceinline__ void for_pages_with_kept(const Klt& codec, std::int64_t tokens,
                                                    std::int64_t all, const KltWork& work,
                                                    const Each& each) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t first = std::int64_t{blockIdx.x} * kPagesOfBlock, mine = first + lane;
  bool kept = false;
  if (lane < kPagesOfBlock && mine < all) {
    kept = static_cast<int>(work.vectors[mine]) != page_of(codec, tokens, mine).vectors;
  }
  for (unsigned left = __ballot_sync(kAll, kept); left != 0; left &= left - 1) {
    const std::int64_t number = first + __ffs(static_cast<int>(left)) - 1;
    each(page_of(codec, tokens, number));
  }
}

// The sum over a warp.
__device__ __forceinline__ int sum_of_lanes(int value) {
#pragma unroll
  for (int lanes = 1; lanes < 32; lanes *= 2) value += __shfl_xor_sync(kAll, value, lanes);
  return value;
}

}  // namespace
}  // namespace kakeya::kernels
