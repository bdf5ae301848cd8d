// SPDX-License-Identifier: Apache-2.0
// Classes chosen on the device (page_classes.h): how often each value occurs in the first page, by
// context, and what that costs under each class, in the CPU's order of additions.
#include "kernels/value_lists.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kCountThreads = 256, kSharedCounts = 8192;
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

// How many vectors a head is chosen for.
__device__ __forceinline__ int counted(const ClassChoice& choice, std::int64_t head, int vectors) {
  return choice.counts == nullptr ? vectors : static_cast<int>(choice.counts[head]);
}

// What the first page of a head holds, where one class serves it.
struct HeadCounts {
  std::uint32_t* counts;      // [heads][contexts][2 reach]: of value + reach
  int2* entries;              // the same room: value and count of those that occur
  std::uint32_t* far_counts;  // [heads]: how many values are beyond
  std::uint32_t* far_keys;    // [heads][far_room]: sorted_key() of each
  std::uint32_t* far_starts;  // [heads][far_room + 1]
  int far_room;               // 0, or a power of two
};

// A block a group of 32 vectors.
template <PageLattice kLattice>
__global__ void __launch_bounds__(kCountThreads)
    count_values(ClassChoice choice, PagePoints points, int vectors, HeadCounts found) {
  __shared__ std::uint32_t near[kSharedCounts];
  const int groups = (vectors + kPageLanes - 1) / kPageLanes;
  const std::int64_t head = blockIdx.x / static_cast<unsigned>(groups);
  const int group = static_cast<int>(blockIdx.x) - static_cast<int>(head) * groups;
  const int here = counted(choice, head, vectors);
  if (group * kPageLanes >= here) return;
  const int width = 2 * choice.reach, all = class_contexts(kLattice) * width;
  std::uint32_t* const ours = found.counts + head * all;
  const bool is_near = all <= kSharedCounts;
  const int thread = static_cast<int>(threadIdx.x);
  for (int k = thread; k < all && is_near; k += kCountThreads) near[k] = 0;
  __syncthreads();
  const PointMemory rows =
      points_of(points, choice.dim, head, 0).from(std::int64_t{group} * kPageLanes * choice.dim);
  if (group * kPageLanes + lane_number() < here) {
    for (int i = thread / 32; i < choice.dim; i += kCountThreads / 32) {
      const std::int32_t twice = rows.at(i * kPageLanes + lane_number());
      const std::int32_t value = value_at<kLattice>(i, twice) + choice.reach;
      const int context = class_context<kLattice>(i, twice);
      const bool beyond = value < 0 || value >= width;
      if (beyond && found.far_room != 0) {
        const std::uint32_t at = atomicAdd(found.far_counts + head, 1u);
        found.far_keys[head * found.far_room + at] = sorted_key(context, value - choice.reach);
        continue;
      }
      const int place = context * width + (value < 0 ? 0 : (beyond ? width - 1 : value));
      atomicAdd(is_near ? near + place : ours + place, 1u);
    }
  }
  __syncthreads();
  for (int k = thread; k < all && is_near; k += kCountThreads) {
    if (near[k] != 0) atomicAdd(ours + k, near[k]);
  }
}

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
    list.in_order(
        k, [&](const std::int32_t(&value)[kAtOnce], const std::uint32_t(&count)[kAtOnce]) {
          double each[kAtOnce];
#pragma unroll
          for (int i = 0; i < kAtOnce; ++i) {
            const std::uint32_t index = static_cast<std::uint32_t>(value[i] >> context.raw_bits) -
                                        static_cast<std::uint32_t>(context.first);
            each[i] = bits[index < context.escape ? index : context.escape];
          }
#pragma unroll
          for (int i = 0; i < kAtOnce; ++i) sum = sum + static_cast<double>(count[i]) * each[i];
        });
    all = all + sum;
  }
  return all;
}

// Classes in the order that they are tried in: by falling variance.
struct ChoiceShared {
  double costs[kMostClasses], variances[kMostClasses];
  std::uint32_t numbers[kMostClasses];
  double squares[32];
  std::uint32_t halves[kClassThreads / 32];
};

// cheapest_class(). `mean_square` is that of coordinates.
__device__ inline std::uint32_t cheapest_of(int count, double mean_square,
                                            const ChoiceShared& shared) {
  const double lowest = shared.variances[count - 1];
  const double highest = 3.0 * (mean_square < lowest ? lowest : mean_square);
  double least = 0.0, of_best = shared.variances[0];
  bool any = false;
  std::uint32_t best = shared.numbers[0];
#pragma unroll 4
  for (int k = 0; k < count; ++k) {
    const double variance = shared.variances[k], bits = shared.costs[k];
    const std::uint32_t number = shared.numbers[k];
    if (variance > highest) continue;
    if (variance < 0.17 * (highest < of_best ? highest : of_best)) break;
    if (any && (bits > least || (bits == least && number > best))) continue;
    least = bits;
    best = number;
    of_best = variance;
    any = true;
  }
  return best;
}

