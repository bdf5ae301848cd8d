// SPDX-License-Identifier: Apache-2.0
// klt: which vectors are kept beside the code, out of their pages, and back. Few are, so what a page without any
// costs is what counts here.
#include "kernels/klt_kept.cuh"
#include "kernels/klt_nearest.cuh"
#include "kernels/pages.cuh"
#include "kernels/prefix_put.cuh"

namespace kakeya::kernels {
namespace {

__device__ __forceinline__ PointMemory points_of(const Klt& codec, const KeptPage& at,
                                                 const KltWork& work) {
  return PointMemory{work.points, work.near}.from(at.head * work.stride + at.first * codec.dim);
}

// Vectors of a page that are in it, by whole warps.
__device__ __forceinline__ int vectors_in_page(const std::uint32_t* kept, int groups, int vectors) {
  int bits = 0;
  for (int g = static_cast<int>(threadIdx.x) % 32; g < groups; g += 32) bits += __popc(kept[g]);
  return vectors - sum_of_lanes(bits);
}

// What the point of a vector may cost, in 1 / 256 of a bit (PointCoder::most_cost()), by a warp.
__device__ __forceinline__ int most_cost_of_vector(const Klt& codec, std::int64_t head,
                                                   const PointMemory& vector) {
  const HeadPlan& plan = plan_of_head(codec.coding, head);
  int sum = 0;
  for (int i = static_cast<int>(threadIdx.x) % 32; i < codec.dim; i += 32) {
    const std::int32_t twice = vector.at(32 * i);
    if (codec.points == Klt::z) {
      sum += static_cast<int>(most_cost<PageLattice::z>(codec.coding, plan, i, twice));
    } else if (codec.points == Klt::e8) {
      sum += static_cast<int>(most_cost<PageLattice::e8>(codec.coding, plan, i, twice));
    } else {
      sum += static_cast<int>(most_cost<PageLattice::trellis>(codec.coding, plan, i, twice));
    }
  }
  return sum_of_lanes(sum);
}

// Moves the vectors of a page between their own places and those behind fewer kept ones. A warp has a
// coordinate: it reads a group before it writes it, and never writes one that it has still to read.
__device__ __forceinline__ void move_vectors(const Klt& codec, const KeptPage& at,
                                             const std::uint32_t* kept, const PointMemory& points,
                                             bool up) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int i = static_cast<int>(threadIdx.x) / 32; i < codec.dim; i += kKeptThreads / 32) {
    const PointMemory row = points.from(32 * i);
    const auto place = [&](int vector) {
      return static_cast<std::int64_t>(vector / 32) * 32 * codec.dim + vector % 32;
    };
    if (up) {
      int moved = 0;
      for (int g = 0; g < at.groups; ++g) {
        const std::uint32_t mask = kept[g];
        const std::int32_t value = row.at(place(32 * g + lane));
        __syncwarp();
        const std::uint32_t before = ~mask & ((1u << lane) - 1u);
        const bool stays = (mask >> lane & 1u) == 0 && 32 * g + lane < at.vectors;
        if (stays) row.put(place(moved + __popc(before)), value);
        __syncwarp();
        moved += __popc(~mask);
      }
    } else {
      int end = at.vectors;
      for (int g = 0; g < at.groups; ++g) end -= __popc(kept[g]);
      for (int g = at.groups - 1; g >= 0; --g) {
        const int here = at.vectors - 32 * g < 32 ? at.vectors - 32 * g : 32;
        const std::uint32_t there = (here < 32 ? (1u << here) - 1u : ~0u) & ~kept[g];
        const int begin = end - __popc(there);
        const bool mine = (there >> lane & 1u) != 0;
        const std::int32_t value =
            mine ? row.at(place(begin + __popc(there & ((1u << lane) - 1u)))) : 0;
        __syncwarp();
        if (lane < here) row.put(place(32 * g + lane), value);
        __syncwarp();
        end = begin;
      }
    }
  }
}

