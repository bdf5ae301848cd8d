// SPDX-License-Identifier: Apache-2.0
// Pages of tiles straight to vectors, of klt with product=exact: a team of warps a page. Pages that are damaged, or not as
// pages usually are, are left to tiles_decode.cu and klt_exact.cu, whose results these are.
#include <algorithm>

#include "kernels/pages_launch.cuh"
#include "kernels/tile_vectors.cuh"
#include "kernels/tiles.h"

namespace kakeya::kernels {
namespace {

constexpr int kTileVectors = static_cast<int>(kFieldBlock);

/// Vectors of a page, of a warp's columns; with kBf16 of that type.
template <typename Team, bool kBf16>
struct TeamRows {
  static constexpr int kDim = Team::kDim, kProducts = Team::kProducts,
                       kEach = Team::kColumns / 4;  ///< columns of a lane, neighbours
  const Vectors& y;
  std::uint8_t* first_row;  ///< the head's first column of this lane, of vector lane / 4
  std::int64_t eight;       ///< bytes to the eighth vector behind one
  int warp, lane, column;

  /// Adds far entries of vectors 16 i to 16 i + 15.
  __device__ __forceinline__ void add_far(const std::uint32_t* matrix, const std::uint8_t* page,
                                          const TilePage<kDim>& open, int i,
                                          std::uint32_t (&sums)[kProducts][4]) const {
#pragma unroll 1
    for (std::uint32_t n = 0; n < open.far; ++n) {
      const FarEntry far = far_entry<kDim>(page, open, n);
      if (far.vector / 16 != i || far.vector % 8 != lane / 4) continue;
      const int group = far.coordinate / 8, byte = 8 * (far.coordinate % 4),
                half = far.coordinate / 4 % 2, upper = far.vector / 8 % 2;
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        const int column = team_column<Team>(warp, kEach * (lane % 4) + j);
        const auto digit = [&](int number) {
          return static_cast<std::int32_t>(static_cast<std::int8_t>(
              matrix_word<Team, 2>(matrix, column, group, half, number) >> byte & 0xffu));
        };
        const std::uint32_t more = static_cast<std::uint32_t>(far.step) *
                                   static_cast<std::uint32_t>(256 * digit(1) + digit(0));
        sums[j / 2][j % 2] += upper == 0 ? more : 0;
        sums[j / 2][2 + j % 2] += upper == 0 ? 0 : more;
      }
    }
  }

  /// Rounds sums of a vector and writes it.
  __device__ __forceinline__ void put(const Team& team, std::uint8_t* to, int half,
                                      const float (&scale)[kEach], const float (&mean)[kEach],
                                      const std::uint32_t (&sums)[kProducts][4]) const {
    float x[kEach];
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const auto sum = static_cast<std::int32_t>(sums[j / 2][2 * half + j % 2]);
      const float whole = Team::kShort
                              ? __int2float_rn(sum)
                              : __ll2float_rn(sum + team.offset[warp][kEach * (lane % 4) + j]);
      x[j] = whole * scale[j] + mean[j];
    }
    const Vectors row{to, kBf16 ? Scalar::bf16 : y.type};
    if constexpr (kEach == 8) {
      store8(row, 0, x, kBeyond);
    } else {
      store4(row, 0, x);
    }
  }

