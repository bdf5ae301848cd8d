// SPDX-License-Identifier: Apache-2.0
// Pages of exactly so many bytes: which step fits, parts together and apart (budget.h).
#include "kakeya/codec/scale_rules.h"
#include "kernels/budget.h"
#include "kernels/warp.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kBudgetThreads = 128;

__device__ __forceinline__ int lane_of_thread() { return static_cast<int>(threadIdx.x % 32); }

__device__ __forceinline__ std::int64_t vectors_of_page(const BudgetPool& pool,
                                                        std::int64_t number) {
  const std::int64_t left = pool.tokens - number % pool.pages * pool.page;
  return left < pool.page ? left : pool.page;
}
__device__ __forceinline__ std::uint8_t* page_of_pool(const BudgetPool& pool, std::int64_t number) {
  const std::int64_t head = number / pool.pages;
  return pool.data + head * pool.stride + (number - head * pool.pages) * pool.budget;
}

// Bytes of a part whose length follows from how many vectors, at least one, the page has.
__device__ __forceinline__ std::int64_t bytes_that_follow(const BudgetPool& pool,
                                                          const BudgetPart& part,
                                                          std::int64_t vectors) {
  const std::int64_t counted = part.counts == BudgetPart::once ? 1
                               : part.counts == BudgetPart::vectors
                                   ? vectors
                                   : shared_scale(vectors - 1, pool.page) + 1;
  return (counted * part.bits + 7) / 8;
}

// Bytes of a part that was written. By all threads of a warp.
__device__ __forceinline__ std::int64_t bytes_of_part(const BudgetPool& pool,
                                                      const BudgetPart& part, std::int64_t number,
                                                      std::int64_t vectors) {
  if (part.sizes != nullptr) return static_cast<std::int64_t>(part.sizes[number]);
  const std::int64_t bytes = bytes_that_follow(pool, part, vectors);
  if (!part.or_none) return bytes;
  const std::uint8_t* from = part.place.data + number * part.place.stride;
  bool any = false;
  for (std::int64_t i = lane_of_thread(); i < bytes; i += 32) any = any || from[i] != 0;
  return __ballot_sync(kAll, any) != 0 ? bytes : 0;
}

// Bytes of a number of 7 bits a byte.
__device__ __forceinline__ std::int64_t bytes_of_number(std::int64_t number) {
  std::int64_t bytes = 1;
  for (; number >= 128; number >>= 7) ++bytes;
  return bytes;
}

__global__ void __launch_bounds__(kBudgetThreads) begin_pages(BudgetPool pool, BudgetWork work) {
  const std::int64_t number = static_cast<std::int64_t>(blockIdx.x) * kBudgetThreads + threadIdx.x;
  if (number >= pool.heads * pool.pages) return;
  const auto vectors = static_cast<std::uint32_t>(vectors_of_page(pool, number));
  work.vectors[number] = work.active[number] = vectors;
  work.steps[number] = 0;
  work.flags[number] = 0;
  work.searches[number] = {-1, kBudgetSteps, 0, 0, {}};
}

// The first step but 0 that was not tried, or kBudgetSteps.
__device__ __forceinline__ int first_untried(const BudgetSearch& search) {
  int step = 1;
  while (step < kBudgetSteps && (search.tried[step / 32] >> (step % 32) & 1u) != 0) ++step;
  return step;
}

// What BudgetPages::finest() does when a page of `values` took `bytes` with step search.next.
__device__ __forceinline__ void take_try(const BudgetPool& pool, std::int64_t bytes,
                                         std::int64_t values, BudgetSearch& search) {
  const bool all =
      search.too_fine == kBudgetSteps - 1;  // with no step that it went to, so all are tried
  search.tried[search.next / 32] |= 1u << (search.next % 32);
  if (bytes <= pool.budget) {
    search.fits = search.next;
    search.next = search.too_fine + (search.fits - search.too_fine) / 2;
    search.done = all || search.too_fine + 1 >= search.fits ? 1 : 0;
    return;
  }
  if (!all) {
    search.too_fine = search.next;
    const double bits =
        8.0 * static_cast<double>(bytes - pool.budget) / static_cast<double>(values);
    const double ahead = ceil(kStepsAnOctave * bits);
    const int steps = ahead < kBudgetSteps ? static_cast<int>(ahead) : kBudgetSteps;
    const int coarser = search.too_fine + steps;
    search.next = coarser < search.fits - 1 ? coarser : search.fits - 1;
    if (search.too_fine + 1 < search.fits) return;
    search.done = search.fits < kBudgetSteps ? 1 : 0;
    if (search.done != 0) return;
  }
  search.next = first_untried(search);
  search.done = search.next == kBudgetSteps ? 1 : 0;
}

