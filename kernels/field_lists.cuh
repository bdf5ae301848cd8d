// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/field_page.cuh"

// The lists of an open page, as attention adds them: all lanes go the same way, with nothing to add in place
// of a branch, so that loads and products of several entries overlap.

namespace kakeya::kernels {
namespace {

/// Four neighbouring entries from `bit` on, `bits` each, the next always lower.
__device__ __forceinline__ void load_entries(const std::uint32_t* words, std::uint32_t last_word,
                                             std::uint32_t bit, int bits, std::uint32_t* entry) {
  std::uint32_t word[3];
#pragma unroll
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t at = bit / 32 + i;
    word[i] = words[at < last_word ? at : last_word];
  }
  const int shift = static_cast<int>(bit % 32);
  const std::uint32_t full = (1u << bits) - 1u, low = __funnelshift_r(word[0], word[1], shift),
                      high = __funnelshift_r(word[1], word[2], shift),
                      late = __funnelshift_r(low, high, 2 * bits);
  entry[0] = low & full;
  entry[1] = low >> bits & full;
  entry[2] = late & full;
  entry[3] = __funnelshift_r(late, high >> (2 * bits), bits) & full;
}

/// Calls add(target) for the entries of a list as for_entries() does, with a step of 0 where a lane has
/// none, whose target is the first of the list. False in a lane that found an entry beyond the list's groups,
/// or a first one that repeats none.
template <typename Add>
__device__ __forceinline__ bool add_entries(const EntryList& list, int vectors, int lane,
                                            const Add& add) {
  constexpr int kEach = 8, kTogether = 32 * kEach;
  const std::uint32_t quiet = (1u << (list.bits - 1)) - 1u, full = 2 * quiet + 1;
  const auto positions = static_cast<std::uint32_t>(list.group_count * 8 * vectors);
  std::uint32_t position = 0;
  bool good = true;
#pragma unroll 1
  for (int first = 0; first < list.count; first += kTogether) {
    const int left = list.count - first < kTogether ? list.count - first : kTogether;
    const int each = (left + 31) / 32, begin = first + lane * each, behind = first + left - begin;
    const int mine = behind < 0 ? 0 : (behind < each ? behind : each);
    const std::uint32_t bit = list.first_bit + static_cast<std::uint32_t>(begin * list.bits);
    // How far each entry goes on, summed up; those that are none are quiet.
    std::uint32_t entry[kEach], far[kEach], distance = 0;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (4 * half >= each) {
#pragma unroll
        for (int j = 4 * half; j < 4 * half + 4; ++j) entry[j] = quiet, far[j] = 0;
        continue;
      }
      load_entries(list.words, list.last_word,
                   bit + static_cast<std::uint32_t>(4 * half * list.bits), list.bits,
                   entry + 4 * half);
#pragma unroll
      for (int j = 4 * half; j < 4 * half + 4; ++j) {
        if (j >= mine) entry[j] = quiet;
        const std::uint32_t more = entry[j] == quiet ? quiet : (entry[j] + 1) & quiet;
        if (j < mine) distance += more;
        far[j] = distance;
      }
    }
    std::uint32_t all = 0;
    const std::uint32_t at = position + sum_before_lane(distance, lane, &all);
    position += all;
    // What the first is behind: it may add the same once more.
    std::uint32_t before = quiet;
    int number = begin;
    if (entry[0] == full) {
      do {
        --number;
        before = number >= 0 ? entry_of(list, number) : quiet;
      } while (before == full && number >= 0);
    }
    const bool fine = at + distance <= positions && (entry[0] != full || number >= 0);
    good = good && fine;
    bool less = before > quiet;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (4 * half >= each) break;
#pragma unroll
      for (int j = 4 * half; j < 4 * half + 4; ++j) {
        less = entry[j] == full ? less : entry[j] > quiet;
        const bool adds = fine && entry[j] != quiet;
        const std::uint32_t place = adds ? at + far[j] - 1 : 0u,
                            column = __umulhi(2 * place, list.inverse);
        const std::uint32_t group = list.groups[column / 8];
        const auto size = static_cast<std::int32_t>(group >> 8);
        add(EntryTarget{static_cast<int>(8 * (group & 0xffu) + column % 8),
                        static_cast<int>(place - column * static_cast<std::uint32_t>(vectors)),
                        adds ? (less ? -size : size) : 0});
      }
    }
  }
  return good;
}

/// Calls add(target) for all entries of a page; false where a lane found one that is none. A far one of more
/// than kMostFieldStep is left out, and sets `beyond`.
template <int kDim, typename Add>
__device__ __forceinline__ bool for_page_entries(const FieldPage& page, const FieldGroups& groups,
                                                 int lane, const Add& add, bool* beyond) {
  bool good = true;
  if (page.counts.far != 0) {
    good = for_far_entries(
        page.lists, page.counts.far, kDim, page.vectors, lane,
        [&](int g) {
          const auto* codes =
              reinterpret_cast<const std::uint8_t*>(page.shifts) - (kDim / 8 + (kDim / 8 + 7) / 8);
          return field_levels(codes[g] & 63u);
        },
        [&](const EntryTarget& target) {
          const bool near = target.step <= kMostFieldStep && target.step >= -kMostFieldStep;
          if (near) add(target);
          *beyond = *beyond || !near;
        });
  }
  const std::uint32_t inverse = inverse_of_vectors(page.vectors);
  std::uint32_t bit = 32 * page.counts.far, at = 0;
#pragma unroll 1
  for (int list = 0; list < 3; ++list) {
    const auto count = static_cast<int>(list == 0   ? page.counts.near[0]
                                        : list == 1 ? page.counts.near[1]
                                                    : page.counts.near[2]);
    const int bits = static_cast<int>(page.entry_bits >> (4 * list) & 15u),
              in_list = static_cast<int>(page.list_counts >> (8 * list) & 0xffu);
    if (count != 0 && in_list == 0) good = false;
    if (count != 0 && in_list != 0) {
      good = add_entries({page.lists, page.last_word, bit, bits, count, groups.of_lists + at, in_list,
                          inverse},
                         page.vectors, lane, add) &&
             good;
    }
    bit += static_cast<std::uint32_t>(count * bits);
    at += static_cast<std::uint32_t>(in_list);
  }
  return good;
}

}  // namespace
}  // namespace kakeya::kernels
