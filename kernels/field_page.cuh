// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/fields.cuh"
#include "kernels/pages.h"

// A page of fields of up to 128 vectors as attention reads it: a warp opens it, each lane its own group,
// and takes it apart group by group. A register is four coordinates, a byte each; what a group has above a
// byte is read by a second look.

namespace kakeya::kernels {
namespace {

/// Vectors of a page.
constexpr int kFieldTokens = static_cast<int>(kFieldBlock);
/// What attention takes: larger fields, or entries that add more, are kBeyondFields.
constexpr int kMostFieldLevels = 4096;
constexpr std::int32_t kMostFieldStep = 8192;

/// What a warp keeps of a page in shared memory.
struct FieldGroups {
  std::uint32_t of_lists[32];  ///< list_group() of list 0, then of 1, then of 2
  std::uint32_t before[32];  ///< of each group, registers of each plane before it (packed_units())
  PlaneRows planes;
};

/// Registers of the five planes as one word; 32 groups have at most 64 of 8 bits and 32 of the others.
__device__ __forceinline__ std::uint32_t packed_units(std::size_t code) {
  return static_cast<std::uint32_t>(plane_units(code, 0) | plane_units(code, 1) << 7 |
                                    plane_units(code, 2) << 13 | plane_units(code, 3) << 19 |
                                    plane_units(code, 4) << 25);
}
__device__ __forceinline__ int unpacked_units(std::uint32_t packed, int plane) {
  return static_cast<int>(plane == 0 ? packed & 127u : packed >> (6 * plane + 1) & 63u);
}

/// An open page. What is of a lane is of the group with its number.
struct FieldPage {
  const std::uint32_t* fields;  ///< where the rows begin
  const std::uint32_t* lists;
  const std::int8_t* shifts;  ///< of shifted groups
  std::uint32_t last_word;    ///< of the lists
  FieldCountsOf counts;
  std::uint32_t entry_bits;   ///< four bits a list
  std::uint32_t list_counts;  ///< groups of each list, a byte each
  unsigned shifted;           ///< a bit a group
  int vectors, most_levels;
  int code;  ///< of this lane's group
  /// Where the rows of its planes begin, in bytes: of 4 (or 8) and 2 bits, of 1 bit and of trits, 16 bits
  /// each; below the first `field_bits()`, below the second which of five trits is the first (5: none).
  std::uint32_t low_rows, high_rows;

