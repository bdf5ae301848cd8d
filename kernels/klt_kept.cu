// SPDX-License-Identifier: Apache-2.0
// klt: vectors that are kept beside the code. Few are, so what a page without any
// costs is what counts here.
#include "kernels/klt.h"
#include "kernels/klt_nearest.cuh"
#include "kernels/pages.cuh"
#include "kernels/prefix_put.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kKeptThreads = 256;
constexpr int kMostGroups = 4096 / 32;  // of a page

// A block has a page: its groups of 32 vectors, and the vectors that there are.
struct KeptPage {
  std::int64_t head, page, first;  ///< the first token
  std::int64_t plan;               ///< of the head
  std::int64_t first_group;        ///< among those of all heads
  int groups, vectors;
};
__device__ __forceinline__ KeptPage page_of_block(const Klt& codec, std::int64_t tokens) {
  const std::int64_t pages = (tokens + codec.page - 1) / codec.page;
  KeptPage at;
  at.head = blockIdx.x / pages;
  at.page = blockIdx.x - at.head * pages;
  at.first = at.page * codec.page;
  at.plan = plan_number(codec.plans, at.head);
  const std::int64_t left = tokens_of_head(codec.counts, tokens, at.head) - at.first;
  at.vectors = left < codec.page ? static_cast<int>(left) : codec.page;
  at.groups = (at.vectors + 31) / 32;
  at.first_group = at.head * klt_groups(tokens) + at.first / 32;
  return at;
}
std::int64_t kept_pages(const Klt& codec, std::int64_t tokens, std::int64_t heads) {
  return (tokens + codec.page - 1) / codec.page * heads;
}

__device__ __forceinline__ std::int32_t* points_of(const Klt& codec, const KeptPage& at,
                                                   const KltWork& work) {
  return work.points + at.head * work.stride + at.first * codec.dim;
}

// The sum over a warp.
__device__ __forceinline__ int sum_of_lanes(int value) {
#pragma unroll
  for (int lanes = 1; lanes < 32; lanes *= 2) value += __shfl_xor_sync(kAll, value, lanes);
  return value;
}

// Vectors of a page that are in it, by whole warps.
__device__ __forceinline__ int vectors_in_page(const std::uint32_t* kept, int groups, int vectors) {
  int bits = 0;
  for (int g = static_cast<int>(threadIdx.x) % 32; g < groups; g += 32) bits += __popc(kept[g]);
  return vectors - sum_of_lanes(bits);
}

// What the point of a vector may cost, in 1 / 256 of a bit (PointCoder::most_cost()), by a warp.
__device__ __forceinline__ int most_cost_of_vector(const Klt& codec, std::int64_t head,
                                                   const std::int32_t* vector) {
  const HeadPlan& plan = plan_of_head(codec.coding, head);
  int sum = 0;
  for (int i = static_cast<int>(threadIdx.x) % 32; i < codec.dim; i += 32) {
    const std::int32_t twice = vector[32 * i];
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
                                             const std::uint32_t* kept, std::int32_t* points,
                                             bool up) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int i = static_cast<int>(threadIdx.x) / 32; i < codec.dim; i += kKeptThreads / 32) {
    std::int32_t* row = points + 32 * i;
    const auto place = [&](int vector) {
      return row + static_cast<std::int64_t>(vector / 32) * 32 * codec.dim + vector % 32;
    };
    if (up) {
      int moved = 0;
      for (int g = 0; g < at.groups; ++g) {
        const std::uint32_t mask = kept[g];
        const std::int32_t value = *place(32 * g + lane);
        __syncwarp();
        const std::uint32_t before = ~mask & ((1u << lane) - 1u);
        const bool stays = (mask >> lane & 1u) == 0 && 32 * g + lane < at.vectors;
        if (stays) *place(moved + __popc(before)) = value;
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
        const std::int32_t value = mine ? *place(begin + __popc(there & ((1u << lane) - 1u))) : 0;
        __syncwarp();
        if (lane < here) *place(32 * g + lane) = value;
        __syncwarp();
        end = begin;
      }
    }
  }
}

