// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/entropy/field_codes.h"
#include "kernels/warp.cuh"

// Pages of fields (entropy/field_format.h draws them) as a warp reads them: fields row by row, a word a
// lane, and lists, of which a lane has some neighbouring entries.

/// A function that few pages need: no part of the text of those that call it.
#if defined(__CUDACC__)
#define KAKEYA_COLD __noinline__
#else
#define KAKEYA_COLD inline
#endif

namespace kakeya::kernels {
namespace {

/// The three lists of a block and its far entries.
struct FieldCountsOf {
  std::uint32_t far, near[kFieldLists];
};
__device__ __forceinline__ FieldCountsOf counts_of(std::uint32_t low, std::uint32_t high) {
  return {low & 0xffffu, {low >> 16, high & 0xffffu, high >> 16}};
}

/// A group as entries name it.
__device__ __forceinline__ std::uint32_t list_group(int group, int levels) {
  return static_cast<std::uint32_t>(levels) << 8 | static_cast<std::uint32_t>(group);
}

/// A list: its entries, and its groups in order.
struct EntryList {
  const std::uint32_t* words;   // of all lists of the block
  std::uint32_t last_word;      // the last of them that may be read
  std::uint32_t first_bit;      // of its first entry
  int bits, count;              // of an entry; entries
  const std::uint32_t* groups;  // list_group() of each
  int group_count;
  std::uint32_t inverse;  // inverse_of_vectors()
};

/// Where an entry adds, and what.
struct EntryTarget {
  int coordinate, vector;
  std::int32_t step;
};

/// What p / vectors is umulhi(2 p, this) for: p up to 2^16, vectors up to 128.
__device__ __forceinline__ std::uint32_t inverse_of_vectors(int vectors) {
  if (vectors == 128) return 1u << 24;
  return (0x7fffffffu / static_cast<std::uint32_t>(vectors)) + 1u;
}

__device__ __forceinline__ std::uint32_t sum_before_lane(std::uint32_t value, int lane,
                                                         std::uint32_t* all) {
  std::uint32_t sum = value;
#pragma unroll
  for (int half = 1; half < 32; half *= 2) {
    const std::uint32_t other = __shfl_sync(kAll, sum, lane >= half ? lane - half : lane);
    if (lane >= half) sum += other;
  }
  *all = __shfl_sync(kAll, sum, 31);
  return sum - value;
}

/// Entry number `number` of a list.
__device__ __forceinline__ std::uint32_t entry_of(const EntryList& list, int number) {
  const std::uint32_t bit = list.first_bit + static_cast<std::uint32_t>(number * list.bits),
                      word = bit / 32, next = word < list.last_word ? word + 1 : word;
  return __funnelshift_r(list.words[word], list.words[next], static_cast<int>(bit % 32)) &
         ((1u << list.bits) - 1u);
}

/// Neighbouring entries of a list, of those that a warp takes at a time: number `begin` and on.
struct EntryShare {
  int each;  ///< of a lane at most
  int begin;
  int mine;  ///< of this lane
};

/// What a lane has of up to `together` entries from `first` on.
__device__ __forceinline__ EntryShare share_of_entries(int count, int first, int together,
                                                       int lane) {
  const int left = count - first < together ? count - first : together;
  const int each = (left + 31) / 32, begin = first + lane * each, behind = first + left - begin;
  return {each, begin, behind < 0 ? 0 : (behind < each ? behind : each)};
}

/// Calls add(target) for every entry of a list, by the lanes of a warp, of which each has up to eight
/// neighbouring ones at a time. An entry adds right before the position that is behind it, and one that
/// adds once more goes by none, so that it has the same. False in a lane that found an entry beyond the
/// list's groups, or one that repeats none.
template <typename Add>
__device__ __forceinline__ bool for_entries(const EntryList& list, int vectors, int lane,
                                            const Add& add) {
  constexpr int kEach = 8, kTogether = 32 * kEach;
  const std::uint32_t quiet = (1u << (list.bits - 1)) - 1u, full = 2 * quiet + 1;
  const auto positions = static_cast<std::uint32_t>(list.group_count * 8 * vectors);
  std::uint32_t position = 0;
  bool good = true;
#pragma unroll 1
  for (int first = 0; first < list.count; first += kTogether) {
    const EntryShare share = share_of_entries(list.count, first, kTogether, lane);
    const int begin = share.begin, mine = share.mine;
    // A lane's entries are up to 96 bits, the next always the lowest.
    const std::uint32_t bit = list.first_bit + static_cast<std::uint32_t>(begin * list.bits);
    std::uint32_t word[4];
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t at_word = bit / 32 + i;
      word[i] = list.words[at_word < list.last_word ? at_word : list.last_word];
    }
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      word[i] = __funnelshift_r(word[i], word[i + 1], static_cast<int>(bit % 32));
    }
    std::uint32_t entry[kEach], far[kEach], distance = 0;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const std::uint32_t next = word[0] & full, more = (next & quiet) + 1;
      entry[j] = j < mine ? next : quiet;
      far[j] = next == full ? 0 : (more < quiet ? more : quiet);
      if (j < mine) distance += far[j];
      word[0] = __funnelshift_r(word[0], word[1], list.bits);
      word[1] = __funnelshift_r(word[1], word[2], list.bits);
      word[2] >>= list.bits;
    }
    std::uint32_t all = 0;
    std::uint32_t at = position + sum_before_lane(distance, lane, &all);
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
    bool fine = at + distance <= positions && (entry[0] != full || number >= 0);
    std::uint32_t last = before;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      if (j >= mine) continue;
      fine = fine && (entry[j] != full || last != quiet);
      last = entry[j];
    }
    fine = fine && (mine == 0 || last != quiet || at + distance < positions);
    good = good && fine;
    if (!fine) continue;
    std::int32_t sign = before > quiet ? -1 : 1;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      at += far[j];
      if (entry[j] != full) sign = entry[j] > quiet ? -1 : 1;
      if (entry[j] == quiet) continue;
      const std::uint32_t place = at - 1, column = __umulhi(2 * place, list.inverse);
      const std::uint32_t group = list.groups[column / 8];
      add(EntryTarget{static_cast<int>(8 * (group & 0xffu) + column % 8),
                      static_cast<int>(place - column * static_cast<std::uint32_t>(vectors)),
                      sign * static_cast<std::int32_t>(group >> 8)});
    }
  }
  return good;
}

