// SPDX-License-Identifier: Apache-2.0
// Vectors that ece8, ecd4 and ecz keep beside the code, as they are (codec/exact_vectors.h).
#include "kernels/entropy_coded.h"
#include "kernels/heads.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kExactThreads = 256, kExactWarps = kExactThreads / 32;

__host__ __device__ constexpr std::int64_t exact_record_bytes(int dim) { return 4 + 4 * dim; }

// The bits of words [0, count), by a warp.
__device__ __forceinline__ std::int64_t bits_of_words(const std::uint32_t* words,
                                                      std::int64_t count) {
  int bits = 0;
  for (std::int64_t k = threadIdx.x % 32; k < count; k += 32) bits += __popc(words[k]);
#pragma unroll
  for (int lanes = 1; lanes < 32; lanes *= 2) bits += __shfl_xor_sync(kAll, bits, lanes);
  return bits;
}

// A vector as bits of float32, a warp's lane every 256 coordinates; zeros where it is not finite.
__device__ __forceinline__ void put_record(const Vectors& x, std::int64_t from,
                                           std::uint32_t number, std::uint32_t* record) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  float v[2][8];
  bool finite = true;
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const int i = 256 * k + 8 * lane;
    if (i >= x.dim) continue;
    load8(x, from + i, v[k]);
    finite = finite && largest8(v[k]) < 0x7f800000u;
  }
  finite = __ballot_sync(kAll, !finite) == 0;
  if (lane == 0) record[0] = number;
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const int first = 256 * k + 8 * lane;
    if (first >= x.dim) continue;
#pragma unroll
    for (int i = 0; i < 8; ++i) record[1 + first + i] = finite ? __float_as_uint(v[k][i]) : 0u;
  }
}

// A block a page of a head.
__global__ void __launch_bounds__(kExactThreads)
    write_records(EntropyCoded codec, Vectors x, SizedSection exact, EntropyCodedWork work) {
  const std::int64_t pages = (x.tokens + codec.page - 1) / codec.page, head = blockIdx.x / pages,
                     page = blockIdx.x - head * pages;
  const std::int64_t groups = klt_groups(x.tokens), first = page * codec.page / 32,
                     left = groups - first, here = left < codec.page / 32 ? left : codec.page / 32;
  const std::uint32_t* kept = work.kept + head * groups;
  std::int64_t record = bits_of_words(kept, first);
  const std::int64_t record_bytes = exact_record_bytes(codec.dim),
                     end = record + bits_of_words(kept + first, here);
  if (page == pages - 1 && threadIdx.x == 0) {
    exact.sizes[head] = static_cast<std::uint64_t>(end * record_bytes);
  }
  if (record == end) return;
  std::uint8_t* section = exact.place.data + head * exact.place.stride;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  for (std::int64_t g = first; g < first + here; ++g) {
    for (std::uint32_t bits = kept[g]; bits != 0; bits &= bits - 1, ++record) {
      if (record % kExactWarps != warp) continue;
      const std::int64_t token = 32 * g + __ffs(static_cast<int>(bits)) - 1;
      put_record(x, token * x.token_stride + begin_of_head(x, head),
                 static_cast<std::uint32_t>(token),
                 reinterpret_cast<std::uint32_t*>(section + record * record_bytes));
    }
  }
}

// Some blocks a head, a warp a record.
__global__ void __launch_bounds__(kExactThreads)
    put_records(EntropyCoded codec, SizedSection exact, int blocks, Vectors y,
                std::uint32_t* flags) {
  const std::int64_t head = blockIdx.x / static_cast<unsigned>(blocks);
  const int lane = static_cast<int>(threadIdx.x) % 32,
            warp = static_cast<int>(blockIdx.x % static_cast<unsigned>(blocks)) * kExactWarps +
                   static_cast<int>(threadIdx.x) / 32;
  const std::int64_t record_bytes = exact_record_bytes(codec.dim);
  const std::int64_t tokens = tokens_of_head(y, head);
  const std::uint64_t bytes = exact.sizes[head];
  const bool fits = bytes % static_cast<std::uint64_t>(record_bytes) == 0 &&
                    bytes <= static_cast<std::uint64_t>(tokens * record_bytes);
  const std::int64_t records = fits ? static_cast<std::int64_t>(bytes) / record_bytes : 0;
  bool found = !fits;
  const std::uint8_t* section = exact.place.data + head * exact.place.stride;
  for (std::int64_t record = warp; record < records; record += blocks * kExactWarps) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(section + record * record_bytes);
    const std::int64_t token = words[0];
    bool wrong = token >= tokens;
    if (record > 0) wrong = wrong || words[-(record_bytes / 4)] >= token;
    for (int i = lane; i < codec.dim; i += 32) {
      wrong = wrong || (words[1 + i] & 0x7fffffffu) >= 0x7f800000u;
    }
    if (__ballot_sync(kAll, wrong) != 0) {
      found = true;
      continue;
    }
    for (int first = 8 * lane; first < codec.dim; first += 256) {
      float v[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) v[i] = __uint_as_float(words[1 + first + i]);
      store8(y, token * y.token_stride + begin_of_head(y, head) + first, v, 0x1p127f);
    }
  }
  if (found) atomicOr(flags + head, static_cast<std::uint32_t>(kBadExact));
}

}  // namespace

void write_exact_vectors(const EntropyCoded& codec, const Vectors& x,
                         const EntropyCodedSections& out, const EntropyCodedWork& work,
                         Stream stream) {
  if (x.tokens == 0) return;
  const std::int64_t pages = (x.tokens + codec.page - 1) / codec.page;
  KAKEYA_LAUNCH(write_records, pages * x.heads, kExactThreads, stream, codec, x, out.exact, work);
}

void put_exact_vectors(const EntropyCoded& codec, const EntropyCodedSections& in, const Vectors& y,
                       std::uint32_t* flags, Stream stream) {
  const std::int64_t pages = (y.tokens + codec.page - 1) / codec.page;
  const int blocks = static_cast<int>(pages < 1 ? 1 : (pages < 64 ? pages : 64));
  KAKEYA_LAUNCH(put_records, blocks * y.heads, kExactThreads, stream, codec, in.exact, blocks, y,
                flags);
}

}  // namespace kakeya::kernels
