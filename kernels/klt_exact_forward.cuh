// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/bulk_copy.cuh"
#include "kernels/byte_products.cuh"
#include "kernels/exact_matrix.cuh"
#include "kernels/heads.cuh"
#include "kernels/klt_exact.cuh"
#include "kernels/klt_nearest.cuh"
#include "kernels/pages.cuh"
#include "kernels/shared_matrices.cuh"

// Vectors to points, product=exact. A warp has 16 vectors: their scalars come to shared memory, from there to registers as
// operands' digits, and while it multiplies them with the matrix, which the block has in shared memory, its next ones come.

namespace kakeya::kernels {
namespace {

constexpr float kLargestWhole = 127 * 257;  // two digits
constexpr int kForwardVectors = 16;         // of a warp at a time

/// Shared memory of a block, and where in it parts begin: the matrix, 16 bytes a lane for two products of 8 columns and a
/// step; what scalars and sums are multiplied with; a room for each warp, with bf16 scalars of its vectors and points of 32
/// columns.
template <int kOfSteps>
struct ForwardMemory {
  static constexpr int kSteps = kOfSteps, kDim = 32 * kSteps;
  static constexpr int kMatrix = 16 * 32 * 2 * kSteps * kSteps, kFloats = 4 * kDim;
  static constexpr int kRow = 2 * kDim + 16;  ///< 16 bytes more keep rows in different banks
  static constexpr int kScalars = kForwardVectors * kRow, kPoints = 32 * 2 * kForwardVectors;
  static constexpr int kMeans = kMatrix, kToWhole = kMeans + kFloats, kScale = kToWhole + kFloats,
                       kSlope = kScale + kFloats, kRooms = kSlope + kFloats,
                       kRoom = kScalars + kPoints;
  static constexpr int bytes(int warps) { return kRooms + warps * kRoom; }

  /// Where the points of a column of vectors 8 octet, ... are. Of eight columns that are written at once two each share
  /// banks.
  static __device__ __forceinline__ int place_of_column(int column, int octet) {
    return 32 * column + 16 * (octet ^ (column / 16 % 2));
  }
};
template <int kSteps>
struct ForwardColumns : ExactTeam<kSteps, 1> {};

/// Digits of four whole numbers, value = 256 high + low with low digits from 0 on, from words whose low 16 bits have the
/// values.
__device__ __forceinline__ void digits_of(const std::uint32_t* n, std::uint32_t& low,
                                          std::uint32_t& high) {
  const std::uint32_t first = permute(n[0], n[1], 0x5140), second = permute(n[2], n[3], 0x5140);
  low = permute(first, second, 0x5410), high = permute(first, second, 0x7632);
}

/// Eight scalars from `i` on as digits of whole numbers. False where one has more than two.
template <typename Memory>
__device__ __forceinline__ bool digits_of_scalars(const std::uint8_t* memory, int i,
                                                  const float (&v)[8], std::uint32_t (&low)[2],
                                                  std::uint32_t (&high)[2]) {
  const auto* const mean = reinterpret_cast<const float*>(memory + Memory::kMeans) + i;
  const auto* const to_whole = reinterpret_cast<const float*>(memory + Memory::kToWhole) + i;
  std::uint32_t n[8];
  float most = 0.0f;
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    const float whole = (v[c] + mean[c]) * to_whole[c];
    most = largest_or_nan(most, whole);
    n[c] = __float_as_uint(whole + kShift);
  }
  digits_of(n, low[0], high[0]);
  digits_of(n + 4, low[1], high[1]);
  return most <= kLargestWhole;
}

/// The points of eight columns of a vector from its sums, and bounds of what they cost; of a trellis the sums.
template <int kPoints>
__device__ __forceinline__ float points_of_sums(const std::int32_t (&low)[4][4],
                                                const std::int32_t (&high)[4][4], int half,
                                                const float* scale, const float* slope, bool beyond,
                                                float largest, float (&point)[8]) {
  float y[8], most = 0.0f;
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    const int from = 2 * half + c % 2;
    y[c] = __int2float_rn(256 * high[c / 2][from] + low[c / 2][from]) * scale[c];
    most = largest_or_nan(most, y[c]);
  }
  if constexpr (kPoints == Klt::trellis) {
#pragma unroll
    for (int c = 0; c < 8; ++c) point[c] = beyond ? kBeyond : y[c];
    return 0.0f;
  } else {
    const float cost = nearest<kPoints>(y, slope, point);
    return beyond || !(most <= largest) ? kBeyond : cost;
  }
}