// The sum of 32 lanes.
__device__ __forceinline__ std::uint32_t sum_over_warp(std::uint32_t value) {
#pragma unroll
  for (int lanes = 1; lanes < 32; lanes *= 2) value += __shfl_xor_sync(kAll, value, lanes);
  return value;
}

// The class of these values, in thread 0 of a block of kClassThreads. `blocks` of E8: what their cosets
// cost counts too, where it is not 0.
template <PageLattice kLattice, typename List>
__device__ __forceinline__ std::uint32_t choose_class(const PageClasses& classes, const List& list,
                                                      double values, std::uint32_t blocks,
                                                      ChoiceShared& shared) {
  const int thread = static_cast<int>(threadIdx.x);
  // Squares of twice the coordinates: exact below 2^53, and beyond that above what any class has.
  double squares = 0.0;
  std::uint32_t halves = 0;  // blocks: each has one last coordinate, of a context of its own
  for (int k = 0; k < list.contexts; ++k) {
    const int context = list.first_context + k;
    const bool of_halves = kLattice == PageLattice::e8 && (context == 3 || context == 5);
    list.shared_out(k, [&](std::int32_t value, std::uint32_t count) {
      const auto twice = static_cast<double>(twice_in<kLattice>(context, value));
      squares += twice * twice * static_cast<double>(count);
      if (of_halves) halves += count;
    });
  }
  __shared__ double sums[kClassThreads];
  sums[thread] = squares;
  halves = sum_over_warp(halves);
  if (thread % 32 == 0) shared.halves[thread / 32] = halves;
  __syncthreads();
  if (thread < 32) {
    for (int k = thread + 32; k < kClassThreads; k += 32) squares += sums[k];
    shared.squares[thread] = squares;
  }
  if (thread < classes.count) {
    const std::uint32_t number = classes.falling[thread];
    const double bits = cost_under(classes, static_cast<int>(number), list);
    double extra = 0.0;
    if (blocks != 0) {
      halves = 0;
      for (int k = 0; k < kClassThreads / 32; ++k) halves += shared.halves[k];
      extra = static_cast<double>(blocks - halves) * classes.coset_bits[2 * number] +
              static_cast<double>(halves) * classes.coset_bits[2 * number + 1];
    }
    shared.costs[thread] = bits + extra;
    shared.variances[thread] = classes.variances[number];
    shared.numbers[thread] = number;
  }
  __syncthreads();
  if (thread != 0) return 0;
  for (int k = 1; k < 32; ++k) squares += shared.squares[k];
  return cheapest_of(classes.count, 0.25 * squares / values, shared);
}

// Of one context: the values near 0 that occur, by a warp; returns how many.
__device__ inline int list_counts(const std::uint32_t* counts, int reach, int2* to) {
  const int lane = lane_number();
  int done = 0;
  for (int first = 0; first < 2 * reach; first += 32 * kAtOnce) {
    std::int32_t value[kAtOnce];
    std::uint32_t count[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int place = first + 32 * i + lane;
      value[i] = place < 2 * reach ? value_of_place(place, reach) : 0;
      count[i] = place < 2 * reach ? counts[value[i] + reach] : 0;
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const std::uint32_t some = __ballot_sync(kAll, count[i] != 0);
      if (count[i] != 0) {
        int2 entry;
        entry.x = value[i], entry.y = static_cast<int>(count[i]);
        to[done + __popc(some & lanes_below(lane))] = entry;
      }
      done += __popc(some);
    }
  }
  return done;
}

// Sorts the values beyond of a head, by all threads; begin[k] is where those of context k begin.
__device__ inline void list_beyond(std::uint32_t* keys, std::uint32_t* starts, int count,
                                   int contexts, int* begin) {
  const int thread = static_cast<int>(threadIdx.x);
  int room = 32;
  while (room < count) room *= 2;
  for (int k = count + thread; k < room && count != 0; k += kClassThreads) keys[k] = ~0u;
  if (count != 0) sort_keys(keys, room);
  if (thread >= 32) return;
  const int each = count == 0 ? 0 : first_keys(keys, starts, count);
  __syncwarp();
  if (thread <= contexts) begin[thread] = begin_of_context(keys, each, thread);
}

// A block a head.
template <PageLattice kLattice>
__global__ void __launch_bounds__(kClassThreads)
    choose_for_heads(PageClasses classes, ClassChoice choice, int most, HeadCounts found,
                     Section section) {
  constexpr int kContexts = class_contexts(kLattice);
  __shared__ ChoiceShared shared;
  __shared__ int used[kContexts], begin[kContexts + 1];
  const std::int64_t head = blockIdx.x;
  const int vectors = counted(choice, head, most);
  if (vectors == 0) return;
  const int width = 2 * choice.reach, warp = static_cast<int>(threadIdx.x) / 32;
  int2* const entries = found.entries + head * kContexts * width;
  std::uint32_t* const keys = found.far_keys + head * found.far_room;
  std::uint32_t* const starts = found.far_starts + head * (found.far_room + 1);
  if (warp < kContexts) {
    const int count = list_counts(found.counts + (head * kContexts + warp) * width, choice.reach,
                                  entries + warp * width);
    if (lane_number() == 0) used[warp] = count;
  }
  list_beyond(keys, starts, static_cast<int>(found.far_counts[head]), kContexts, begin);
  __syncthreads();
  const CountedValues list{entries, used, 0, kContexts, width, {keys, starts, begin, 0, kContexts}};
  const int blocks = kLattice == PageLattice::e8 ? vectors * choice.dim / 8 : 0;
  const std::uint32_t best = choose_class<kLattice>(
      classes, list, static_cast<double>(vectors) * static_cast<double>(choice.dim),
      static_cast<std::uint32_t>(blocks), shared);
  if (threadIdx.x == 0) section.data[head * section.stride] = static_cast<std::uint8_t>(best);
}

