// SPDX-License-Identifier: Apache-2.0
#pragma once

// What coders of pages have in common: lattices' orders and contexts, tables in shared memory or
// through L1, words, and the queue of pages (pages.h; entropy/point_coder.h has the format).

#include "kernels/pages.h"
#include "kernels/warp.cuh"

namespace kakeya::kernels {

constexpr int kPageLanes = 32;
constexpr int kChunk = 8;  // coordinates that are coded without looking at the ends of memory
constexpr std::uint32_t kSlots = 4096, kLeastLaneState = 1u << 16;
constexpr std::int32_t kMostTwice = 1 << 22;

constexpr int contexts_of(PageLattice lattice) {
  return lattice == PageLattice::z ? 1 : (lattice == PageLattice::e8 ? 4 : 2);
}

template <PageLattice kLattice>
__device__ __forceinline__ bool is_last(int i) {
  return kLattice == PageLattice::d4 ? i % 4 == 3 : (kLattice == PageLattice::e8 && i % 8 == 7);
}

// Of a coordinate that is twice / 2.
template <PageLattice kLattice>
__device__ __forceinline__ std::uint32_t context_of(int i, std::int32_t twice) {
  const auto low = static_cast<std::uint32_t>(twice);
  if (kLattice == PageLattice::z) return 0;
  if (kLattice == PageLattice::d4) return is_last<kLattice>(i) ? (low >> 1 & 1) : 0;
  return is_last<kLattice>(i) ? low & 3 : low & 1;
}

__device__ __forceinline__ int lane_number() { return static_cast<int>(threadIdx.x % 32); }
__device__ __forceinline__ std::uint32_t lanes_below(int lane) { return (1u << lane) - 1; }

// Of TakeStep and PutStep::bits.
__device__ __forceinline__ std::uint32_t raw_bits_of(std::uint32_t bits) { return bits & 0xff; }
__device__ __forceinline__ std::uint32_t scale_bits_of(std::uint32_t bits) {
  return bits >> 8 & 0xff;
}

__device__ __forceinline__ bool any_lane(bool value) {
#if defined(__CUDACC__)
  return __any_sync(kAll, value) != 0;
#else
  return __ballot_sync(kAll, value) != 0;
#endif
}

/// Where tables begin in shared memory, as kernels number it: a multiple of 4096 at or after the
/// beginning of dynamic shared memory.
__device__ __forceinline__ std::uint32_t shared_tables() {
#if defined(__CUDACC__)
  KAKEYA_DYNAMIC_SHARED(shared);
  return (static_cast<std::uint32_t>(__cvta_generic_to_shared(shared)) + kSlots - 1) / kSlots *
         kSlots;
#else
  return 0;
#endif
}
constexpr std::size_t kSharedSlack = kSlots - 16;

__device__ __forceinline__ std::uint8_t* shared_at(std::uint32_t at) {
#if defined(__CUDACC__)
  return static_cast<std::uint8_t*>(__cvta_shared_to_generic(at));
#else
  KAKEYA_DYNAMIC_SHARED(shared);
  return shared + at;
#endif
}

__device__ __forceinline__ std::uint32_t shared_number(const std::uint8_t* at) {
#if defined(__CUDACC__)
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
#else
  KAKEYA_DYNAMIC_SHARED(shared);
  return static_cast<std::uint32_t>(at - shared);
#endif
}

// What lies at `at` of shared memory. By name: a compiler left to find out that it is shared memory
// does not end (nvcc 13.0).
#if defined(__CUDACC__)
__device__ __forceinline__ void load_shared(std::uint32_t at, std::uint32_t& value, std::uint8_t) {
  asm volatile("ld.shared.u8 %0, [%1];" : "=r"(value) : "r"(at));
}
__device__ __forceinline__ void load_shared(std::uint32_t at, std::uint32_t& value, std::uint16_t) {
  asm volatile("ld.shared.u16 %0, [%1];" : "=r"(value) : "r"(at));
}
__device__ __forceinline__ void load_shared(std::uint32_t at, std::uint32_t& value, std::uint32_t) {
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(at));
}
__device__ __forceinline__ void load_shared(std::uint32_t at, int2& value, int2) {
  asm volatile("ld.shared.v2.s32 {%0, %1}, [%2];" : "=r"(value.x), "=r"(value.y) : "r"(at));
}
__device__ __forceinline__ void load_shared(std::uint32_t at, uint4& value, uint4) {
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "r"(at));
}
#else
template <typename T, typename Stored>
void load_shared(std::uint32_t at, T& value, Stored) {
  value = *reinterpret_cast<const Stored*>(shared_at(at));
}
#endif

