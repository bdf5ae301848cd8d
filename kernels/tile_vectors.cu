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
/// Blocks, as many times as run at once, and pages of a team of a block at least.
constexpr std::int64_t kBlocksInTurn = 8, kLeastRounds = 4;

/// Vectors of a page by a team; with kBf16 of that type.
template <typename Block, bool kBf16>
struct TeamRows {
  static constexpr int kDim = Block::kDim;
  const Vectors& y;
  const Block& block;
  const typename Block::Page& here;
  const std::uint32_t* matrix;  ///< in device memory
  std::int64_t eight;           ///< bytes to the eighth vector behind one
  int lane;

  /// Adds far entries of vectors 16 i to 16 i + 15, of this lane's columns of 64 from `first` on.
  __device__ __forceinline__ void add_far(const std::uint8_t* page, int i, int first,
                                          std::int32_t (&d)[8][4]) const {
    TilePage<kDim> open;
#pragma unroll
    for (int k = 0; k < TilePage<kDim>::kWords; ++k) open.width[k] = here.far.width[k];
    const auto* const words = reinterpret_cast<const std::uint32_t*>(page + here.far.end);
    const std::uint32_t count = here.far.count;
#pragma unroll 1
    for (std::uint32_t from = 0; from < count; from += 32) {
      const std::uint32_t n = from + static_cast<std::uint32_t>(lane),
                          word = n < count ? __ldg(words + n) : 0;
      const bool is_of = n < count && FarEntry::of<kDim>(word, open).vector / 16 == i;
#pragma unroll 1
      for (std::uint32_t left = __ballot_sync(kAll, is_of); left != 0; left &= left - 1) {
        const FarEntry far =
            FarEntry::of<kDim>(__shfl_sync(kAll, word, __ffs(static_cast<int>(left)) - 1), open);
        if (far.vector % 8 != lane / 4) continue;
        const std::int32_t lower = far.vector / 8 % 2 == 0 ? far.step : 0, upper = far.step - lower;
#pragma unroll
        for (int k = 0; k < 16; ++k) {
          const std::int32_t of = whole_at(far.coordinate, first, k);
          d[k / 2][k % 2] += lower * of;
          d[k / 2][2 + k % 2] += upper * of;
        }
      }
    }
  }
  /// The whole number of the matrix at a coordinate and this lane's column k of 64 from `first` on.
  __device__ __forceinline__ std::int32_t whole_at(int coordinate, int first, int k) const {
    const int place = first + 32 * (k / 8) + 8 * (k % 8 / 2) + 2 * (lane % 4) + k % 2,
              step = coordinate / 32, half = coordinate / 4 % 2, q = coordinate % 32 / 8,
              byte = 8 * (coordinate % 4);
    const auto digit = [&](int number) {
      const std::uint32_t word =
          Block::kShared ? block.matrix[number][((2 * step + half) * kDim + place) * 4 + q]
                         : Block::far_word(matrix, place, step, half, q, number);
      return static_cast<std::int32_t>(word << (24 - byte)) >> 24;
    };
    return 256 * digit(1) + digit(0);
  }

  /// What a lane's eight of 32 columns are multiplied by, and what is added.
  struct Columns {
    alignas(16) float scale[8], mean[8];
    alignas(16) std::int32_t offset[8];
  };
  __device__ __forceinline__ void load(int column, Columns& of) const {
#pragma unroll
    for (int j = 0; j < 8; j += 4) {
      const auto four = [&](const auto* from) {
        return *reinterpret_cast<const uint4*>(from + column + j);
      };
      *reinterpret_cast<uint4*>(of.scale + j) = four(block.scale);
      *reinterpret_cast<uint4*>(of.mean + j) = four(block.mean);
      if constexpr (Block::kShort) *reinterpret_cast<uint4*>(of.offset + j) = four(here.offset);
    }
  }

  /// Rounds eight sums of a vector, columns [column, column + 8), and, where it is wanted, writes them.
  __device__ __forceinline__ void put(std::uint8_t* to, int column, int half, bool wanted,
                                      const Columns& of, const std::int32_t (*sums)[4]) const {
    float x[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const std::int32_t sum = sums[j / 2][2 * half + j % 2];
      const float whole =
          Block::kShort ? __int2float_rn(sum) : __ll2float_rn(sum + here.offset[column + j]);
      x[j] = whole * of.scale[j] + of.mean[j];
    }
    if constexpr (kBf16) {
      const uint4 made = sixteen_bytes(Scalar::bf16, x, kBeyond);
      if (wanted) *reinterpret_cast<uint4*>(to + 2 * column) = made;
    } else if (wanted) {
      store8(Vectors{to, y.type}, column, x, kBeyond);
    }
  }

