// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/lattice/trellis.h"
#include "kernels/klt_tiles.cuh"
#include "kernels/pages_launch.cuh"

namespace kakeya::kernels {
namespace {

/// Coordinates whose nearest paths take their place, a path a vector.
struct Paths {
  Lanes<std::int32_t> points;  // coordinates as floats
  int path;                    // how many they are, up to kMostKltWidth
  const float* slope;          // [heads][klt_padded(path)]
  float* bounds;               // [heads][32 groups]
  float largest;
  std::int64_t heads, tokens;
  HeadPlans plans = {};                   // which slopes a head has
  const std::uint32_t* counts = nullptr;  // Klt::counts
};

// The two halves of the Viterbi algorithm (quantise_tile() of simd/tile.h), a vector a thread. Which way
// came to each state is a byte a coordinate in shared memory.
template <int kThreads>
__global__ void __launch_bounds__(kThreads) path_groups(Paths paths) {
  KAKEYA_DYNAMIC_SHARED(decision_memory);
  auto* decisions = reinterpret_cast<std::uint32_t*>(decision_memory);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, path = paths.path;
  const std::int64_t groups = klt_groups(paths.tokens),
                     group = static_cast<std::int64_t>(blockIdx.x) * (kThreads / 32) + thread / 32;
  if (group >= groups * paths.heads) return;
  const std::int64_t head = group / groups, token = (group - head * groups) * 32 + lane;
  if (paths.counts != nullptr && token - lane >= paths.counts[head]) return;
  std::int32_t* place = paths.points.place(head, token, 0);
  float costs[kTrellisStates], largest = 0.0f;
#pragma unroll
  for (int state = 0; state < kTrellisStates; ++state) costs[state] = kTrellisUnreached;
  costs[0] = 0.0f;
  for (int first = path - 4; first >= 0; first -= 4) {
    std::uint32_t word = 0;
#pragma unroll
    for (int i = 3; i >= 0; --i) {
      const float y = __int_as_float(place[32 * (first + i)]);
      largest = largest_or_nan(largest, y);
      const TrellisChoices choices(y);
      float next[kTrellisStates];
#pragma unroll
      for (std::uint32_t state = 0; state < kTrellisStates; ++state) {
        const float one = costs[trellis_before(state, 0)] +
                          choices.distance[trellis_subset(state, 0)],
                    two = costs[trellis_before(state, 1)] +
                          choices.distance[trellis_subset(state, 1)];
        const bool other = two < one;
        next[state] = other ? two : one;
        word |= (other ? 1u : 0u) << (8 * i + static_cast<int>(state));
      }
#pragma unroll
      for (int state = 0; state < kTrellisStates; ++state) costs[state] = next[state];
    }
    decisions[first / 4 * kThreads + thread] = word;
  }
  std::uint32_t state = 0;
  float least = costs[0];
#pragma unroll
  for (int other = 1; other < kTrellisStates; ++other) {
    if (costs[other] < least) least = costs[other], state = static_cast<std::uint32_t>(other);
  }
  const float* slope = paths.slope + plan_number(paths.plans, head) * klt_padded(path);
  float bound = 0.0f;
  for (int first = 0; first < path; first += 4) {
    const std::uint32_t word = decisions[first / 4 * kThreads + thread];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t which = word >> (8 * i + static_cast<int>(state)) & 1u;
      const TrellisChoices choices(__int_as_float(place[32 * (first + i)]));
      const std::uint32_t subset = trellis_subset(state, which);
      const float whole = (subset & 2u) != 0 ? choices.point[2] : choices.point[0],
                  half = (subset & 2u) != 0 ? choices.point[3] : choices.point[1],
                  point = (subset & 1u) != 0 ? half : whole;
      bound = __fmaf_rn(slope[first + i], fabsf(point), bound);
      place[32 * (first + i)] = twice_of(point);
      state = trellis_before(state, which);
    }
  }
  paths.bounds[head * 32 * groups + token] = largest <= paths.largest ? bound : kBeyond;
}

template <int kThreads>
void launch_path_groups(const Paths& paths, Stream stream) {
  const std::int64_t blocks =
      (klt_groups(paths.tokens) * paths.heads * 32 + kThreads - 1) / kThreads;
  const std::size_t bytes = static_cast<std::size_t>(paths.path) * kThreads;
  if (blocks_at_once(path_groups<kThreads>, kThreads, bytes) == 0) {
    throw Error("CUDA: paths of " + std::to_string(paths.path) + " coordinates take " +
                std::to_string(bytes) + " bytes of shared memory, more than the device has");
  }
  launch_blocks(path_groups<kThreads>, blocks, kThreads, bytes, stream, paths);
}

void launch_paths(const Paths& paths, Stream stream) {
  if (paths.path <= kMostKltDim) return launch_path_groups<64>(paths, stream);
  launch_path_groups<32>(paths, stream);
}

}  // namespace
}  // namespace kakeya::kernels
