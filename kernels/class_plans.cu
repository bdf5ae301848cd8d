// SPDX-License-Identifier: Apache-2.0
// From the section "classes" to the plans that pages are coded with (page_classes.h): what
// lib/kakeya/device/device_pages.cpp makes of classes that the host knows.
#include "kernels/page_classes.h"
#include "kernels/pages.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kPlanThreads = 256;
// More than there is: tables are read through L1.
constexpr std::uint32_t kNotShared = 1u << 30;

// Where the pieces of a head's plan are, in bytes from its beginning.
struct ClassPlanRoom {
  std::uint32_t put, put_shared, take, take_shared, units, context, cosets, coset_putters,
      take_copies, put_copies, bytes;
};
__host__ __device__ constexpr std::uint32_t aligned_16(std::uint32_t bytes) {
  return (bytes + 15) / 16 * 16;
}
__host__ __device__ constexpr ClassPlanRoom room_of_plan(PageLattice lattice, int dim) {
  const auto steps = static_cast<std::uint32_t>(dim * contexts_of(lattice));
  const auto blocks = static_cast<std::uint32_t>(lattice == PageLattice::e8 ? dim / 8 : 0);
  const auto units = static_cast<std::uint32_t>(dim + kPageUnit - 1) / kPageUnit;
  const auto copies = static_cast<std::uint32_t>(16 * class_contexts(lattice));
  ClassPlanRoom room{};
  room.put_shared = room.put + 16 * steps;
  room.take = room.put_shared + 16 * steps;
  room.take_shared = aligned_16(room.take + 4 * steps);
  room.units = aligned_16(room.take_shared + 4 * steps);
  room.context = room.units + 16 * units;
  room.cosets = aligned_16(room.context + 4 * steps);
  room.coset_putters = aligned_16(room.cosets + 4 * blocks);
  room.take_copies = room.coset_putters + 32 * blocks;
  room.put_copies = room.take_copies + copies;
  room.bytes = (room.put_copies + copies + 255) / 256 * 256;
  return room;
}
// The plans stand before their pieces.
constexpr std::size_t plans_before(int heads) {
  return (static_cast<std::size_t>(heads) * sizeof(HeadPlan) + 255) / 256 * 256;
}

template <typename T>
__device__ __forceinline__ T* piece_of(std::uint8_t* plan, std::uint32_t offset) {
  return reinterpret_cast<T*>(plan + offset);
}

// FrequencyTable of two weights (bitstream/rans.cpp): the frequency of the first.
__device__ inline std::uint32_t frequency_of_first(const double (&weight)[2], const double* gains) {
  const double sum = (0.0 + weight[0]) + weight[1];
  std::uint32_t frequency[2];
  for (int k = 0; k < 2; ++k) {
    const auto share = static_cast<std::uint32_t>(weight[k] / sum * static_cast<double>(kSlots));
    frequency[k] = share < 1 ? 1 : (share > kSlots - 1 ? kSlots - 1 : share);
  }
  // SlotMarket: of equally good symbols the first.
  const auto gain_of = [&](int k) { return weight[k] * gains[frequency[k]]; };
  const auto loss_of = [&](int k) { return weight[k] * gains[frequency[k] - 1]; };
  const auto best = [&] { return gain_of(1) > gain_of(0) ? 1 : 0; };
  const auto least = [&] {
    if (frequency[0] < 2) return 1;
    return frequency[1] >= 2 && loss_of(1) < loss_of(0) ? 1 : 0;
  };
  while (frequency[0] + frequency[1] > kSlots) --frequency[least()];
  while (frequency[0] + frequency[1] < kSlots) ++frequency[best()];
  for (;;) {
    const int to = best(), from = least();
    if (!(gain_of(to) > loss_of(from))) break;
    ++frequency[to];
    --frequency[from];
  }
  return frequency[0];
}