/// Twice the points of a lane's eight columns to a warp's memory, 16 bits each; points beyond these are kept vectors'.
template <typename Memory>
__device__ __forceinline__ void put_near_points(const float (&point)[8], int octet, int lane,
                                                std::uint32_t to) {
  std::uint32_t word[4];
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    // The low bits of kShift are 0.
    const auto twice = [&](int c) {
      return __float_as_uint(__fmaf_rn(point[2 * t + c], 2.0f, kShift));
    };
    word[t] = permute(twice(0), twice(1), 0x5410);
  }
  const int m = lane / 8, r = lane % 8;
  store_turned(
      to + static_cast<std::uint32_t>(Memory::place_of_column(8 * (r / 2) + 2 * m + r % 2, octet)),
      word);
}

/// kFast: of bf16 to points of 16 bits.
template <int kSteps, int kPoints, bool kFast>
__global__ void __launch_bounds__(256, kSteps == 8 ? 1 : 2)
    exact_forward(Klt codec, Vectors x, KltWork work, std::uint32_t* flags, int a_head) {
  using Memory = ForwardMemory<kSteps>;
  KAKEYA_DYNAMIC_SHARED(memory);
  const std::int64_t head = blockIdx.x / static_cast<unsigned>(a_head),
                     plan = plan_number(codec.plans, head), begin = begin_of_head(x, head),
                     room = 32 * klt_groups(x.tokens);
  const int tokens = static_cast<int>(tokens_of_head(x, head)), dim = codec.dim,
            padded = klt_padded(dim), thread = static_cast<int>(threadIdx.x),
            threads = static_cast<int>(blockDim.x), warp = thread / 32, lane = thread % 32,
            g = lane / 4, q = lane % 4;
  // Halves of groups of 32: of those beyond the last vector the points are 0.
  const int halves = 2 * static_cast<int>(klt_groups(codec.counts == nullptr ? x.tokens : tokens));
  if (halves == 0) return;
  const std::uint32_t* const matrix = codec.whole_forward + 2 * plan * klt_whole_fragments(dim);
  for (int i = thread; i < Memory::kMatrix / 4; i += threads) {
    // Word w of lane n' = 4 n + q: columns of product 2 * pair + w / 2, half w % 2 of group q.
    const int w = i % 4, of = i / 4 % 32, pair = i / 128 % 2, s = i / 256 % kSteps,
              columns = i / 256 / kSteps;
    const int column = lane_column<ForwardColumns<kSteps>>(columns, of, 2 * pair + w / 2);
    reinterpret_cast<std::uint32_t*>(memory)[i] =
        matrix_word<ForwardColumns<kSteps>, 1>(matrix, column, 4 * s + of % 4, w % 2, 0);
  }
  const auto floats = [&](int place) { return reinterpret_cast<float*>(memory + place); };
  for (int i = thread; i < Memory::kDim; i += threads) {
    const std::int64_t at = plan * padded + i;
    floats(Memory::kMeans)[i] = codec.negative_mean[at];
    floats(Memory::kToWhole)[i] = codec.to_whole[at];
    floats(Memory::kScale)[i] = codec.forward_scale[at];
    floats(Memory::kSlope)[i] = codec.slope[at];
  }
  __syncthreads();

  const Scalar type = kFast ? Scalar::bf16 : x.type;
  const bool near = kFast || work.near;
  std::uint8_t* const scalars = memory + Memory::kRooms + warp * Memory::kRoom;
  std::uint8_t* const points = scalars + Memory::kScalars;
  const int next = a_head * (threads / 32);
  const int begin_half =
      static_cast<int>(blockIdx.x % static_cast<unsigned>(a_head)) * (threads / 32) + warp;
  const auto bring = [&](int half_group) {
    if (!kFast || half_group >= halves) return;
    const auto* const from = static_cast<const std::uint16_t*>(x.data) + begin;
#pragma unroll
    for (int k = 0; k < 2 * kSteps; ++k) {
      const int piece = 32 * k + lane, vector = piece / (4 * kSteps), i = piece % (4 * kSteps) * 8;
      const int token = kForwardVectors * half_group + vector;
      if (token < tokens && i < dim) {
        copy_16(reinterpret_cast<uint4*>(scalars + Memory::kRow * vector + 2 * i),
                from + token * x.token_stride + i);
      }
    }
  };
  bring(begin_half);
  for (int half_group = begin_half; half_group < halves; half_group += next) {
    const int first = kForwardVectors * half_group;
    std::uint32_t low[kSteps][4], high[kSteps][4], beyond = 0;
    finish_copies();
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int vector = g + 8 * half, i = 32 * s + 8 * q;
        std::uint32_t lows[2] = {}, highs[2] = {};
        if (first + vector < tokens && i < dim) {
          float v[8];
          if constexpr (kFast) {
            const Raw8 raw{*reinterpret_cast<const uint4*>(scalars + Memory::kRow * vector + 2 * i),
                           {}};
            values8(type, raw, v);
          } else {
            load8(x, begin + (first + vector) * x.token_stride + i, v);
          }
          if (!digits_of_scalars<Memory>(memory, i, v, lows, highs)) {
            beyond |= 1u << half;
            if (largest8(v) >= 0x7f800000u) {
              atomicOr(flags + head, static_cast<std::uint32_t>(kNotFinite));
            }
          }
        }
        low[s][half] = lows[0], low[s][half + 2] = lows[1];
        high[s][half] = highs[0], high[s][half + 2] = highs[1];
      }
    }
    __syncwarp();
    bring(half_group + next);
    __syncwarp();
    beyond |= __shfl_xor_sync(kAll, beyond, 1);
    beyond |= __shfl_xor_sync(kAll, beyond, 2);
    // Of these vectors, 32-bit numbers and their costs.
    const std::int64_t group_at = head * work.stride + std::int64_t{first / 32} * (32 * dim);
    float bound[2] = {};