// Whether a page made for reading keeps this lane's vector beside it.
__device__ __forceinline__ bool is_dear(const Klt& codec, std::int64_t plan,
                                        const std::int32_t* vector) {
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
  std::int32_t* page = points_of(codec, at, work);
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
    std::int32_t* const points = page + std::int64_t{g} * 32 * codec.dim;
    if (stay) {
      const bool may_be = (dear_here >> lane & 1u) != 0;
      kept_here |= __ballot_sync(kAll, may_be && is_dear(codec, at.plan, points + lane));
      dear_here = 0;
      for (int i = 0; move_up && (kept_here >> lane & 1u) != 0 && i < codec.dim; ++i) {
        points[32 * i + lane] = 0;
      }
    }
    if (lane == 0) kept[g] = kept_here;
    for (unsigned left = dear_here; left != 0; left &= left - 1) {
      const int which = __ffs(left) - 1;
      const bool is_dear =
          static_cast<std::uint64_t>(most_cost_of_vector(codec, at.head, points + which)) >
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

__global__ void __launch_bounds__(32) count_pages(Klt codec, std::int64_t tokens, KltWork work) {
  const KeptPage at = page_of_block(codec, tokens);
  const int vectors = vectors_in_page(work.kept + at.first_group, at.groups, at.vectors);
  if (threadIdx.x == 0) work.vectors[blockIdx.x] = static_cast<std::uint32_t>(vectors);
}

__global__ void __launch_bounds__(kKeptThreads)
    move_apart(Klt codec, std::int64_t tokens, KltWork work) {
  const KeptPage at = page_of_block(codec, tokens);
  if (static_cast<int>(work.vectors[blockIdx.x]) == at.vectors) return;
  move_vectors(codec, at, work.kept + at.first_group, points_of(codec, at, work), false);
}

// Kept vectors of the pages of a head before this one.
__device__ __forceinline__ std::int64_t kept_before(const Klt& codec, const KeptPage& at,
                                                    const KltWork& work) {
  __shared__ std::int64_t before;
  if (threadIdx.x < 32) {
    int missing = 0;
    const std::uint32_t* vectors = work.vectors + (blockIdx.x - at.page);
    for (std::int64_t page = threadIdx.x; page < at.page; page += 32) {
      missing += codec.page - static_cast<int>(vectors[page]);
    }
    missing = sum_of_lanes(missing);
    if (threadIdx.x == 0) before = missing;
  }
  __syncthreads();
  return before;
}

// Calls each(vector of the page, record of the head) for every kept vector, by a warp.
template <typename Each>
__device__ __forceinline__ void for_each_kept(const KeptPage& at, const std::uint32_t* kept,
                                              std::int64_t record, const Each& each) {
  const int warp = static_cast<int>(threadIdx.x) / 32;
  for (int g = 0; g < at.groups; ++g) {
    std::uint32_t left = kept[g];
    for (; left != 0; left &= left - 1, ++record) {
      if (record % (kKeptThreads / 32) == warp) each(32 * g + __ffs(left) - 1, record);
    }
  }
}

// Two scalars of a kept vector as bfloat16; zeros where the vector is not finite.
__device__ __forceinline__ std::uint32_t pair_of(const float* v, bool finite) {
  const std::uint32_t low = float_to_finite_bfloat16(v[0]), high = float_to_finite_bfloat16(v[1]);
  return finite ? low | high << 16 : 0u;
}
__device__ __forceinline__ bool is_finite_vector(const Vectors& x, std::int64_t from) {
  bool finite = true;
  for (int i = 8 * (static_cast<int>(threadIdx.x) % 32); i < x.dim; i += 256) {
    float v[8];
    load8(x, from + i, v);
    finite = finite && largest8(v) < 0x7f800000u;
  }
  return __ballot_sync(kAll, !finite) == 0;
}

__global__ void __launch_bounds__(kKeptThreads)
    write_exact(Klt codec, Vectors x, KltWork work, SizedSection exact) {
  const KeptPage at = page_of_block(codec, x.tokens);
  const std::int64_t first_record = kept_before(codec, at, work);
  const int mine = at.vectors - static_cast<int>(work.vectors[blockIdx.x]);
  const std::int64_t record_bytes = 4 + 2 * codec.dim;
  if (at.first + at.vectors == tokens_of_head(codec.counts, x.tokens, at.head) &&
      threadIdx.x == 0) {
    exact.sizes[at.head] = static_cast<std::uint64_t>((first_record + mine) * record_bytes);
  }
  if (mine == 0) return;
  std::uint8_t* section = exact.place.data + at.head * exact.place.stride;
  for_each_kept(at, work.kept + at.first_group, first_record, [&](int vector, std::int64_t record) {
    const std::int64_t token = at.first + vector,
                       from = token * x.token_stride + begin_of_head(x, at.head);
    auto* words = reinterpret_cast<std::uint32_t*>(section + record * record_bytes);
    const bool finite = is_finite_vector(x, from);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (lane == 0) words[0] = static_cast<std::uint32_t>(token);
    for (int i = 8 * lane; i < codec.dim; i += 256) {
      float v[8];
      load8(x, from + i, v);
#pragma unroll
      for (int c = 0; c < 8; c += 2) words[1 + (i + c) / 2] = pair_of(v + c, finite);
    }
  });
}

__global__ void __launch_bounds__(kKeptThreads)
    read_exact(Klt codec, std::int64_t tokens, int blocks, SizedSection exact, KltWork work,
               std::uint32_t* flags) {
  const std::int64_t head = blockIdx.x / static_cast<unsigned>(blocks);
  const int lane = static_cast<int>(threadIdx.x) % 32,
            warp = static_cast<int>(blockIdx.x) % blocks * (kKeptThreads / 32) +
                   static_cast<int>(threadIdx.x) / 32;
  const std::uint64_t bytes = exact.sizes[head];
  const std::int64_t record_bytes = 4 + 2 * codec.dim,
                     here = tokens_of_head(codec.counts, tokens, head);
  const bool fits = bytes % record_bytes == 0 && bytes <= std::uint64_t(here) * record_bytes;
  const std::int64_t records = fits ? static_cast<std::int64_t>(bytes) / record_bytes : 0;
  std::uint32_t found = fits ? 0u : static_cast<std::uint32_t>(kBadExact);
  const std::uint8_t* section = exact.place.data + head * exact.place.stride;
  for (std::int64_t record = warp; record < records; record += blocks * (kKeptThreads / 32)) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(section + record * record_bytes);
    const std::int64_t token = words[0];
    bool wrong = token >= here;
    if (record > 0) wrong = wrong || words[-static_cast<std::int64_t>(record_bytes / 4)] >= token;
    for (int i = lane; i < codec.dim / 2; i += 32) {
      const std::uint32_t pair = words[1 + i];
      wrong = wrong || (pair & 0x7f80u) == 0x7f80u || (pair & 0x7f800000u) == 0x7f800000u;
    }
    if (__ballot_sync(kAll, wrong) != 0) {
      found |= kBadExact;
    } else if (lane == 0) {
      atomicOr(work.kept + head * klt_groups(tokens) + token / 32, 1u << (token % 32));
    }
  }
  if (found != 0) atomicOr(flags + head, found);
}

__global__ void __launch_bounds__(kKeptThreads)
    put_exact(Klt codec, SizedSection exact, KltWork work, Vectors y) {
  const KeptPage at = page_of_block(codec, y.tokens);
  if (static_cast<int>(work.vectors[blockIdx.x]) == at.vectors) return;
  const std::int64_t record_bytes = 4 + 2 * codec.dim;
  const std::uint64_t bytes = exact.sizes[at.head],
                      most = static_cast<std::uint64_t>(y.tokens * record_bytes);
  const auto records = static_cast<std::int64_t>(bytes < most ? bytes : most) / record_bytes;
  const std::uint8_t* section = exact.place.data + at.head * exact.place.stride;
  const auto words_of = [&](std::int64_t record) {
    return reinterpret_cast<const std::uint32_t*>(section + record * record_bytes);
  };
  // Records of a damaged section may be out of order, so that one is not found.
  for_each_kept(at, work.kept + at.first_group, 0, [&](int vector, std::int64_t) {
    const std::int64_t token = at.first + vector;
    std::int64_t low = 0, high = records;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (words_of(middle)[0] < token)
        low = middle + 1;
      else
        high = middle;
    }
    const bool is_there = low < records && words_of(low)[0] == token;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int i = 8 * lane; i < codec.dim; i += 256) {
      float v[8];
#pragma unroll
      for (int c = 0; c < 8; c += 2) {
        const std::uint32_t pair = is_there ? words_of(low)[1 + (i + c) / 2] : 0u;
        v[c] = __uint_as_float(pair << 16), v[c + 1] = __uint_as_float(pair & 0xffff0000u);
      }
      store8(y, token * y.token_stride + begin_of_head(y, at.head) + i, v, 0x1p127f);
    }
  });
}