// Whether a page made for reading keeps this lane's vector beside it.
__device__ __forceinline__ bool is_dear(const Klt& codec, std::int64_t plan,
                                        const PointMemory& vector) {
  return codec.field_bits != nullptr ? is_dear_in_fields(codec, plan, vector)
                                     : prefix_bits(codec.prefix, plan, vector) > codec.most_bits;
}

__global__ void __launch_bounds__(kKeptThreads)
    settle_pages(Klt codec, std::int64_t tokens, std::int64_t heads, KltWork work, bool move_up) {
  __shared__ std::uint32_t kept[kMostGroups];
  const KeptPage at = page_of_block(codec, tokens);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const std::int64_t room = 32 * klt_groups(tokens);
  const auto most = static_cast<float>(codec.most_bits);
  const PointMemory page = points_of(codec, at, work);
  // Of pages made for reading vectors stay where they are.
  const bool stay = codec.field_bits != nullptr || codec.prefix.tables != nullptr;
  for (int g = warp; g < at.groups; g += kKeptThreads / 32) {
    const int vector = 32 * g + lane;
    float bound = 0.0f;
    for (int part = 0; part < codec.parts; ++part) {
      bound += work.bounds[(part * heads + at.head) * room + at.first + vector];
    }
    // 1 % more is more than the sums can be wrong by (DearVectors).
    const bool is_there = vector < at.vectors, beyond = !(bound < 0x1p126f);
    const bool may_be_dear = !(1.01f * (codec.base[at.plan] + bound) <= most);
    unsigned kept_here = __ballot_sync(kAll, is_there && beyond),
             dear_here = __ballot_sync(kAll, is_there && !beyond && may_be_dear);
    const PointMemory points = page.from(std::int64_t{g} * 32 * codec.dim);
    if (stay) {
      const bool may_be = (dear_here >> lane & 1u) != 0;
      kept_here |= __ballot_sync(kAll, may_be && is_dear(codec, at.plan, points.from(lane)));
      dear_here = 0;
      for (int i = 0; move_up && (kept_here >> lane & 1u) != 0 && i < codec.dim; ++i) {
        points.put(32 * i + lane, 0);
      }
    }
    if (lane == 0) kept[g] = kept_here;
    for (unsigned left = dear_here; left != 0; left &= left - 1) {
      const int which = __ffs(left) - 1;
      const bool is_dear =
          static_cast<std::uint64_t>(most_cost_of_vector(codec, at.head, points.from(which))) >
          std::uint64_t{codec.most_bits} * 256;
      if (lane == 0 && is_dear) kept[g] |= 1u << which;
    }
    __syncwarp();
    if (lane == 0) work.kept[at.first_group + g] = kept[g];
  }
  __syncthreads();
  const int vectors = vectors_in_page(kept, at.groups, at.vectors);
  if (thread == 0) work.vectors[blockIdx.x] = static_cast<std::uint32_t>(vectors);
  if (vectors != at.vectors && move_up && !stay) move_vectors(codec, at, kept, page, true);
}

__global__ void __launch_bounds__(kKeptThreads)
    move_apart(Klt codec, std::int64_t tokens, std::int64_t all, KltWork work) {
  for_pages_with_kept(codec, tokens, all, work, [&](const KeptPage& at) {
    move_vectors(codec, at, work.kept + at.first_group, points_of(codec, at, work), false);
  });
}

}  // namespace

void klt_settle(const Klt& codec, std::int64_t tokens, std::int64_t heads, const KltWork& work,
                bool move_up, Stream stream) {
  if (tokens == 0) return;
  KAKEYA_LAUNCH(settle_pages, kept_pages(codec, tokens, heads), kKeptThreads, stream, codec, tokens,
                heads, work, move_up);
}

void klt_move_apart(const Klt& codec, std::int64_t tokens, std::int64_t heads, const KltWork& work,
                    Stream stream) {
  if (tokens == 0) return;
  KAKEYA_LAUNCH(move_apart, kept_blocks(codec, tokens, heads), kKeptThreads, stream, codec, tokens,
                kept_pages(codec, tokens, heads), work);
}

}  // namespace kakeya::kernels
