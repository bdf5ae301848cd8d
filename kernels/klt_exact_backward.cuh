// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/bulk_copy.cuh"
#include "kernels/heads.cuh"
#include "kernels/klt_exact.cuh"
#include "kernels/klt_nearest.cuh"
#include "kernels/pages.cuh"
#include "kernels/shared_matrices.cuh"

// Points to vectors, product=exact. A warp has 32 vectors: their points come to shared memory, from there to registers as
// operands, and while it multiplies them with the matrix, which the block has in shared memory, those of its next ones come.

namespace kakeya::kernels {
namespace {

constexpr std::int32_t kMostWhole = 127 * 257;  // two digits

/// Shared memory of a block, and where in it parts begin: with kShared the matrix as klt_whole_place() has it; scales and
/// means of columns; a room for each warp, with the points of its vectors, place_of_chunk(), and which of them are kept.
template <int kOfSteps, bool kOfShared>
struct BackwardMemory {
  static constexpr bool kShared = kOfShared;
  static constexpr int kSteps = kOfSteps, kDim = 32 * kSteps;
  static constexpr int kMatrix = kShared ? 16 * 32 * 4 * kSteps * kSteps : 0, kPoints = 64 * kDim;
  static constexpr int kScales = kMatrix, kRooms = kMatrix + 8 * kDim, kRoom = kPoints + 16;
  static constexpr int bytes(int warps) { return kRooms + warps * kRoom; }

  /// Where the 16 bits of coordinate i of vectors 8 octet, ... are: eight coordinates 4 m + r are in different banks.
  static __device__ __forceinline__ int place_of_chunk(int i, int octet) {
    return 64 * i + 16 * (octet ^ (i / 4 % 4));
  }
};

/// Which of 32 vectors are written, of whom `left` are there.
__device__ __forceinline__ std::uint32_t wanted_vectors(std::uint32_t kept, int left) {
  return ~kept & (left < 32 ? (1u << left) - 1u : ~0u);
}

/// Begins to bring the points of a group, at `from` in memory, to `to` in shared memory (shared_number()).
template <typename Memory>
__device__ __forceinline__ void bring_points(const std::uint8_t* from, int dim, int lane,
                                             std::uint32_t to) {
  const int bytes = 64 * dim - 16 * lane;
  from += 16 * lane;
#pragma unroll
  for (int k = 0; k < Memory::kDim / 8; ++k) {
    const auto place = static_cast<std::uint32_t>(
        Memory::place_of_chunk(8 * (k % 2) + lane / 4, lane % 4) + 64 * 16 * (k / 2));
    if (512 * k < bytes) copy_piece(to + place, from + 512 * k);
  }
}

/// The same of numbers of 32 bits, at once; a lane has a vector.
template <typename Memory>
__device__ __forceinline__ void bring_wide_points(const std::int32_t* from, int dim, int lane,
                                                  std::uint8_t* to) {
#pragma unroll 16
  for (int i = 0; i < dim; ++i) {
    auto* const chunk = reinterpret_cast<std::int16_t*>(to + Memory::place_of_chunk(i, lane / 8));
    chunk[lane % 8] = PointMemory::in_16_bits(from[32 * i + lane]);
  }
}

/// Points of 16 vectors and 32 coordinates as an operand's digits, value = 256 high + low; `row`: those of this lane.
struct PointDigits {
  std::uint32_t low[4], high[4];

  __device__ __forceinline__ void load(const std::uint32_t (&row)[2]) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      std::uint32_t word[4];
      load_turned(row[half], word);
#pragma unroll
      for (int pair = 0; pair < 2; ++pair) {
        const std::uint32_t a = word[2 * pair], b = word[2 * pair + 1];
        const std::uint32_t digit = permute(a, b, 0x6420);
        low[half + 2 * pair] = digit;
        // A low digit below 0 is one more in the high one, which is 0 where both are alike.
        high[half + 2 * pair] = permute(a, b, 0x7531) ^ permute(digit, 0u, 0xba98);
      }
    }
  }
  /// Makes the high digits of what load() leaves in their place, which is 0 where they are.
  __device__ __forceinline__ void finish_high() {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t sign = permute(low[i], 0u, 0xba98);
      high[i] = __vsub4(high[i] ^ sign, sign);
    }
  }
};

/// A vector's columns [column, column + 8) from what their sums are rounded to.
template <typename Memory>
__device__ __forceinline__ void put_columns(const std::uint8_t* memory, int column, Scalar type,
                                            std::uint8_t* to, const float (&whole)[8]) {
  const auto* const scale = reinterpret_cast<const float*>(memory + Memory::kScales) + column;
  float x[8];
#pragma unroll
  for (int c = 0; c < 8; ++c) x[c] = whole[c] * scale[c] + scale[c + Memory::kDim];
  store8(Vectors{to, type}, 0, x, kBeyond);
}

