// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lists of the values that coordinates have and how often, in the order that ValueCounts of
// lib/kakeya/entropy/value_counts.h visits them in: counted, or sorted where they have no bound.

#include "kernels/page_classes.h"
#include "kernels/pages.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kClassThreads = kMostClasses;  // of a block that chooses

// Values that are sorted are numbers in the order of ValueCounts: the context, then those near 0, what
// lies below, what lies above.
constexpr int kContextBits = 24;
constexpr std::int32_t kMostSorted = 1 << 21;  // magnitude
constexpr std::uint32_t kBelowNear = 2 * kNearCounts, kAboveNear = kBelowNear + kMostSorted;

__device__ __forceinline__ std::uint32_t sorted_key(int context, std::int32_t value) {
  const std::int32_t kept =
      value < -kMostSorted ? -kMostSorted : (value > kMostSorted ? kMostSorted : value);
  const std::uint32_t order =
      kept >= -kNearCounts && kept < kNearCounts ? static_cast<std::uint32_t>(kept + kNearCounts)
      : kept < 0 ? kBelowNear + static_cast<std::uint32_t>(kept + kMostSorted)
                 : kAboveNear + static_cast<std::uint32_t>(kept);
  return static_cast<std::uint32_t>(context) << kContextBits | order;
}
__device__ __forceinline__ std::int32_t value_of_key(std::uint32_t key) {
  const std::uint32_t order = key & ((1u << kContextBits) - 1);
  if (order < kBelowNear) return static_cast<std::int32_t>(order) - kNearCounts;
  if (order < kAboveNear) return static_cast<std::int32_t>(order - kBelowNear) - kMostSorted;
  return static_cast<std::int32_t>(order - kAboveNear);
}

// Calls visit(value, count) with eight entries at a time of those from `first` to `end`, in order, so that
// what a visit loads it loads at once. Those that lack at the end have a count of 0.
constexpr int kAtOnce = 8;
template <typename Get, typename Visit>
__device__ __forceinline__ void visit_eights(int first, int end, const Get& get,
                                             const Visit& visit) {
  for (int e = first; e < end; e += kAtOnce) {
    std::int32_t value[kAtOnce];
    std::uint32_t count[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      get(e + i < end ? e + i : end - 1, value[i], count[i]);
      if (e + i >= end) count[i] = 0;
    }
    visit(value, count);
  }
}

// Sorted values: entry e occurs [starts[e], starts[e + 1]) times; those of context k are entries
// [begin[k], begin[k + 1]).
template <typename Start>
struct SortedValues {
  const std::uint32_t* keys;
  const Start* starts;
  const int* begin;
  int first_context, contexts;

  __device__ __forceinline__ void get(int e, std::int32_t& value, std::uint32_t& count) const {
    value = value_of_key(keys[e]);
    count = static_cast<std::uint32_t>(starts[e + 1] - starts[e]);
  }
  // The values of context first_context + k in order, eight at a time.
  template <typename Visit>
  __device__ __forceinline__ void in_order(int k, const Visit& visit) const {
    const auto entry = [&](int e, std::int32_t& value, std::uint32_t& count) {
      get(e, value, count);
    };
    visit_eights(begin[k], begin[k + 1], entry, visit);
  }
  // A share of them for each thread, one after another: visit(value, count).
  template <typename Visit>
  __device__ __forceinline__ void shared_out(int k, const Visit& visit) const {
    for (int e = begin[k] + static_cast<int>(threadIdx.x); e < begin[k + 1]; e += kClassThreads) {
      std::int32_t value;
      std::uint32_t count;
      get(e, value, count);
      visit(value, count);
    }
  }
};

// Counted values, `width` entries of a context, of which the first used[k] are used; then sorted ones.
struct CountedValues {
  const int2* entries;
  const int* used;
  int first_context, contexts, width;
  SortedValues<std::uint32_t> beyond;

  template <typename Visit>
  __device__ __forceinline__ void in_order(int k, const Visit& visit) const {
    const auto entry = [&](int e, std::int32_t& value, std::uint32_t& count) {
      const int2 both = entries[k * width + e];
      value = both.x, count = static_cast<std::uint32_t>(both.y);
    };
    visit_eights(0, used[k], entry, visit);
    beyond.in_order(k, visit);
  }
  template <typename Visit>
  __device__ __forceinline__ void shared_out(int k, const Visit& visit) const {
    for (int e = static_cast<int>(threadIdx.x); e < used[k]; e += kClassThreads) {
      const int2 both = entries[k * width + e];
      visit(both.x, static_cast<std::uint32_t>(both.y));
    }
    beyond.shared_out(k, visit);
  }
};

// Sorts `count`, a power of two, by all threads of a block.
__device__ inline void sort_keys(std::uint32_t* keys, int count) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int run = 2; run <= count; run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      __syncthreads();
      for (int k = thread; k < count / 2; k += kClassThreads) {
        const int low = 2 * k - (k & (distance - 1)), high = low + distance;
        const std::uint32_t a = keys[low], b = keys[high];
        if ((a > b) == ((low & run) == 0)) keys[low] = b, keys[high] = a;
      }
    }
  }
  __syncthreads();
}

// Moves the first of equal keys to the front, and their places to `starts`, by a warp; returns how many
// there are.
template <typename Start>
__device__ inline int first_keys(std::uint32_t* keys, Start* starts, int count) {
  const int lane = lane_number();
  int done = 0;
  for (int first = 0; first < count; first += 32) {
    const int place = first + lane;
    const std::uint32_t key = place < count ? keys[place] : 0;
    const bool begins = place < count && (place == 0 || keys[place - 1] != key);
    const std::uint32_t some = __ballot_sync(kAll, begins);
    const int to = done + __popc(some & lanes_below(lane));
    __syncwarp();  // all have read
    if (begins) keys[to] = key, starts[to] = static_cast<Start>(place);
    done += __popc(some);
    __syncwarp();
  }
  if (lane == 0) starts[done] = static_cast<Start>(count);
  return done;
}

// Where the keys of context k begin among `count` sorted ones.
__device__ __forceinline__ int begin_of_context(const std::uint32_t* keys, int count, int k) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (static_cast<int>(keys[middle] >> kContextBits) < k) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace
}  // namespace kakeya::kernels
