// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/bulk_copy.cuh"
#include "kernels/rope_products.cuh"
#include "kernels/tile_attention.cuh"

// What a team of warps does with a page whose keys were coded before RoPE: a tile a warp, then rope_rows() tokens
// a warp. A lane of g = lane / 4 and k = lane % 4 has tokens g + 8 i of its warp's and head k of a set.

namespace kakeya::kernels {
namespace {

template <int kDim>
constexpr int kTeamWarps = kDim / 32;
/// Teams of a block at most: as many as have registers.
template <int kDim>
constexpr int kMostTeams = kDim < 256 ? 16 / kTeamWarps<kDim> : 1;

/// A team's own, beside its pages.
template <int kDim, int kSets>
struct RopeTeam {
  static constexpr int kHeads = 4 * kSets, kWarps = kTeamWarps<kDim>;
  alignas(128) std::uint8_t tile[kWarps][kTilePositions];
  /// Digits of weights as TileWarp has them.
  alignas(16) std::uint8_t weight[kHeads][2][kFieldTokens];
  /// What is added to a byte of keys in binary16, where it is 1024 more.
  alignas(16) std::uint16_t offset[kDim];
  float most[kWarps][kHeads];           ///< scores of a warp's tokens
  std::uint32_t total[kWarps][kHeads];  ///< weights of a warp's tokens
};

/// A block's.
template <int kDim, int kSets>
struct RopeShared {
  static constexpr int kHeads = 4 * kSets, kMostWarps = kMostTeams<kDim> * kTeamWarps<kDim>;
  std::uint64_t barrier[2 * kMostTeams<kDim>];
  alignas(16) float query[kHeads][kDim];  ///< as given; at the end sums of values
  /// The same times 1024 over the largest, turned back by what the first position is beyond a row of
  /// RopeTables::coarse: first coordinates of pairs, then second ones. Rows are those of query_row().
  alignas(16) float turned[kHeads][kDim + 8];
  float step[kHeads], offset[kHeads];  ///< what a unit of `turned` is; of joins
  float most[kMostWarps][kHeads], total[kMostWarps][kHeads], packed[kMostWarps][kHeads],
      share[kMostWarps][kHeads];
  std::uint32_t turn;
};

/// Columns of scores' products: of one set 2 k and 2 k + 1 are head k in two parts, which together have 22 bits;
/// of two sets column 2 k + s is head k of set s.
template <int kSets>
__device__ __forceinline__ int query_row(int column) {
  return kSets == 1 ? column / 2 : column;
}
template <int kSets>
__device__ __forceinline__ int head_of_row(int row) {
  return kSets == 1 ? row : row / 2 + 4 * (row % 2);
}

/// Queries of a KV head, as given and turned; a head a warp.
template <int kDim, int kSets>
__device__ __forceinline__ void load_rope_queries(const AttendCall& call, const RopeTables& rope,
                                                  const Unit& unit, int position,
                                                  RopeShared<kDim, kSets>& shared) {
  constexpr int kHeads = 4 * kSets, kEach = kDim / 32;
  const int warps = static_cast<int>(blockDim.x) / 32, warp = static_cast<int>(threadIdx.x) / 32,
            lane = static_cast<int>(threadIdx.x) % 32;
  const float* const fine = rope.fine + position % rope_rows(kDim) * rope_fine_stride(kDim);
  for (int row = warp; row < kHeads; row += warps) {
    const int g = head_of_row<kSets>(row);
    float most = 0.0f;
#pragma unroll
    for (int n = 0; n < kEach; ++n) {
      float value = 0.0f;
      if (g < unit.count) {
        value = scalar_at(call.queries, unit.sequence * call.queries.token_stride +
                                            (unit.first + g) * call.queries.head_stride + 32 * n +
                                            lane);
      }
      shared.query[g][32 * n + lane] = value;
      most = fmaxf(most, fabsf(value));
    }
#pragma unroll
    for (int half = 1; half < 32; half *= 2) {
      most = fmaxf(most, __shfl_xor_sync(kAll, most, half));
    }
    __syncwarp();
    // Of queries that are hardly there scores are 0.
    const float scale = most >= 0x1p-110f ? 1024.0f / most : 0.0f;
    for (int pair = lane; pair < kDim / 2; pair += 32) {
      const float a = scale *
                      shared.query[g][rope_coordinate(rope.turned, rope.interleaved, pair, 0)],
                  b = scale *
                      shared.query[g][rope_coordinate(rope.turned, rope.interleaved, pair, 1)],
                  c = fine[2 * pair], s = fine[2 * pair + 1];
      shared.turned[row][pair] = __fmaf_rn(b, s, a * c);
      shared.turned[row][kDim / 2 + pair] = __fmaf_rn(b, c, -(a * s));
    }
    if (lane == 0) shared.step[g] = most * (1.0f / 1024.0f);
  }
}

/// Operands of a lane's column for 64 columns of keys, 8 columns each. What binary16 leaves of them is in another
/// column of one set, and in operands of its own of two.
template <int kSets>
struct QueryHalves {
  std::uint32_t high[8], low[kSets == 1 ? 1 : 8];
};

/// Queries turned back to where a warp's tokens begin. `coarse`: the row of RopeTables::coarse.
template <int kDim, int kSets>
__device__ __forceinline__ void turn_queries(const RopeShared<kDim, kSets>& shared,
                                             const float* coarse, int lane, int pass,
                                             QueryHalves<kSets>& operand) {
  const int column = lane / 4, k = lane % 4;
  const bool low = kSets == 1 && column % 2 != 0;
  const float* const query = shared.turned[query_row<kSets>(column)] + 32 * pass + 2 * k;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const float4 by = __ldg(reinterpret_cast<const float4*>(coarse + 64 * pass + 16 * j + 4 * k));
    const float2 a = *reinterpret_cast<const float2*>(query + 8 * j),
                 b = *reinterpret_cast<const float2*>(query + 8 * j + kDim / 2);
    float v[2][2] = {{__fmaf_rn(b.x, by.y, a.x * by.x), __fmaf_rn(b.y, by.w, a.y * by.z)},
                     {__fmaf_rn(b.x, by.x, -(a.x * by.y)), __fmaf_rn(b.y, by.z, -(a.y * by.w))}};
#pragma unroll
    for (int second = 0; second < 2; ++second) {
      const SplitHalves halves = split_halves(v[second][0], v[second][1]);
      operand.high[j + 4 * second] = low ? halves.low : halves.high;
      if constexpr (kSets == 2) operand.low[j + 4 * second] = halves.low;
    }
  }
}

/// A tile of an open page, and where it begins in the page.
struct PlacedTile {
  TilePart part;
  int at;
};
template <int kDim>
__device__ __forceinline__ TilePart tile_of(const TilePage<kDim>& page, int tile) {
  TilePart part;
  const int turn = 16 * (tile % 2);
  part.widths = picked(page.width, tile / 2) >> turn & 0xffffu;
  part.count = picked(page.count, tile / 2) >> turn & 0xffffu;
  part.bits = page.bits >> (4 * tile) & 15u;
  part.field_bytes = tile_field_bytes(part.widths);
  part.list_bytes = static_cast<int>(4u * part.bits * part.count);
  return part;
}

/// open_tiles() for a warp that takes tile `tile`: a lane looks at each tile.
template <int kDim>
__device__ __forceinline__ bool open_tile(const std::uint8_t* begin, int bytes, int least, int tile,
                                          int lane, TilePage<kDim>& page, PlacedTile& mine) {
  constexpr int kTiles = TilePage<kDim>::kTiles;
  if (!open_tile_header<kDim>(begin, bytes, least, page)) return false;
  const TilePart one = tile_of(page, lane % kTiles);
  const int more = lane < kTiles ? one.field_bytes + one.list_bytes : 0;
  page.end = page.tiles + __reduce_add_sync(kAll, more);
  mine.at = page.tiles + __reduce_add_sync(kAll, lane < tile ? more : 0);
  mine.part = tile_of(page, tile);
  return __ballot_sync(kAll, is_bad(one)) == 0 && page.end <= bytes &&
         page.far <= static_cast<std::uint32_t>(bytes - page.end) / 4;
}

/// What bytes of a warp's tile of keys have more than coordinates, a coordinate a lane.
template <int kDim>
__device__ __forceinline__ std::uint16_t tile_offset(const std::uint8_t* begin,
                                                     const TilePage<kDim>& page, int tile,
                                                     std::uint32_t widths, int lane) {
  std::int32_t more = tile_base(static_cast<int>(widths >> (4 * (lane / 8)) & 15u));
  const int group = 4 * tile + lane / 8;
  if ((page.shifted >> group & 1u) != 0) {
    more -= reinterpret_cast<const std::int8_t*>(
        begin + page.shifts)[8 * __popc(page.shifted & ((1u << group) - 1u)) + lane % 8];
  }
  return static_cast<std::uint16_t>(0xe400 + more);  // -(1024 + more), of 1 to 1023
}

/// What the mean is multiplied by, for keys that are multiplied by 2^octaves later: operands of rows 2 k and 2 k + 1
/// of the mean's step.
__device__ __forceinline__ std::uint32_t mean_operand(float octaves, int lane) {
  const float less = power_of_two(-octaves);
  const SplitHalves parts = split_halves(less, less);
  return lane % 4 == 0 ? parts.high : (lane % 4 == 1 ? parts.low : 0u);
}

/// 16 tokens of all tiles as operands of steps of 16 coordinates, and a step for the mean with `mean`.
template <int kDim, int kSets>
__device__ __forceinline__ void load_keys(const RopeTeam<kDim, kSets>& team, int block, int lane,
                                          std::uint32_t mean,
                                          std::uint32_t (&a)[rope_steps(kDim)][4]) {
  constexpr std::uint32_t kMore = 0x64646464;
  const int g = lane / 4, k = lane % 4;
  const int from = 1024 * k + 16 * ((g + 2 * k) % 8) + 128 * block;
#pragma unroll
  for (int tile = 0; tile < kDim / 32; ++tile) {
    const uint4 x = *reinterpret_cast<const uint4*>(team.tile[tile] + from),
                less = *reinterpret_cast<const uint4*>(team.offset + 32 * tile + 8 * k);
    const std::uint32_t row[2][2] = {{x.x, x.y}, {x.z, x.w}},
                        offset[2][2] = {{less.x, less.y}, {less.z, less.w}};
#pragma unroll
    for (int step = 0; step < 2; ++step) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const std::uint32_t both = permute(row[step][i % 2], kMore, i < 2 ? 0x4140 : 0x4342);
        a[2 * tile + step][i] = (TwoHalves{both} + TwoHalves{offset[step][i / 2]}).bits;
      }
    }
  }
  std::uint32_t(&last)[4] = a[kDim / 16];
  last[0] = last[1] = mean;
  last[2] = last[3] = 0;
}