/// Calls add(target) for every far entry: coordinates of all groups, `levels(group)` those of one. False in
/// a lane that found one beyond `dim`.
template <typename Levels, typename Add>
__device__ __forceinline__ bool for_far_entries(const std::uint32_t* words, std::uint32_t count,
                                                int dim, int vectors, int lane,
                                                const Levels& levels, const Add& add) {
  const std::uint32_t inverse = inverse_of_vectors(vectors);
  bool good = true;
#pragma unroll 1
  for (auto n = static_cast<std::uint32_t>(lane); n < count; n += 32) {
    const std::uint32_t entry = words[n], place = entry & 0xffffu;
    if (place >= static_cast<std::uint32_t>(dim * vectors)) {
      good = false;
      continue;
    }
    const std::uint32_t column = __umulhi(2 * place, inverse);
    const auto q = static_cast<std::uint32_t>(static_cast<std::int32_t>(entry) >> 16);
    const std::uint32_t step = q * static_cast<std::uint32_t>(levels(static_cast<int>(column / 8)));
    add(EntryTarget{static_cast<int>(column),
                    static_cast<int>(place - column * static_cast<std::uint32_t>(vectors)),
                    static_cast<std::int32_t>(step)});
  }
  return good;
}

/// Where the rows of a block's planes begin, counted in rows; rows[kFieldPlanes] is where they end.
struct PlaneRows {
  int row[kFieldPlanes + 1];
};

/// u of the four coordinates of register `r` of a group of `code` that a lane has, `registers` those of a
/// group; before[p] registers of plane p come before the group's in units of `registers`.
template <typename Before>
__device__ __forceinline__ void take_register(const std::uint32_t* fields, const PlaneRows& planes,
                                              int code, const Before& before, int registers, int r,
                                              int lane, std::uint32_t (&u)[4]) {
#pragma unroll
  for (int b = 0; b < 4; ++b) u[b] = 0;
  int bit = 0;
#pragma unroll
  for (int plane = 0; plane < static_cast<int>(kFieldPlanes); ++plane) {
    const auto p = static_cast<std::size_t>(plane);
    const int units = static_cast<int>(plane_units(static_cast<std::size_t>(code), p));
    for (int unit = 0; unit < units; ++unit) {
      const int number = (before(plane) + unit) * registers + r;
      const int in_a_word = p == kTritPlane ? 5 : 1 << plane;
      const std::uint32_t word = fields[(planes.row[plane] + number / in_a_word) * 32 + lane];
      const int place = number % in_a_word;
      std::uint32_t power = 1;
      for (int i = 0; p == kTritPlane && i < place; ++i) power *= 3;
#pragma unroll
      for (int b = 0; b < 4; ++b) {
        const std::uint32_t byte = word >> (8 * b) & 0xffu;
        if (p == kTritPlane) {
          u[b] |= (byte * power & 0xffu) * 3 >> 8 << bit;
        } else {
          u[b] |= (byte >> plane_bits(p) * place & ((1u << plane_bits(p)) - 1u)) << bit;
        }
      }
      if (p != kTritPlane) bit += plane_bits(p);
    }
  }
}

}  // namespace
}  // namespace kakeya::kernels
