// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/attention_queries.cuh"
#include "kernels/byte_products.cuh"
#include "kernels/field_attention.h"
#include "kernels/field_lists.cuh"
#include "kernels/field_planes.cuh"

// What a warp does with the keys and the values of a page of fields. As in attention.cuh queries and
// weights are whole numbers in two digits, a column each, with a lane of g = lane / 4 and k = lane % 4
// having head k of a set. Lists add to scores, and to sums of values, in shared memory.
//
//   keys     a register times the query at its lower two bytes, then at its upper two: tokens g + 8 i
//   values   four registers of a group, of 32 tokens each two: coordinate 8 group + g

namespace kakeya::kernels {
namespace {

/// Warps of a block at most: as many as have registers.
template <int kDim, int kSets>
constexpr int kFieldWarps = kDim < 128 ? 16 : (kDim < 256 ? 12 : 8);

/// A warp's own, beside its pages.
template <int kDim, int kSets>
struct FieldWarp {
  static constexpr int kHeads = 4 * kSets, kLong = (kDim > kFieldTokens ? kDim : kFieldTokens) + 8;
  alignas(16) std::uint32_t
      sum[kHeads][kLong];  ///< of keys of a token, of values of a coordinate; modulo 2^32
  alignas(16) std::int16_t weight[kFieldTokens][kHeads];
  FieldGroups<kDim> groups;
};

/// A block's, of up to kMostWarps warps.
template <int kDim, int kSets, int kMostWarps = kFieldWarps<kDim, kSets>>
struct FieldShared {
  static constexpr int kHeads = 4 * kSets;
  std::uint64_t barrier[2 * kMostWarps];
  alignas(16) std::int16_t number[kDim][kHeads];          ///< of the transformed query
  alignas(16) std::int32_t group_sum[kDim / 8][kHeads];   ///< of these
  alignas(16) std::uint8_t digit[kSets][kDim / 8][8][8];  ///< [group][2 head + digit][coordinate]
  alignas(16) float query[kHeads][kDim];                  ///< as given; at the end sums of values
  float step[kHeads], offset[kHeads];  ///< of a unit of a query's number; what every score has more
  float most[kMostWarps][kHeads], total[kMostWarps][kHeads], packed[kMostWarps][kHeads],
      share[kMostWarps][kHeads];
  std::uint32_t turn;
};

/// Running<kDim> of attention.cuh with sum[group] of coordinate 8 group + g, and
template <int kDim>
struct FieldRunning : Running<kDim> {
  float packed = 0.0f;  ///< of `total`, those of tokens in pages
};

/// How many slices of rows multiply_matrix() has with so many threads: a thread has four columns of one.
template <int kDim>
__host__ __device__ constexpr int matrix_slices(int threads) {
  return threads < kDim / 4 ? 1 : threads / (kDim / 4);
}

/// The first rows of a thread's slice of a matrix.
template <int kDim>
struct MatrixRows {
  static constexpr int kRows = 8;
  float4 row[kRows];

