// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "kernels/byte_products.cuh"
#include "kernels/exact_matrix.cuh"
#include "kernels/heads.cuh"
#include "kernels/klt_exact.cuh"
#include "kernels/klt_nearest.cuh"
#include "kernels/tile_page.cuh"

// Pages of tiles as operands of products with the matrix of product=exact, and what becomes of their sums. A tile in
// shared memory has its bytes as keys have them, whatever the page is of: lane 4 g + q reads those of vectors g and
// g + 8 of 16 and of group q, rows of an operand, 16 bytes at once.

namespace kakeya::kernels {
namespace {

/// Warps that share a page: as many as there are tiles put one into shared memory, and then each has so many columns of
/// the vectors.
template <int kOfDim>
struct VectorTeam : ExactTeam<kOfDim / 32, 2> {
  static constexpr int kDim = kOfDim, kTiles = kDim / 32, kGroups = kDim / 8;
  using VectorTeam::ExactTeam::kColumns, VectorTeam::ExactTeam::kWarps;
  /// Whether what sums of bytes have more than those of coordinates is within 32 bits, as both are.
  static constexpr bool kShort = kDim < 256;
  using Offset = std::conditional_t<kShort, std::int32_t, std::int64_t>;

  alignas(16) std::uint8_t tile[kTiles][kTilePositions];
  std::int32_t group_sum[kGroups][kDim];  ///< of a column's whole numbers
  alignas(16) Offset offset[kWarps][kColumns];
  alignas(16) float scale[kDim], mean[kDim];
  std::uint32_t odd[2];  ///< whether a page is left to other kernels: of this page and of the next
};

/// The sums of groups, of a lane's group and columns.
template <typename Team>
__device__ __forceinline__ void put_group_sums(const TeamMatrix<Team, 2>& matrix, int warp,
                                               int lane, Team& team) {
  constexpr int kOnes = 0x01010101;
  const int q = lane % 4;
#pragma unroll
  for (int s = 0; s < Team::kTiles; ++s) {
#pragma unroll
    for (int t = 0; t < Team::kProducts; ++t) {
      const int column = lane_column<Team>(warp, lane, t);
      const auto sum = [&](int digit) {
        return __dp4a(static_cast<std::int32_t>(matrix[s][t][2 * digit]), kOnes,
                      __dp4a(static_cast<std::int32_t>(matrix[s][t][2 * digit + 1]), kOnes, 0));
      };
      team.group_sum[4 * s + q][column] = 256 * sum(1) + sum(0);
    }
  }
}

/// Where the tile of a warp is in its page.
struct OwnTile {
  TilePart part;
  int at;
};

/// Opens a page of `vectors` vectors, at a multiple of 4. False where it is damaged, or not as pages usually are.
template <int kDim>
__device__ __forceinline__ bool open_usual_tiles(const std::uint8_t* page, std::int64_t bytes,
                                                 int vectors, int warp, TilePage<kDim>& open,
                                                 OwnTile& own) {
  if (reinterpret_cast<std::uintptr_t>(page) % 4 != 0 || bytes > 1 << 20) return false;
  if (!open_tile_header<kDim>(page, static_cast<int>(bytes), vectors, open)) return false;
  bool bad =
      *reinterpret_cast<const std::uint32_t*>(page) + 1 != static_cast<std::uint32_t>(vectors);
  open.end = open.tiles;
  TileWalk<kDim> walk(open, true);
#pragma unroll
  for (int tile = 0; tile < TilePage<kDim>::kTiles; ++tile) {
    const TilePart part = walk.next();
    bad = bad || is_bad(part) || (part.bits != 0 && part.bits < kLeastEntryBits);
    if (tile == warp) own.part = part, own.at = open.end;
    open.end += part.field_bytes + part.list_bytes;
  }
  return !bad && open.end <= bytes &&
         std::int64_t{4} * open.far == bytes - static_cast<std::int64_t>(open.end);
}

/// Adds the entries of a tile to its bytes, by a warp. False in a lane one of whose entries leaves the tile or makes
/// of a byte what no byte holds.
__device__ __forceinline__ bool add_checked_entries(const std::uint32_t* words,
                                                    const TilePart& part, int lane,
                                                    std::uint8_t* tile) {
  const std::uint32_t half = part.widths & 0x0f0fu, other = part.widths >> 4 & 0x0f0fu,
                      widths = permute(half, other, 0x5140);
  bool good = true;
  for_tile_entries(
      words, part.bits, part.count, lane, [&](std::uint32_t place, std::uint32_t step, bool there) {
        if (!there) return;
        const std::uint32_t width = permute(widths, 0u, 0x4440u | (place >> 10 & 3u)),
                            byte = 8 * (place % 4);
        if (place >= kTilePositions || width >= kMostTileWidth) {
          good = false;
          return;
        }
        const std::uint32_t add = step << width,
                            before =
                                atomicAdd(reinterpret_cast<std::uint32_t*>(tile + (place & 0xffcu)),
                                          add << byte);
        good = good && (before >> byte & 0xffu) + add <= 0xffu;
      });
  return good;
}

/// A tile of values as one of keys.
__device__ __forceinline__ void turn_value_tile(std::uint8_t* tile, int lane) {
  // Eight neighbouring lanes read all banks: those of odd vectors have coordinates in another order.
  const int pair = lane % 4, odd = lane / 4 % 2, group = lane / 8;
  const std::uint32_t lower = odd != 0 ? 0x1504u : 0x5140u, upper = odd != 0 ? 0x3726u : 0x7362u;
  std::uint8_t* const from = tile + 1024 * group;
  std::uint32_t word[8][4];
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    const uint4 four =
        *reinterpret_cast<const uint4*>(from + 512 * odd + 16 * (4 * (c ^ odd) + pair));
    word[c][0] = four.x, word[c][1] = four.y, word[c][2] = four.z, word[c][3] = four.w;
  }
  __syncwarp();
  std::uint8_t* const to = from + 16 * ((2 * pair + odd + 2 * group) % 8);
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    std::uint32_t made[2][4];  // coordinates of four vectors
#pragma unroll
    for (int four = 0; four < 2; ++four) {
      const std::uint32_t(&w)[8][4] = word;
      const std::uint32_t a = permute(w[4 * four][r], w[4 * four + 1][r], lower),
                          b = permute(w[4 * four + 2][r], w[4 * four + 3][r], lower),
                          c = permute(w[4 * four][r], w[4 * four + 1][r], upper),
                          d = permute(w[4 * four + 2][r], w[4 * four + 3][r], upper);
      made[four][0] = permute(a, b, 0x5410), made[four][1] = permute(a, b, 0x7632);
      made[four][2] = permute(c, d, 0x5410), made[four][3] = permute(c, d, 0x7632);
    }
#pragma unroll
    for (int two = 0; two < 2; ++two) {
      *reinterpret_cast<uint4*>(to + 128 * (2 * r + two)) = make_uint4(
          made[0][2 * two], made[0][2 * two + 1], made[1][2 * two], made[1][2 * two + 1]);
    }
  }
}

