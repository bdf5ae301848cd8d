// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/field_attention.cuh"
#include "kernels/tile_page.cuh"

// What a warp does with a tile of keys or of values in shared memory. As in field_attention.cuh queries and
// weights are whole numbers in two digits, a column each, with a lane of g = lane / 4 and k = lane % 4 having
// head k of a set.
//
//   keys     rows are vectors g and g + 8 of 16, columns the digits of the query's 32 coordinates
//   values   rows are coordinates g of two groups, columns the digits of 32 vectors' weights

namespace kakeya::kernels {
namespace {

/// Warps of a block at most: as many as have registers.
template <int kDim, int kSets>
constexpr int kTileWarps = kSets == 1 ? (kDim < 256 ? 16 : 12) : (kDim < 256 ? 12 : 8);

/// A warp's own, beside its pages.
template <int kDim, int kSets>
struct TileWarp {
  static constexpr int kHeads = 4 * kSets;
  alignas(16) std::uint8_t tile[kTilePositions];
  /// Digits of weights, the high ones first: of vector t at 16 (t % 8) + t / 8.
  alignas(16) std::uint8_t weight[kHeads][2][kFieldTokens];

  /// The weight of a vector.
  __device__ __forceinline__ std::int32_t weight_of(int head, int vector) const {
    const int at = 16 * (vector % 8) + vector / 8;
    return 256 * weight[head][0][at] + weight[head][1][at];
  }
};

/// A lane's weights of a head, of vectors g + 8 i, as the digits that TileWarp has.
template <int kDim, int kSets>
__device__ __forceinline__ void put_weights(const std::uint32_t (&number)[16], int head, int lane,
                                            TileWarp<kDim, kSets>& warp) {
  std::uint32_t high[4], low[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t first = permute(number[4 * i], number[4 * i + 1], 0x5410),
                        second = permute(number[4 * i + 2], number[4 * i + 3], 0x5410);
    low[i] = permute(first, second, 0x6420);
    high[i] = permute(first, second, 0x7531);
  }
  const int at = 16 * (lane / 4);
  *reinterpret_cast<uint4*>(&warp.weight[head][0][at]) =
      make_uint4(high[0], high[1], high[2], high[3]);
  *reinterpret_cast<uint4*>(&warp.weight[head][1][at]) = make_uint4(low[0], low[1], low[2], low[3]);
}

/// Weights of a TileWarp, or of what has such, as operands: of column g, of the 32 vectors that this lane has registers of, in word[set][0] and
/// word[set][1].
template <int kSets, typename Own>
__device__ __forceinline__ void load_weights(const Own& warp, int lane,
                                             std::int32_t (&word)[kSets][8][4]) {
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    const auto* from = reinterpret_cast<const uint4*>(
        &warp.weight[4 * set + lane / 8][lane / 4 % 2][32 * (lane % 4)]);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const uint4 four = from[half];
      word[set][half][0] = static_cast<std::int32_t>(four.x);
      word[set][half][1] = static_cast<std::int32_t>(four.y);
      word[set][half][2] = static_cast<std::int32_t>(four.z);
      word[set][half][3] = static_cast<std::int32_t>(four.w);
    }
  }
}

/// Adds products of a tile of keys with the queries' numbers: sums[set][i] of vectors g + 16 i and g + 16 i + 8,
/// two digits of each.
template <int kDim, int kSets, int kMostWarps>
__device__ __forceinline__ void multiply_key_tile(
    const std::uint8_t* tile, int number, int lane,
    const FieldShared<kDim, kSets, kMostWarps>& shared, std::int32_t (&sums)[kSets][8][4]) {
  const int g = lane / 4, k = lane % 4;
  uint2 digits[kSets];
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    digits[set] = *reinterpret_cast<const uint2*>(&shared.digit[set][4 * number + k][g][0]);
  }
  const std::uint8_t* from = tile + 1024 * k + 16 * ((g + 2 * k) % 8);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const uint4 x = *reinterpret_cast<const uint4*>(from + 128 * i);
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      multiply_two<true>(x.x, x.y, x.z, x.w, digits[set].x, digits[set].y, sums[set][i]);
    }
  }
}

/// Products of a tile of values with weights: sums[set][half] of coordinates g of groups 2 half and 2 half + 1,
/// two digits of each.
template <int kSets>
__device__ __forceinline__ void multiply_value_tile(const std::uint8_t* tile, int lane,
                                                    const std::int32_t (&word)[kSets][8][4],
                                                    std::int32_t (&sums)[kSets][2][4]) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
