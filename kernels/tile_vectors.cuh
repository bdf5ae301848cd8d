// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "kernels/bulk_copy.cuh"
#include "kernels/byte_matrix.cuh"
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

/// Where far entries of a page are, for those that have its vectors.
template <int kDim>
struct PageFar {
  std::uint32_t width[TilePage<kDim>::kWords], count;
  int end;
  std::uint32_t sixteens;  ///< bit i: of vectors 16 i to 16 i + 15 there are some
};

/// Shared memory of a block; behind it each team has a room for the bytes of a page. A team of warps has a page: each warp puts
/// a tile of it there, and then has 16 of each 16 kTiles vectors.
template <int kOfDim, bool kOfShared>
struct VectorBlock {
  static constexpr int kDim = kOfDim, kTiles = kDim / 32, kSteps = kTiles, kGroups = kDim / 8;
  static constexpr int kTeams = 256 / kDim, kThreads = 32 * kTiles * kTeams;
  /// Of the warps that wait for each other: a team, and a warpgroup.
  static constexpr int kBarrierThreads = kDim < 128 ? 128 : 32 * kTiles;
  /// Bytes of a room: for pages of 9 bits a value, or of 5.5 where shared memory is short. A page lies up to 15 bytes behind its
  /// beginning.
  static constexpr int kMostRoom = 144 * kDim + 16, kLeastRoom = 88 * kDim + 16;
  /// Whether the matrix is in shared memory, or comes through L1.
  static constexpr bool kShared = kOfShared;
  /// Whether what sums of bytes have more than those of coordinates is within 32 bits, as both are.
  static constexpr bool kShort = kDim < 256;
  using Offset = std::conditional_t<kShort, std::int32_t, std::int64_t>;

  /// The low and the high digits as byte_matrix_place() has them. Of 64 columns 8 j + r is column_of() those of fragments, and
  /// byte k of 32 coordinates is 8 (k % 16 / 4) + 4 (k / 16) + k % 4.
  alignas(16) std::uint32_t matrix[2][kShared ? kDim * kDim / 4 : 1];
  struct Page {
    alignas(16) std::uint8_t tile[kTiles][kTilePositions];
    alignas(16) Offset offset[kDim];
    /// Where the next page begins and ends in its stream, low words first, and in turns the one after it.
    std::uint32_t starts[2][4];
    std::uint32_t odd[2];  ///< whether this page, or the next, is left to other kernels
    PageFar<kDim> far;
  };
  Page pages[kTeams];
  std::int32_t group_sum[kGroups][kDim];  ///< of a column's whole numbers
  alignas(16) float scale[kDim], mean[kDim];

  static __device__ __forceinline__ int column_of(int place) {
    return place / 32 * 32 + 8 * (place % 8 / 2) + 2 * (place / 8 % 4) + place % 2;
  }
  /// Four bytes of a column's place, [16 half + 4 q, ... + 4) of 32 coordinates, from the matrix in device memory.
  static __device__ __forceinline__ std::uint32_t far_word(const std::uint32_t* from, int place,
                                                           int step, int half, int q, int digit) {
    return matrix_word<VectorBlock, 2>(from, column_of(place), 4 * step + q, half, digit);
  }
  /// The matrix, by all threads: fragments after another, each with the digits of two fours of coordinates. It is there after a
  /// barrier.
  __device__ __forceinline__ void fill(const std::uint32_t* from) {
    if constexpr (kShared) {
#pragma unroll 8
      for (unsigned at = threadIdx.x; at < kDim * kDim / 8; at += kThreads) {
        const uint4 of = __ldg(reinterpret_cast<const uint4*>(from) + at);
        const unsigned four = at % 4, n = at / 4 % 8, t = at / 32 % 4, s = at / 128 % kTiles,
                       place = 32 * (at / (128 * kTiles)) + 8 * t + n;
        const unsigned to = ((2 * s + four % 2) * kDim + place) * 4 + four / 2;
        matrix[0][to] = of.x, matrix[0][to + 2] = of.y;
        matrix[1][to] = of.z, matrix[1][to + 2] = of.w;
      }
    }
  }
  /// The sums of groups, by all threads, where the matrix is there.
  __device__ __forceinline__ void add_up_groups(const std::uint32_t* from) {
    constexpr int kOnes = 0x01010101;
#pragma unroll 4
    for (unsigned at = threadIdx.x; at < kDim * kGroups; at += kThreads) {
      const int place = static_cast<int>(at / 4 % kDim), q = static_cast<int>(at % 4),
                step = static_cast<int>(at / (4 * kDim));
      const auto sum = [&](int digit) {
        const auto four = [&](int half) {
          return static_cast<std::int32_t>(
              kShared ? matrix[digit][((2 * step + half) * kDim + place) * 4 + q]
                      : far_word(from, place, step, half, q, digit));
        };
        return __dp4a(four(0), kOnes, __dp4a(four(1), kOnes, 0));
      };
      group_sum[4 * step + q][column_of(place)] = 256 * sum(1) + sum(0);
    }
  }
};

/// Where the tile of a warp is in its page.
struct OwnTile {
  TilePart part;
  int at, field_bytes;
};