// A block a coordinate of a head.
template <PageLattice kLattice>
__global__ void __launch_bounds__(kClassThreads)
    choose_for_coordinates(PageClasses classes, ClassChoice choice, PagePoints points, int most,
                           Section section) {
  __shared__ ChoiceShared shared;
  __shared__ std::uint32_t keys[kMostPage];
  __shared__ std::uint16_t starts[kMostPage + 1];
  __shared__ int begin[8];
  const std::int64_t head = blockIdx.x / static_cast<unsigned>(choice.dim);
  const int i = static_cast<int>(blockIdx.x - head * choice.dim),
            thread = static_cast<int>(threadIdx.x);
  const int vectors = counted(choice, head, most);
  if (vectors == 0) return;
  const PointMemory rows = points_of(points, choice.dim, head, 0);
  int room = 32;
  while (room < vectors) room *= 2;
  for (int k = thread; k < room; k += kClassThreads) {
    keys[k] = ~0u;
    if (k >= vectors) continue;
    const std::int32_t twice = rows.at(
        (static_cast<std::int64_t>(k / kPageLanes) * choice.dim + i) * kPageLanes + k % kPageLanes);
    keys[k] =
        sorted_key(static_cast<int>(context_of<kLattice>(i, twice)), value_at<kLattice>(i, twice));
  }
  sort_keys(keys, room);
  const int last = is_last<kLattice>(i) ? free_contexts(kLattice) : 0;
  const int contexts = last != 0 ? class_contexts(kLattice) - last : free_contexts(kLattice);
  if (thread < 32) {
    const int count = first_keys(keys, starts, vectors);
    if (thread <= contexts) begin[thread] = begin_of_context(keys, count, thread);
  }
  __syncthreads();
  const SortedValues<std::uint16_t> list{keys, starts, begin, last, contexts};
  const std::uint32_t best =
      choose_class<kLattice>(classes, list, static_cast<double>(vectors), 0, shared);
  if (thread == 0) section.data[head * section.stride + i] = static_cast<std::uint8_t>(best);
}

// How much of what HeadCounts points to there is, for all heads.
struct CountRoom {
  std::size_t values, far;
  int far_room;
  std::size_t bytes;
};
CountRoom room_of_counts(const PageClasses& classes, const ClassChoice& choice) {
  const auto heads = static_cast<std::size_t>(choice.heads);
  CountRoom room{};
  room.values = heads * static_cast<std::size_t>(class_contexts(classes.lattice)) * 2 *
                static_cast<std::size_t>(choice.reach);
  room.far_room = choice.far_values == 0 ? 0 : 32;
  while (room.far_room < choice.far_values) room.far_room *= 2;
  room.far = heads * static_cast<std::size_t>(room.far_room);
  room.bytes = (4 * (3 * room.values + 2 * heads + 2 * room.far) + 255) / 256 * 256;
  return room;
}

template <PageLattice kLattice>
void choose(const PageClasses& classes, const ClassChoice& choice, const PagePoints& points,
            int vectors, const Section& section, void* workspace, Stream stream) {
  if (choice.each) {
    KAKEYA_LAUNCH((choose_for_coordinates<kLattice>), std::int64_t{choice.heads} * choice.dim,
                  kClassThreads, stream, classes, choice, points, vectors, section);
    return;
  }
  const CountRoom room = room_of_counts(classes, choice);
  HeadCounts found{};
  found.entries = static_cast<int2*>(workspace);
  found.counts = reinterpret_cast<std::uint32_t*>(found.entries + room.values);
  found.far_counts = found.counts + room.values;
  found.far_keys = found.far_counts + choice.heads;
  found.far_starts = found.far_keys + room.far;
  found.far_room = room.far_room;
  fill(found.counts, 0, 4 * (room.values + static_cast<std::size_t>(choice.heads)), stream);
  const std::int64_t groups = (vectors + kPageLanes - 1) / kPageLanes;
  KAKEYA_LAUNCH((count_values<kLattice>), groups * choice.heads, kCountThreads, stream, choice,
                points, vectors, found);
  KAKEYA_LAUNCH((choose_for_heads<kLattice>), choice.heads, kClassThreads, stream, classes, choice,
                vectors, found, section);
}

}  // namespace

std::size_t class_workspace(const PageClasses& classes, const ClassChoice& choice) {
  return choice.each ? 0 : room_of_counts(classes, choice).bytes;
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