#pragma unroll 1
    for (int columns = 0; 32 * columns < dim; ++columns) {
      std::int32_t lows[4][4] = {}, highs[4][4] = {};
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
#pragma unroll
        for (int pair = 0; pair < 2; ++pair) {
          const uint4 b = reinterpret_cast<const uint4*>(
              memory)[((columns * kSteps + s) * 2 + pair) * 32 + lane];
          multiply_two<true>(low[s][0], low[s][1], low[s][2], low[s][3], b.x, b.y, lows[2 * pair]);
          multiply_32(high[s], b.x, b.y, highs[2 * pair]);
          multiply_two<true>(low[s][0], low[s][1], low[s][2], low[s][3], b.z, b.w,
                             lows[2 * pair + 1]);
          multiply_32(high[s], b.z, b.w, highs[2 * pair + 1]);
        }
      }
      const int column = 32 * columns + 8 * q;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float point[8];
        bound[half] += points_of_sums<kPoints>(lows, highs, half, floats(Memory::kScale) + column,
                                               floats(Memory::kSlope) + column,
                                               (beyond >> half & 1u) != 0, codec.largest, point);
        if (near) {
          put_near_points<Memory>(point, half, lane, shared_number(points));
        } else if (column < dim) {
          std::int32_t* const to = work.points + group_at + first % 32 + 8 * half + g;
#pragma unroll
          for (int c = 0; c < 8; ++c) {
            to[32 * (column + c)] =
                kPoints == Klt::trellis ? __float_as_int(point[c]) : twice_of(point[c]);
          }
        }
      }
      if (near) {
        __syncwarp();
        auto* const rows = reinterpret_cast<std::uint8_t*>(work.points) + 2 * group_at +
                           2 * (first % 32) + 2048 * columns;
#pragma unroll
        for (int k = 0; k < 2; ++k) {
          const int i = 16 * k + lane / 2, octet = lane % 2;
          if (32 * columns + i < dim) {
            *reinterpret_cast<uint4*>(rows + 64 * i + 16 * octet) =
                *reinterpret_cast<const uint4*>(points + Memory::place_of_column(i, octet));
          }
        }
        __syncwarp();
      }
    }
    if constexpr (kPoints != Klt::trellis) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        bound[half] += __shfl_xor_sync(kAll, bound[half], 1);
        bound[half] += __shfl_xor_sync(kAll, bound[half], 2);
        if (q == 0) work.bounds[head * room + first + 8 * half + g] = bound[half];
      }
    }
  }
}

}  // namespace
}  // namespace kakeya::kernels
