// SPDX-License-Identifier: Apache-2.0
// Pages of fields to points: a block of threads a page, a warp for each 128 vectors of it.
#include <algorithm>

#include "kakeya/lattice/trellis.h"
#include "kernels/fields.cuh"
#include "kernels/fields.h"
#include "kernels/pages_launch.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kMostDecodeGroups = static_cast<int>(kMostFieldDim / kFieldGroup);
constexpr int kMostDecodeBlocks = 4096 / static_cast<int>(kFieldBlock);
constexpr int kMostDecodeWarps = 8;
constexpr std::int32_t kMostFieldTwice = 1 << 22;

// What the header of a page says.
struct OpenFields {
  int code[kMostDecodeGroups], list[kMostDecodeGroups], shift_at[kMostDecodeGroups];
  int before[kFieldPlanes][kMostDecodeGroups];  // units of other groups
  int units[kFieldPlanes];
  std::uint32_t of_list[kFieldLists][kMostDecodeGroups];
  int of_list_count[kFieldLists], entry_bits[kFieldLists];
  std::int64_t counts_at, fields_at, block_bytes, lists_at[kMostDecodeBlocks + 1];
  std::uint32_t bad[3];  // found by one step after another
  __device__ __forceinline__ bool is_bad() const { return (bad[0] | bad[1] | bad[2]) != 0; }
};

__device__ __forceinline__ PlaneRows plane_rows_of(const int (&units)[kFieldPlanes], int vectors) {
  const auto registers = static_cast<int>(field_registers(static_cast<std::size_t>(vectors)));
  PlaneRows rows;
  rows.row[0] = 0;
#pragma unroll
  for (int p = 0; p < static_cast<int>(kFieldPlanes); ++p) {
    rows.row[p + 1] =
        rows.row[p] + static_cast<int>(plane_rows(static_cast<std::size_t>(units[p] * registers),
                                                  static_cast<std::size_t>(p)));
  }
  return rows;
}

__device__ __forceinline__ std::uint32_t word_at(const std::uint8_t* page, std::int64_t at) {
  return *reinterpret_cast<const std::uint32_t*>(page + at);
}

// Reads the header, by all threads of a block. `page` is a multiple of 4.
__device__ void open_fields(const std::uint8_t* page, std::int64_t bytes, int dim, int vectors,
                            OpenFields& open) {
  const int thread = static_cast<int>(threadIdx.x), groups = dim / 8;
  const int flags_at = 4 + groups, fixed = flags_at + (groups + 7) / 8;
  if (thread == 0) {
    bool bad = reinterpret_cast<std::uintptr_t>(page) % 4 != 0 || bytes < fixed;
    if (!bad) {
      const std::uint32_t first = word_at(page, 0);
      bad = (first >> 12 & 15u) != 0 || static_cast<int>(first >> 16) + 1 != vectors;
      for (int list = 0; list < 3; ++list) {
        const int bits = static_cast<int>(first >> (4 * list) & 15u);
        open.entry_bits[list] = bits;
        bad = bad || (bits != 0 && (bits < static_cast<int>(kLeastEntryBits) ||
                                    bits > static_cast<int>(kMostEntryBits)));
      }
    }
    open.bad[0] = bad ? 1u : 0u;
    open.bad[1] = open.bad[2] = 0;
  }
  __syncthreads();
  if (open.bad[0] != 0) return;
  std::uint64_t shifted = 0;
  for (int g = 0; g < groups; g += 8) {
    std::uint64_t eight = page[flags_at + g / 8];
    if (groups - g < 8) eight &= (1u << (groups - g)) - 1u;
    shifted |= eight << g;
  }
  const auto shifts = static_cast<int>(__popc(static_cast<std::uint32_t>(shifted)) +
                                       __popc(static_cast<std::uint32_t>(shifted >> 32)));
  const std::int64_t header = (fixed + 8 * shifts + 3) / 4 * 4;
  bool wrong = bytes < header;
  for (int g = thread; g < groups; g += static_cast<int>(blockDim.x)) {
    const int byte = page[4 + g];
    const std::uint64_t below = shifted & ((std::uint64_t{1} << g) - 1u);
    open.code[g] = byte & 63;
    open.list[g] = byte >> 6;
    open.shift_at[g] = (shifted >> g & 1u) != 0
                           ? fixed + 8 * (__popc(static_cast<std::uint32_t>(below)) +
                                          __popc(static_cast<std::uint32_t>(below >> 32)))
                           : -1;
    wrong = wrong || (byte & 63) >= static_cast<int>(kFieldCodes);
  }
  if (wrong) atomicOr(&open.bad[1], 1u);
  __syncthreads();
  if (open.bad[1] != 0) return;
  if (thread < static_cast<int>(kFieldPlanes)) {
    int units = 0;
    for (int g = 0; g < groups; ++g) {
      open.before[thread][g] = units;
      units += static_cast<int>(
          plane_units(static_cast<std::size_t>(open.code[g]), static_cast<std::size_t>(thread)));
    }
    open.units[thread] = units;
  } else if (thread < static_cast<int>(kFieldPlanes + kFieldLists)) {
    const int list = thread - static_cast<int>(kFieldPlanes);
    int count = 0;
    for (int g = 0; g < groups; ++g) {
      if (open.list[g] != list) continue;
      open.of_list[list][count++] =
          list_group(g, field_levels(static_cast<std::size_t>(open.code[g])));
    }
    open.of_list_count[list] = count;
  }
  __syncthreads();
  if (thread != 0) return;
  const int blocks = (vectors + 127) / 128, last = vectors - 128 * (blocks - 1);
  open.counts_at = header;
  open.fields_at = header + 8 * blocks;
  open.block_bytes =
      static_cast<std::int64_t>(plane_rows_of(open.units, 128).row[kFieldPlanes]) * 128;
  std::int64_t at = open.fields_at + (blocks - 1) * open.block_bytes +
                    std::int64_t{128} * plane_rows_of(open.units, last).row[kFieldPlanes];
  bool bad = bytes < at;
  for (int b = 0; b < blocks && !bad; ++b) {
    open.lists_at[b] = at;
    const FieldCountsOf counts =
        counts_of(word_at(page, header + 8 * b), word_at(page, header + 8 * b + 4));
    std::int64_t bits = std::int64_t{32} * counts.far;
    for (int list = 0; list < 3; ++list) {
      bits += std::int64_t{counts.near[list]} * open.entry_bits[list];
      bad = bad || (counts.near[list] != 0 && open.entry_bits[list] == 0);
    }
    at += (bits + 31) / 32 * 4;
  }
  open.lists_at[blocks] = at;
  open.bad[2] = bad || at != bytes ? 1u : 0u;
}

