// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/attention.cuh"
#include "kernels/kernels.h"

// What attention over pages of any kind shares out among blocks: attention.cu, field_attention.cu.

namespace kakeya::kernels {
namespace {

/// Scores are powers of two.
constexpr float kLog2E = 1.44269504f;

/// Blocks that may share a unit.
constexpr int kMostSplits = 256;

/// What a block works on: up to 4 kSets query heads of a KV head of a sequence.
struct Unit {
  int number, sequence, head;
  int first, count;  ///< of the query heads of all
};
template <int kSets>
__device__ __forceinline__ Unit unit_of(const AttendCall& call, int number) {
  const int parts = (call.group + 4 * kSets - 1) / (4 * kSets), part = number % parts,
            place = number / parts, left = call.group - part * 4 * kSets;
  Unit unit{number, place / call.pool.heads, place % call.pool.heads, 0, 0};
  unit.first = unit.head * call.group + part * 4 * kSets;
  unit.count = left < 4 * kSets ? left : 4 * kSets;
  return unit;
}

/// Tokens of a table or a room, as far as these reach.
__device__ __forceinline__ int tokens_of(const AttendCall& call, int sequence, std::int64_t tokens,
                                         std::int64_t most) {
  if (tokens >= 0 && tokens <= most) return static_cast<int>(tokens);
  atomicOr(call.flags + sequence, static_cast<std::uint32_t>(kBadLength));
  return tokens < 0 ? 0 : static_cast<int>(most);
}

/// The rows in bf16 that a sequence sees, of all heads each.
struct ExactRows {
  std::int64_t first;
  int count;
};
__device__ __forceinline__ ExactRows exact_rows_of(const AttendCall& call, int sequence) {
  const int count = tokens_of(call, sequence, call.exact_tokens[sequence], call.exact_room);
  if (call.exact_places == nullptr) return {sequence * call.exact_room, count};
  const std::int64_t first = call.exact_places[sequence];
  if (first >= 0 && first <= call.exact_rows - count) return {first, count};
  atomicOr(call.flags + sequence, static_cast<std::uint32_t>(kBadLength));
  return {0, 0};
}

/// Of the blocks of a unit, of so many warps each, the last ones that have any of `rows` rows, which are dealt out from
/// the last warp on.
__device__ __forceinline__ unsigned blocks_of_rows(int rows, int warps, unsigned splits) {
  const auto blocks = static_cast<unsigned>((rows + warps - 1) / warps);
  return blocks < splits ? blocks : splits;
}

/// Whether this block is the last of a unit's `splits` to get here, and then sees what the others wrote.
/// `counter`: the unit's, 0 before, which the last one sets back. `turn`: shared memory.
__device__ __forceinline__ bool last_of_unit(std::uint32_t* counter, unsigned splits,
                                             std::uint32_t& turn) {
  if (splits > 1) __threadfence();
  __syncthreads();
  if (splits == 1) return true;
  if (threadIdx.x == 0) turn = atomicAdd(counter, 1u);
  __syncthreads();
  if (turn + 1 != splits) return false;
  __threadfence();
  return true;
}

/// Query heads of a unit where `group` of them share a KV head.
constexpr int unit_heads(int group) { return group <= 4 ? 4 : 8; }

inline std::int64_t units_of(int batch, int heads, int group) {
  return static_cast<std::int64_t>(batch) * heads * ((group + 7) / 8);
}

/// How many blocks a unit of as much work as `pages` packed ones of 64 tokens and 128 coordinates is best
/// cut into. What blocks take besides their pages is as long as 22 of these take, and bringing the parts of
/// two blocks together as long as a quarter of one: so times on an H200 say.
inline int best_splits(std::int64_t units, double pages) {
  const int together = std::max(device_facts().multiprocessors, 1);
  int best = 1;
  double least = 0;
  for (int splits = 1; splits <= kMostSplits; ++splits) {
    const auto waves = static_cast<double>((units * splits + together - 1) / together);
    const double time = waves * (22 + pages / splits) + splits / 4.0;
    if (splits == 1 || time < least) best = splits, least = time;
  }
  return best;
}

/// Floats of `floats` a head for each block, and a counter a unit.
inline std::int64_t workspace_bytes(std::int64_t units, int splits, int group, int floats) {
  return units * splits * unit_heads(group) * floats * 4 + units * 4;
}

/// Calls work(head_dim, sets of four query heads), two constants that a kernel is made for.
template <typename Work>
void with_head_dim(const AttendCall& call, const Work& work) {
  const auto with_sets = [&](auto dim) {
    if (call.group <= 4) return work(dim, std::integral_constant<int, 1>());
    work(dim, std::integral_constant<int, 2>());
  };
  if (call.pool.dim == 64) return with_sets(std::integral_constant<int, 64>());
  if (call.pool.dim == 128) return with_sets(std::integral_constant<int, 128>());
  with_sets(std::integral_constant<int, 256>());
}

}  // namespace
}  // namespace kakeya::kernels