/// What the sums of a column have more than those of bytes: shifts less what bytes have more.
template <typename Team>
__device__ __forceinline__ typename Team::Offset column_offset(const std::uint32_t* matrix,
                                                               const std::uint8_t* begin,
                                                               const TilePage<Team::kDim>& page,
                                                               int column, const Team& team) {
  typename Team::Offset sum = 0;
#pragma unroll
  for (int g = 0; g < Team::kGroups; ++g) {
    const auto width = static_cast<int>(page.width[g / 8] >> (4 * (g % 8)) & 15u);
    sum -= typename Team::Offset{tile_base(width)} * team.group_sum[g][column];
  }
  const auto* shifts = reinterpret_cast<const std::int32_t*>(begin + page.shifts);
#pragma unroll 1
  for (std::uint32_t rest = page.shifted; rest != 0; rest &= rest - 1) {
    const int g = __ffs(static_cast<int>(rest)) - 1;
    const std::int32_t first = __ldg(shifts), second = __ldg(shifts + 1);
    shifts += 2;
    const auto digit = [&](int number) {
      return __dp4a(
          first, static_cast<std::int32_t>(matrix_word<Team, 2>(matrix, column, g, 0, number)),
          __dp4a(second,
                 static_cast<std::int32_t>(matrix_word<Team, 2>(matrix, column, g, 1, number)), 0));
    };
    sum += 256 * digit(1) + digit(0);
  }
  return sum;
}

/// A far entry.
struct FarEntry {
  int coordinate, vector;
  std::int32_t step;
};
template <int kDim>
__device__ __forceinline__ FarEntry far_entry(const std::uint8_t* begin, const TilePage<kDim>& page,
                                              std::uint32_t n) {
  const std::uint32_t entry = __ldg(reinterpret_cast<const std::uint32_t*>(begin + page.end) + n);
  const auto position = static_cast<int>(entry & 0xffffu);
  const int coordinate = position / 128;
  return {coordinate, position % 128,
          (static_cast<std::int32_t>(entry) >> 16) *
              (1 << (coordinate < kDim ? page.width_of(coordinate / 8) : 0))};
}

/// Whether far entries are few and small enough for sums of 32 bits, and for coordinates of two digits; by a warp.
template <int kDim>
__device__ __forceinline__ bool usual_far_entries(const std::uint8_t* begin,
                                                  const TilePage<kDim>& page, int lane) {
  // Bytes of 255 have a sum of up to 255 * kDim * 32639, which leaves 515 times 32639 at head_dim 256.
  constexpr std::uint32_t kMost = 256, kMostSteps = kDim < 256 ? 8192 : 512;
  if (page.far > kMost) return false;
  std::uint32_t all = 0;
  bool beyond = false;
  for (auto n = static_cast<std::uint32_t>(lane); n < page.far; n += 32) {
    const FarEntry far = far_entry<kDim>(begin, page, n);
    const auto size = static_cast<std::uint32_t>(far.step < 0 ? -far.step : far.step);
    beyond = beyond || far.coordinate >= kDim || size > kMostSteps;
    all += size < kMostSteps ? size : kMostSteps;
  }
  return __ballot_sync(kAll, beyond) == 0 &&
         static_cast<std::uint32_t>(__reduce_add_sync(kAll, static_cast<int>(all))) <= kMostSteps;
}

}  // namespace
}  // namespace kakeya::kernels