__global__ void __launch_bounds__(kKeptThreads)
    copy_exact(Klt codec, Vectors x, KltWork work, Vectors y) {
  const KeptPage at = page_of_block(codec, x.tokens);
  if (static_cast<int>(work.vectors[blockIdx.x]) == at.vectors) return;
  for_each_kept(at, work.kept + at.first_group, 0, [&](int vector, std::int64_t) {
    const std::int64_t token = at.first + vector,
                       from = token * x.token_stride + begin_of_head(x, at.head);
    const bool finite = is_finite_vector(x, from);
    for (int i = 8 * (static_cast<int>(threadIdx.x) % 32); i < codec.dim; i += 256) {
      float v[8];
      load8(x, from + i, v);
#pragma unroll
      for (int c = 0; c < 8; c += 2) {
        const std::uint32_t pair = pair_of(v + c, finite);
        v[c] = __uint_as_float(pair << 16), v[c + 1] = __uint_as_float(pair & 0xffff0000u);
      }
      store8(y, token * y.token_stride + begin_of_head(y, at.head) + i, v, 0x1p127f);
    }
  });
}

}  // namespace

void klt_settle(const Klt& codec, std::int64_t tokens, std::int64_t heads, const KltWork& work,
                bool move_up, Stream stream) {
  if (tokens == 0) return;
  KAKEYA_LAUNCH(settle_pages, kept_pages(codec, tokens, heads), kKeptThreads, stream, codec, tokens,
                heads, work, move_up);
}

