// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/field_choice.cuh"

// Lists of pages of fields as they are written: which groups go to which list, how many entries that
// takes, and the entries. A warp has a group of a block; what groups before it have is added up between.

namespace kakeya::kernels {
namespace {

/// What groups cost in a list of entries of each width, and as far entries: entry_costs() of the CPU.
struct EntryCosts {
  std::uint32_t of[kMostFieldGroups][kKinds + 1];
};

__device__ __forceinline__ void add_quiet(std::uint32_t (&costs)[kKinds + 1],
                                          std::uint32_t positions) {
#pragma unroll
  for (int kind = 0; kind < kKinds; ++kind) {
    const int bits = kind + static_cast<int>(kLeastEntryBits);
    costs[kind] +=
        static_cast<std::uint32_t>(bits + kEntryCharge) * (positions / quiet_distance(bits));
  }
}

/// By a warp.
__device__ inline void find_entry_costs(const FieldNumbers& page, const FieldChoice& choice, int g,
                                        int lane, EntryCosts& all) {
  std::uint32_t costs[kKinds + 1] = {};
  for (int block = 0; block < page.blocks(); ++block) {
    int next = 0;
    for_overflows(page, choice, block, g, lane, [&](int first, std::int32_t q) {
      const unsigned mask = __ballot_sync(kAll, q != 0);
      if (mask == 0) return;
      const int before = position_behind(mask, first, next, lane);
      next = first + 32 - __clz(static_cast<int>(mask));
      if (q == 0) return;
      const auto far = static_cast<std::uint32_t>(kFarCost * far_entries(q));
      const auto size = static_cast<std::uint32_t>(q < 0 ? -q : q);
      add_quiet(costs, static_cast<std::uint32_t>(first + lane - before));
#pragma unroll
      for (int kind = 0; kind < kKinds; ++kind) {
        const int bits = kind + static_cast<int>(kLeastEntryBits);
        costs[kind] +=
            kakeya::is_near(q, bits) ? static_cast<std::uint32_t>(bits + kEntryCharge) * size : far;
      }
      costs[kKinds] += far;
    });
    if (lane == 0) add_quiet(costs, static_cast<std::uint32_t>(8 * page.of_block(block) - next));
  }
#pragma unroll
  for (int kind = 0; kind <= kKinds; ++kind) {
    const std::uint32_t sum = sum_of_warp(costs[kind]);
    if (lane == 0) all.of[g][kind] = sum;
  }
}

/// Three kinds of entries, rising: number `number` of kTriples in the order in which the CPU tries them.
constexpr int kTriples = kKinds * (kKinds + 1) * (kKinds + 2) / 6;
__device__ inline void triple_of(int number, int (&kinds)[3]) {
  for (int a = 0; a < kKinds; ++a) {
    for (int b = a; b < kKinds; ++b) {
      if (number < kKinds - b) {
        kinds[0] = a, kinds[1] = b, kinds[2] = b + number;
        return;
      }
      number -= kKinds - b;
    }
  }
}

/// What a group takes with lists of three kinds, and in which list.
__device__ __forceinline__ std::uint32_t least_cost(const std::uint32_t (&of)[kKinds + 1],
                                                    const int (&kinds)[3], int* list) {
  std::uint32_t least = of[kKinds];
  *list = kNoList;
#pragma unroll
  for (int i = 2; i >= 0; --i) {
    const std::uint32_t cost = of[kinds[i]];
    if (cost > least || (cost == least && *list == kNoList)) continue;
    least = cost;
    *list = i;
  }
  return least;
}

/// choose_lists() of the CPU, by all threads of a block.
__device__ inline void choose_lists(const EntryCosts& costs, int groups, FieldChoice& choice) {
  __shared__ std::uint64_t sums[kTriples];
  __shared__ int best[32];
  const int thread = static_cast<int>(threadIdx.x);
  int kinds[3] = {}, list = 0;
  for (int n = thread; n < kTriples; n += kChoiceThreads) {
    triple_of(n, kinds);
    std::uint64_t sum = 0;
    for (int g = 0; g < groups; ++g) sum += least_cost(costs.of[g], kinds, &list);
    sums[n] = sum;
  }
  __syncthreads();
  if (thread < 32) {
    constexpr int kEach = (kTriples + 31) / 32;
    int found = thread * kEach < kTriples ? thread * kEach : 0;
    for (int n = found + 1; n < (thread + 1) * kEach && n < kTriples; ++n) {
      if (sums[n] < sums[found]) found = n;
    }
    best[thread] = found;
    __syncwarp();
    found = best[0];
    for (int i = 1; i < 32; ++i) {
      if (sums[best[i]] < sums[found]) found = best[i];
    }
    triple_of(found, kinds);
    for (int g = thread; g < groups; g += 32) {
      least_cost(costs.of[g], kinds, &list);
      choice.lists[g] = static_cast<std::uint8_t>(list);
    }
    __syncwarp();
    if (thread < static_cast<int>(kFieldLists)) {
      bool used = false;
      for (int g = 0; g < groups; ++g) used = used || choice.lists[g] == thread;
      choice.entry_bits[thread] =
          static_cast<std::uint8_t>(used ? kinds[thread] + static_cast<int>(kLeastEntryBits) : 0);
    }
  }
  __syncthreads();
}

/// Bits of an entry of a group's list, 0 where it has none.
__device__ __forceinline__ int entry_bits_of(const FieldChoice& choice, int g) {
  return choice.lists[g] == kNoList ? 0 : choice.entry_bits[choice.lists[g]];
}
__device__ __forceinline__ bool is_listed(std::int32_t q, int entry_bits) {
  return q != 0 && entry_bits != 0 && kakeya::is_near(q, entry_bits);
}

/// What a group of a block has by itself: entries behind its first one that adds, positions before that
/// and to the end of the last one, 0 where there is none; far entries. By a warp.
__device__ inline FieldPlace count_entries(const FieldNumbers& page, const FieldChoice& choice,
                                           int block, int g, int lane) {
  const int bits = entry_bits_of(choice, g);
  const std::uint32_t quiet = bits == 0 ? 1u : quiet_distance(bits);
  std::uint32_t entries = 0, far = 0;
  int begin = 0, end = 0;
  for_overflows(page, choice, block, g, lane, [&](int first, std::int32_t q) {
    const bool listed = is_listed(q, bits);
    const unsigned mask = __ballot_sync(kAll, listed);
    if (q != 0 && !listed) far += static_cast<std::uint32_t>(far_entries(q));
    if (mask == 0) return;
    if (end == 0) begin = end = first + __ffs(mask) - 1;
    if (listed) {
      const int before = position_behind(mask, first, end, lane);
      entries += static_cast<std::uint32_t>(first + lane - before) / quiet +
                 static_cast<std::uint32_t>(q < 0 ? -q : q);
    }
    end = first + 32 - __clz(static_cast<int>(mask));
  });
  return {sum_of_warp(entries), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
          sum_of_warp(far)};
}

/// From what groups of a block have to where they begin, and the counts of the block: list 0, 1 or 2, or
/// far entries, 3, by a thread.
__device__ inline void add_up_entries(const FieldChoice& choice, int groups, int vectors, int list,
                                      FieldPlace* places, std::uint32_t* counts) {
  std::uint32_t all = 0, at = 0, next = 0;
  if (list == kNoList) {
    for (int g = 0; g < groups; ++g) {
      const std::uint32_t mine = places[g].far;
      places[g].far = all;
      all += mine;
    }
    counts[0] = all;
    return;
  }
  const int bits = choice.entry_bits[list];
  const std::uint32_t quiet = bits == 0 ? 1u : quiet_distance(bits);
  for (int g = 0; g < groups; ++g) {
    if (choice.lists[g] != list) continue;
    const FieldPlace mine = places[g];
    places[g].entries = all;
    places[g].quiet = at - next;
    if (mine.end != 0) {
      all += (at + mine.quiet - next) / quiet + mine.entries;
      next = at + mine.end;
    }
    at += 8u * static_cast<std::uint32_t>(vectors);
  }
  counts[1 + list] = all;
}

/// Bytes of a block's lists.
__device__ __forceinline__ std::uint32_t list_bytes_of(const FieldChoice& choice,
                                                       const std::uint32_t* counts) {
  std::uint32_t bits = 32 * counts[0];
#pragma unroll
  for (std::size_t list = 0; list < kFieldLists; ++list) {
    bits += choice.entry_bits[list] * counts[1 + list];
  }
  return (bits + 31) / 32 * 4;
}

/// Bytes of a header.
__device__ __forceinline__ int header_bytes_of(const FieldChoice& choice, int groups) {
  int shifted = 0;
  for (int g = 0; g < groups; ++g) shifted += choice.shifted[g];
  return (4 + groups + (groups + 7) / 8 + 8 * shifted + 3) / 4 * 4;
}

/// An entry to bits that are 0 and that others may write to.
__device__ __forceinline__ void put_entry(std::uint32_t* words, std::uint32_t bit,
                                          std::uint32_t entry, int bits) {
  const int shift = static_cast<int>(bit % 32);
  atomicOr(words + bit / 32, entry << shift);
  if (shift + bits > 32) atomicOr(words + bit / 32 + 1, entry >> (32 - shift));
}

/// The entries of a group to the lists of its block, whose bits behind the far ones are 0; first_bit[list]:
/// where each begins. By a warp.
__device__ inline void put_entries(const FieldNumbers& page, const FieldChoice& choice, int block,
                                   int g, const FieldPlace& place,
                                   const std::uint32_t (&first_bit)[kFieldLists], int lane,
                                   std::uint32_t* words) {
  const int bits = entry_bits_of(choice, g), vectors = page.of_block(block);
  const std::uint32_t quiet = bits == 0 ? 1u : quiet_distance(bits), sign = quiet + 1;
  const std::uint32_t list_bit = bits == 0 ? 0 : first_bit[choice.lists[g]];
  std::uint32_t far = place.far, entries = place.entries;
  int next = -static_cast<int>(place.quiet);
  for_overflows(page, choice, block, g, lane, [&](int first, std::int32_t q) {
    if (__ballot_sync(kAll, q != 0) == 0) return;
    const bool listed = is_listed(q, bits);
    const unsigned mask = __ballot_sync(kAll, listed);
    const auto size = static_cast<std::uint32_t>(q < 0 ? -q : q);
    const int before = position_behind(mask, first, next, lane);
    std::uint32_t distance = listed ? static_cast<std::uint32_t>(first + lane - before) : 0u;
    const std::uint32_t mine = listed ? distance / quiet + size : 0u,
                        mine_far = listed ? 0u : static_cast<std::uint32_t>(far_entries(q));
    std::uint32_t all = 0, all_far = 0;
    std::uint32_t bit =
        list_bit + static_cast<std::uint32_t>(bits) * (entries + sum_before_lane(mine, lane, &all));
    std::uint32_t at = far + sum_before_lane(mine_far, lane, &all_far);
    entries += all;
    far += all_far;
    if (mask != 0) next = first + 32 - __clz(static_cast<int>(mask));
    const auto put = [&](std::uint32_t entry) {
      put_entry(words, bit, entry, bits);
      bit += static_cast<std::uint32_t>(bits);
    };
    if (listed) {
      for (; distance >= quiet; distance -= quiet) put(quiet);
      put(distance + (q < 0 ? sign : 0u));
      for (std::uint32_t more = size; more > 1; --more) put(sign + quiet);
      return;
    }
    const auto position = static_cast<std::uint32_t>(8 * g * vectors + first + lane);
    for (std::int32_t left = q; left != 0;) {
      const std::int32_t part = left > kMostFarQuotient    ? kMostFarQuotient
                                : left < -kMostFarQuotient ? -kMostFarQuotient
                                                           : left;
      words[at++] = position | static_cast<std::uint32_t>(part) << 16;
      left -= part;
    }
  });
}

}  // namespace
}  // namespace kakeya::kernels
