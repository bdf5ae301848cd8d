// SPDX-License-Identifier: Apache-2.0
// Classes chosen on the device (page_classes.h): how often each value occurs in the first page, by
// context, and what that costs under each class, in the CPU's order of additions.
#include "kernels/page_classes.h"
#include "kernels/pages.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kClassThreads = kMostClasses, kCountThreads = 256, kSharedCounts = 8192;
constexpr int kMostPage = 4096;

// Of the class's contexts the one of a coordinate that is twice / 2, and its value there.
template <PageLattice kLattice>
__device__ __forceinline__ int class_context(int i, std::int32_t twice) {
  const int context = static_cast<int>(context_of<kLattice>(i, twice));
  return is_last<kLattice>(i) ? free_contexts(kLattice) + context : context;
}
template <PageLattice kLattice>
__device__ __forceinline__ std::int32_t value_at(int i, std::int32_t twice) {
  return twice >> (is_last<kLattice>(i) ? 2 : 1);
}
// Twice the coordinate that has this value in a context (ValueGrid).
template <PageLattice kLattice>
__device__ __forceinline__ std::int64_t twice_in(int context, std::int32_t value) {
  const int last = context - free_contexts(kLattice);
  if (last < 0) return 2 * std::int64_t{value} + context;
  return 4 * std::int64_t{value} + (kLattice == PageLattice::d4 ? 2 * last : last);
}

// ValueCounts has its values in this order: those near 0, what lies below them, what lies above.
__device__ __forceinline__ std::int32_t value_of_place(int place, int reach) {
  if (place < 2 * kNearCounts) return place - kNearCounts;
  const int beyond = place - 2 * kNearCounts, below = reach - kNearCounts;
  return beyond < below ? beyond - reach : kNearCounts + beyond - below;
}

// A block a group of 32 vectors: counts[head][context][value + reach].
template <PageLattice kLattice>
__global__ void __launch_bounds__(kCountThreads)
    count_values(ClassChoice choice, PagePoints points, int vectors, std::uint32_t* counts) {
  __shared__ std::uint32_t near[kSharedCounts];
  const int groups = (vectors + kPageLanes - 1) / kPageLanes;
  const std::int64_t head = blockIdx.x / static_cast<unsigned>(groups);
  const int group = static_cast<int>(blockIdx.x) - static_cast<int>(head) * groups;
  const int width = 2 * choice.reach, all = class_contexts(kLattice) * width;
  std::uint32_t* const ours = counts + head * all;
  const bool is_near = all <= kSharedCounts;
  const int thread = static_cast<int>(threadIdx.x);
  for (int k = thread; k < all && is_near; k += kCountThreads) near[k] = 0;
  __syncthreads();
  const std::int32_t* rows =
      points_of(points, choice.dim, head, 0) + std::int64_t{group} * kPageLanes * choice.dim;
  if (group * kPageLanes + lane_number() < vectors) {
    for (int i = thread / 32; i < choice.dim; i += kCountThreads / 32) {
      const std::int32_t twice = rows[i * kPageLanes + lane_number()];
      const std::int32_t value = value_at<kLattice>(i, twice) + choice.reach;
      const int kept = value < 0 ? 0 : (value < width ? value : width - 1);
      const int place = class_context<kLattice>(i, twice) * width + kept;
      atomicAdd(is_near ? near + place : ours + place, 1u);
    }
  }
  __syncthreads();
  for (int k = thread; k < all && is_near; k += kCountThreads) {
    if (near[k] != 0) atomicAdd(ours + k, near[k]);
  }
}