void klt_write_exact(const Klt& codec, const Vectors& x, const KltWork& work,
                     const SizedSection& exact, Stream stream) {
  if (x.tokens == 0) return;
  KAKEYA_LAUNCH(write_exact, kept_pages(codec, x.tokens, x.heads), kKeptThreads, stream, codec, x,
                work, exact);
}

void klt_read_exact(const Klt& codec, std::int64_t tokens, std::int64_t heads,
                    const SizedSection& exact, const KltWork& work, std::uint32_t* flags,
                    Stream stream) {
  if (tokens == 0) return;
  const std::int64_t pages = kept_pages(codec, tokens, 1);
  const int blocks = static_cast<int>(pages < 64 ? pages : 64);
  KAKEYA_LAUNCH(read_exact, blocks * heads, kKeptThreads, stream, codec, tokens, blocks, exact,
                work, flags);
}

void klt_count(const Klt& codec, std::int64_t tokens, std::int64_t heads, const KltWork& work,
               Stream stream) {
  if (tokens == 0) return;
  KAKEYA_LAUNCH(count_pages, kept_pages(codec, tokens, heads), 32, stream, codec, tokens, work);
}

void klt_move_apart(const Klt& codec, std::int64_t tokens, std::int64_t heads, const KltWork& work,
                    Stream stream) {
  if (tokens == 0) return;
  KAKEYA_LAUNCH(move_apart, kept_pages(codec, tokens, heads), kKeptThreads, stream, codec, tokens,
                work);
}

void klt_put_exact(const Klt& codec, const SizedSection& exact, const KltWork& work,
                   const Vectors& y, Stream stream) {
  if (y.tokens == 0) return;
  KAKEYA_LAUNCH(put_exact, kept_pages(codec, y.tokens, y.heads), kKeptThreads, stream, codec, exact,
                work, y);
}

void klt_copy_exact(const Klt& codec, const Vectors& x, const KltWork& work, const Vectors& y,
                    Stream stream) {
  if (y.tokens == 0) return;
  KAKEYA_LAUNCH(copy_exact, kept_pages(codec, y.tokens, y.heads), kKeptThreads, stream, codec, x,
                work, y);
}

}  // namespace kakeya::kernels