/// Tables in shared memory, numbered as shared_at() does, or in global memory.
template <bool kShared>
struct TableMemory {
  const std::uint8_t* tables;

  /// A `Stored` of the tables.
  template <typename Stored, typename T = Stored>
  __device__ __forceinline__ T load(std::uint32_t at) const {
    if constexpr (kShared) {
      T value;
      load_shared(at, value, Stored());
      return value;
    } else {
      return __ldg(reinterpret_cast<const Stored*>(tables + at));
    }
  }
};

// high | (low & mask), as one instruction.
__device__ __forceinline__ std::uint32_t joined(std::uint32_t high, std::uint32_t low,
                                                std::uint32_t mask) {
#if defined(__CUDACC__)
  std::uint32_t result;
  asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(result) : "r"(low), "r"(mask), "r"(high));
  return result;
#else
  return high | (low & mask);
#endif
}

/// Where the tables are that a block decodes with, and which: all in device memory; in shared memory,
/// a byte a slot; or there too, a bucket for 16 slots, a quarter of the room for a few instructions
/// more.
enum class TableKind { device, slots, buckets };

/// The tables that a head decodes with. `steps_at`: where its steps are in shared memory.
template <TableKind kKind>
struct TakeTables : TableMemory<kKind != TableKind::device> {
  const TakeStep* steps;
  std::uint32_t steps_at;

  __device__ __forceinline__ TakeStep step(std::uint32_t number) const {
    uint4 raw;
    if constexpr (kKind != TableKind::device) {
      raw = this->template load<uint4>(steps_at + 16 * number);
    } else {
      raw = __ldg(reinterpret_cast<const uint4*>(steps + number));
    }
    return {raw.x, raw.y, static_cast<std::int32_t>(raw.z), raw.w};
  }
  /// The number of the state's symbol, 0 for the escape.
  __device__ __forceinline__ std::uint32_t symbol(const TakeStep& step, std::uint32_t state) const {
    if constexpr (kKind == TableKind::buckets) {
      // Buckets lie at multiples of 1024.
      const auto bucket = this->template load<std::uint32_t>(joined(step.slots, state >> 2, 0x3fc));
      return (bucket & 0xffff) + static_cast<std::uint32_t>(__popc(bucket >> (16 | (state & 15))));
    } else {
      // Slots lie at multiples of 4096.
      return this->template load<std::uint8_t, std::uint32_t>(
          joined(step.slots, state, kSlots - 1));
    }
  }
  __device__ __forceinline__ int2 taker(const TakeStep& step, std::uint32_t symbol) const {
    return this->template load<int2>(step.takers + 8 * symbol);
  }
  /// Twice the coordinate, its raw bits 0.
  __device__ __forceinline__ std::int32_t twice(const TakeStep& step, std::uint32_t symbol,
                                                std::uint32_t shift) const {
    const auto steps = static_cast<std::int32_t>(symbol << shift);
    return kKind == TableKind::buckets ? step.value - steps : step.value + steps;
  }
};

template <bool kShared>
struct PutTables : TableMemory<kShared> {
  const PutStep* steps;
  std::uint32_t steps_at;

  __device__ __forceinline__ PutStep step(std::uint32_t number) const {
    uint4 raw;
    if constexpr (kShared) {
      raw = this->template load<uint4>(steps_at + 16 * number);
    } else {
      raw = __ldg(reinterpret_cast<const uint4*>(steps + number));
    }
    return {raw.x, static_cast<std::int32_t>(raw.y), raw.z, raw.w};
  }
};

// All threads of a block copy a head's tables, and the steps behind them with `moved` of their first
// numbers moved to where the tables are; they wait for each other.
__device__ __forceinline__ void copy_tables(const std::uint8_t* tables, const TableCopy* copies,
                                            std::uint32_t count, const void* steps,
                                            std::uint32_t steps_at, int step_count, int moved) {
  const std::uint32_t base = shared_tables();
  for (std::uint32_t k = 0; k < count; ++k) {
    copy_bytes(shared_at(base + copies[k].to), tables + copies[k].from, copies[k].bytes);
  }
  for (int k = static_cast<int>(threadIdx.x); k < step_count; k += static_cast<int>(blockDim.x)) {
    uint4 step = static_cast<const uint4*>(steps)[k];
    step.x += base;
    if (moved == 2) step.y += base;
    reinterpret_cast<uint4*>(shared_at(steps_at))[k] = step;
  }
  __syncthreads();
}