/// A warp's vectors, whose points are there.
template <typename Memory>
struct BackwardRows {
  const std::uint8_t* memory;  ///< of the block
  const uint4* far_matrix;     ///< the matrix, where it is not there
  std::uint32_t points;        ///< of the warp
  int dim, lane;
  Scalar type;
  std::uint8_t* first;  ///< scalar 0 of vector lane / 4
  std::int64_t eight;   ///< bytes to the eighth vector behind one
  std::uint32_t wanted;

  __device__ __forceinline__ std::uint32_t row(int octet) const {
    const int m = lane / 8, r = lane % 8;
    return points + static_cast<std::uint32_t>(Memory::place_of_chunk(
                        16 * (m / 2) + 4 * (r / 2) + 2 * (m % 2) + r % 2, octet));
  }
  __device__ __forceinline__ bool is_wanted(int octet) const {
    return (wanted >> (8 * octet + lane / 4) & 1u) != 0;
  }
  __device__ __forceinline__ uint4 matrix(int group, int s, int t) const {
    const int at = ((group * Memory::kSteps + s) * 4 + t) * 32 + lane;
    if constexpr (Memory::kShared) return reinterpret_cast<const uint4*>(memory)[at];
    return __ldg(far_matrix + at);
  }
  __device__ __forceinline__ std::uint8_t* place(int octet, int column) const {
    return first + octet * eight + column * (type == Scalar::fp32 ? 4 : 2);
  }

  /// Numbers of one digit, which are in registers.
  __device__ __forceinline__ void multiply(const std::uint32_t (&a)[2][Memory::kSteps][4]) const {
#pragma unroll 1
    for (int group = 0; 32 * group < dim; ++group) {
      std::int32_t low[2][4][4] = {}, high[2][4][4] = {};
#pragma unroll
      for (int s = 0; s < Memory::kSteps; ++s) {
#pragma unroll
        for (int t = 0; t < 4; ++t) {
          const uint4 b = matrix(group, s, t);
#pragma unroll
          for (int part = 0; part < 2; ++part) {
            multiply_32(a[part][s], b.x, b.y, low[part][t]);
            multiply_32(a[part][s], b.z, b.w, high[part][t]);
          }
        }
      }
      const int column = 32 * group + 8 * (lane % 4);
#pragma unroll
      for (int octet = 0; octet < 4; ++octet) {
        float whole[8];
#pragma unroll
        for (int c = 0; c < 8; ++c) {
          const int from = octet % 2 * 2 + c % 2;
          whole[c] =
              __int2float_rn(256 * high[octet / 2][c / 2][from] + low[octet / 2][c / 2][from]);
        }
        if (is_wanted(octet) && column < dim) {
          put_columns<Memory>(memory, column, type, place(octet, column), whole);
        }
      }
      __syncwarp();  // the next products take all lanes
    }
  }

  /// Numbers of two digits, read anew for each 32 columns. Sums of products with the low and the high digits of points are
  /// within 32 bits each.
  __device__ KAKEYA_NO_INLINE void multiply_wide() const {
#pragma unroll 1
    for (int at = 0; 32 * (at / 2) < dim; ++at) {
      const int part = at % 2, group = at / 2, column = 32 * group + 8 * (lane % 4);
      std::int32_t sum[2][4][4] = {},
                   above[2][4][4] = {};  // with low digits of the matrix, and high ones
#pragma unroll 1
      for (int s = 0; s < Memory::kSteps; ++s) {
        PointDigits digits;
        const std::uint32_t rows[2] = {row(2 * part) + 64 * 32 * s,
                                       row(2 * part + 1) + 64 * 32 * s};
        digits.load(rows);
        digits.finish_high();
#pragma unroll
        for (int t = 0; t < 4; ++t) {
          const uint4 b = matrix(group, s, t);
          multiply_32(digits.low, b.x, b.y, sum[0][t]);
          multiply_32(digits.low, b.z, b.w, sum[1][t]);
          multiply_32(digits.high, b.x, b.y, above[0][t]);
          multiply_32(digits.high, b.z, b.w, above[1][t]);
        }
      }
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float whole[8];
#pragma unroll
        for (int c = 0; c < 8; ++c) {
          const int t = c / 2, from = 2 * half + c % 2;
          const std::int64_t low = 256 * sum[1][t][from] + sum[0][t][from];
          whole[c] =
              __ll2float_rn(256 * std::int64_t{256 * above[1][t][from] + above[0][t][from]} + low);
        }
        if (is_wanted(2 * part + half) && column < dim) {
          put_columns<Memory>(memory, column, type, place(2 * part + half, column), whole);
        }
      }
      __syncwarp();
    }
  }

  /// Whether a number of a vector that is written has more than two digits.
  __device__ KAKEYA_NO_INLINE bool is_beyond(const std::uint8_t* from) const {
    bool beyond = false;
    for (int i = 0; i < dim; ++i) {
      const std::int32_t number = reinterpret_cast<const std::int16_t*>(
          from + Memory::place_of_chunk(i, lane / 8))[lane % 8];
      beyond = beyond || number > kMostWhole || number < -kMostWhole;
    }
    return beyond && (wanted >> lane & 1u) != 0;
  }
};