  /// Loads them. A kernel begins and ends with a matrix, so that loads begin as early as may be.
  __device__ __forceinline__ void load(const float* matrix, int first) {
    const int slices = matrix_slices<kDim>(static_cast<int>(blockDim.x)),
              slice = static_cast<int>(threadIdx.x) / (kDim / 4),
              j = 4 * (static_cast<int>(threadIdx.x) % (kDim / 4));
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const int i = slice + (first + k) * slices;
      row[k] = i < kDim && slice < slices
                   ? __ldg(reinterpret_cast<const float4*>(matrix + i * kDim + j))
                   : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
  }
};

/// Parts of in[head][i] times matrix[i][j], of a slice of i each, for all heads: parts[slice][head][j].
/// By all threads; returns how many slices there are. `rows`: of load(matrix, 0).
template <int kDim, int kHeads>
__device__ __forceinline__ int multiply_matrix(const float* matrix, MatrixRows<kDim>& rows,
                                               const float (&in)[kHeads][kDim], float* parts) {
  constexpr int kRows = MatrixRows<kDim>::kRows;
  const int threads = static_cast<int>(blockDim.x), slices = matrix_slices<kDim>(threads),
            slice = static_cast<int>(threadIdx.x) / (kDim / 4),
            j = 4 * (static_cast<int>(threadIdx.x) % (kDim / 4));
  if (threads < kDim / 4) {
    // A few threads, of small blocks: columns in turn.
    for (int column = static_cast<int>(threadIdx.x); column < kDim; column += threads) {
      for (int h = 0; h < kHeads; ++h) {
        float sum = 0.0f;
        for (int i = 0; i < kDim; ++i) sum = __fmaf_rn(matrix[i * kDim + column], in[h][i], sum);
        parts[h * kDim + column] = sum;
      }
    }
    return 1;
  }
  if (slice >= slices) return slices;
  float4 sum[kHeads] = {};
#pragma unroll 1
  for (int first = 0; first * slices < kDim; first += kRows) {
    if (first != 0) rows.load(matrix, first);
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const int row = slice + (first + k) * slices, i = row < kDim ? row : slice;
      const float4& by = rows.row[k];
#pragma unroll
      for (int h = 0; h < kHeads; ++h) {
        const float value = in[h][i];
        sum[h].x = __fmaf_rn(by.x, value, sum[h].x);
        sum[h].y = __fmaf_rn(by.y, value, sum[h].y);
        sum[h].z = __fmaf_rn(by.z, value, sum[h].z);
        sum[h].w = __fmaf_rn(by.w, value, sum[h].w);
      }
    }
  }
#pragma unroll
  for (int h = 0; h < kHeads; ++h) {
    *reinterpret_cast<float4*>(parts + (slice * kHeads + h) * kDim + j) = sum[h];
  }
  return slices;
}

/// Queries of a KV head as given, and the digits of their transforms. `parts`: of multiply_matrix(), `rows` of the head's
/// matrix of keys.
template <int kDim, int kSets, int kMostWarps>
__device__ __forceinline__ void load_field_queries(const AttendCall& call,
                                                   const FieldTransforms& transforms,
                                                   const Unit& unit, MatrixRows<kDim>& rows,
                                                   float* parts,
                                                   FieldShared<kDim, kSets, kMostWarps>& shared) {
  constexpr int kHeads = 4 * kSets, kEach = kDim / 32;
  const int threads = static_cast<int>(blockDim.x), thread = static_cast<int>(threadIdx.x),
            warps = threads / 32, warp = thread / 32, lane = thread % 32;
  for (int i = thread; i < kHeads * kDim; i += threads) {
    const int g = i / kDim;
    float value = 0.0f;
    if (g < unit.count) {
      value = scalar_at(call.queries, unit.sequence * call.queries.token_stride +
                                          (unit.first + g) * call.queries.head_stride + i % kDim);
    }
    shared.query[g][i % kDim] = value;
  }
  __syncthreads();
  const int slices = multiply_matrix<kDim, kHeads>(
      transforms.keys + static_cast<std::int64_t>(unit.head) * kDim * kDim, rows, shared.query,
      parts);
  __syncthreads();
  for (int g = warp; g < kHeads; g += warps) {
    float v[kEach], most = 0.0f, mean = 0.0f;
#pragma unroll
    for (int n = 0; n < kEach; ++n) {
      const int j = 32 * n + lane;
      v[n] = 0.0f;
      for (int s = 0; s < slices; ++s) v[n] += parts[(s * kHeads + g) * kDim + j];
      most = fmaxf(most, fabsf(v[n]));
      mean =
          __fmaf_rn(shared.query[g][j], __ldg(transforms.key_means + unit.head * kDim + j), mean);
    }
#pragma unroll
    for (int half = 1; half < 32; half *= 2) {
      most = fmaxf(most, __shfl_xor_sync(kAll, most, half));
      mean += __shfl_xor_sync(kAll, mean, half);
    }
    const float digits = most > 0.0f ? kMostDigits / most : 0.0f;
#pragma unroll
    for (int n = 0; n < kEach; ++n) {
      const int j = 32 * n + lane;
      const auto number = static_cast<std::int32_t>(
          __float_as_uint(__fmaf_rn(v[n], digits, kShift)) - kShiftPattern);
      const std::int32_t high = (number + 128) >> 8;
      shared.number[j][g] = static_cast<std::int16_t>(number);
      std::uint8_t* const digit = &shared.digit[g / 4][j / 8][2 * (g % 4)][j % 8];
      digit[0] = static_cast<std::uint8_t>(high);
      digit[8] = static_cast<std::uint8_t>(number - 256 * high);
      std::int32_t eight = number;
#pragma unroll
      for (int half = 1; half < 8; half *= 2) eight += __shfl_xor_sync(kAll, eight, half);
      if (lane % 8 == 0) shared.group_sum[j / 8][g] = eight;
    }
    if (lane == 0) shared.step[g] = most / kMostDigits, shared.offset[g] = mean;
  }
}

/// What all scores of a page have more: shifts and the lower ends of fields, of this lane's head.
template <int kDim, int kSets>
__device__ __forceinline__ void page_offsets(const FieldPage& page, int lane,
                                             const FieldShared<kDim, kSets>& shared,
                                             std::int32_t (&offset)[kSets]) {
  constexpr int kHeads = 4 * kSets;
  std::int32_t sum[kHeads] = {};
  if (lane < kDim / 8) {
    const std::int32_t half = -(field_levels(static_cast<std::size_t>(page.code)) / 2);
#pragma unroll
    for (int h = 0; h < kHeads; ++h) sum[h] = half * shared.group_sum[lane][h];
    if ((page.shifted >> lane & 1u) != 0) {
      const std::int8_t* shifts = page.shifts + 8 * __popc(page.shifted & ((1u << lane) - 1u));
#pragma unroll 1
      for (int c = 0; c < 8; ++c) {
#pragma unroll
        for (int h = 0; h < kHeads; ++h) sum[h] += shifts[c] * shared.number[8 * lane + c][h];
      }
    }
  }
#pragma unroll
  for (int h = 0; h < kHeads; ++h) {
    const std::int32_t all = __reduce_add_sync(kAll, sum[h]);
    if (h % 4 == lane % 4) offset[h / 4] = all;
  }
}

/// An entry of keys changes a token's sums by its step times the query's coordinate, one of values a
/// coordinate's by its step times the token's weights.
template <int kSets, int kApart>
struct AddEntries {
  const std::int16_t* number;  // [coordinate or vector][4 kSets]
  std::uint32_t* sum;          // [4 kSets][kApart]
  bool of_keys;  // which read by coordinate and write by vector; values the other way round
  template <int kCount>
  __device__ __forceinline__ void operator()(const EntryTarget (&target)[kCount]) const {
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      // All loads and products before any sum, so that they overlap.
      std::uint32_t more[kCount][4];
#pragma unroll
      for (int j = 0; j < kCount; ++j) {
        const int from = of_keys ? target[j].coordinate : target[j].vector;
        const uint2 two = *reinterpret_cast<const uint2*>(number + 4 * (kSets * from + set));
        const auto step = static_cast<std::uint32_t>(target[j].step);
        more[j][0] = step * static_cast<std::uint32_t>(static_cast<std::int16_t>(two.x & 0xffffu));
        more[j][1] = step * static_cast<std::uint32_t>(static_cast<std::int32_t>(two.x) >> 16);
        more[j][2] = step * static_cast<std::uint32_t>(static_cast<std::int16_t>(two.y & 0xffffu));
        more[j][3] = step * static_cast<std::uint32_t>(static_cast<std::int32_t>(two.y) >> 16);
      }
#pragma unroll
      for (int j = 0; j < kCount; ++j) {
        const int to = of_keys ? target[j].vector : target[j].coordinate;
#pragma unroll
        for (int h = 0; h < 4; ++h) atomicAdd(sum + (4 * set + h) * kApart + to, more[j][h]);
      }
    }
  }
};