// RansSymbol (bitstream/rans.h).
__device__ inline uint4 putter_of(std::uint32_t start, std::uint32_t frequency) {
  const std::uint64_t reciprocal = ((std::uint64_t{1} << 44) + frequency - 1) / frequency;
  return make_uint4(static_cast<std::uint32_t>(reciprocal),
                    static_cast<std::uint32_t>(reciprocal >> 32), frequency << 20,
                    start | (kSlots - frequency) << 16);
}

// The classes of a head, from its section.
struct HeadClasses {
  const std::uint8_t* section;
  int count;
  bool each;
  __device__ __forceinline__ bool has(int i) const { return section[each ? i : 0] < count; }
  __device__ __forceinline__ int at(int i) const { return has(i) ? section[each ? i : 0] : 0; }
};

// Which of PageClasses::contexts step `place` of a plan has: coordinates of fewer contexts than others
// have their first again.
template <PageLattice kLattice>
__device__ __forceinline__ std::uint32_t context_number(const HeadClasses& head, int place) {
  constexpr int kContexts = contexts_of(kLattice), kFree = free_contexts(kLattice);
  const int i = place / kContexts, k = place - i * kContexts;
  const int local = is_last<kLattice>(i) ? kFree + k : (k < kFree ? k : 0);
  return static_cast<std::uint32_t>(head.at(i) * class_contexts(kLattice) + local);
}

// Where the tables of one class lie in shared memory.
template <PageLattice kLattice>
struct SharedPlaces {
  std::uint32_t zero[class_contexts(kLattice)], putters[class_contexts(kLattice)];
};

template <PageLattice kLattice>
__device__ __forceinline__ void place_class(const PageClasses& classes, int number,
                                            SharedPlaces<kLattice>& places, TableCopy* take,
                                            TableCopy* put) {
  constexpr int kAll = class_contexts(kLattice);
  const PageContext* contexts = classes.contexts + number * kAll;
  std::uint32_t taken = 0, putters = 0;
  for (int k = 0; k < kAll; ++k) {
    const std::uint32_t before = entries_before(contexts[k]),
                        bytes = taken_bytes(contexts[k], classes.slots_behind, kSlotBytes),
                        put_bytes = 16 * (contexts[k].escape + 1);
    places.zero[k] = taken + before;
    places.putters[k] = putters;
    take[k] = {contexts[k].zero - before, taken, bytes, 0};
    put[k] = {contexts[k].putters, putters, put_bytes, 0};
    taken += bytes;
    putters += put_bytes;
  }
}

// The steps of one place of the plan.
template <PageLattice kLattice>
__device__ __forceinline__ void put_steps(const PageClasses& classes, const HeadClasses& head,
                                          int dim, int place, const SharedPlaces<kLattice>& shared,
                                          const ClassPlanRoom& room, std::uint8_t* plan) {
  constexpr int kEach = kChunk * contexts_of(kLattice);
  const std::uint32_t number = context_number<kLattice>(head, place);
  const PageContext context = classes.contexts[number];
  const int first = place / kEach * kEach, steps = dim * contexts_of(kLattice),
            end = first + kEach < steps ? first + kEach : steps;
  bool raw_near = false;
  for (int k = first; k < end; ++k) {
    raw_near |= classes.contexts[context_number<kLattice>(head, k)].raw_bits != 0;
  }
  const std::uint32_t bits = static_cast<std::uint32_t>(context.raw_bits) |
                             static_cast<std::uint32_t>(context.scale_bits) << 8 |
                             (raw_near ? kRawNear : 0);
  const auto local = number % static_cast<std::uint32_t>(class_contexts(kLattice));
  piece_of<TableOffset>(plan, room.take)[place] = context.zero;
  piece_of<TableOffset>(plan, room.take_shared)[place] = shared.zero[local];
  piece_of<PutStep>(plan, room.put)[place] = {context.putters, context.first, context.escape, bits};
  piece_of<PutStep>(plan, room.put_shared)[place] = {shared.putters[local], context.first,
                                                     context.escape, bits};
  piece_of<std::uint32_t>(plan, room.context)[place] = number;
}