// Adds to the numbers of a block of a page, which are where its points will be.
struct AddNumbers {
  std::int32_t* twice;  // of the block's first vector
  int dim;
  __device__ __forceinline__ std::int32_t* place(int coordinate, int vector) const {
    return twice + (vector / 32 * dim + coordinate) * 32 + vector % 32;
  }
  __device__ __forceinline__ void operator()(const EntryTarget& target) const {
    atomicAdd(reinterpret_cast<std::uint32_t*>(place(target.coordinate, target.vector)),
              static_cast<std::uint32_t>(target.step));
  }
};

// The numbers of a block, by a warp; false where its lists are damaged.
__device__ __forceinline__ bool take_block(const FieldPages& codec, const OpenFields& open,
                                           const std::uint8_t* page, int block, int vectors,
                                           const AddNumbers& numbers) {
  const int lane = static_cast<int>(threadIdx.x) % 32, groups = codec.dim / 8;
  const int registers = (vectors + 15) / 16;
  const PlaneRows planes = plane_rows_of(open.units, vectors);
  const auto* fields =
      reinterpret_cast<const std::uint32_t*>(page + open.fields_at + block * open.block_bytes);
  for (int g = 0; g < groups; ++g) {
    const int code = open.code[g], half = field_levels(static_cast<std::size_t>(code)) / 2;
    for (int r = 0; r < registers; ++r) {
      std::uint32_t u[4];
      take_register(
          fields, planes, code, [&](int plane) { return open.before[plane][g]; }, registers, r,
          lane, u);
#pragma unroll
      for (int b = 0; b < 4; ++b) {
        const int slot = 4 * r + b;
        const int c = codec.values ? lane / 4 : 2 * (lane % 4) + slot % 2,
                  vector = codec.values ? lane % 4 + 4 * slot : lane / 4 + 8 * (slot / 2);
        if (vector >= vectors) continue;
        const int shift =
            open.shift_at[g] < 0 ? 0 : static_cast<std::int8_t>(page[open.shift_at[g] + c]);
        *numbers.place(8 * g + c, vector) = static_cast<std::int32_t>(u[b]) - half + shift;
      }
    }
  }
  __threadfence();
  __syncwarp();
  const FieldCountsOf counts = counts_of(word_at(page, open.counts_at + 8 * block),
                                         word_at(page, open.counts_at + 8 * block + 4));
  const auto* words = reinterpret_cast<const std::uint32_t*>(page + open.lists_at[block]);
  const auto ends =
      static_cast<std::uint32_t>((open.lists_at[block + 1] - open.lists_at[block]) / 4);
  bool good = for_far_entries(
      words, counts.far, codec.dim, vectors, lane,
      [&](int g) { return field_levels(static_cast<std::size_t>(open.code[g])); }, numbers);
  std::uint32_t bit = 32 * counts.far;
  for (int list = 0; list < 3; ++list) {
    const auto count = static_cast<int>(counts.near[list]);
    if (count == 0) continue;
    good = for_entries({words, ends - 1, bit, open.entry_bits[list], count, open.of_list[list],
                        open.of_list_count[list], inverse_of_vectors(vectors)},
                       vectors, lane, numbers) &&
           good;
    bit += static_cast<std::uint32_t>(count * open.entry_bits[list]);
  }
  __threadfence();
  return __ballot_sync(kAll, !good) == 0;
}

