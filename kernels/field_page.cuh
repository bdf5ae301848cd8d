// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/fields.cuh"
#include "kernels/pages.h"

// A page of fields of up to 128 vectors as attention opens it: a warp, each lane its own group.
// field_planes.cuh takes its fields apart, field_lists.cuh its lists.

namespace kakeya::kernels {
namespace {

/// Vectors of a page.
constexpr int kFieldTokens = static_cast<int>(kFieldBlock);
/// What attention takes: larger fields, or entries that add more, are kBeyondFields.
constexpr int kMostFieldLevels = 4096;
constexpr std::int32_t kMostFieldStep = 8192;

/// A group as entries find it: coordinate 8 g, and its levels.
__device__ __forceinline__ std::uint32_t listed_group(int group, int levels) {
  return static_cast<std::uint32_t>(levels) << 16 | static_cast<std::uint32_t>(8 * group);
}

/// What a warp keeps of a page in shared memory.
template <int kDim>
struct FieldGroups {
  std::uint32_t of_lists[kDim / 8];  ///< listed_group() of list 0, then of 1, then of 2
  /// Groups in a plane, of a plain page: the number, and from bit 5 on the bit of u that its fields begin
  /// at. Two more, and three behind five, may be read.
  alignas(4) std::uint8_t order[kFieldPlanes][kDim / 8 + 4];
  std::int16_t half_levels[kDim / 8];
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
  int code;             ///< of this lane's group
  std::uint32_t units;  ///< packed_units() of all groups

  /// 128 vectors, none with fields of more than a byte.
  __device__ __forceinline__ bool is_plain() const {
    return vectors == kFieldTokens && most_levels <= 256;
  }
};

/// Opens a page of `bytes`, a multiple of 16, which begins at a multiple of 16; by a warp. False where it
/// is damaged or has fewer than `least` vectors. `found` gets flags.
template <int kDim>
__device__ __forceinline__ bool open_page(const std::uint8_t* page, int bytes, int least, int lane,
                                          FieldGroups<kDim>& groups, FieldPage& open,
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

  open.units = all;
  if (mine && open.most_levels <= 256) {
#pragma unroll
    for (int p = 0; p < 5; ++p) {
      if (plane_units(code, static_cast<std::size_t>(p)) == 0) continue;
      // Below a plane's bits are those of the wider planes.
      const int bits = field_bits(code),
                bit = p == 4 ? bits : bits & (p == 2 ? 4 : (p == 3 ? 6 : 0));
      groups.order[p][unpacked_units(before, p)] = static_cast<std::uint8_t>(lane | bit << 5);
    }
  }
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
                                below)] = listed_group(lane, levels);
  }
  if (mine) groups.half_levels[lane] = static_cast<std::int16_t>(levels / 2);
  if (lane == 0) groups.planes = planes;
  __syncwarp();
  *found = 0;
  return true;
}

/// Byte `byte` of u of four coordinates: register r of a group of any page, slowly. `before`: packed_units()
/// of the groups before.
__device__ KAKEYA_COLD std::uint32_t take_any_register(const std::uint32_t* fields,
                                                       const PlaneRows& planes,
                                                       std::uint32_t before, int code,
                                                       int registers, int r, int byte) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  std::uint32_t four[4], made = 0;
  take_register(
      fields, planes, code, [&](int plane) { return unpacked_units(before, plane); }, registers, r,
      lane, four);
#pragma unroll
  for (int b = 0; b < 4; ++b) made |= (four[b] >> (8 * byte) & 0xffu) << (8 * b);
  return made;
}

}  // namespace
}  // namespace kakeya::kernels