  /// 128 vectors, none with fields of more than a byte.
  __device__ __forceinline__ bool is_plain() const {
    return vectors == kFieldTokens && most_levels <= 256;
  }
};

/// Opens a page of `bytes`, a multiple of 16, which begins at a multiple of 16; by a warp. False where it
/// is damaged or has fewer than `least` vectors. `found` gets flags.
template <int kDim>
__device__ __forceinline__ bool open_page(const std::uint8_t* page, int bytes, int least, int lane,
                                          FieldGroups& groups, FieldPage& open,
                                          std::uint32_t* found) {
  constexpr int kGroups = kDim / 8, kFixed = 4 + kGroups + (kGroups + 7) / 8;
  static_assert(kGroups <= 32);
  *found = kBadPage;
  if (bytes < kFixed + 16) return false;
  const std::uint32_t first = *reinterpret_cast<const std::uint32_t*>(page);
  open.vectors = static_cast<int>(first >> 16) + 1;
  open.entry_bits = first & 0xffffu;
  bool bad = (first & 0xf000u) != 0 || open.vectors < least || open.vectors > kFieldTokens;
  const bool mine = lane < kGroups;
  const std::uint32_t byte = mine ? page[4 + lane] : 3u << 6;
  const bool is_shifted = mine && (page[4 + kGroups + lane / 8] >> (lane % 8) & 1u) != 0;
  open.shifted = __ballot_sync(kAll, is_shifted);
  open.code = static_cast<int>(byte & 63u);
  bad = __ballot_sync(kAll, bad || byte % 64 >= kFieldCodes) != 0;
  const int header = (kFixed + 8 * __popc(open.shifted) + 3) / 4 * 4;
  if (bad || bytes < header + 8) return false;
  open.shifts = reinterpret_cast<const std::int8_t*>(page + kFixed);
  const auto* counts = reinterpret_cast<const std::uint32_t*>(page + header);
  open.counts = counts_of(counts[0], counts[1]);
  open.fields = counts + 2;

  const auto code = static_cast<std::size_t>(open.code);
  const int levels = mine ? field_levels(code) : 1;
  open.most_levels = 256;
  if (__ballot_sync(kAll, levels > 256) != 0) {
    open.most_levels = levels;
#pragma unroll
    for (int half = 1; half < 32; half *= 2) {
      const int other = __shfl_xor_sync(kAll, open.most_levels, half);
      if (other > open.most_levels) open.most_levels = other;
    }
    if (open.most_levels > kMostFieldLevels) {
      *found = kBeyondFields;
      return false;
    }
  }
  std::uint32_t all = 0;
  const std::uint32_t before = sum_before_lane(mine ? packed_units(code) : 0u, lane, &all);
  const int registers = (open.vectors + 15) / 16;
  PlaneRows planes;
  planes.row[0] = 0;
#pragma unroll
  for (int p = 0; p < 5; ++p) {
    const int units = unpacked_units(all, p) * registers;
    planes.row[p + 1] = planes.row[p] + (p == 4 ? (units + 4) / 5 : (units + (1 << p) - 1) >> p);
  }
  open.lists = open.fields + 32 * planes.row[5];
  std::uint32_t bits = 32 * open.counts.far;
#pragma unroll
  for (int list = 0; list < 3; ++list) {
    const std::uint32_t each = open.entry_bits >> (4 * list) & 15u;
    bad = bad || (each != 0 && (each < kLeastEntryBits || each > kMostEntryBits)) ||
          (each == 0 && open.counts.near[list] != 0);
    bits += each * open.counts.near[list];
  }
  const int words = header / 4 + 2 + 32 * planes.row[5] + static_cast<int>((bits + 31) / 32);
  if (bad || 4 * words > bytes) return false;
  open.last_word = (bits + 31) / 32 == 0 ? 0 : (bits + 31) / 32 - 1;

  // Rows of this lane's group, where all have eight registers.
  const int trit = 8 * unpacked_units(before, 4);
  const int four = open.code == 15 ? planes.row[0] + 8 * unpacked_units(before, 0)
                                   : planes.row[1] + 4 * unpacked_units(before, 1);
  const int two = planes.row[2] + 2 * unpacked_units(before, 2),
            one = planes.row[3] + unpacked_units(before, 3), trits = planes.row[4] + trit / 5;
  const int phase = field_has_trit(code) ? trit % 5 : 5;
  open.low_rows = static_cast<std::uint32_t>(four * 128 + field_bits(code)) |
                  static_cast<std::uint32_t>(two * 128 + phase) << 16;
  open.high_rows = static_cast<std::uint32_t>(one * 128) | static_cast<std::uint32_t>(trits * 128)
                                                               << 16;
  // The groups of each list.
  const unsigned in_list[3] = {__ballot_sync(kAll, byte >> 6 == 0),
                               __ballot_sync(kAll, byte >> 6 == 1),
                               __ballot_sync(kAll, byte >> 6 == 2)};
  const int counted[3] = {__popc(in_list[0]), __popc(in_list[1]), __popc(in_list[2])};
  open.list_counts = static_cast<std::uint32_t>(counted[0] | counted[1] << 8 | counted[2] << 16);
  const unsigned below = (1u << lane) - 1u;
  const int list = static_cast<int>(byte >> 6);
  if (list < 3) {
    const int at = (list > 0 ? counted[0] : 0) + (list > 1 ? counted[1] : 0);
    groups.of_lists[at + __popc((list == 0   ? in_list[0]
                                 : list == 1 ? in_list[1]
                                             : in_list[2]) &
                                below)] = list_group(lane, levels);
  }
  groups.before[lane] = before;
  if (lane == 0) groups.planes = planes;
  __syncwarp();
  *found = 0;
  return true;
}

/// The low kBits of eight registers, from where the planes of 4, 2 and 1 bits have this lane's words.
template <int kBits>
__device__ __forceinline__ void take_bits(const std::uint8_t* four, const std::uint8_t* two,
                                          const std::uint8_t* one, std::uint32_t (&u)[8]) {
  const auto word_of = [](const std::uint8_t* from, int row) {
    return *reinterpret_cast<const std::uint32_t*>(from + 128 * row);
  };
  if constexpr (kBits == 0) {
#pragma unroll
    for (int r = 0; r < 8; ++r) u[r] = 0;
  }
  if constexpr ((kBits & 4) != 0) {
#pragma unroll
    for (int r = 0; r < 8; r += 2) {
      const std::uint32_t word = word_of(four, r / 2);
      u[r] = word & 0x0f0f0f0fu;
      u[r + 1] = word >> 4 & 0x0f0f0f0fu;
    }
  }
  if constexpr ((kBits & 2) != 0) {
    constexpr int kAt = kBits & 4;
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      const std::uint32_t word = word_of(two, r / 4);
      const int right = 2 * (r % 4) - kAt;
      const std::uint32_t part =
          (right >= 0 ? word >> (right & 31) : word << (-right & 31)) & (0x03030303u << kAt);
      u[r] = kAt == 0 ? part : u[r] | part;
    }
  }
  if constexpr ((kBits & 1) != 0) {
    constexpr int kAt = kBits & 6;
    const std::uint32_t word = word_of(one, 0);
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      const int right = r - kAt;
      const std::uint32_t part =
          (right >= 0 ? word >> (right & 31) : word << (-right & 31)) & (0x01010101u << kAt);
      u[r] = kAt == 0 ? part : u[r] | part;
    }
  }
}