// Twice the point of a vector in the place of its numbers, by a lane: what FieldCoder::from_numbers() makes
// of them. False where a coordinate is beyond 2^21.
__device__ __forceinline__ bool take_point(PageLattice lattice, std::int32_t* vector, int dim) {
  bool good = true;
  std::uint32_t state = 0;
  std::int32_t half = 0;
  for (int i = dim - 1; i >= 0; --i) {
    std::int32_t number = vector[32 * i];
    if (lattice == PageLattice::e8 && i % 8 == 7) {
      std::int32_t sum = 0;
      for (int j = i - 7; j < i; ++j) sum ^= vector[32 * j];
      half = number & 1;
      number = (number & ~1) | (sum & 1);
    }
    if (lattice == PageLattice::trellis) half = static_cast<std::int32_t>(trellis_parity(state));
    const std::int64_t doubled = std::int64_t{2} * number + half;
    if (doubled > kMostFieldTwice || doubled < -kMostFieldTwice) {
      good = false;
      break;
    }
    state = next_trellis_state(state, static_cast<std::int32_t>(doubled));
    vector[32 * i] = static_cast<std::int32_t>(doubled);
  }
  return good;
}

__global__ void __launch_bounds__(32 * kMostDecodeWarps)
    decode_field_pages(FieldPages codec, PageSections in, PagePoints points, std::int64_t tokens,
                       const std::uint64_t* starts, std::uint32_t* flags) {
  __shared__ OpenFields open;
  __shared__ std::uint32_t bad_lists, bad_points;
  const int warps = static_cast<int>(blockDim.x) / 32, warp = static_cast<int>(threadIdx.x) / 32,
            lane = static_cast<int>(threadIdx.x) % 32;
  const auto pages = static_cast<unsigned>(points.pages);
  const std::int64_t head = blockIdx.x / pages, number = blockIdx.x % pages;
  const std::int64_t left = tokens_of_head(codec.counts, tokens, head) - number * points.page;
  const int vectors = left < points.page ? static_cast<int>(left) : points.page;
  std::int32_t* const twice =
      points.twice + head * points.head_stride + number * points.page * codec.dim;
  const std::uint64_t begin = starts[head * (points.pages + 1) + number],
                      end = starts[head * (points.pages + 1) + number + 1];
  const bool there = end != ~std::uint64_t{0};
  const std::uint8_t* page = in.streams + head * in.stream_stride + (there ? begin : 0);
  open_fields(page, there ? static_cast<std::int64_t>(end - begin) : 0, codec.dim, vectors, open);
  if (threadIdx.x == 0) bad_lists = bad_points = 0;
  __syncthreads();
  const bool opened = !open.is_bad();
  if (opened) {
    for (int block = warp; block < (vectors + 127) / 128; block += warps) {
      const int here = vectors - 128 * block < 128 ? vectors - 128 * block : 128;
      const AddNumbers numbers{twice + std::int64_t{128} * block * codec.dim, codec.dim};
      if (!take_block(codec, open, page, block, here, numbers) && lane == 0) {
        atomicOr(&bad_lists, 1u);
      }
    }
  }
  __syncthreads();
  for (int g = warp; opened && bad_lists == 0 && g < points.page / 32; g += warps) {
    std::int32_t* const vector = twice + std::int64_t{32} * g * codec.dim + lane;
    if (32 * g + lane < vectors) {
      if (!take_point(codec.lattice, vector, codec.dim)) atomicOr(&bad_points, 1u);
    } else {
      for (int i = 0; i < codec.dim; ++i) vector[32 * i] = 0;
    }
  }
  __syncthreads();
  if (opened && (bad_lists | bad_points) == 0) return;
  for (int i = static_cast<int>(threadIdx.x); i < points.page * codec.dim; i += 32 * warps) {
    twice[i] = 0;
  }
  if (there && threadIdx.x == 0) atomicOr(flags + head, static_cast<std::uint32_t>(kBadPage));
}

}  // namespace

std::size_t field_decode_workspace(const PagePoints& points, int heads) {
  return page_decode_workspace(points, heads);
}

void decode_fields(const FieldPages& codec, const PageSections& in, const PagePoints& points,
                   std::int64_t tokens, void* workspace, std::uint32_t* flags, Stream stream) {
  if (codec.heads == 0 || points.pages == 0) return;
  auto* starts = static_cast<std::uint64_t*>(workspace);
  locate_pages(codec.heads, points.pages, in, starts, flags, stream);
  const int warps = std::clamp((points.page + 127) / 128, 1, kMostDecodeWarps);
  KAKEYA_LAUNCH(decode_field_pages, points.pages * codec.heads, static_cast<unsigned>(32 * warps),
                stream, codec, in, points, tokens, starts, flags);
}

}  // namespace kakeya::kernels