/// The weights of tokens 16 r + k + 4 b as operands, byte b of word r: digit g % 2 of head g / 2.
template <int kDim, int kSets>
__device__ __forceinline__ void weight_words(const FieldWarp<kDim, kSets>& warp, int lane,
                                             std::uint32_t (&word)[kSets][8]) {
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(&warp.weight[lane % 4][4 * set]) +
                       (lane / 4 ^ 1);  // little endian: the high digit is the second byte
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      std::uint32_t four[4];
#pragma unroll
      for (int b = 0; b < 4; ++b) four[b] = from[(16 * r + 4 * b) * 8 * kSets];
      word[set][r] =
          permute(permute(four[0], four[1], 0x0040), permute(four[2], four[3], 0x0040), 0x5410);
    }
  }
}

/// Sums of products of fields of keys with the queries' numbers, as take_fields() finds them: of tokens
/// g + 8 (4 pair + half) and 16 further on, two digits of each.
template <int kDim, int kSets>
struct KeySums {
  const std::uint8_t* digits;         ///< this lane's of group 0
  std::int32_t of[kSets][8][4] = {};  ///< [2 pair + half]

  __device__ __forceinline__ KeySums(const FieldShared<kDim, kSets>& shared, int lane)
      : digits(&shared.digit[0][0][lane / 4][2 * (lane % 4)]) {}
  /// Of a column the digits of the two coordinates that this lane has of a group.
  __device__ __forceinline__ std::uint32_t digits_of(int set, int group) const {
    return *reinterpret_cast<const std::uint16_t*>(digits + 64 * (set * kDim / 8 + group));
  }
  __device__ __forceinline__ void take_two(int group, int other, bool both,
                                           const std::uint32_t (&a)[8],
                                           const std::uint32_t (&b)[8]) {
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      const std::uint32_t first = digits_of(set, group), second = both ? digits_of(set, other) : 0u;
#pragma unroll
      for (int pair = 0; pair < 4; ++pair) {
        multiply_two<true>(a[2 * pair], a[2 * pair + 1], b[2 * pair], b[2 * pair + 1], first,
                           second, of[set][2 * pair]);
        multiply_two<true>(a[2 * pair], a[2 * pair + 1], b[2 * pair], b[2 * pair + 1], first << 16,
                           second << 16, of[set][2 * pair + 1]);
      }
    }
  }
  __device__ __forceinline__ void take_one(int group, const std::uint32_t (&u)[8]) {
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      const std::uint32_t both = digits_of(set, group);
#pragma unroll
      for (int pair = 0; pair < 4; ++pair) {
        multiply_keys(u[2 * pair], u[2 * pair + 1], both, of[set][2 * pair]);
        multiply_keys(u[2 * pair], u[2 * pair + 1], both << 16, of[set][2 * pair + 1]);
      }
    }
  }
  /// What was taken is of the byte above.
  __device__ __forceinline__ void begin_byte(int) {
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) of[set][i][j] *= 256;
      }
    }
  }
};