/// kFast: of points of 16 bits to bf16, and of all pages. kShared: the matrix is in shared memory.
template <int kSteps, bool kFast, bool kShared = true>
__global__ void __launch_bounds__(192, kSteps == 8 ? 1 : 2)
    exact_backward(Klt codec, KltWork work, Vectors y, std::uint32_t* flags, int a_head) {
  using Memory = BackwardMemory<kSteps, kShared>;
  KAKEYA_DYNAMIC_SHARED(memory);
  const std::int64_t head = blockIdx.x / static_cast<unsigned>(a_head);
  const bool all = kFast || work.only.pages == nullptr;
  if (!all && work.only.counts[head] == 0) return;
  const std::int64_t plan = plan_number(codec.plans, head),
                     pages = (y.tokens + codec.page - 1) / codec.page;
  const int tokens = static_cast<int>(tokens_of_head(y, head)), dim = codec.dim,
            padded = klt_padded(dim), thread = static_cast<int>(threadIdx.x),
            threads = static_cast<int>(blockDim.x), warp = thread / 32, lane = thread % 32,
            next = a_head * (threads / 32);
  const int groups = static_cast<int>(klt_groups(tokens));
  if (groups == 0) return;
  const auto* const matrix =
      reinterpret_cast<const uint4*>(codec.whole_backward) + plan * klt_whole_fragments(dim);
  if constexpr (kShared) {
    for (unsigned i = threadIdx.x; i < Memory::kMatrix / 16; i += blockDim.x) {
      copy_16(reinterpret_cast<uint4*>(memory) + i, matrix + i);
    }
  }
  auto* const scale = reinterpret_cast<float*>(memory + Memory::kScales);
  for (int i = thread; i < Memory::kDim; i += threads) {
    scale[i] = codec.backward_scale[plan * padded + i];
    scale[i + Memory::kDim] = codec.mean[plan * padded + i];
  }
  std::uint8_t* const points = memory + Memory::kRooms + warp * Memory::kRoom;
  auto* const kept_here = reinterpret_cast<std::uint32_t*>(points + Memory::kPoints);
  // Coordinates beyond the last are 0.
  for (int i = 64 * dim + 4 * lane; i < Memory::kPoints; i += 128) {
    *reinterpret_cast<std::uint32_t*>(points + i) = 0;
  }
  finish_copies();
  __syncthreads();

  const Scalar type = kFast ? Scalar::bf16 : y.type;
  const bool near = kFast || work.near;
  const std::int64_t scalar_bytes = type == Scalar::fp32 ? 4 : 2;
  const auto* const from =
      reinterpret_cast<const std::uint8_t*>(work.points) + 2 * head * work.stride;
  const std::uint32_t* const kept = work.kept + head * klt_groups(y.tokens);
  BackwardRows<Memory> rows{memory,
                            matrix,
                            shared_number(points),
                            dim,
                            lane,
                            type,
                            static_cast<std::uint8_t*>(y.data) +
                                (lane / 4 * y.token_stride + begin_of_head(y, head)) * scalar_bytes,
                            8 * y.token_stride * scalar_bytes,
                            0};
  std::uint8_t* const first_row = rows.first;
  int group = static_cast<int>(blockIdx.x % static_cast<unsigned>(a_head)) * (threads / 32) + warp;
  // Passes groups of pages that are not wanted.
  const auto settle = [&] {
    while (!all && group < groups && work.only.pages[head * pages + group * 32 / codec.page] == 0) {
      group += next;
    }
    return group < groups;
  };
  const auto bring = [&] {
    if (near) {
      bring_points<Memory>(from + std::int64_t{group} * (64 * dim), dim, lane, rows.points);
    }
    if (lane == 0) copy_4(kept_here, kept + group);
  };
  bool more = settle();
  if (more) bring();
  while (more) {
    if (!near) {
      bring_wide_points<Memory>(work.points + head * work.stride + std::int64_t{group} * (32 * dim),
                                dim, lane, points);
    }
    finish_copies();
    rows.wanted = wanted_vectors(*kept_here, tokens - 32 * group);
    rows.first = first_row + std::int64_t{4} * group * rows.eight;
    std::uint32_t a[2][kSteps][4], wide = 0;
#pragma unroll
    for (int part = 0; part < 2; ++part) {
      const std::uint32_t row[2] = {rows.row(2 * part), rows.row(2 * part + 1)};
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
        PointDigits digits;
        const std::uint32_t here[2] = {row[0] + 64 * 32 * s, row[1] + 64 * 32 * s};
        digits.load(here);
#pragma unroll
        for (int i = 0; i < 4; ++i) a[part][s][i] = digits.low[i], wide |= digits.high[i];
      }
    }
    const bool two_digits = __ballot_sync(kAll, wide != 0) != 0;
    if (two_digits) {
      if (rows.is_beyond(points)) atomicOr(flags + head, static_cast<std::uint32_t>(kBadPoint));
      __syncwarp();
      rows.multiply_wide();
    }
    group += next;
    more = settle();
    __syncwarp();
    if (more) bring();
    __syncwarp();  // products take all lanes
    if (!two_digits) rows.multiply(a);
  }
}

}  // namespace
}  // namespace kakeya::kernels