// What occurred in the class's contexts first_context + k, k < contexts, a list each.
struct CountedValues {
  const int2*
      entries;  // value and count; `width` of a context, of which the first used[k] are used
  const int* used;
  int first_context, contexts, width;
  __device__ __forceinline__ int from(int k) const { return k * width; }
  __device__ __forceinline__ int to(int k) const { return k * width + used[k]; }
  __device__ __forceinline__ std::int32_t value(int e) const { return entries[e].x; }
  __device__ __forceinline__ std::uint32_t count(int e) const {
    return static_cast<std::uint32_t>(entries[e].y);
  }
};
// The same of sorted keys: entry e is of places [starts[e], starts[e + 1]), list k begins at begin[k].
struct SortedValues {
  const std::uint32_t* keys;
  const std::uint16_t* starts;
  const int* begin;
  int first_context, contexts;
  static constexpr int kContextBits = 24;
  static constexpr std::int32_t kMost = 1 << 21;  // magnitude
  static constexpr std::uint32_t kBelow = 2 * kNearCounts, kAbove = kBelow + kMost;
  __device__ static std::uint32_t key(int context, std::int32_t value) {
    const std::int32_t near = value < -kMost ? -kMost : (value > kMost ? kMost : value);
    const std::uint32_t order = near >= -kNearCounts && near < kNearCounts
                                    ? static_cast<std::uint32_t>(near + kNearCounts)
                                : near < 0 ? kBelow + static_cast<std::uint32_t>(near + kMost)
                                           : kAbove + static_cast<std::uint32_t>(near);
    return static_cast<std::uint32_t>(context) << kContextBits | order;
  }
  __device__ __forceinline__ int from(int k) const { return begin[k]; }
  __device__ __forceinline__ int to(int k) const { return begin[k + 1]; }
  __device__ __forceinline__ std::int32_t value(int e) const {
    const std::uint32_t order = keys[e] & ((1u << kContextBits) - 1);
    if (order < kBelow) return static_cast<std::int32_t>(order) - kNearCounts;
    if (order < kAbove) return static_cast<std::int32_t>(order - kBelow) - kMost;
    return static_cast<std::int32_t>(order - kAbove);
  }
  __device__ __forceinline__ std::uint32_t count(int e) const {
    return static_cast<std::uint32_t>(starts[e + 1] - starts[e]);
  }
};

// Bits of these values under class `number`, as Occurrences::bits() adds them up.
template <typename List>
__device__ __forceinline__ double cost_under(const PageClasses& classes, int number,
                                             const List& list) {
  double all = 0.0;
  for (int k = 0; k < list.contexts; ++k) {
    const int place = number * class_contexts(classes.lattice) + list.first_context + k;
    const PageContext context = classes.contexts[place];
    const double* bits = classes.bits + classes.bits_at[place];
    double sum = 0.0;
    for (int e = list.from(k); e < list.to(k); ++e) {
      const std::uint32_t index = static_cast<std::uint32_t>(list.value(e) >> context.raw_bits) -
                                  static_cast<std::uint32_t>(context.first);
      const double each = bits[index < context.escape ? index : context.escape];
      sum = sum + static_cast<double>(list.count(e)) * each;
    }
    all = all + sum;
  }
  return all;
}

struct ChoiceShared {
  double costs[kMostClasses], variances[kMostClasses];
  std::uint32_t falling[kMostClasses];
  std::uint64_t sums[kClassThreads];
};

// cheapest_class(): the choice of thread 0, from costs[class]. `mean_square` is that of coordinates.
__device__ inline int cheapest_of(const PageClasses& classes, double mean_square,
                                  const ChoiceShared& shared) {
  const std::uint32_t* falling = shared.falling;
  const double lowest = shared.variances[falling[classes.count - 1]];
  const double highest = 3.0 * (mean_square < lowest ? lowest : mean_square);
  double least = 0.0;
  bool any = false;
  auto best = static_cast<int>(falling[0]);
  for (int k = 0; k < classes.count; ++k) {
    const auto index = static_cast<int>(falling[k]);
    const double variance = shared.variances[index], bits = shared.costs[index];
    if (variance > highest) continue;
    const double of_best = shared.variances[best];
    if (variance < 0.17 * (highest < of_best ? highest : of_best)) break;
    if (any && (bits > least || (bits == least && index > best))) continue;
    least = bits;
    best = index;
    any = true;
  }
  return best;
}