  /// All of a page, whose tiles are in shared memory.
  __device__ __forceinline__ void run(const Team& team, const TeamMatrix<Team, 2>& digits,
                                      const std::uint32_t* matrix, const std::uint8_t* page,
                                      const TilePage<kDim>& open, std::int64_t first, int vectors,
                                      const std::uint32_t (&wanted)[4]) const {
    const int g = lane / 4, q = lane % 4;
    const std::uint8_t* const from = &team.tile[0][1024 * q + 16 * ((g + 2 * q) % 8)];
    std::uint8_t* to = first_row + first / 8 * eight;
    std::uint32_t here = wanted[0];
#pragma unroll 1
    for (int i = 0; 16 * i < vectors; ++i, to += 2 * eight) {
      uint4 x[Team::kTiles];
#pragma unroll
      for (int s = 0; s < Team::kTiles; ++s) {
        x[s] =
            *reinterpret_cast<const uint4*>(from + s * static_cast<int>(kTilePositions) + 128 * i);
      }
      std::int32_t products[kProducts][4] = {};
      std::uint32_t sums[kProducts][4];
#pragma unroll
      for (int digit = 1; digit >= 0; --digit) {
#pragma unroll
        for (int s = 0; s < Team::kTiles; ++s) {
#pragma unroll
          for (int t = 0; t < kProducts; ++t) {
            multiply_two<true>(x[s].x, x[s].y, x[s].z, x[s].w, digits[s][t][2 * digit],
                               digits[s][t][2 * digit + 1], products[t]);
          }
        }
        if (digit == 0) break;
#pragma unroll
        for (int t = 0; t < kProducts; ++t) {
          std::uint32_t offset[2] = {};
          if constexpr (Team::kShort) {
            const int2 two =
                *reinterpret_cast<const int2*>(&team.offset[warp][kEach * (lane % 4) + 2 * t]);
            offset[0] = static_cast<std::uint32_t>(two.x);
            offset[1] = static_cast<std::uint32_t>(two.y);
          }
#pragma unroll
          for (int c = 0; c < 4; ++c) {
            products[t][c] = static_cast<std::int32_t>(
                256u * static_cast<std::uint32_t>(products[t][c]) + offset[c % 2]);
          }
        }
      }
#pragma unroll
      for (int t = 0; t < kProducts; ++t) {
#pragma unroll
        for (int c = 0; c < 4; ++c) sums[t][c] = static_cast<std::uint32_t>(products[t][c]);
      }
      if (open.far != 0) add_far(matrix, page, open, i, sums);
      float scale[kEach], mean[kEach];
#pragma unroll
      for (int j = 0; j < kEach; j += 4) {
        *reinterpret_cast<float4*>(scale + j) =
            *reinterpret_cast<const float4*>(team.scale + column + j);
        *reinterpret_cast<float4*>(mean + j) =
            *reinterpret_cast<const float4*>(team.mean + column + j);
      }
      if ((here & 1u) != 0) put(team, to, 0, scale, mean, sums);
      if ((here & 0x100u) != 0) put(team, to + eight, 1, scale, mean, sums);
      here >>= 16;
      if (i % 2 == 1) here = i == 1 ? wanted[1] : (i == 3 ? wanted[2] : wanted[3]);
      __syncwarp();  // the next products take all lanes
    }
  }
};

/// Asks for a page in the L2 cache: from starts[0] to starts[1] of the stream.
__device__ __forceinline__ void prefetch_page(const std::uint8_t* stream,
                                              const std::uint64_t* starts) {
  constexpr std::uint64_t kMost = 1 << 20;
  const std::uint64_t begin = starts[0] / 16 * 16, end = starts[1];
  if (end >= begin + 16 && end - begin < kMost) {
    prefetch_bytes(stream + begin, static_cast<int>((end - begin) / 16 * 16));
  }
}