#pragma unroll
    for (int early = 0; early < 2; ++early) {
      const std::uint8_t* from = tile + 2048 * half + 512 * early + 16 * lane;
      const uint4 a = *reinterpret_cast<const uint4*>(from),
                  b = *reinterpret_cast<const uint4*>(from + 1024);
#pragma unroll
      for (int set = 0; set < kSets; ++set) {
        const std::int32_t(&w)[4] = word[set][early];
        multiply_two<false>(a.x, b.x, a.y, b.y, static_cast<std::uint32_t>(w[0]),
                            static_cast<std::uint32_t>(w[1]), sums[set][half]);
        multiply_two<false>(a.z, b.z, a.w, b.w, static_cast<std::uint32_t>(w[2]),
                            static_cast<std::uint32_t>(w[3]), sums[set][half]);
      }
    }
  }
}

/// What all scores of a page have more than the sums of bytes: shifts and what bytes have more, of this lane's
/// heads.
template <int kDim, int kSets, int kMostWarps>
__device__ __forceinline__ void tile_offsets(const std::uint8_t* begin, const TilePage<kDim>& page,
                                             int lane,
                                             const FieldShared<kDim, kSets, kMostWarps>& shared,
                                             std::int32_t (&offset)[kSets]) {
  constexpr int kHeads = 4 * kSets;
  std::int32_t sum[kHeads] = {};
  if (lane < kDim / 8) {
    const std::int32_t base = tile_base(page.width_of(lane));
#pragma unroll
    for (int h = 0; h < kHeads; ++h) sum[h] = -base * shared.group_sum[lane][h];
    if ((page.shifted >> lane & 1u) != 0) {
      const auto* shifts = reinterpret_cast<const std::int8_t*>(begin + page.shifts) +
                           8 * __popc(page.shifted & ((1u << lane) - 1u));
#pragma unroll 1
      for (int c = 0; c < 8; ++c) {
#pragma unroll
        for (int h = 0; h < kHeads; ++h) sum[h] += shifts[c] * shared.number[8 * lane + c][h];
      }
    }
  }
#pragma unroll
  for (int h = 0; h < kHeads; ++h) {
    const std::int32_t all = __reduce_add_sync(kAll, sum[h]);
    if (h % 4 == lane % 4) offset[h / 4] = all;
  }
}

/// A far entry of an open page. One that is none, or adds more than kMostFieldStep, adds 0, and `found` has a flag.
template <int kDim>
__device__ __forceinline__ FarEntry usual_entry(std::uint32_t word, const TilePage<kDim>& page,
                                                std::uint32_t& found) {
  FarEntry entry = FarEntry::of<kDim>(word, page);
  if (entry.coordinate >= kDim) {
    found |= kBadPage;
    return {0, 0, 0};
  }
  if (entry.step > kMostFieldStep || entry.step < -kMostFieldStep) {
    found |= kBeyondFields;
    return {0, 0, 0};
  }
  return entry;
}

/// Calls add(entry) for far entries, the same one in all lanes; returns their flags.
template <int kDim, typename Add>
__device__ __forceinline__ std::uint32_t for_far_tile_entries(const std::uint8_t* begin,
                                                              const TilePage<kDim>& page,
                                                              const Add& add) {
  const auto* words = reinterpret_cast<const std::uint32_t*>(begin + page.end);
  std::uint32_t found = 0;
#pragma unroll 1
  for (std::uint32_t n = 0; n < page.far; ++n) {
    const FarEntry entry = usual_entry<kDim>(words[n], page, found);
    if (entry.step != 0) add(entry);
  }
  return found;
}

/// Far entries a lane each: add(entry) adds to kSums words of the warp's `sums`, 0 before, and take() has all that 32
/// entries have added, or 8 whose steps are large. So what a word has is no more than 8 kMostFieldStep times what steps
/// are multiplied by. Returns flags of all entries.
template <int kDim, int kSums, typename Add, typename Take>
__device__ __forceinline__ std::uint32_t sum_far_tile_entries(const std::uint8_t* begin,
                                                              const TilePage<kDim>& page, int lane,
                                                              std::uint32_t* sums, const Add& add,
                                                              const Take& take) {
  constexpr std::int32_t kFew = 8;
  const auto* words = reinterpret_cast<const std::uint32_t*>(begin + page.end);
  std::uint32_t found = 0;
#pragma unroll 1
  for (std::uint32_t first = 0; first < page.far;) {
    const std::uint32_t n = first + static_cast<std::uint32_t>(lane);
    FarEntry entry{0, 0, 0};
    if (n < page.far) entry = usual_entry<kDim>(words[n], page, found);
    const bool few =
        __reduce_add_sync(kAll, entry.step < 0 ? -entry.step : entry.step) > kFew * kMostFieldStep;
    static_assert(kSums % 128 == 0);
#pragma unroll
    for (int i = 0; i < kSums / 128; ++i) {
      reinterpret_cast<uint4*>(sums)[32 * i + lane] = make_uint4(0, 0, 0, 0);
    }
    __syncwarp();
    if (entry.step != 0 && (!few || lane < kFew)) add(entry);
    __syncwarp();
    take();
    __syncwarp();
    first += few ? kFew : 32;
  }
  return __reduce_or_sync(kAll, found);
}

}  // namespace
}  // namespace kakeya::kernels
