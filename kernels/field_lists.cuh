// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/field_page.cuh"

// The lists of an open page, as attention adds them: all lanes go the same way, with nothing to add in place
// of a branch, so that loads and products of several entries overlap.

namespace kakeya::kernels {
namespace {

__device__ __forceinline__ std::uint32_t least_of(std::uint32_t a, std::uint32_t b) {
  return a < b ? a : b;
}

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

/// Calls add(targets) for four entries at a time of a list, which for_entries() explains. Where an entry adds
/// nothing the step is 0, and the rest any of the list. list.groups are listed_group() of each. False in a
/// lane that found an entry beyond the list's groups, or a first one that repeats none.
template <typename Add>
__device__ __forceinline__ bool add_entries(const EntryList& list, int vectors, int lane,
                                            const Add& add) {
  constexpr int kEach = 12, kTogether = 32 * kEach;
  const int sign_bit = list.bits - 1, less_vectors = -vectors;
  const std::uint32_t quiet = (1u << sign_bit) - 1u, full = 2 * quiet + 1;
  const auto positions = static_cast<std::uint32_t>(list.group_count * 8 * vectors);
  std::uint32_t position = 0;
  bool good = true;
#pragma unroll 1
  for (int first = 0; first < list.count; first += kTogether) {
    const EntryShare share = share_of_entries(list.count, first, kTogether, lane);
    const int each = share.each, begin = share.begin, mine = share.mine;
    const std::uint32_t bit = list.first_bit + static_cast<std::uint32_t>(begin * list.bits);
    // How far each entry goes on, summed up, and what it adds. Those that are none are quiet.
    std::uint32_t far[kEach], distance = 0, first_entry = 0;
    std::int32_t adds[kEach] = {}, last = 0;
    const auto take_four = [&](int from) {
      std::uint32_t entry[4];
      load_entries(list.words, list.last_word, bit + static_cast<std::uint32_t>(from * list.bits),
                   list.bits, entry);
      if (from == 0) {
        // What the first is behind: it may add the same once more.
        first_entry = mine > 0 ? entry[0] : quiet;
        std::uint32_t before = quiet;
        for (int number = begin - 1; first_entry == full && number >= 0; --number) {
          before = entry_of(list, number);
          if (before != full) first_entry = quiet;
        }
        last = before > quiet ? -1 : 1;
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const std::uint32_t now = from + j < mine ? entry[j] : quiet;
        const std::uint32_t more = least_of(now & quiet, quiet - 1) + 1;
        const auto below = static_cast<std::int32_t>(quiet - now);
        if (now != full) {
          last = below < 1 ? below : 1;
          last = last > -1 ? last : -1;
          distance += more;
        }
        adds[from + j] = last;
        far[from + j] = distance;
      }
    };
    take_four(0);
    if (each > 4) take_four(4);
    if (each > 8) take_four(8);
    distance -= quiet * static_cast<std::uint32_t>((each > 8 ? 12 : (each > 4 ? 8 : 4)) - mine);
    std::uint32_t all = 0;
    std::uint32_t at = position + sum_before_lane(distance, lane, &all);
    position += all;
    const bool fine = at + distance <= positions && first_entry != full;
    good = good && fine;
    if (__ballot_sync(kAll, !fine) != 0) {
#pragma unroll
      for (int j = 0; j < kEach; ++j) adds[j] = fine ? adds[j] : 0;
    }
    // Lanes without entries add nothing, each somewhere else, as they would wait for each other.
    if (mine == 0) at = static_cast<std::uint32_t>(lane * (vectors + 1));
    const auto add_four = [&](int from) {
      EntryTarget target[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const std::uint32_t place = least_of(at - 1 + far[from + j], positions - 1),
                            column = __umulhi(2 * place, list.inverse),
                            group = list.groups[column / 8];
        target[j] = {static_cast<int>((group & 0xffffu) | column % 8),
                     static_cast<int>(place) + static_cast<int>(column) * less_vectors,
                     static_cast<std::int32_t>(group >> 16) * adds[from + j]};
      }
      add(target);
    };
    add_four(0);
    if (each > 4) add_four(4);
    if (each > 8) add_four(8);
  }
  return good;
}

/// Calls add() as add_entries() does for all entries of a page; false where a lane found one that is none. A far one of more
/// than kMostFieldStep is left out, and sets `beyond`.
template <int kDim, typename Add>
__device__ __forceinline__ bool for_page_entries(const FieldPage& page,
                                                 const FieldGroups<kDim>& groups, int lane,
                                                 const Add& add, bool* beyond) {
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
          const EntryTarget one[1] = {{target.coordinate, target.vector, near ? target.step : 0}};
          add(one);
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
      good = add_entries({page.lists, page.last_word, bit, bits, count, groups.of_lists + at,
                          in_list, inverse},
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