/// Adds to warp.sum, of coordinates 8 group + g, products of fields of values with the weights in `word`.
template <int kDim, int kSets>
struct ValueSums {
  const std::uint32_t (&word)[kSets][8];
  std::uint32_t* to;       ///< this lane's of group 0
  std::uint32_t unit = 1;  ///< of a field's byte

  __device__ __forceinline__ ValueSums(FieldWarp<kDim, kSets>& warp, int lane,
                                       const std::uint32_t (&weights)[kSets][8])
      : word(weights), to(&warp.sum[lane % 4][lane / 4]) {}
  __device__ __forceinline__ void add(int set, int group, std::int32_t high, std::int32_t low) {
    to[4 * set * FieldWarp<kDim, kSets>::kLong + 8 * group] +=
        unit * (static_cast<std::uint32_t>(high) * 256u + static_cast<std::uint32_t>(low));
  }
  __device__ __forceinline__ void take_two(int group, int other, bool both,
                                           const std::uint32_t (&a)[8],
                                           const std::uint32_t (&b)[8]) {
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      std::int32_t sums[4] = {};
#pragma unroll
      for (int r = 0; r < 8; r += 2) {
        multiply_two<false>(a[r], b[r], a[r + 1], b[r + 1], word[set][r], word[set][r + 1], sums);
      }
      add(set, group, sums[0], sums[1]);
      if (both) add(set, other, sums[2], sums[3]);
    }
  }
  __device__ __forceinline__ void take_one(int group, const std::uint32_t (&u)[8]) {
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      std::int32_t sums[4] = {};
#pragma unroll
      for (int r = 0; r < 8; r += 2) {
        multiply_values(u[r], u[r + 1], word[set][r], word[set][r + 1], sums);
      }
      add(set, group, sums[0], sums[1]);
    }
  }
  __device__ __forceinline__ void begin_byte(int byte) { unit = byte == 0 ? 1u : 256u; }
};

/// What the fields of a group have as their lower end, of coordinate 8 group + g.
template <int kDim>
__device__ __forceinline__ std::int32_t lower_end(const FieldPage& page,
                                                  const FieldGroups<kDim>& groups, int group,
                                                  int lane) {
  std::int32_t lower = -groups.half_levels[group];
  if ((page.shifted >> group & 1u) != 0) {
    lower += page.shifts[8 * __popc(page.shifted & ((1u << group) - 1u)) + lane / 4];
  }
  return lower;
}

/// What lists add to the sums of an open page, in warp.sum, otherwise 0. False where a lane found a damaged
/// list.
template <int kDim, int kSets>
__device__ __forceinline__ bool sum_lists(const FieldPage& page, bool of_keys, int lane,
                                          FieldWarp<kDim, kSets>& warp,
                                          const FieldShared<kDim, kSets>& shared, bool* beyond) {
  auto* const all = reinterpret_cast<uint4*>(&warp.sum[0][0]);
  static_assert(sizeof(warp.sum) % 16 == 0);
  for (int i = lane; i < static_cast<int>(sizeof(warp.sum) / 16); i += 32) all[i] = uint4{};
  __syncwarp();
  const AddEntries<kSets, FieldWarp<kDim, kSets>::kLong> add{
      of_keys ? &shared.number[0][0] : &warp.weight[0][0], &warp.sum[0][0], of_keys};
  const bool good = for_page_entries<kDim>(page, warp.groups, lane, add, beyond);
  __syncwarp();
  return good;
}

}  // namespace
}  // namespace kakeya::kernels