/// Adds `unit` times the trits of eight registers, the first the kPhase-th of this lane's word at `from`.
/// A byte x times 3^(j + 1) is above its lower eight bits what trits 0 to j say in base 3: less three
/// times what those before say it is trit j. All bytes of a word are done at once, as sums of whole words
/// have no carries where the result has none.
template <int kPhase>
__device__ __forceinline__ void add_trits(const std::uint8_t* from, std::uint32_t unit,
                                          std::uint32_t (&u)[8]) {
  constexpr std::uint32_t kPowers[] = {1, 3, 9, 27, 81, 243};
  const std::uint32_t less = 0u - 3u * unit;
  std::uint32_t even = 0, odd = 0, before = 0;
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int number = kPhase + r, digit = number % 5;
    if (r == 0 || digit == 0) {
      const std::uint32_t word = *reinterpret_cast<const std::uint32_t*>(from + 128 * (number / 5));
      even = word & 0x00ff00ffu, odd = word >> 8 & 0x00ff00ffu;
      if (digit != 0) before = permute(even * kPowers[digit], odd * kPowers[digit], 0x7351);
    }
    const std::uint32_t now = permute(even * kPowers[digit + 1], odd * kPowers[digit + 1], 0x7351);
    u[r] += now * unit;
    if (digit != 0) u[r] += before * less;
    before = now;
  }
}

/// Byte `byte` of u of four coordinates: register r of any group of any page, slowly.
__device__ KAKEYA_COLD std::uint32_t take_any_register(const std::uint32_t* fields,
                                                       const FieldGroups& groups, int group,
                                                       int code, int registers, int r, int byte) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::uint32_t before = groups.before[group];
  std::uint32_t four[4], made = 0;
  take_register(
      fields, groups.planes, code, [&](int plane) { return unpacked_units(before, plane); },
      registers, r, lane, four);
#pragma unroll
  for (int b = 0; b < 4; ++b) made |= (four[b] >> (8 * byte) & 0xffu) << (8 * b);
  return made;
}

/// A word of the lane with this number, in all lanes.
__device__ __forceinline__ std::uint32_t word_of_lane(std::uint32_t word, int number, int lane) {
  return __reduce_or_sync(kAll, lane == number ? word : 0u);
}

/// Byte `byte` of u of the eight registers that a lane has of group `group`; those that a page has not
/// are 0. `low` and `high`: low_rows and high_rows of the group.
__device__ __forceinline__ void take_group(const FieldPage& page, const FieldGroups& groups,
                                           int group, std::uint32_t low, std::uint32_t high,
                                           int byte, int lane, std::uint32_t (&u)[8]) {
  if (!page.is_plain()) {
    const int registers = (page.vectors + 15) / 16,
              code = static_cast<int>(
                  word_of_lane(static_cast<std::uint32_t>(page.code), group, lane));
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      u[r] = r < registers ? take_any_register(page.fields, groups, group, code, registers, r, byte)
                           : 0u;
    }
    return;
  }
  const auto* const words = reinterpret_cast<const std::uint8_t*>(page.fields + lane);
  const std::uint8_t* const four = words + (low & 0xff80u);
  const std::uint8_t* const two = words + (low >> 16 & 0xff80u);
  const std::uint8_t* const one = words + (high & 0xff80u);
  const std::uint32_t bits = low & 0x7fu;
  switch (bits) {
    case 0:
      take_bits<0>(four, two, one, u);
      break;
    case 1:
      take_bits<1>(four, two, one, u);
      break;
    case 2:
      take_bits<2>(four, two, one, u);
      break;
    case 3:
      take_bits<3>(four, two, one, u);
      break;
    case 4:
      take_bits<4>(four, two, one, u);
      break;
    case 5:
      take_bits<5>(four, two, one, u);
      break;
    case 6:
      take_bits<6>(four, two, one, u);
      break;
    case 7:
      take_bits<7>(four, two, one, u);
      break;
    default:
#pragma unroll
      for (int r = 0; r < 8; ++r) u[r] = *reinterpret_cast<const std::uint32_t*>(four + 128 * r);
  }
  const std::uint8_t* const trits = words + (high >> 16);
  std::uint32_t unit = 1u << bits;
#if defined(__CUDACC__)
  asm("" : "+r"(unit));  // to be multiplied by, and added, at once
#endif
  switch (low >> 16 & 0x7fu) {
    case 0:
      return add_trits<0>(trits, unit, u);
    case 1:
      return add_trits<1>(trits, unit, u);
    case 2:
      return add_trits<2>(trits, unit, u);
    case 3:
      return add_trits<3>(trits, unit, u);
    case 4:
      return add_trits<4>(trits, unit, u);
    default:
      return;
  }
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
    if (count != 0) {
      good = for_entries<false>({page.lists, page.last_word, bit, bits, count, groups.of_lists + at,
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
