// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/field_page.cuh"

// The fields of an open page plane by plane. Sums of products are linear, so that what a plane has of u goes
// to products by itself, at the bits of u that it has: no group asks which planes it is of, and each plane
// is one loop without branches. A register is four coordinates, a byte each.

namespace kakeya::kernels {
namespace {

__device__ __forceinline__ std::uint32_t turned_right(std::uint32_t word, int bits) {
  return __funnelshift_r(word, word, bits);
}

/// The same, of which the compiler does not know how large it may be, so that it unrolls nothing.
__device__ __forceinline__ int opaque(int count) {
#if defined(__CUDACC__)
  asm volatile("" : "+r"(count));
#endif
  return count;
}

/// The eight registers that a group has in plane kPlane, of 8, 4, 2 or 1 bits, from the words that it has
/// there: u's bits from `bit` on.
template <int kPlane>
__device__ __forceinline__ void part_of_plane(const std::uint32_t (&word)[8 >> kPlane],
                                              std::uint32_t bit, std::uint32_t (&u)[8]) {
  if constexpr (kPlane == 0) {
#pragma unroll
    for (int r = 0; r < 8; ++r) u[r] = word[r];
  } else if constexpr (kPlane == 1) {
#pragma unroll
    for (int r = 0; r < 8; ++r) u[r] = word[r / 2] >> (4 * (r % 2)) & 0x0f0f0f0fu;
  } else {
    constexpr int kBits = 8 >> kPlane, kEach = 8 / kBits;
    const std::uint32_t mask = (kPlane == 2 ? 0x03030303u : 0x01010101u) << bit;
#pragma unroll
    for (int first = 0; first < 8; first += kEach) {
      const std::uint32_t all = turned_right(word[first / kEach], 32 - static_cast<int>(bit));
#pragma unroll
      for (int r = 0; r < kEach; ++r) u[first + r] = turned_right(all, kBits * r) & mask;
    }
  }
}

/// Calls sums.take_two(group, other, both, u, u of the other) for the groups of plane kPlane, two at a time;
/// `both`: there is another.
template <int kPlane, int kDim, typename Sums>
__device__ __forceinline__ void take_plane(const FieldPage& page, const FieldGroups<kDim>& groups,
                                           int lane, Sums& sums) {
  constexpr int kRows = 8 >> kPlane;
  const int count = opaque(unpacked_units(page.units, kPlane));
  const std::uint32_t* from = page.fields + 32 * groups.planes.row[kPlane] + lane;
  const auto* order = reinterpret_cast<const std::uint16_t*>(groups.order[kPlane]);
#pragma unroll 1
  for (int left = count; left > 0; left -= 2) {
    const bool both = left > 1;
    const std::uint32_t* const of[2] = {from, both ? from + 32 * kRows : from};
    const std::uint32_t two = *order;
    std::uint32_t u[2][8];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      std::uint32_t word[kRows];
#pragma unroll
      for (int row = 0; row < kRows; ++row) word[row] = of[i][32 * row];
      part_of_plane<kPlane>(word, two >> (8 * i + 5) & 7u, u[i]);
    }
    sums.take_two(static_cast<int>(two & 31u), static_cast<int>(two >> 8 & 31u), both, u[0], u[1]);
    from += 64 * kRows;
    ++order;
  }
}

/// Calls sums.take_one(group, u) for the trits of each group, times what they are of u. Five groups share
/// eight rows, so that it is known which of a word's trits each register is. A byte x times 3^(j + 1) is
/// above its lower eight bits what trits 0 to j say in base 3: less three times what those before say it
/// is trit j. All bytes of a word are done at once, as sums of whole words have no carries where the
/// result has none.
template <int kDim, typename Sums>
__device__ __forceinline__ void take_trits(const FieldPage& page, const FieldGroups<kDim>& groups,
                                           int lane, Sums& sums) {
  constexpr std::uint32_t kPowers[] = {1, 3, 9, 27, 81, 243};
  constexpr int kTogether = 5;
  const int count = opaque(unpacked_units(page.units, static_cast<int>(kTritPlane)));
  const int rows = (8 * count + 4) / 5;
  const std::uint32_t* const from = page.fields + 32 * groups.planes.row[kTritPlane] + lane;
#pragma unroll 1
  for (int first = 0; first < count; first += kTogether) {
    std::uint32_t word[8], item[kTogether];
#pragma unroll
    for (int n = 0; n < 8; ++n) {
      const int row = first / kTogether * 8 + n;
      word[n] = from[32 * (row < rows ? row : rows - 1)];
    }
#pragma unroll
    for (int i = 0; i < kTogether; ++i) item[i] = groups.order[kTritPlane][first + i];
    std::uint32_t even = 0, odd = 0, before = 0;
#pragma unroll
    for (int i = 0; i < kTogether; ++i) {
      if (first + i >= count) break;
      const std::uint32_t unit = 1u << (item[i] >> 5), less = 0u - 3u * unit;
      std::uint32_t u[8];
#pragma unroll
      for (int r = 0; r < 8; ++r) {
        const int number = 8 * i + r, digit = number % 5;
        if (digit == 0) {
          even = word[number / 5] & 0x00ff00ffu;
          odd = word[number / 5] >> 8 & 0x00ff00ffu;
        }
        const std::uint32_t now =
            permute(even * kPowers[digit + 1], odd * kPowers[digit + 1], 0x7351);
        u[r] = now * unit;
        if (digit != 0) u[r] += before * less;
        before = now;
      }
      sums.take_one(static_cast<int>(item[i] & 31u), u);
    }
  }
}

/// All fields of an open page; those of pages that are not plain slowly, the upper byte of u first.
template <int kDim, typename Sums>
__device__ __forceinline__ void take_fields(const FieldPage& page, const FieldGroups<kDim>& groups,
                                            int lane, Sums& sums) {
  if (page.is_plain()) {
    take_trits(page, groups, lane, sums);
    take_plane<0>(page, groups, lane, sums);
    take_plane<1>(page, groups, lane, sums);
    take_plane<2>(page, groups, lane, sums);
    take_plane<3>(page, groups, lane, sums);
    return;
  }
  const int registers = (page.vectors + 15) / 16;
  std::uint32_t all = 0;
  const std::uint32_t before = sum_before_lane(
      lane < kDim / 8 ? packed_units(static_cast<std::size_t>(page.code)) : 0u, lane, &all);
#pragma unroll 1
  for (int byte = page.most_levels > 256 ? 1 : 0; byte >= 0; --byte) {
    sums.begin_byte(byte);
#pragma unroll 1
    for (int group = 0; group < kDim / 8; ++group) {
      const int code = __shfl_sync(kAll, page.code, group);
      const std::uint32_t of_before = __shfl_sync(kAll, before, group);
      std::uint32_t u[8];
#pragma unroll
      for (int r = 0; r < 8; ++r) {
        u[r] = r < registers ? take_any_register(page.fields, groups.planes, of_before, code,
                                                 registers, r, byte)
                             : 0u;
      }
      sums.take_one(group, u);
    }
  }
}

}  // namespace
}  // namespace kakeya::kernels