/// Adds far entries to keys that multiply_columns() made of 16 tokens. Keys beyond kMostRopeKey are kBeyondFields.
template <int kDim>
__device__ __forceinline__ std::uint32_t add_far_to_keys(const std::uint8_t* begin,
                                                         const TilePage<kDim>& page,
                                                         const std::uint8_t* matrix, int block,
                                                         int pass, int lane, float (&keys)[8][4]) {
  const auto* const halves = reinterpret_cast<const std::uint16_t*>(matrix);
  std::uint32_t found = for_far_tile_entries<kDim>(begin, page, [&](const FarEntry& entry) {
    const auto [coordinate, vector, step] = entry;
    if (vector / 16 != block || vector % 8 != lane / 4) return;
    // Of column 64 pass + 2 k.
    const std::uint16_t* const from =
        halves + rope_matrix_place(kDim, rope_matrix_row(coordinate), 64 * pass) + 16 * (lane % 4);
#pragma unroll
    for (int j = 0; j < 8; ++j) {
#pragma unroll
      for (int n = 0; n < 2; ++n) {
        const float more = __int2float_rn(step) * half_value(from[64 * j + 8 * n]);
        if (vector / 8 % 2 == 0) {
          keys[j][n] += more;
        } else {
          keys[j][2 + n] += more;
        }
      }
    }
  });
  __syncwarp();
#pragma unroll
  for (int j = 0; j < 8; ++j) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (fabsf(keys[j][i]) > kMostRopeKey) found |= kBeyondFields;
      keys[j][i] = fminf(fmaxf(keys[j][i], -kMostRopeKey), kMostRopeKey);
    }
  }
  return found;
}

/// A lane's weights of a head, of tokens g + 8 i of the warp's, as the digits that RopeTeam has.
template <int kDim, int kSets>
__device__ __forceinline__ void put_team_weights(
    const std::uint32_t (&number)[16 / kTeamWarps<kDim>], int head, int warp, int lane,
    RopeTeam<kDim, kSets>& team) {
  constexpr int kRows = 16 / kTeamWarps<kDim>;
  std::uint8_t* const to = &team.weight[head][0][16 * (lane / 4) + kRows * warp];
#pragma unroll
  for (int i = 0; i < kRows; i += 2) {
    // low 0, low 1, high 0, high 1
    const std::uint32_t both = permute(number[i], number[i + 1], 0x5140);
    *reinterpret_cast<std::uint16_t*>(to + i) = static_cast<std::uint16_t>(both >> 16);
    *reinterpret_cast<std::uint16_t*>(to + kFieldTokens + i) = static_cast<std::uint16_t>(both);
  }
}

}  // namespace
}  // namespace kakeya::kernels
