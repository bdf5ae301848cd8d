// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "kakeya/entropy/field_costs.h"
#include "kernels/fields.cuh"
#include "kernels/fields.h"
#include "kernels/point_memory.cuh"

// How a page of fields is written: what choose_fields() (entropy/field_choice.h) says, found by a block of
// threads. A warp has a group of coordinates; costs are doubles added in the CPU's order.

namespace kakeya::kernels {
namespace {

constexpr int kMostFieldGroups = static_cast<int>(kMostFieldDim / kFieldGroup);
constexpr int kMostFieldBlocks = 4096 / static_cast<int>(kFieldBlock);
constexpr int kChoiceThreads = 256, kChoiceWarps = kChoiceThreads / 32;
constexpr int kCodes = static_cast<int>(kFieldCodes), kKinds = static_cast<int>(kEntryKinds);
constexpr int kHistogramWords = kFieldReach;  // at most: two numbers a word

/// The header of a page, and what its lists have.
struct FieldChoice {
  std::uint8_t codes[kMostFieldGroups], lists[kMostFieldGroups], shifted[kMostFieldGroups];
  std::int8_t shifts[kMostFieldDim];         // 0 in groups that are not shifted
  std::uint8_t entry_bits[kFieldLists + 1];  // 0: nothing is in the list; the last is 0
  std::uint32_t counts[kMostFieldBlocks][1 + kFieldLists];
};

/// Where a group of a block begins in the lists.
struct FieldPlace {
  std::uint32_t entries;  // of its list that come before
  std::uint32_t quiet;    // positions before it that no entry has gone by
  std::uint32_t end;      // while they are counted
  std::uint32_t far;      // far entries that come before
};

/// The numbers of a page (entropy/field_coder.h), where its points lie.
struct FieldNumbers {
  PointMemory points;
  int dim, vectors;
  bool e8;

  __device__ __forceinline__ int groups() const { return dim / 8; }
  __device__ __forceinline__ int blocks() const { return (vectors + 127) / 128; }
  __device__ __forceinline__ int of_block(int block) const {
    const int left = vectors - 128 * block;
    return left < 128 ? left : 128;
  }
  __device__ __forceinline__ std::int32_t at(int vector, int i) const {
    const std::int32_t number = points.at((vector / 32 * dim + i) * 32 + vector % 32),
                       v = number >> 1;
    return e8 && i % 8 == 7 ? (v & ~1) | (number & 1) : v;
  }
};

/// Sums over the lanes of a warp.
__device__ __forceinline__ std::uint32_t sum_of_warp(std::uint32_t value) {
#pragma unroll
  for (int lanes = 1; lanes < 32; lanes *= 2) value += __shfl_xor_sync(kAll, value, lanes);
  return value;
}

__device__ __forceinline__ std::int32_t larger(std::int32_t a, std::int32_t b) {
  return a < b ? b : a;
}
__device__ __forceinline__ std::int32_t largest_of_warp(std::int32_t value) {
#pragma unroll
  for (int lanes = 1; lanes < 32; lanes *= 2) {
    value = larger(value, __shfl_xor_sync(kAll, value, lanes));
  }
  return value;
}

/// Calls row(first position, vectors, q) for 32 neighbouring vectors of a coordinate after another of a
/// group in a block, q of this lane's, 0 where there is none.
template <typename Row>
__device__ __forceinline__ void for_overflows(const FieldNumbers& page, const FieldChoice& choice,
                                              int block, int g, int lane, const Row& row) {
  const int vectors = page.of_block(block);
  const auto code = static_cast<std::size_t>(choice.codes[g]);
  for (int c = 0; c < 8; ++c) {
    for (int first = 0; first < vectors; first += 32) {
      const int t = first + lane;
      std::int32_t q = 0;
      if (t < vectors) {
        const std::int32_t shift = choice.shifts[8 * g + c];
        q = field_overflow(page.at(128 * block + t, 8 * g + c) - shift, code);
      }
      row(c * vectors + first, q);
    }
  }
}

/// A double of the lane with this number, in all lanes.
__device__ __forceinline__ double double_of_lane(double value, int number) {
  std::uint32_t word[2];
  std::memcpy(word, &value, sizeof value);
  word[0] = __shfl_sync(kAll, word[0], number), word[1] = __shfl_sync(kAll, word[1], number);
  std::memcpy(&value, word, sizeof value);
  return value;
}

/// The position behind the last one of `mask` before this lane, or `next` where there is none.
__device__ __forceinline__ int position_behind(unsigned mask, int first, int next, int lane) {
  const unsigned below = mask & ((1u << lane) - 1u);
  return below == 0 ? next : first + 32 - __clz(static_cast<int>(below));
}

/// The medians of a group's coordinates within [-128, 127], in lane c that of coordinate c; and the largest
/// magnitude of its numbers, in all lanes.
struct GroupMedians {
  std::int32_t median, largest;
};
/// `bins` has room for 256.
__device__ inline GroupMedians find_medians(const FieldNumbers& page, int g, int lane,
                                            std::uint32_t* bins) {
  std::int32_t median = 0, largest = 0;
  const auto wanted = static_cast<std::uint32_t>(page.vectors / 2);  // numbers below it
  for (int c = 0; c < 8; ++c) {
    for (int i = lane; i < 256; i += 32) bins[i] = 0;
    __syncwarp();
    for (int t = lane; t < page.vectors; t += 32) {
      const std::int32_t v = page.at(t, 8 * g + c), low = v < -128 ? -128 : (v > 127 ? 127 : v);
      atomicAdd(bins + low + 128, 1u);
      largest = larger(largest, v < 0 ? -v : v);
    }
    __syncwarp();
    std::uint32_t mine = 0, all = 0;
    for (int i = 0; i < 8; ++i) mine += bins[8 * lane + i];
    std::uint32_t below = sum_before_lane(mine, lane, &all);
    const unsigned reached = __ballot_sync(kAll, below + mine > wanted);
    std::int32_t found = 8 * lane;
    while (found < 8 * lane + 7 && below + bins[found] <= wanted) below += bins[found++];
    found = __shfl_sync(kAll, found, __ffs(reached) - 1) - 128;
    if (lane == c) median = found;
    __syncwarp();
  }
  return {median, largest_of_warp(largest)};
}

/// How many numbers of a group less their shifts are below each number within `reach`, two a word. Beyond it
/// there are others where it is kFieldReach.
struct GroupHistogram {
  std::uint32_t* words;
  std::int32_t reach;
  std::uint32_t inside;
  bool has_outside;