// HeadPlan::units.
template <PageLattice kLattice>
__device__ __forceinline__ TakeUnit unit_of(const PageClasses& classes, const HeadClasses& head,
                                            int dim, int number) {
  const auto raw_of = [&](int i) {
    const std::uint32_t context = context_number<kLattice>(head, i * contexts_of(kLattice));
    return static_cast<std::uint32_t>(classes.contexts[context].raw_bits);
  };
  const auto most_of = [&](int first) {
    std::uint32_t most = 0;
    for (int i = first; i < first + kPageUnit && i < dim; ++i) {
      most = raw_of(i) > most ? raw_of(i) : most;
    }
    return most;
  };
  const int first = kPageUnit * number;
  TakeUnit unit{0, 0, 0, 0};
  for (int i = first; i < first + kPageUnit && i < dim; ++i) {
    (i % 8 < 4 ? unit.raw_low : unit.raw_high) |= raw_of(i) << (8 * (i % 4));
  }
  const bool is_raw = most_of(first) != 0;
  for (int next = first; next + kPageUnit <= dim; next += kPageUnit) {
    const std::uint32_t most = most_of(next);
    if (most > kMostQuickRawBits || is_raw != (most != 0)) break;
    ++unit.run;
  }
  if (is_raw) unit.run |= kRunIsRaw;
  return unit;
}

// make_coset_table() of block `block`.
__device__ __forceinline__ void put_coset(const PageClasses& classes, const HeadClasses& head,
                                          int block, const ClassPlanRoom& room,
                                          std::uint8_t* plan) {
  double integers = 1.0, signed_integers = 1.0, halves = 1.0;
  for (int i = 8 * block; i < 8 * block + 8; ++i) {
    const double* weights = classes.weights + 3 * head.at(i);
    integers = integers * weights[0];
    signed_integers = signed_integers * weights[1];
    halves = halves * weights[2];
  }
  const double both[2] = {integers + signed_integers, halves};
  const std::uint32_t frequency = frequency_of_first(both, classes.gains);
  piece_of<std::uint32_t>(plan, room.cosets)[block] = frequency;
  auto* putters = piece_of<uint4>(plan, room.coset_putters) + 2 * block;
  putters[0] = putter_of(0, frequency);
  putters[1] = putter_of(frequency, kSlots - frequency);
}