// A warp a page.
__global__ void __launch_bounds__(kBudgetThreads) next_steps(BudgetPool pool, BudgetWork work) {
  const std::int64_t number =
      (static_cast<std::int64_t>(blockIdx.x) * kBudgetThreads + threadIdx.x) / 32;
  if (number >= pool.heads * pool.pages) return;
  const std::int64_t vectors = work.active[number];
  if (vectors == 0) return;
  std::int64_t bytes = 1;
  for (int i = 0; i < pool.part_count; ++i) {
    const std::int64_t part = bytes_of_part(pool, pool.parts[i], number, vectors);
    bytes += part + bytes_of_number(part);
  }
  if (lane_of_thread() != 0) return;
  BudgetSearch search = work.searches[number];
  take_try(pool, bytes, vectors * pool.dim, search);
  work.searches[number] = search;
  if (search.done != 0) {
    work.active[number] = 0;
  } else {
    work.steps[number] = static_cast<std::uint32_t>(search.next);
  }
}

__global__ void __launch_bounds__(kBudgetThreads) end_search(BudgetPool pool, BudgetWork work) {
  const std::int64_t number = static_cast<std::int64_t>(blockIdx.x) * kBudgetThreads + threadIdx.x;
  if (number >= pool.heads * pool.pages) return;
  const int fits = work.searches[number].fits;
  work.active[number] = work.vectors[number];
  work.steps[number] = static_cast<std::uint32_t>(fits < kBudgetSteps ? fits : kBudgetSteps - 1);
  if (fits == kBudgetSteps) work.flags[number] |= static_cast<std::uint32_t>(kOverBudget);
}

// By all threads of a block, 16 bytes at a time where both lie so.
__device__ __forceinline__ void copy_part(std::uint8_t* to, const std::uint8_t* from,
                                          std::int64_t bytes) {
  const int thread = static_cast<int>(threadIdx.x);
  std::int64_t done = 0;
  if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % 16 == 0) {
    done = bytes / 16 * 16;
    for (std::int64_t i = thread; i < bytes / 16; i += kBudgetThreads) {
      reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
    }
  }
  for (std::int64_t i = done + thread; i < bytes; i += kBudgetThreads) to[i] = from[i];
}
__device__ __forceinline__ void fill_part(std::uint8_t* to, std::int64_t bytes) {
  for (std::int64_t i = threadIdx.x; i < bytes; i += kBudgetThreads) to[i] = 0;
}

// Where the parts of a page lie in it: part i in [begin[i], begin[i] + bytes[i]).
struct Places {
  std::int64_t begin[kMostBudgetParts], bytes[kMostBudgetParts];
};

// A block a page.
__global__ void __launch_bounds__(kBudgetThreads) write_pages(BudgetPool pool, BudgetWork work) {
  __shared__ Places places;
  __shared__ std::int64_t
      padded;  // where zeros end; below what begins the page where it does not fit
  const std::int64_t number = blockIdx.x, vectors = work.vectors[number];
  std::uint8_t* page = page_of_pool(pool, number);
  if ((work.flags[number] & kOverBudget) != 0) return fill_part(page, pool.budget);
  if (threadIdx.x < 32) {
    std::int64_t end = pool.budget - 1;
    for (int i = 0; i < pool.part_count; ++i) {
      const std::int64_t bytes = bytes_of_part(pool, pool.parts[i], number, vectors);
      if (threadIdx.x == 0) places.bytes[i] = bytes;
      end -= bytes_of_number(bytes);
    }
    if (threadIdx.x == 0) {
      for (int i = pool.part_count - 1; i > 0; --i) places.begin[i] = end -= places.bytes[i];
      places.begin[0] = 0;
      padded = end;
    }
    if (threadIdx.x == 0 && padded >= places.bytes[0]) {
      std::int64_t at = pool.budget;
      page[--at] = static_cast<std::uint8_t>(work.steps[number]);
      for (int i = 0; i < pool.part_count; ++i) {
        std::int64_t left = places.bytes[i];
        for (; left >= 128; left >>= 7) page[--at] = static_cast<std::uint8_t>(left | 128);
        page[--at] = static_cast<std::uint8_t>(left);
      }
    }
  }
  __syncthreads();
  if (padded < places.bytes[0]) {  // never of a step that was found
    if (threadIdx.x == 0) work.flags[number] |= static_cast<std::uint32_t>(kOverBudget);
    return fill_part(page, pool.budget);
  }
  for (int i = 0; i < pool.part_count; ++i) {
    const Section& place = pool.parts[i].place;
    copy_part(page + places.begin[i], place.data + number * place.stride, places.bytes[i]);
  }
  fill_part(page + places.bytes[0], padded - places.bytes[0]);
}