  __device__ __forceinline__ std::uint32_t below(std::int32_t x) const {
    if (x >= reach) return inside;
    const int at = x < -reach ? 0 : x + reach;
    return words[at / 2] >> (16 * (at % 2)) & 0xffffu;
  }
};

/// `shift`: of coordinate c in lane c; `largest`: of the numbers before.
__device__ inline GroupHistogram count_numbers(const FieldNumbers& page, int g, std::int32_t shift,
                                               std::int32_t largest, int lane,
                                               std::uint32_t* words) {
  const std::int32_t most = largest + largest_of_warp(shift < 0 ? -shift : shift) + 1,
                     reach = most < kFieldReach ? (most + 31) / 32 * 32 : kFieldReach;
  for (int i = lane; i < reach; i += 32) words[i] = 0;
  __syncwarp();
  bool outside = false;
  for (int c = 0; c < 8; ++c) {
    const std::int32_t less = __shfl_sync(kAll, shift, c);
    for (int t = lane; t < page.vectors; t += 32) {
      const std::int32_t x = page.at(t, 8 * g + c) - less, at = x + reach;
      if (at < 0 || at >= 2 * reach) {
        outside = true;
      } else {
        atomicAdd(words + at / 2, at % 2 == 0 ? 1u : 0x10000u);
      }
    }
  }
  __syncwarp();
  GroupHistogram counts{words, reach, 0, __ballot_sync(kAll, outside) != 0};
  for (int i = lane; i < reach; i += 32) {
    const std::uint32_t word = words[i], low = word & 0xffffu;
    std::uint32_t all = 0;
    const std::uint32_t below = counts.inside + sum_before_lane(low + (word >> 16), lane, &all);
    words[i] = below | (below + low) << 16;
    counts.inside += all;
  }
  __syncwarp();
  return counts;
}

/// Bits that the lists take where a group has this lane's `code`: GroupCounts::list_bits().
__device__ inline double list_bits(const FieldNumbers& page, const GroupHistogram& counts, int g,
                                   std::int32_t shift, std::size_t code, int lane) {
  const std::int32_t levels = field_levels(code), base = -(levels / 2);
  std::uint32_t near[kMostNear + 1] = {};
  std::uint32_t before = counts.below(base - kMostNear * levels), inside = 0;
#pragma unroll
  for (int q = -kMostNear; q <= kMostNear; ++q) {
    const std::uint32_t below = counts.below(base + (q + 1) * levels);
    near[q < 0 ? -q : q] += below - before;
    inside += below - before;
    before = below;
  }
  std::uint32_t far = counts.inside - inside;
  for (int c = 0; counts.has_outside && c < 8; ++c) {
    const std::int32_t less = __shfl_sync(kAll, shift, c);
    for (int first = 0; first < page.vectors; first += 32) {
      const int t = first + lane;
      const std::int32_t mine = t < page.vectors ? page.at(t, 8 * g + c) - less : 0;
      unsigned left = __ballot_sync(kAll, mine < -kFieldReach || mine >= kFieldReach);
      for (; left != 0; left &= left - 1) {
        const std::int32_t q = field_overflow(__shfl_sync(kAll, mine, __ffs(left) - 1), code);
        const std::int32_t size = q < 0 ? -q : q;
        if (size > kMostNear) far += static_cast<std::uint32_t>(far_entries(q));
#pragma unroll
        for (int k = 1; k <= kMostNear; ++k) near[k] += size == k ? 1u : 0u;
      }
    }
  }
  return kFarCost * static_cast<double>(far) +
         near_bits(near, static_cast<double>(8 * page.vectors));
}

/// What groups cost beside their fields with each code, and whether they are shifted then, in a block's
/// memory: kCodes of each group.
struct CodeCosts {
  double* bits;
  std::uint8_t* shifted;
};

/// Medians and costs of a group, by a warp: costs_of(). `words` has kHistogramWords.
__device__ inline void find_costs(const FieldNumbers& page, int g, int lane, std::uint32_t* words,
                                  const CodeCosts& costs, FieldChoice& choice) {
  const GroupMedians found = find_medians(page, g, lane, words);
  const std::int32_t median = found.median;
  if (lane < 8) choice.shifts[8 * g + lane] = static_cast<std::int8_t>(median);
  const bool moves = __ballot_sync(kAll, median != 0) != 0;
  for (int moved = 0; moved <= (moves ? 1 : 0); ++moved) {
    const std::int32_t shift = moved == 0 ? 0 : median;
    const GroupHistogram counts = count_numbers(page, g, shift, found.largest, lane, words);
    for (int first = 0; first < kCodes; first += 32) {
      const int code = first + lane < kCodes ? first + lane : kCodes - 1, at = g * kCodes + code;
      double bits = list_bits(page, counts, g, shift, static_cast<std::size_t>(code), lane);
      if (moved != 0) bits = bits + kShiftBits;
      if (first + lane < kCodes && (moved == 0 || bits < costs.bits[at])) {
        costs.bits[at] = bits;
        costs.shifted[at] = static_cast<std::uint8_t>(moved);
      }
    }
    __syncwarp();
  }
}

/// Rows of 128 bytes of a page's fields, from units of each plane.
__device__ __forceinline__ int rows_of(const int (&units)[kFieldPlanes], int registers) {
  std::size_t rows = 0;
#pragma unroll
  for (std::size_t p = 0; p < kFieldPlanes; ++p) {
    rows += plane_rows(static_cast<std::size_t>(units[p] * registers), p);
  }
  return static_cast<int>(rows);
}
/// Bytes of the fields of all blocks.
__device__ __forceinline__ std::uint32_t all_field_bytes(const int (&units)[kFieldPlanes],
                                                         int vectors) {
  const int last = (vectors % 128 + 15) / 16;
  int rows = vectors / 128 * rows_of(units, 8);
  if (last != 0) rows += rows_of(units, last);
  return 128u * static_cast<std::uint32_t>(rows);
}

__device__ __forceinline__ void add_units(int (&units)[kFieldPlanes], int code, int times) {
#pragma unroll
  for (std::size_t p = 0; p < kFieldPlanes; ++p) {
    units[p] += times * static_cast<int>(plane_units(static_cast<std::size_t>(code), p));
  }
}

/// CodeSearch::search() by a warp: four codes beside one are tried at once, a lane each.
__device__ inline double search_codes(const FieldNumbers& page, const CodeCosts& costs,
                                      bool with_trits, int lane, std::uint8_t* codes) {
  const int groups = page.groups();
  for (int g = lane; g < groups; g += 32) {
    double best = 0;
    int found = -1;
    for (int code = 0; code < kCodes; ++code) {
      const auto number = static_cast<std::size_t>(code);
      if (field_has_trit(number) && !with_trits) continue;
      const double bits = costs.bits[g * kCodes + code] +
                          guessed_bits(number, static_cast<std::size_t>(page.vectors));
      if (found >= 0 && bits >= best) continue;
      best = bits;
      found = code;
    }
    codes[g] = static_cast<std::uint8_t>(found);
  }
  __syncwarp();
  int units[kFieldPlanes] = {};
  double now = 0;
  for (int g = 0; g < groups; ++g) {
    add_units(units, codes[g], 1);
    now += costs.bits[g * kCodes + codes[g]];
  }
  now = now + 8.0 * static_cast<double>(all_field_bytes(units, page.vectors));
  for (bool better = true; better;) {
    better = false;
    double before = 0;  // costs of the groups before
    for (int g = 0; g < groups; ++g) {
      const int old = codes[g], mine = old + (lane % 4 < 2 ? lane % 4 - 2 : lane % 4 - 1);
      const bool is_code = mine >= 0 && mine < kCodes;
      const int tried = is_code ? mine : old;
      double then = before + costs.bits[g * kCodes + tried];
      for (int h = g + 1; h < groups; ++h) then += costs.bits[h * kCodes + codes[h]];
      int with[kFieldPlanes];
#pragma unroll
      for (std::size_t p = 0; p < kFieldPlanes; ++p) with[p] = units[p];
      add_units(with, old, -1);
      add_units(with, tried, 1);
      then = then + 8.0 * static_cast<double>(all_field_bytes(with, page.vectors));
      int best = old;
      for (int k = 0; k < 4; ++k) {
        const double one = double_of_lane(then, k);
        const int code = __shfl_sync(kAll, tried, k);
        if (one >= now) continue;
        now = one;
        best = code;
      }
      add_units(units, old, -1);
      add_units(units, best, 1);
      __syncwarp();
      if (lane == 0) codes[g] = static_cast<std::uint8_t>(best);
      __syncwarp();
      before += costs.bits[g * kCodes + best];
      better = better || best != old;
    }
  }
  return now;
}

}  // namespace
}  // namespace kakeya::kernels