// A block a head.
template <PageLattice kLattice>
__global__ void __launch_bounds__(kPlanThreads)
    plan_heads(PageClasses classes, ClassChoice choice, Section section, PagePoints points,
               std::int64_t tokens, std::uint32_t* vectors, std::uint8_t* plans,
               std::size_t pieces_at, std::uint32_t* flags) {
  __shared__ SharedPlaces<kLattice> places;
  const std::int64_t number = blockIdx.x;
  const int thread = static_cast<int>(threadIdx.x);
  const ClassPlanRoom room = room_of_plan(kLattice, choice.dim);
  std::uint8_t* const plan = plans + pieces_at + number * room.bytes;
  const HeadClasses head{section.data + number * section.stride, classes.count, choice.each};
  for (std::int64_t page = thread; page < points.pages; page += kPlanThreads) {
    const std::int64_t left = choice.counts == nullptr ? tokens - page * points.page
                                                       : std::int64_t{choice.counts[number]};
    vectors[number * points.pages + page] =
        static_cast<std::uint32_t>(left < points.page ? left : points.page);
  }
  if (choice.counts != nullptr && choice.counts[number] == 0) return;
  auto* const take_copies = piece_of<TableCopy>(plan, room.take_copies);
  auto* const put_copies = piece_of<TableCopy>(plan, room.put_copies);
  if (thread == 0) {
    place_class<kLattice>(classes, head.at(0), places, take_copies, put_copies);
    HeadPlan made{};
    made.take = piece_of<TableOffset>(plan, room.take);
    made.take_shared = piece_of<TableOffset>(plan, room.take_shared);
    made.units = piece_of<TakeUnit>(plan, room.units);
    made.put = piece_of<PutStep>(plan, room.put);
    made.put_shared = piece_of<PutStep>(plan, room.put_shared);
    made.context = piece_of<std::uint32_t>(plan, room.context);
    made.cosets = piece_of<std::uint32_t>(plan, room.cosets);
    made.coset_putters = piece_of<std::uint32_t>(plan, room.coset_putters);
    made.take_copies = take_copies;
    made.put_copies = put_copies;
    made.take_copy_count = class_contexts(kLattice);
    made.put_copy_count = class_contexts(kLattice);
    reinterpret_cast<HeadPlan*>(plans)[number] = made;
  }
  __syncthreads();
  for (int i = thread; i < (choice.each ? choice.dim : 1); i += kPlanThreads) {
    if (!head.has(i)) atomicOr(flags + number, static_cast<std::uint32_t>(kBadClass));
  }
  for (int k = thread; k < choice.dim * contexts_of(kLattice); k += kPlanThreads) {
    put_steps<kLattice>(classes, head, choice.dim, k, places, room, plan);
  }
  for (int k = thread; kPageUnit * k < choice.dim; k += kPlanThreads) {
    piece_of<TakeUnit>(plan, room.units)[k] = unit_of<kLattice>(classes, head, choice.dim, k);
  }
  for (int k = thread; k < choice.dim / 8 && kLattice == PageLattice::e8; k += kPlanThreads) {
    put_coset(classes, head, k, room, plan);
  }
}

}  // namespace

std::size_t class_plan_bytes(const PageClasses& classes, const ClassChoice& choice) {
  return plans_before(choice.heads) +
         static_cast<std::size_t>(choice.heads) * room_of_plan(classes.lattice, choice.dim).bytes;
}

void plan_classes(const PageClasses& classes, const ClassChoice& choice, const Section& section,
                  const PagePoints& points, std::int64_t tokens, std::uint32_t* vectors,
                  void* plans, std::uint32_t* flags, Stream stream) {
  auto* const to = static_cast<std::uint8_t*>(plans);
  const std::size_t pieces_at = plans_before(choice.heads);
  if (classes.lattice == PageLattice::z) {
    KAKEYA_LAUNCH((plan_heads<PageLattice::z>), choice.heads, kPlanThreads, stream, classes, choice,
                  section, points, tokens, vectors, to, pieces_at, flags);
  } else if (classes.lattice == PageLattice::d4) {
    KAKEYA_LAUNCH((plan_heads<PageLattice::d4>), choice.heads, kPlanThreads, stream, classes,
                  choice, section, points, tokens, vectors, to, pieces_at, flags);
  } else {
    KAKEYA_LAUNCH((plan_heads<PageLattice::e8>), choice.heads, kPlanThreads, stream, classes,
                  choice, section, points, tokens, vectors, to, pieces_at, flags);
  }
}

PageCoding class_coding(const PageClasses& classes, const ClassChoice& choice, const void* plans) {
  PageCoding coding;
  coding.lattice = classes.lattice;
  coding.heads = choice.heads;
  coding.dim = choice.dim;
  coding.path = choice.dim;
  coding.slots_behind = classes.slots_behind;
  coding.tables = classes.tables;
  coding.contexts = classes.contexts;
  coding.head_plans = static_cast<const HeadPlan*>(plans);
  coding.take_shared_bytes = choice.each ? kNotShared : classes.take_shared_bytes;
  coding.put_shared_bytes = choice.each ? kNotShared : classes.put_shared_bytes;
  return coding;
}

}  // namespace kakeya::kernels