// Finds the parts of a page, by one thread. False where they are not as an encoder writes them: lengths that do
// not end, parts that are longer than the page, than their room, or not as long as they have to be.
__device__ __forceinline__ bool find_parts(const BudgetPool& pool, const std::uint8_t* page,
                                           std::int64_t vectors, Places& places,
                                           std::uint32_t& step, std::int64_t& padded) {
  std::int64_t at = pool.budget;
  step = page[--at];
  if (step >= kBudgetSteps) return false;
  for (int i = 0; i < pool.part_count; ++i) {
    std::int64_t bytes = 0;
    bool goes_on = true;
    for (int shift = 0; goes_on; shift += 7) {
      if (at == 0 || shift >= 28) return false;
      const std::int64_t byte = page[--at];
      bytes |= (byte & 127) << shift;
      goes_on = byte >= 128;
    }
    places.bytes[i] = bytes;
  }
  for (int i = pool.part_count - 1; i >= 0; --i) {
    const BudgetPart& part = pool.parts[i];
    const std::int64_t bytes = places.bytes[i];
    if (bytes > at) return false;
    if (part.sizes != nullptr) {
      if (bytes > part.room) return false;
    } else if (bytes != bytes_that_follow(pool, part, vectors) && !(part.or_none && bytes == 0)) {
      return false;
    }
    places.begin[i] = i == 0 ? 0 : (at -= bytes);
  }
  padded = at;
  return true;
}

// A block a page.
__global__ void __launch_bounds__(kBudgetThreads) read_pages(BudgetPool pool, BudgetWork work) {
  __shared__ Places places;
  __shared__ std::int64_t padded;
  __shared__ std::uint32_t step;
  __shared__ std::uint32_t wrong;
  const std::int64_t number = blockIdx.x, vectors = vectors_of_page(pool, number);
  const std::uint8_t* page = page_of_pool(pool, number);
  if (threadIdx.x == 0) {
    wrong = find_parts(pool, page, vectors, places, step, padded) ? 0 : 1;
  }
  __syncthreads();
  const bool whole = wrong == 0;
  __syncthreads();
  if (whole) {
    std::uint32_t any = 0;
    for (std::int64_t i = places.bytes[0] + threadIdx.x; i < padded; i += kBudgetThreads) {
      any |= page[i];
    }
    if (any != 0) atomicOr(&wrong, 1u);
  }
  __syncthreads();
  const bool bad = wrong != 0;
  for (int i = 0; i < pool.part_count; ++i) {
    const BudgetPart& part = pool.parts[i];
    const std::int64_t bytes = bad ? 0 : places.bytes[i];
    std::uint8_t* to = part.place.data + number * part.place.stride;
    copy_part(to, page + (bad ? 0 : places.begin[i]), bytes);
    if (part.sizes == nullptr) {
      fill_part(to + bytes, bytes_that_follow(pool, part, vectors) - bytes);
    } else if (threadIdx.x == 0) {
      part.sizes[number] = static_cast<std::uint64_t>(bytes);
    }
  }
  if (threadIdx.x != 0) return;
  pool.lengths[number * pool.length_stride] = static_cast<std::uint32_t>(bad ? 0 : places.bytes[0]);
  work.vectors[number] = work.active[number] = static_cast<std::uint32_t>(vectors);
  work.steps[number] = bad ? 0 : step;
  work.flags[number] = bad ? static_cast<std::uint32_t>(kBadBudgetPage) : 0u;
}

__global__ void __launch_bounds__(kBudgetThreads)
    add_flags(BudgetPool pool, BudgetWork work, std::uint32_t* flags) {
  const std::int64_t number = static_cast<std::int64_t>(blockIdx.x) * kBudgetThreads + threadIdx.x;
  if (number >= pool.heads * pool.pages || work.flags[number] == 0) return;
  atomicOr(flags + number / pool.pages, work.flags[number]);
}

std::int64_t blocks_of_pages(const BudgetPool& pool, std::int64_t each) {
  return (pool.heads * pool.pages * each + kBudgetThreads - 1) / kBudgetThreads;
}

}  // namespace

void begin_budget(const BudgetPool& pool, const BudgetWork& work, Stream stream) {
  KAKEYA_LAUNCH(begin_pages, blocks_of_pages(pool, 1), kBudgetThreads, stream, pool, work);
}
void next_budget_step(const BudgetPool& pool, const BudgetWork& work, Stream stream) {
  KAKEYA_LAUNCH(next_steps, blocks_of_pages(pool, 32), kBudgetThreads, stream, pool, work);
}
void end_budget(const BudgetPool& pool, const BudgetWork& work, Stream stream) {
  KAKEYA_LAUNCH(end_search, blocks_of_pages(pool, 1), kBudgetThreads, stream, pool, work);
}
void write_budget_pages(const BudgetPool& pool, const BudgetWork& work, Stream stream) {
  KAKEYA_LAUNCH(write_pages, pool.heads * pool.pages, kBudgetThreads, stream, pool, work);
}
void read_budget_pages(const BudgetPool& pool, const BudgetWork& work, Stream stream) {
  KAKEYA_LAUNCH(read_pages, pool.heads * pool.pages, kBudgetThreads, stream, pool, work);
}
void add_budget_flags(const BudgetPool& pool, const BudgetWork& work, std::uint32_t* flags,
                      Stream stream) {
  KAKEYA_LAUNCH(add_flags, blocks_of_pages(pool, 1), kBudgetThreads, stream, pool, work, flags);
}

}  // namespace kakeya::kernels