template <int kDim, bool kBf16>
__global__ void __launch_bounds__(32 * VectorTeam<kDim>::kWarps, kDim < 256 ? 384 / kDim : 1)
    decode_tile_vectors_of(Klt codec, bool of_values, PageSections in, KltWork work, Vectors y,
                           std::int64_t pages, int a_head, const std::uint64_t* starts,
                           std::uint32_t* odd, std::uint32_t* odd_count) {
  using Team = VectorTeam<kDim>;
  KAKEYA_DYNAMIC_SHARED(memory);
  auto& team = *reinterpret_cast<Team*>(memory);
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
  const std::int64_t head = blockIdx.x / static_cast<unsigned>(a_head),
                     plan = plan_number(codec.plans, head);
  const std::uint32_t* const matrix = codec.whole_backward + 4 * plan * klt_whole_fragments(kDim);
  TeamMatrix<Team, 2> digits;
  load_team_matrix<Team, 2>(matrix, warp, lane, digits);
  put_group_sums<Team>(digits, warp, lane, team);
  for (int i = thread; i < kDim; i += 32 * Team::kWarps) {
    // Points are twice what tiles have.
    team.scale[i] = 2.0f * codec.backward_scale[plan * klt_padded(kDim) + i];
    team.mean[i] = codec.mean[plan * klt_padded(kDim) + i];
  }
  if (thread < 2) team.odd[thread] = 0;
  __syncthreads();
  const std::int64_t tokens = tokens_of_head(y, head);
  const std::uint32_t* const kept = work.kept + head * klt_groups(y.tokens);
  const int column = team_column<Team>(warp, Team::kColumns / 4 * (lane % 4));
  const std::int64_t scalar_bytes = !kBf16 && y.type == Scalar::fp32 ? 4 : 2;
  const TeamRows<Team, kBf16> rows{
      y,
      static_cast<std::uint8_t*>(y.data) +
          (begin_of_head(y, head) + lane / 4 * y.token_stride + column) * scalar_bytes,
      8 * y.token_stride * scalar_bytes,
      warp,
      lane,
      column};
  int turn = 0;
  for (std::int64_t number = blockIdx.x % static_cast<unsigned>(a_head); number < pages;
       number += a_head) {
    const std::int64_t left = tokens - number * kTileVectors;
    const int vectors = left < kTileVectors ? static_cast<int>(left) : kTileVectors;
    const std::uint64_t begin = starts[head * (pages + 1) + number],
                        end = starts[head * (pages + 1) + number + 1];
    const bool there = end != ~std::uint64_t{0};
    const std::uint8_t* const stream = in.streams + head * in.stream_stride;
    const std::uint8_t* const page = stream + (there ? begin : 0);
    if (thread == 0 && there && number + a_head < pages) {
      prefetch_page(stream, starts + head * (pages + 1) + number + a_head);
    }
    TilePage<kDim> open{};
    OwnTile own{};
    bool good = there && vectors > 0 &&
                open_usual_tiles<kDim>(page, static_cast<std::int64_t>(end - begin), vectors, warp,
                                       open, own);
    if (good) {
      if (warp < Team::kTiles) {
        std::uint8_t* const tile = team.tile[warp];
        expand_tile(page + own.at, own.part.widths,
                    kTileBias | static_cast<std::uint32_t>(a_head) >> 31, !of_values, lane, tile);
        __syncwarp();
        if (own.part.count != 0) {
          const auto* list =
              reinterpret_cast<const std::uint32_t*>(page + own.at + own.part.field_bytes);
          good = add_checked_entries(list, own.part, lane, tile);
          __syncwarp();
        }
        if (of_values) turn_value_tile(tile, lane);
      }
      if (lane < Team::kColumns) {
        team.offset[warp][lane] =
            column_offset<Team>(matrix, page, open, team_column<Team>(warp, lane), team);
      }
      if (warp == 0 && open.far != 0) {
        good = usual_far_entries<kDim>(page, open, lane) && good;
      }
    }
    if (!good) atomicOr(&team.odd[turn], 1u);
    __syncthreads();
    const bool usual = team.odd[turn] == 0;
    turn ^= 1;
    if (thread == 0) {
      team.odd[turn] = 0;
      odd[head * pages + number] = usual ? 0 : 1;
      if (!usual) atomicAdd(odd_count + head, 1u);
    }
    if (usual) {
      // Of each 32 vectors bit 8 m is lane / 4 + 8 m.
      std::uint32_t wanted[4];
#pragma unroll
      for (int word = 0; word < 4; ++word) {
        const int here = vectors - 32 * word;
        wanted[word] = here > 0 ? ~__ldg(kept + number * (kTileVectors / 32) + word) : 0u;
        if (here < 32) wanted[word] &= (1u << (here > 0 ? here : 0)) - 1u;
        wanted[word] >>= lane / 4;
      }
      rows.run(team, digits, matrix, page, open, number * kTileVectors, vectors, wanted);
    }
    __syncthreads();
  }
}

}  // namespace

bool has_tile_vectors(const Klt& codec) {
  return codec.whole_backward != nullptr && codec.points == Klt::z && codec.page == kTileVectors &&
         (codec.dim == 64 || codec.dim == 128 || codec.dim == 256);
}

void decode_tile_vectors(const Klt& codec, const FieldPages& pages, const PageSections& in,
                         const PagePoints& points, const KltWork& work, const Vectors& y,
                         void* workspace, std::uint32_t* flags, Stream stream) {
  if (y.heads == 0 || points.pages == 0) return;
  auto* starts = static_cast<std::uint64_t*>(workspace);
  auto* left =
      reinterpret_cast<std::uint32_t*>(work.bounds);  // which decoding has no other use for
  auto* counts = reinterpret_cast<std::uint32_t*>(starts + y.heads * (points.pages + 1));
  locate_pages(y.heads, points.pages, in, starts, flags, stream, counts);
  const auto launch = [&](auto dim) {
    using Team = VectorTeam<dim()>;
    const auto kernel = y.type == Scalar::bf16 ? decode_tile_vectors_of<dim(), true>
                                               : decode_tile_vectors_of<dim(), false>;
    const int at_once = std::max(blocks_at_once(kernel, 32 * Team::kWarps, sizeof(Team)), 1);
    const auto a_head =
        static_cast<int>(std::min(std::max<std::int64_t>(at_once / y.heads, 1), points.pages));
    launch_blocks(kernel, std::int64_t{a_head} * y.heads, 32 * Team::kWarps, sizeof(Team), stream,
                  codec, pages.values, in, work, y, points.pages, a_head,
                  static_cast<const std::uint64_t*>(starts), left, counts);
  };
  if (codec.dim == 64) {
    launch(std::integral_constant<int, 64>());
  } else if (codec.dim == 128) {
    launch(std::integral_constant<int, 128>());
  } else {
    launch(std::integral_constant<int, 256>());
  }
  KltWork rest = work;
  rest.only = {left, counts};
  decode_located_tiles(pages, in, points, y.tokens, starts, rest.only, flags, stream);
  klt_exact_backward(codec, rest, y, flags, stream);
}

}  // namespace kakeya::kernels
