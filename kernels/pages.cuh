// SPDX-License-Identifier: Apache-2.0
#pragma once

// What coders of pages have in common: lattices' orders and contexts, tables in shared memory or
// through L1, words, and the queue of pages (pages.h; entropy/point_coder.h has the format).

#include "kernels/heads.cuh"
#include "kernels/pages.h"
#include "kernels/point_memory.cuh"

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

/// Four bytes of global memory at any place; touches words of which they have a byte.
__device__ __forceinline__ std::uint32_t word_of_bytes(const std::uint8_t* at) {
  const auto odd = static_cast<int>(reinterpret_cast<std::uintptr_t>(at) % 4);
  const auto* words = reinterpret_cast<const std::uint32_t*>(at - odd);
  return odd == 0 ? words[0] : __funnelshift_r(words[0], words[1], 8 * odd);
}

// Of PutStep::bits.
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

/// Where dynamic shared memory, and in it tables, begin, as kernels number it.
__device__ __forceinline__ std::uint32_t shared_tables() {
#if defined(__CUDACC__)
  KAKEYA_DYNAMIC_SHARED(shared);
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
#else
  return 0;
#endif
}

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
__device__ __forceinline__ void load_shared(std::uint32_t at, std::int32_t& value, std::int8_t) {
  asm volatile("ld.shared.s8 %0, [%1];" : "=r"(value) : "r"(at));
}
__device__ __forceinline__ void load_shared(std::uint32_t at, std::uint32_t& value, std::uint16_t) {
  asm volatile("ld.shared.u16 %0, [%1];" : "=r"(value) : "r"(at));
}
__device__ __forceinline__ void load_shared(std::uint32_t at, std::uint32_t& value, std::uint32_t) {
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(at));
}
__device__ __forceinline__ void load_shared(std::uint32_t at, uint2& value, uint2) {
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(value.x), "=r"(value.y) : "r"(at));
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

/// The tables that a head decodes with. `steps_at`: where its steps are in shared memory, `units_at`
/// its units, `cosets_at` its cosets.
template <TableKind kKind>
struct TakeTables : TableMemory<kKind != TableKind::device> {
  const HeadPlan* plan;
  std::uint32_t steps_at, units_at, cosets_at, slots_behind;