// The class of these values, in thread 0 of a block of kClassThreads. `coset_counts`: blocks of
// integers and of half-integers, whose cosets cost too; null: they do not.
template <PageLattice kLattice, typename List>
__device__ __forceinline__ int choose_class(const PageClasses& classes, const List& list,
                                            double values, const double* coset_counts,
                                            ChoiceShared& shared) {
  const int thread = static_cast<int>(threadIdx.x);
  std::uint64_t squares = 0;  // of twice the coordinates
  for (int k = 0; k < list.contexts; ++k) {
    for (int e = list.from(k) + thread; e < list.to(k); e += kClassThreads) {
      const std::int64_t twice = twice_in<kLattice>(list.first_context + k, list.value(e));
      squares += static_cast<std::uint64_t>(twice * twice) * list.count(e);
    }
  }
  shared.sums[thread] = squares;
  if (thread < classes.count) {
    double bits = cost_under(classes, thread, list);
    double extra = 0.0;
    if (coset_counts != nullptr) {
      extra = coset_counts[0] * classes.coset_bits[2 * thread] +
              coset_counts[1] * classes.coset_bits[2 * thread + 1];
    }
    shared.costs[thread] = bits + extra;
    shared.variances[thread] = classes.variances[thread];
    shared.falling[thread] = classes.falling[thread];
  }
  __syncthreads();
  if (thread != 0) return 0;
  for (int k = 1; k < kClassThreads; ++k) squares += shared.sums[k];
  return cheapest_of(classes, 0.25 * static_cast<double>(squares) / values, shared);
}

// A block a head: what occurred in the order of ValueCounts, a warp a context, and the class.
template <PageLattice kLattice>
__global__ void __launch_bounds__(kClassThreads)
    choose_for_heads(PageClasses classes, ClassChoice choice, int vectors,
                     const std::uint32_t* counts, int2* entries, Section section) {
  __shared__ ChoiceShared shared;
  __shared__ int used[class_contexts(kLattice)];
  constexpr int kContexts = class_contexts(kLattice);
  const std::int64_t head = blockIdx.x;
  const int width = 2 * choice.reach, lane = lane_number(),
            warp = static_cast<int>(threadIdx.x) / 32;
  int2* const ours = entries + head * kContexts * width;
  if (warp < kContexts) {
    const std::uint32_t* from = counts + (head * kContexts + warp) * width;
    int2* to = ours + warp * width;
    int done = 0;
    for (int first = 0; first < width; first += 32) {
      const int place = first + lane;
      const std::int32_t value = place < width ? value_of_place(place, choice.reach) : 0;
      const std::uint32_t count = place < width ? from[value + choice.reach] : 0;
      const std::uint32_t some = __ballot_sync(kAll, count != 0);
      if (count != 0) {
        int2 entry;
        entry.x = value, entry.y = static_cast<int>(count);
        to[done + __popc(some & lanes_below(lane))] = entry;
      }
      done += __popc(some);
    }
    if (lane == 0) used[warp] = done;
  }
  __syncthreads();
  const CountedValues list{ours, used, 0, kContexts, width};
  __shared__ double blocks[2];
  if (kLattice == PageLattice::e8 && threadIdx.x == 0) {
    std::uint32_t halves = 0;  // each has one last coordinate, of context 1 or 3
    for (int k = 3; k < kContexts; k += 2) {
      for (int e = list.from(k); e < list.to(k); ++e) halves += list.count(e);
    }
    const auto all = static_cast<std::uint32_t>(vectors * choice.dim / 8);
    blocks[0] = static_cast<double>(all - halves), blocks[1] = static_cast<double>(halves);
  }
  __syncthreads();
  const int best = choose_class<kLattice>(
      classes, list, static_cast<double>(vectors) * static_cast<double>(choice.dim),
      kLattice == PageLattice::e8 ? blocks : nullptr, shared);
  if (threadIdx.x == 0) section.data[head * section.stride] = static_cast<std::uint8_t>(best);
}

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

// Moves the first of equal keys to the front, by a warp; returns how many there are.
__device__ inline int first_keys(std::uint32_t* keys, std::uint16_t* starts, int count) {
  const int lane = lane_number();
  int done = 0;
  for (int first = 0; first < count; first += 32) {
    const int place = first + lane;
    const std::uint32_t key = place < count ? keys[place] : 0;
    const bool begins = place < count && (place == 0 || keys[place - 1] != key);
    const std::uint32_t some = __ballot_sync(kAll, begins);
    const int to = done + __popc(some & lanes_below(lane));
    if (begins) keys[to] = key, starts[to] = static_cast<std::uint16_t>(place);
    done += __popc(some);
    __syncwarp();
  }
  if (lane == 0) starts[done] = static_cast<std::uint16_t>(count);
  return done;
}