/// Opens a page of `vectors` vectors, at a multiple of 4; by a warp, whose tile has the number `warp`. False where it is damaged, or not as pages usually are.
template <int kDim>
__device__ __forceinline__ bool open_usual_tiles(const std::uint8_t* page, int bytes, int vectors,
                                                 int warp, TilePage<kDim>& open, OwnTile& own) {
  if (reinterpret_cast<std::uintptr_t>(page) % 4 != 0) return false;
  if (!open_tile_header<kDim>(page, bytes, vectors, open)) return false;
  bool bad =
      *reinterpret_cast<const std::uint32_t*>(page) + 1 != static_cast<std::uint32_t>(vectors);
  // A lane has a tile.
  constexpr int kTiles = TilePage<kDim>::kTiles;
  const int lane = lane_number(), tile = lane % kTiles;
  const auto sixteen = [&](const std::uint32_t(&words)[TilePage<kDim>::kWords]) {
    return picked(words, tile / 2) >> (16 * (tile % 2)) & 0xffffu;
  };
  TilePart part;
  part.widths = sixteen(open.width), part.count = sixteen(open.count);
  part.bits = open.bits >> (4 * tile) & 15u;
  bad = bad || is_bad(part) || (part.bits != 0 && part.bits < kLeastEntryBits);
  const int fields = tile_field_bytes(part.widths),
            both = fields + static_cast<int>(4u * part.bits * part.count);
  int end = both;
#pragma unroll
  for (int tiles = 1; tiles < kTiles; tiles *= 2) {
    const int other = __shfl_sync(kAll, end, (lane - tiles) & 31);
    if (tile >= tiles) end += other;
  }
  open.end = open.tiles + __shfl_sync(kAll, end, kTiles - 1);
  const std::uint32_t of_list = part.bits << 16 | part.count;
  own.at = open.tiles + __shfl_sync(kAll, end - both, warp);
  own.field_bytes = __shfl_sync(kAll, fields, warp);
  own.part.widths = __shfl_sync(kAll, part.widths, warp);
  own.part.bits = __shfl_sync(kAll, of_list, warp) >> 16;
  own.part.count = __shfl_sync(kAll, of_list, warp) & 0xffffu;
  return !any_lane(bad) && open.end <= bytes &&
         open.far == static_cast<std::uint32_t>(bytes - open.end) / 4 &&
         (bytes - open.end) % 4 == 0;
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
template <typename Block>
__device__ __forceinline__ typename Block::Offset column_offset(const std::uint32_t* matrix,
                                                                const std::uint8_t* begin,
                                                                const TilePage<Block::kDim>& page,
                                                                int column, const Block& block) {
  typename Block::Offset sum = 0;
#pragma unroll
  for (int g = 0; g < Block::kGroups; ++g) {
    const auto width = static_cast<int>(page.width[g / 8] >> (4 * (g % 8)) & 15u);
    sum -= typename Block::Offset{tile_base(width)} * block.group_sum[g][column];
  }
  const auto* shifts = reinterpret_cast<const std::int32_t*>(begin + page.shifts);
#pragma unroll 1
  for (std::uint32_t rest = page.shifted; rest != 0; rest &= rest - 1) {
    const int g = __ffs(static_cast<int>(rest)) - 1;
    const std::int32_t first = shifts[0], second = shifts[1];
    shifts += 2;
    const auto digit = [&](int number) {
      return __dp4a(
          first, static_cast<std::int32_t>(matrix_word<Block, 2>(matrix, column, g, 0, number)),
          __dp4a(second,
                 static_cast<std::int32_t>(matrix_word<Block, 2>(matrix, column, g, 1, number)),
                 0));
    };
    sum += 256 * digit(1) + digit(0);
  }
  return sum;
}

/// Whether far entries are few and small enough for sums of 32 bits, and for coordinates of two digits; by a warp, which
/// says in `far` where they are.
template <int kDim>
__device__ __forceinline__ bool usual_far_entries(const std::uint8_t* begin,
                                                  const TilePage<kDim>& page, int lane,
                                                  PageFar<kDim>& far) {
  // Bytes of 255 have a sum of up to 255 * kDim * 32639, which leaves 515 times 32639 at head_dim 256.
  constexpr std::uint32_t kMost = 256, kMostSteps = kDim < 256 ? 8192 : 512;
  if (page.far > kMost) return false;
  const auto* const words = reinterpret_cast<const std::uint32_t*>(begin + page.end);
  std::uint32_t all = 0, sixteens = 0;
  bool beyond = false;
  for (auto n = static_cast<std::uint32_t>(lane); n < page.far; n += 32) {
    const FarEntry entry = FarEntry::of<kDim>(__ldg(words + n), page);
    const auto size = static_cast<std::uint32_t>(entry.step < 0 ? -entry.step : entry.step);
    beyond = beyond || entry.coordinate >= kDim || size > kMostSteps;
    all += size < kMostSteps ? size : kMostSteps;
    sixteens |= 1u << (entry.vector / 16);
  }
  sixteens = __reduce_or_sync(kAll, sixteens);
  if (lane == 0) {
#pragma unroll
    for (int i = 0; i < TilePage<kDim>::kWords; ++i) far.width[i] = page.width[i];
    far.count = page.far, far.end = page.end, far.sixteens = sixteens;
  }
  return __ballot_sync(kAll, beyond) == 0 &&
         static_cast<std::uint32_t>(__reduce_add_sync(kAll, static_cast<int>(all))) <= kMostSteps;
}

}  // namespace
}  // namespace kakeya::kernels