  /// PageContext::zero by place: where that of `number` is; of those from `steps` on the one `ahead` +
  /// `more`, `ahead` known when compiled; four from `ahead` on, a multiple of 4.
  __device__ __forceinline__ std::uint32_t steps_of(std::uint32_t number) const {
    return kKind == TableKind::device ? number : steps_at + 4 * number;
  }
  __device__ __forceinline__ std::uint32_t step(std::uint32_t steps, int ahead,
                                                std::uint32_t more) const {
    const auto first = static_cast<std::uint32_t>(ahead);
    if constexpr (kKind == TableKind::device) return __ldg(plan->take + steps + first + more);
    return this->template load<std::uint32_t>(steps + 4 * more + 4 * first);
  }
  __device__ __forceinline__ uint4 four_steps(std::uint32_t steps, int ahead) const {
    const auto first = static_cast<std::uint32_t>(ahead);
    if constexpr (kKind == TableKind::device) {
      return __ldg(reinterpret_cast<const uint4*>(plan->take + steps + first));
    }
    return this->template load<uint4>(steps + 4 * first);
  }
  /// Of a TakeUnit.
  __device__ __forceinline__ uint2 raws(std::uint32_t number) const {
    if constexpr (kKind == TableKind::device) {
      return __ldg(reinterpret_cast<const uint2*>(&plan->units[number].raw_low));
    }
    return this->template load<uint2>(units_at + 16 * number);
  }
  __device__ __forceinline__ std::uint32_t run(std::uint32_t number) const {
    if constexpr (kKind == TableKind::device) return __ldg(&plan->units[number].run);
    return this->template load<std::uint32_t>(units_at + 16 * number + 8);
  }
  __device__ __forceinline__ std::uint32_t coset(std::uint32_t number) const {
    if constexpr (kKind == TableKind::device) return __ldg(plan->cosets + number);
    return this->template load<std::uint32_t>(cosets_at + 4 * number);
  }
  /// The state's symbol; `slot` are the low bits of the state.
  __device__ __forceinline__ std::int32_t symbol(std::uint32_t zero, std::uint32_t state,
                                                 std::uint32_t slot) const {
    if constexpr (kKind == TableKind::buckets) {
      const auto bucket =
          this->template load<std::uint32_t>(zero + slots_behind + (state >> 2 & 0x3fc));
      const auto before = static_cast<int>(state | 16);
      return static_cast<std::int16_t>(bucket) - __popc(__funnelshift_r(bucket, 0, before));
    } else {
      return this->template load<std::int8_t, std::int32_t>(zero + slots_behind + slot);
    }
  }
  __device__ __forceinline__ std::uint32_t entry(std::uint32_t zero, std::int32_t symbol) const {
    return this->template load<std::uint32_t>(zero + 4 * static_cast<std::uint32_t>(symbol));
  }
  /// The first symbol, from that of the escape.
  __device__ __forceinline__ std::int32_t first(std::int32_t escape, std::uint32_t count) const {
    return kKind == TableKind::buckets ? escape - static_cast<std::int32_t>(count) : escape + 1;
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

// All threads of a block copy a head's tables.
__device__ __forceinline__ void copy_tables(const std::uint8_t* tables, const TableCopy* copies,
                                            std::uint32_t count) {
  const std::uint32_t base = shared_tables();
  for (std::uint32_t k = 0; k < count; ++k) {
    copy_bytes(shared_at(base + copies[k].to), tables + copies[k].from, copies[k].bytes);
  }
}

// Of steps of decoding, of units, and of cosets in shared memory.
__host__ __device__ constexpr std::uint32_t whole_words(int count) {
  return static_cast<std::uint32_t>(4 * count + 15) / 16 * 16;
}
__host__ __device__ constexpr std::uint32_t take_steps_bytes(PageLattice lattice, int dim) {
  return whole_words(dim * contexts_of(lattice));
}
__host__ __device__ constexpr std::uint32_t units_bytes(int dim) {
  return static_cast<std::uint32_t>(dim + kPageUnit - 1) / kPageUnit * sizeof(TakeUnit);
}
__host__ __device__ constexpr std::uint32_t cosets_bytes(PageLattice lattice, int dim) {
  return lattice == PageLattice::e8 ? whole_words(dim / 8) : 0;
}

// All threads of a block.
__device__ __forceinline__ void copy_words(std::uint32_t to, const std::uint32_t* from, int count,
                                           std::uint32_t add) {
  auto* const words = reinterpret_cast<std::uint32_t*>(shared_at(to));
  for (int k = static_cast<int>(threadIdx.x); k < count; k += static_cast<int>(blockDim.x)) {
    words[k] = from[k] + add;
  }
}

/// The tables that all threads of a block decode head `plan` with; of shared ones after they have
/// been copied to the first take_shared_size(coding, kKind) bytes of dynamic shared memory.
template <PageLattice kLattice, TableKind kKind>
__device__ __forceinline__ TakeTables<kKind> take_tables(const PageCoding& coding,
                                                         const HeadPlan& plan) {
  constexpr bool kBuckets = kKind == TableKind::buckets;
  const std::uint32_t base = shared_tables();
  TakeTables<kKind> result;
  result.tables = coding.tables;
  result.plan = &plan;
  result.slots_behind = coding.slots_behind;
  result.steps_at = base + (kBuckets ? coding.bucket_shared_bytes : coding.take_shared_bytes);
  result.units_at = result.steps_at + take_steps_bytes(kLattice, coding.dim);
  result.cosets_at = result.units_at + units_bytes(coding.dim);
  if (kKind != TableKind::device) {
    copy_tables(coding.tables, kBuckets ? plan.bucket_copies : plan.take_copies,
                kBuckets ? plan.bucket_copy_count : plan.take_copy_count);
    copy_words(result.steps_at, kBuckets ? plan.take_buckets : plan.take_shared,
               coding.dim * contexts_of(kLattice), base);
    copy_words(result.units_at, &plan.units->raw_low, static_cast<int>(units_bytes(coding.dim) / 4),
               0);
    if (kLattice == PageLattice::e8) copy_words(result.cosets_at, plan.cosets, coding.dim / 8, 0);
    __syncthreads();
  }
  return result;
}

template <PageLattice kLattice, bool kShared>
__device__ __forceinline__ PutTables<kShared> put_tables(const PageCoding& coding,
                                                         const HeadPlan& plan) {
  const std::uint32_t base = shared_tables();
  PutTables<kShared> result;
  result.tables = coding.tables;
  result.steps = plan.put;
  result.steps_at = base + coding.put_shared_bytes;
  if (kShared) {
    copy_tables(coding.tables, plan.put_copies, plan.put_copy_count);
    const int threads = static_cast<int>(blockDim.x);
    for (int k = static_cast<int>(threadIdx.x); k < coding.dim * contexts_of(kLattice);
         k += threads) {
      uint4 step = reinterpret_cast<const uint4*>(plan.put_shared)[k];
      step.x += base;
      reinterpret_cast<uint4*>(shared_at(result.steps_at))[k] = step;
    }
    __syncthreads();
  }
  return result;
}

/// Dynamic shared memory of the tables of a block; of those in device memory none.
__host__ __device__ inline std::size_t take_shared_size(const PageCoding& coding, TableKind kind) {
  if (kind == TableKind::device) return 0;
  const std::uint32_t tables =
      kind == TableKind::buckets ? coding.bucket_shared_bytes : coding.take_shared_bytes;
  return std::size_t{tables} + take_steps_bytes(coding.lattice, coding.dim) +
         units_bytes(coding.dim) + cosets_bytes(coding.lattice, coding.dim);
}
__host__ __device__ inline std::size_t put_shared_size(const PageCoding& coding) {
  return coding.put_shared_bytes +
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

__device__ __forceinline__ const HeadPlan& plan_of_head(const PageCoding& coding,
                                                        std::int64_t head) {
  return coding.head_plans[plan_number(coding.plans, head)];
}
/// Where the points of page `page` of head `head` are.
__device__ __forceinline__ PointMemory points_of(const PagePoints& points, int dim,
                                                 std::int64_t head, std::int64_t page) {
  return PointMemory{points.twice, points.near}.from(head * points.head_stride +
                                                     page * points.page * dim);
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