  /// Products of bytes with 64 columns: of high digits they are d, those of low ones are added to it.
  template <int kDigit>
  __device__ __forceinline__ void multiply(const std::uint32_t (&a)[Block::kTiles][4], int pass,
                                           std::int32_t (&d)[8][4]) const {
#if KAKEYA_WGMMA
    if constexpr (Block::kShared) {
      return add_columns_by_group<kDim, kDigit == 1>(a, kDigit * (kDim * kDim), pass, d);
    }
#endif
    if constexpr (kDigit == 1) {
#pragma unroll
      for (int k = 0; k < 32; ++k) d[k / 4][k % 4] = 0;
    }
    add_columns_by_warp<kDim>(a, pass, d, [&](int column, int step, int half) {
      if constexpr (Block::kShared) {
        return block
            .matrix[kDigit][byte_matrix_place<kDim>(column, 32 * step + 16 * half) / 4 + lane];
      }
      return Block::far_word(matrix, column + lane / 4, step, half, lane % 4, kDigit);
    });
  }

  /// 64 columns of vectors 16 i and on of a page whose tiles are in shared memory, of vector lane / 4 of them to `to`; of
  /// `wanted` bit 8 m is lane / 4 + 8 m. `has_far`: the page, in device memory, has far entries of these vectors.
  __device__ __forceinline__ void run(const std::uint8_t* page, bool has_far, std::uint8_t* to,
                                      int i, int pass, const Columns (&columns)[2],
                                      std::uint32_t wanted) const {
    const int g = lane / 4, q = lane % 4;
    const std::uint8_t* const from = &here.tile[0][1024 * q + 16 * ((g + 2 * q) % 8) + 128 * i];
    std::uint32_t a[Block::kTiles][4];
#pragma unroll
    for (int s = 0; s < Block::kTiles; ++s) {
      const uint4 four =
          *reinterpret_cast<const uint4*>(from + s * static_cast<int>(kTilePositions));
      a[s][0] = four.x, a[s][1] = four.y, a[s][2] = four.z, a[s][3] = four.w;
    }
    std::int32_t d[8][4];
    multiply<1>(a, pass, d);
#pragma unroll
    for (int j = 0; j < 8; ++j) {
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        const std::int32_t more = Block::kShort ? columns[j / 4].offset[2 * (j % 4) + c % 2] : 0;
        d[j][c] = static_cast<std::int32_t>(256u * static_cast<std::uint32_t>(d[j][c]) +
                                            static_cast<std::uint32_t>(more));
      }
    }
    multiply<0>(a, pass, d);
    if (has_far) add_far(page, i, 64 * pass, d);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        put(to + half * eight, 64 * pass + 32 * k + 8 * q, half, (wanted >> (8 * half) & 1u) != 0,
            columns[k], d + 4 * k);
      }
    }
    __syncwarp();  // the next products take all lanes
  }
};

/// A page in device memory, where it fits the room that it is brought to; or none, of 0 bytes.
struct StreamPage {
  const std::uint8_t* at = nullptr;
  int bytes = 0;

  static __device__ __forceinline__ StreamPage of(const std::uint8_t* stream, std::uint64_t begin,
                                                  std::uint64_t end, int room) {
    const bool fits = end > begin && end - begin + 15 <= static_cast<std::uint64_t>(room);
    return {stream + begin, fits ? static_cast<int>(end - begin) : 0};
  }
  /// What it lies behind in the room.
  __device__ __forceinline__ unsigned odd_bytes() const {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at)) % 16;
  }
  /// Begins to bring it to a room, by all kThreads threads of a team.
  template <unsigned kThreads>
  __device__ __forceinline__ void bring(unsigned thread, std::uint8_t* room) const {
    if (bytes == 0) return;
    const unsigned odd = odd_bytes(), end = static_cast<unsigned>(bytes) + odd;
    for (unsigned i = 16 * thread; i < end; i += 16 * kThreads) {
      copy_16(reinterpret_cast<uint4*>(room + i), at - odd + i);
    }
  }
};