/// The tables that all threads of a block decode head `plan` with; of shared ones after they have
/// been copied to the first take_shared_size(coding, kKind) bytes of dynamic shared memory.
template <PageLattice kLattice, TableKind kKind>
__device__ __forceinline__ TakeTables<kKind> take_tables(const PageCoding& coding,
                                                         const HeadPlan& plan) {
  constexpr bool kBuckets = kKind == TableKind::buckets;
  TakeTables<kKind> result;
  result.tables = coding.tables;
  result.steps = plan.take;
  result.steps_at =
      shared_tables() + (kBuckets ? coding.bucket_shared_bytes : coding.take_shared_bytes);
  if (kKind != TableKind::device) {
    copy_tables(coding.tables, kBuckets ? plan.bucket_copies : plan.take_copies,
                kBuckets ? plan.bucket_copy_count : plan.take_copy_count,
                kBuckets ? plan.take_buckets : plan.take_shared, result.steps_at,
                coding.dim * contexts_of(kLattice), 2);
  }
  return result;
}

template <PageLattice kLattice, bool kShared>
__device__ __forceinline__ PutTables<kShared> put_tables(const PageCoding& coding,
                                                         const HeadPlan& plan) {
  PutTables<kShared> result;
  result.tables = coding.tables;
  result.steps = plan.put;
  result.steps_at = shared_tables() + coding.put_shared_bytes;
  if (kShared) {
    copy_tables(coding.tables, plan.put_copies, plan.put_copy_count, plan.put_shared,
                result.steps_at, coding.dim * contexts_of(kLattice), 1);
  }
  return result;
}

/// Dynamic shared memory of the tables of a block; of those in device memory none.
__host__ __device__ inline std::size_t take_shared_size(const PageCoding& coding, TableKind kind) {
  if (kind == TableKind::device) return 0;
  const std::uint32_t tables =
      kind == TableKind::buckets ? coding.bucket_shared_bytes : coding.take_shared_bytes;
  return kSharedSlack + tables +
         std::size_t{16} * static_cast<unsigned>(coding.dim * contexts_of(coding.lattice));
}
__host__ __device__ inline std::size_t put_shared_size(const PageCoding& coding) {
  return kSharedSlack + coding.put_shared_bytes +
         std::size_t{16} * static_cast<unsigned>(coding.dim * contexts_of(coding.lattice));
}

/// An upper bound of what coordinate i of a vector adds to a page, in 1 / 256 of a bit, as
/// PointCoder::most_cost() adds them up.
template <PageLattice kLattice>
__device__ __forceinline__ std::uint32_t most_cost(const PageCoding& coding, const HeadPlan& plan,
                                                   int i, std::int32_t twice) {
  const int place = i * contexts_of(kLattice) + static_cast<int>(context_of<kLattice>(i, twice));
  const PageContext& context = coding.contexts[plan.context[place]];
  const std::uint32_t index =
      static_cast<std::uint32_t>(twice >> (context.raw_bits + context.scale_bits)) -
      static_cast<std::uint32_t>(context.first);
  const std::uint32_t symbol = index < context.escape ? index : context.escape;
  const std::uint8_t* costs = coding.tables + context.most_costs;
  std::uint32_t cost = reinterpret_cast<const std::uint32_t*>(costs)[symbol];
  if (kLattice == PageLattice::e8 && i % 8 == 0) {
    cost += plan.coset_costs[i / 8 * 2 + (twice & 1)];
  }
  return cost;
}

/// Where the points of page `page` of head `head` are.
__device__ __forceinline__ std::int32_t* points_of(const PagePoints& points, int dim,
                                                   std::int64_t head, std::int64_t page) {
  return points.twice + head * points.head_stride + page * points.page * dim;
}
__device__ __forceinline__ int vectors_of(const PagePoints& points, std::int64_t head,
                                          std::int64_t page) {
  const std::uint32_t count = points.vectors[head * points.pages + page];
  const auto most = static_cast<std::uint32_t>(points.page);
  return static_cast<int>(count < most ? count : most);
}

/// The pages of a head that a warp works on: the first by its place, so that few pages are spread over
/// all multiprocessors, and then the next that no warp has. Block b works for head b % heads;
/// `taken`: how many pages have been taken by next_page(), 0 before the kernel.
__device__ __forceinline__ std::int64_t first_page(int heads) {
  const auto of_heads = static_cast<unsigned>(heads);
  return threadIdx.x / 32 * (gridDim.x / of_heads) + blockIdx.x / of_heads;
}
__device__ __forceinline__ std::int64_t next_page(std::uint32_t* taken, int heads) {
  const std::uint32_t first = gridDim.x / static_cast<unsigned>(heads) * (blockDim.x / 32);
  std::uint32_t more = 0;
  if (lane_number() == 0) more = atomicAdd(taken, 1u);
  return static_cast<std::int64_t>(first) + __shfl_sync(kAll, more, 0);
}

}  // namespace kakeya::kernels