// A block a coordinate of a head.
template <PageLattice kLattice>
__global__ void __launch_bounds__(kClassThreads)
    choose_for_coordinates(PageClasses classes, ClassChoice choice, PagePoints points, int vectors,
                           Section section) {
  __shared__ ChoiceShared shared;
  __shared__ std::uint32_t keys[kMostPage];
  __shared__ std::uint16_t starts[kMostPage + 1];
  __shared__ int begin[8];
  const std::int64_t head = blockIdx.x / static_cast<unsigned>(choice.dim);
  const int i = static_cast<int>(blockIdx.x - head * choice.dim),
            thread = static_cast<int>(threadIdx.x);
  const std::int32_t* rows = points_of(points, choice.dim, head, 0);
  int room = 32;
  while (room < vectors) room *= 2;
  for (int k = thread; k < room; k += kClassThreads) {
    keys[k] = ~0u;
    if (k >= vectors) continue;
    const std::int32_t twice =
        rows[(static_cast<std::int64_t>(k / kPageLanes) * choice.dim + i) * kPageLanes +
             k % kPageLanes];
    keys[k] = SortedValues::key(static_cast<int>(context_of<kLattice>(i, twice)),
                                value_at<kLattice>(i, twice));
  }
  sort_keys(keys, room);
  const int last = is_last<kLattice>(i) ? free_contexts(kLattice) : 0;
  const int contexts = last != 0 ? class_contexts(kLattice) - last : free_contexts(kLattice);
  if (thread < 32) {
    const int count = first_keys(keys, starts, vectors);
    if (thread <= contexts) {
      int at = 0;
      while (at < count && static_cast<int>(keys[at] >> SortedValues::kContextBits) < thread) {
        ++at;
      }
      begin[thread] = at;
    }
  }
  __syncthreads();
  const SortedValues list{keys, starts, begin, last, contexts};
  const int best =
      choose_class<kLattice>(classes, list, static_cast<double>(vectors), nullptr, shared);
  if (thread == 0) section.data[head * section.stride + i] = static_cast<std::uint8_t>(best);
}

// The pieces of the workspace where one class serves a head.
std::size_t counted(const PageClasses& classes, const ClassChoice& choice) {
  return static_cast<std::size_t>(choice.heads) *
         static_cast<std::size_t>(class_contexts(classes.lattice)) * 2 *
         static_cast<std::size_t>(choice.reach);
}

template <PageLattice kLattice>
void choose(const PageClasses& classes, const ClassChoice& choice, const PagePoints& points,
            int vectors, const Section& section, void* workspace, Stream stream) {
  if (choice.each) {
    KAKEYA_LAUNCH((choose_for_coordinates<kLattice>), std::int64_t{choice.heads} * choice.dim,
                  kClassThreads, stream, classes, choice, points, vectors, section);
    return;
  }
  const std::size_t values = counted(classes, choice);
  auto* counts = static_cast<std::uint32_t*>(workspace);
  auto* entries = reinterpret_cast<int2*>(counts + (values + 1) / 2 * 2);
  fill(counts, 0, 4 * values, stream);
  const std::int64_t groups = (vectors + kPageLanes - 1) / kPageLanes;
  KAKEYA_LAUNCH((count_values<kLattice>), groups * choice.heads, kCountThreads, stream, choice,
                points, vectors, counts);
  KAKEYA_LAUNCH((choose_for_heads<kLattice>), choice.heads, kClassThreads, stream, classes, choice,
                vectors, counts, entries, section);
}

}  // namespace

std::size_t class_workspace(const PageClasses& classes, const ClassChoice& choice) {
  const std::size_t values = choice.each ? 0 : counted(classes, choice);
  return (12 * values + 8 + 255) / 256 * 256;
}

void choose_classes(const PageClasses& classes, const ClassChoice& choice, const PagePoints& points,
                    std::int32_t vectors, const Section& section, void* workspace, Stream stream) {
  if (classes.lattice == PageLattice::z) {
    choose<PageLattice::z>(classes, choice, points, vectors, section, workspace, stream);
  } else if (classes.lattice == PageLattice::d4) {
    choose<PageLattice::d4>(classes, choice, points, vectors, section, workspace, stream);
  } else {
    choose<PageLattice::e8>(classes, choice, points, vectors, section, workspace, stream);
  }
}

}  // namespace kakeya::kernels
