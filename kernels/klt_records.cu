// SPDX-License-Identifier: Apache-2.0
// klt: the section "exact", records of vectors that are kept beside the code.
#include "kernels/klt_kept.cuh"

namespace kakeya::kernels {
namespace {

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

constexpr int kMostReadThreads = 1024;

// Which vectors the records of a head say, and how many are left for its pages, by a block a head.
__global__ void __launch_bounds__(kMostReadThreads)
    read_exact(Klt codec, std::int64_t tokens, SizedSection exact, KltWork work,
               std::uint32_t* flags) {
  const std::int64_t head = blockIdx.x, groups = klt_groups(tokens);
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32,
            warps = static_cast<int>(blockDim.x) / 32;
  std::uint32_t* const kept = work.kept + head * groups;
  for (std::int64_t g = threadIdx.x; g < groups; g += blockDim.x) kept[g] = 0;
  const std::uint64_t bytes = exact.sizes[head];
  const std::int64_t record_bytes = 4 + 2 * codec.dim,
                     here = tokens_of_head(codec.counts, tokens, head);
  const bool fits = bytes % record_bytes == 0 && bytes <= std::uint64_t(here) * record_bytes;
  const std::int64_t records = fits ? static_cast<std::int64_t>(bytes) / record_bytes : 0;
  std::uint32_t found = fits ? 0u : static_cast<std::uint32_t>(kBadExact);
  const std::uint8_t* section = exact.place.data + head * exact.place.stride;
  __syncthreads();
  for (std::int64_t record = warp; record < records; record += warps) {
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
      atomicOr(kept + token / 32, 1u << (token % 32));
    }
  }
  if (found != 0) atomicOr(flags + head, found);
  __syncthreads();
  const std::int64_t pages = (tokens + codec.page - 1) / codec.page;
  for (std::int64_t page = threadIdx.x; page < pages; page += blockDim.x) {
    const KeptPage at = page_of(codec, tokens, head * pages + page);
    int vectors = at.vectors;
    for (int g = 0; records != 0 && g < at.groups; ++g) vectors -= __popc(kept[at.first / 32 + g]);
    work.vectors[head * pages + page] = static_cast<std::uint32_t>(vectors);
  }
}

// Writes a kept vector, by a warp: of(i, pairs) gives scalars [i, i + 8) as bfloat16, two a word.
template <typename Of>
__device__ __forceinline__ void put_pairs(const Klt& codec, const KeptPage& at, const Vectors& y,
                                          std::int64_t token, const Of& of) {
  for (int i = 8 * (static_cast<int>(threadIdx.x) % 32); i < codec.dim; i += 256) {
    std::uint32_t pairs[4];
    of(i, pairs);
    float v[8];
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      v[2 * c] = __uint_as_float(pairs[c] << 16);
      v[2 * c + 1] = __uint_as_float(pairs[c] & 0xffff0000u);
    }
    store8(y, token * y.token_stride + begin_of_head(y, at.head) + i, v, 0x1p127f);
  }
}

// The kept vectors of a page, by a block.
__device__ __forceinline__ void put_exact_of(const Klt& codec, const KeptPage& at,
                                             const SizedSection& exact, const KltWork& work,
                                             const Vectors& y) {
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
    put_pairs(codec, at, y, token, [&](int i, std::uint32_t(&pairs)[4]) {
#pragma unroll
      for (int c = 0; c < 4; ++c) pairs[c] = is_there ? words_of(low)[1 + i / 2 + c] : 0u;
    });
  });
}

__global__ void __launch_bounds__(kKeptThreads)
    put_exact(Klt codec, std::int64_t all, SizedSection exact, KltWork work, Vectors y) {
  for_pages_with_kept(codec, y.tokens, all, work,
                      [&](const KeptPage& at) { put_exact_of(codec, at, exact, work, y); });
}

// The same from the vectors themselves.
__device__ __forceinline__ void copy_exact_of(const Klt& codec, const KeptPage& at,
                                              const Vectors& x, const KltWork& work,
                                              const Vectors& y) {
  for_each_kept(at, work.kept + at.first_group, 0, [&](int vector, std::int64_t) {
    const std::int64_t token = at.first + vector,
                       from = token * x.token_stride + begin_of_head(x, at.head);
    const bool finite = is_finite_vector(x, from);
    put_pairs(codec, at, y, token, [&](int i, std::uint32_t(&pairs)[4]) {
      float v[8];
      load8(x, from + i, v);
#pragma unroll
      for (int c = 0; c < 4; ++c) pairs[c] = pair_of(v + 2 * c, finite);
    });
  });
}

__global__ void __launch_bounds__(kKeptThreads)
    copy_exact(Klt codec, std::int64_t all, Vectors x, KltWork work, Vectors y) {
  for_pages_with_kept(codec, y.tokens, all, work,
                      [&](const KeptPage& at) { copy_exact_of(codec, at, x, work, y); });
}

}  // namespace

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
  const int threads = tokens < 8 * kMostReadThreads ? kKeptThreads : kMostReadThreads;
  KAKEYA_LAUNCH(read_exact, heads, threads, stream, codec, tokens, exact, work, flags);
}

void klt_put_exact(const Klt& codec, const SizedSection& exact, const KltWork& work,
                   const Vectors& y, Stream stream) {
  if (y.tokens == 0) return;
  KAKEYA_LAUNCH(put_exact, kept_blocks(codec, y.tokens, y.heads), kKeptThreads, stream, codec,
                kept_pages(codec, y.tokens, y.heads), exact, work, y);
}

void klt_copy_exact(const Klt& codec, const Vectors& x, const KltWork& work, const Vectors& y,
                    Stream stream) {
  if (y.tokens == 0) return;
  KAKEYA_LAUNCH(copy_exact, kept_blocks(codec, y.tokens, y.heads), kKeptThreads, stream, codec,
                kept_pages(codec, y.tokens, y.heads), x, work, y);
}

}  // namespace kakeya::kernels