template <int kDim, bool kBf16, bool kShared>
__global__ void __launch_bounds__(VectorBlock<kDim, kShared>::kThreads, kDim < 256 ? 2 : 1)
    decode_tile_vectors_of(Klt codec, bool of_values, PageSections in, KltWork work, Vectors y,
                           int pages, int a_head, int room_bytes, const std::uint64_t* starts,
                           std::uint32_t* odd, std::uint32_t* odd_count) {
  using Block = VectorBlock<kDim, kShared>;
  constexpr unsigned kTeamThreads = 32 * Block::kTiles, kWords = kTileVectors / 32;
  KAKEYA_DYNAMIC_SHARED(memory);
  auto& block = *reinterpret_cast<Block*>(memory);
  const unsigned thread = threadIdx.x % kTeamThreads;
  const int team = static_cast<int>(threadIdx.x / kTeamThreads),
            warp = static_cast<int>(thread / 32), lane = static_cast<int>(thread % 32);
  auto& here = block.pages[team];
  std::uint8_t* const room = memory + sizeof(Block) + team * room_bytes;
  const std::int64_t head = blockIdx.x / static_cast<unsigned>(a_head),
                     plan = plan_number(codec.plans, head);
  const std::uint8_t* const stream = in.streams + head * in.stream_stride;
  const std::uint64_t* const begins = starts + head * (pages + 1);
  const int step = a_head * Block::kTeams;
  int first = static_cast<int>(blockIdx.x % static_cast<unsigned>(a_head)) * Block::kTeams;
  const auto start_of = [&](int number) { return number <= pages ? begins[number] : 0; };
  // Begins to bring the place of a page, or one that has no bytes.
  const auto bring_starts = [&](int number, int turn) {
    if (thread >= 4) return;
    std::uint32_t* const to = &here.starts[turn][thread];
    if (number < pages) {
      copy_4(to, reinterpret_cast<const std::uint32_t*>(begins + number) + thread);
    } else {
      *to = 0;
    }
  };
  const auto wait = [&] {
    constexpr unsigned kThreads = Block::kBarrierThreads;
    team_barrier(static_cast<int>(threadIdx.x / kThreads), kThreads);
  };
  StreamPage now =
      StreamPage::of(stream, start_of(first + team), start_of(first + team + 1), room_bytes);
  now.bring<kTeamThreads>(thread, room);
  bring_starts(first + team + step, 0);
  const std::uint32_t* const matrix = codec.whole_backward + 4 * plan * klt_whole_fragments(kDim);
  block.fill(matrix);
  for (unsigned i = threadIdx.x; i < kDim; i += Block::kThreads) {
    // Points are twice what tiles have.
    block.scale[i] = 2.0f * codec.backward_scale[plan * klt_padded(kDim) + i];
    block.mean[i] = codec.mean[plan * klt_padded(kDim) + i];
  }
  if (thread < 2) here.odd[thread] = 0;
  show_to_wgmma();
  finish_copies();
  __syncthreads();
  block.add_up_groups(matrix);
  __syncthreads();
  const int tokens = static_cast<int>(tokens_of_head(y, head));
  const std::uint32_t* const kept = work.kept + head * klt_groups(y.tokens);
  const std::int64_t scalar_bytes = !kBf16 && y.type == Scalar::fp32 ? 4 : 2;
  const TeamRows<Block, kBf16> rows{y,   block, here, matrix, 8 * y.token_stride * scalar_bytes,
                                    lane};
  std::uint8_t* const first_row =
      static_cast<std::uint8_t*>(y.data) +
      (begin_of_head(y, head) + lane / 4 * y.token_stride) * scalar_bytes;
  int turn = 0;
  for (; first < pages; first += step) {
    const int number = first + team;
    int vectors = tokens - number * kTileVectors;
    if (vectors > kTileVectors) vectors = kTileVectors;
    std::uint32_t kept_here = 0;
    if (32 * lane < vectors && lane < static_cast<int>(kWords)) {
      kept_here = __ldg(kept + number * static_cast<int>(kWords) + lane);
    }
    const std::uint8_t* const page = room + now.odd_bytes();
    TilePage<kDim> open;
    OwnTile own;
    open.far = 0;
    bool good = vectors > 0 && now.bytes != 0 &&
                open_usual_tiles<kDim>(page, now.bytes, vectors, warp, open, own);
    if (good) {
      std::uint8_t* const tile = here.tile[warp];
      expand_tile(page + own.at, own.part.widths,
                  kTileBias | static_cast<std::uint32_t>(a_head) >> 31, !of_values, lane, tile);
      __syncwarp();
      if (own.part.count != 0) {
        const auto* list = reinterpret_cast<const std::uint32_t*>(page + own.at + own.field_bytes);
        good = add_checked_entries(list, own.part, lane, tile);
        __syncwarp();
      }
      if (of_values) turn_value_tile(tile, lane);
      here.offset[32 * warp + lane] =
          column_offset<Block>(matrix, page, open, 32 * warp + lane, block);
      if (warp == 0 && open.far != 0) {
        good = usual_far_entries<kDim>(now.at, open, lane, here.far) && good;
      }
    }
    if (thread == 0 && open.far == 0) here.far.sixteens = 0;
    if (!good) atomicOr(&here.odd[turn], 1u);
    wait();
    const std::uint32_t(&start)[4] = here.starts[turn];
    const StreamPage next = StreamPage::of(stream, start[0] | std::uint64_t{start[1]} << 32,
                                           start[2] | std::uint64_t{start[3]} << 32, room_bytes);
    next.bring<kTeamThreads>(thread, room);
    const bool usual = here.odd[turn] == 0;
    turn ^= 1;
    bring_starts(number + 2 * step, turn);
    if (thread == 0) {
      here.odd[turn] = 0;
      if (number < pages) odd[head * pages + number] = usual ? 0 : 1;
      if (number < pages && !usual) atomicAdd(odd_count + head, 1u);
    }
    // Other teams of a warpgroup have pages even where this one has none.
    if (!usual) vectors = 0;
    const std::uint32_t far = usual ? here.far.sixteens : 0;
    std::uint8_t* const page_rows = first_row + (kTileVectors / 8) * rows.eight * number;
#pragma unroll 1
    for (int pass = 0; pass < kDim / 64; ++pass) {
      typename TeamRows<Block, kBf16>::Columns columns[2];
#pragma unroll
      for (int k = 0; k < 2; ++k) rows.load(64 * pass + 32 * k + 8 * (lane % 4), columns[k]);
#pragma unroll 1
      for (int i = warp; i < kTileVectors / 16; i += Block::kTiles) {
        const int there = vectors - 16 * i;
        std::uint32_t wanted = ~__shfl_sync(kAll, kept_here, i / 2) >> (16 * (i % 2) + lane / 4);
        // Bit 8 m is lane / 4 + 8 m.
        if (there < 16) {
          wanted &= (there > lane / 4 ? 1u : 0u) | (there > lane / 4 + 8 ? 0x100u : 0u);
        }
        rows.run(now.at, (far >> i & 1u) != 0, page_rows + 2 * rows.eight * i, i, pass, columns,
                 wanted);
      }
    }
    now = next;
    finish_copies();
    wait();
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
  const auto launch = [&](auto dim, auto shared) {
    using Block = VectorBlock<dim(), shared()>;
    const auto kernel = y.type == Scalar::bf16 ? decode_tile_vectors_of<dim(), true, shared()>
                                               : decode_tile_vectors_of<dim(), false, shared()>;
    static_assert(sizeof(Block) % 16 == 0 && Block::kMostRoom % 16 == 0 &&
                  Block::kLeastRoom % 16 == 0);
    const auto at_once_with = [&](int bytes) {
      return blocks_at_once(kernel, Block::kThreads, sizeof(Block) + Block::kTeams * bytes);
    };
    const int room = at_once_with(Block::kMostRoom) != 0 ? Block::kMostRoom : Block::kLeastRoom,
              at_once = at_once_with(room);
    if (at_once == 0) return false;
    // Heads differ by what their pages hold: blocks are several times as many as run at once, so that those that
    // are done make room for others, but each has some pages a team.
    const std::int64_t rounds = (points.pages + Block::kTeams - 1) / Block::kTeams,
                       once = std::max<std::int64_t>(at_once / y.heads, 1),
                       more = std::min(kBlocksInTurn * at_once / y.heads, rounds / kLeastRounds);
    const auto a_head = static_cast<int>(std::min(std::max(once, more), rounds));
    launch_blocks(kernel, std::int64_t{a_head} * y.heads, Block::kThreads,
                  sizeof(Block) + Block::kTeams * room, stream, codec, pages.values, in, work, y,
                  static_cast<int>(points.pages), a_head, room,
                  static_cast<const std::uint64_t*>(starts), left, counts);
    return true;
  };
  using std::integral_constant;
  bool done = false;
  if (codec.dim == 64) {
    done = launch(integral_constant<int, 64>(), std::true_type());
  } else if (codec.dim == 128) {
    done = launch(integral_constant<int, 128>(), std::true_type());
  } else {
    done = launch(integral_constant<int, 256>(), std::true_type()) ||
           launch(integral_constant<int, 256>(), std::false_type());
  }
  if (!done) {
    throw Error("CUDA: pages of tiles to vectors: expected 99 KB of shared memory a block");
  }
  KltWork rest = work;
  rest.only = {left, counts};
  decode_located_tiles(pages, in, points, y.tokens, starts, rest.only, flags, stream);
  klt_exact_backward(codec, rest, y, flags, stream);
}

}  // namespace kakeya::kernels
