// SPDX-License-Identifier: Apache-2.0
// klt of single heads: products with the matrices of a profile, nearest points and nearest paths.
#include "kakeya/lattice/trellis.h"
#include "kernels/klt.h"
#include "kernels/klt_nearest.cuh"
#include "kernels/product.cuh"

namespace kakeya::kernels {
namespace {

// Vectors of a view less their means.
template <int kColumns>
struct CentredVectors {
  const Vectors& x;
  std::int64_t head, first;
  const float* negative_mean;
  std::uint32_t found = 0;
  static constexpr int kEach = kKltSteps * kProductRows / 8 / kProductThreads<kColumns>;
  Raw8 raw[kEach];

  __device__ __forceinline__ CentredVectors(const Vectors& vectors, std::int64_t of_head,
                                            std::int64_t from, const float* mean)
      : x(vectors), head(of_head), first(from), negative_mean(mean) {}
  // A thread has one vector, 8 coordinates at a time.
  __device__ __forceinline__ int row() const { return static_cast<int>(threadIdx.x) % 128; }
  __device__ __forceinline__ int piece(int p) const {
    return static_cast<int>(threadIdx.x) / 128 + p * (kProductThreads<kColumns> / 128);
  }
  __device__ __forceinline__ bool is_there(int i, int p) const {
    return first + row() < x.tokens && i + 8 * piece(p) < x.dim;
  }
  __device__ __forceinline__ void fetch(int i) {
#pragma unroll
    for (int p = 0; p < kEach; ++p) {
      if (is_there(i, p)) {
        raw[p] =
            fetch8(x, (first + row()) * x.token_stride + head * x.head_stride + i + 8 * piece(p));
      }
    }
  }
  __device__ __forceinline__ void keep(int i, float (*left)[kProductRows]) {
#pragma unroll
    for (int p = 0; p < kEach; ++p) {
      float v[8] = {};
      if (is_there(i, p)) {
        values8(x.type, raw[p], v);
        if (largest8(v) >= 0x7f800000u) found = kNotFinite;
#pragma unroll
        for (int c = 0; c < 8; ++c) v[c] = v[c] + negative_mean[i + 8 * piece(p) + c];
      }
#pragma unroll
      for (int c = 0; c < 8; ++c) left[8 * piece(p) + c][row()] = v[c];
    }
  }
};

// Points as the CPU multiplies them.
template <int kColumns>
struct PointRows {
  const std::int32_t* points;  // of the head
  std::int64_t first, tokens;
  int dim;
  static constexpr int kEach = kKltSteps * kProductRows / 4 / kProductThreads<kColumns>;
  uint4 raw[kEach];

  __device__ __forceinline__ PointRows(const std::int32_t* from, std::int64_t row, std::int64_t all,
                                       int width)
      : points(from), first(row), tokens(all), dim(width) {}
  // A thread has four neighbouring vectors of a coordinate at a time.
  __device__ __forceinline__ int row() const { return static_cast<int>(threadIdx.x) % 32 * 4; }
  __device__ __forceinline__ int step(int p) const {
    return static_cast<int>(threadIdx.x) / 32 + p * (kProductThreads<kColumns> / 32);
  }
  __device__ __forceinline__ bool is_there(int i, int p) const {
    return first + row() < tokens && i + step(p) < dim;
  }
  __device__ __forceinline__ void fetch(int i) {
#pragma unroll
    for (int p = 0; p < kEach; ++p) {
      raw[p] = make_uint4(0, 0, 0, 0);
      if (is_there(i, p)) {
        const std::int64_t at = (first + row()) / 32 * 32 * dim + (i + step(p)) * 32 + row() % 32;
        raw[p] = *reinterpret_cast<const uint4*>(points + at);
      }
    }
  }
  __device__ __forceinline__ void keep(int, float (*left)[kProductRows]) {
#pragma unroll
    for (int p = 0; p < kEach; ++p) {
      const std::uint32_t word[4] = {raw[p].x, raw[p].y, raw[p].z, raw[p].w};
      float v[4];
#pragma unroll
      for (int r = 0; r < 4; ++r) v[r] = coordinate_of(word[r]);
      *reinterpret_cast<float4*>(&left[step(p)][row()]) = make_float4(v[0], v[1], v[2], v[3]);
    }
  }
};

template <int kColumns, int kPoints>
__global__ void __launch_bounds__(kProductThreads<kColumns>, 256 / kColumns)
    forward_tile(Klt codec, Vectors x, KltWork work, std::uint32_t* flags) {
  __shared__ ProductShared<kColumns> shared;
  const ProductTile tile = product_tile(codec.dim, x.heads);
  const ProductSeat<kColumns> seat;
  const int dim = codec.dim, padded = klt_padded(dim), rows = klt_rows(dim);
  CentredVectors<kColumns> left(x, tile.head, tile.first, codec.negative_mean + tile.head * padded);
  float y[8][8];
  multiply(left,
           codec.forward + (tile.head * klt_tiles(dim) + tile.tile) * std::int64_t{rows} * kColumns,
           dim, seat, shared, y);
  if (left.found != 0) atomicOr(flags + tile.head, left.found);

  const int column = kColumns * tile.tile + seat.column();
  const std::int64_t token = tile.first + seat.row, room = 32 * klt_groups(x.tokens);
  std::int32_t* to =
      work.points + tile.head * work.stride + token / 32 * 32 * dim + column * 32 + token % 32;
  const bool is_there = token < room && column < dim;
  float slope[8], bound[8];
  std::int32_t twice[8][8];
  if constexpr (kPoints != Klt::trellis) {
#pragma unroll
    for (int c = 0; c < 8; ++c) slope[c] = codec.slope[tile.head * padded + column + c];
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    if constexpr (kPoints == Klt::trellis) {
#pragma unroll
      for (int c = 0; c < 8; ++c) twice[r][c] = __float_as_int(y[r][c]);
    } else {
      float most = 0.0f;
#pragma unroll
      for (int c = 0; c < 8; ++c) most = largest_or_nan(most, y[r][c]);
      bound[r] = nearest<kPoints>(y[r], slope, twice[r]);
      if (!(most <= codec.largest)) bound[r] = kBeyond;
    }
  }
  if (is_there) {
#pragma unroll
    for (int c = 0; c < 8; ++c) {
      *reinterpret_cast<int4*>(to + 32 * c) =
          make_int4(twice[0][c], twice[1][c], twice[2][c], twice[3][c]);
      *reinterpret_cast<int4*>(to + 32 * c + 4) =
          make_int4(twice[4][c], twice[5][c], twice[6][c], twice[7][c]);
    }
  }
  if constexpr (kPoints != Klt::trellis) {
#pragma unroll
    for (int r = 0; r < 8; ++r) {
#pragma unroll
      for (int lanes = 1; lanes < 8; lanes *= 2) {
        bound[r] += __shfl_xor_sync(kAll, bound[r], lanes);
      }
    }
    const std::int64_t part = column / 64;
    if (seat.slot % 8 == 0 && token < room) {
      auto* bounds =
          reinterpret_cast<float4*>(work.bounds + (part * x.heads + tile.head) * room + token);
      bounds[0] = make_float4(bound[0], bound[1], bound[2], bound[3]);
      bounds[1] = make_float4(bound[4], bound[5], bound[6], bound[7]);
    }
  }
}

template <int kColumns>
__global__ void __launch_bounds__(kProductThreads<kColumns>, 256 / kColumns)
    backward_tile(Klt codec, KltWork work, Vectors y) {
  __shared__ ProductShared<kColumns> shared;
  const ProductTile tile = product_tile(codec.dim, y.heads);
  const ProductSeat<kColumns> seat;
  const int dim = codec.dim, rows = klt_rows(dim);
  PointRows<kColumns> left(work.points + tile.head * work.stride, tile.first, y.tokens, dim);
  float x[8][8];
  multiply(
      left,
      codec.backward + (tile.head * klt_tiles(dim) + tile.tile) * std::int64_t{rows} * kColumns,
      dim, seat, shared, x);
  const int column = kColumns * tile.tile + seat.column();
  if (column >= dim) return;
  float mean[8];
#pragma unroll
  for (int c = 0; c < 8; ++c) mean[c] = codec.mean[tile.head * klt_padded(dim) + column + c];
  const std::int64_t first = tile.first + seat.row;
  std::uint32_t kept = 0;
  if (first < y.tokens) {
    kept = work.kept[tile.head * klt_groups(y.tokens) + first / 32] >> (first % 32);
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const std::int64_t token = first + r;
    if (token >= y.tokens) return;
    if ((kept >> r & 1u) != 0) continue;
#pragma unroll
    for (int c = 0; c < 8; ++c) x[r][c] = x[r][c] + mean[c];
    store8(y, token * y.token_stride + tile.head * y.head_stride + column, x[r], kBeyond);
  }
}

// The two halves of the Viterbi algorithm (quantise_tile() of simd/tile.h), a vector a thread.
constexpr int kPathThreads = 64;

template <int kMostDim>
__global__ void __launch_bounds__(kPathThreads)
    path_groups(Klt codec, std::int64_t tokens, std::int64_t heads, KltWork work) {
  __shared__ std::uint32_t decisions[kMostDim / 4][kPathThreads];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, dim = codec.dim;
  const std::int64_t groups = klt_groups(tokens),
                     group =
                         static_cast<std::int64_t>(blockIdx.x) * (kPathThreads / 32) + thread / 32;
  if (group >= groups * heads) return;
  const std::int64_t head = group / groups, token = (group - head * groups) * 32 + lane;
  std::int32_t* place = work.points + head * work.stride + token / 32 * 32 * dim + lane;
  float costs[kTrellisStates], largest = 0.0f;
#pragma unroll
  for (int state = 0; state < kTrellisStates; ++state) costs[state] = kTrellisUnreached;
  costs[0] = 0.0f;
  for (int first = dim - 4; first >= 0; first -= 4) {
    std::uint32_t word = 0;
#pragma unroll
    for (int i = 3; i >= 0; --i) {
      const float y = __int_as_float(place[32 * (first + i)]);
      largest = largest_or_nan(largest, y);
      const TrellisChoices choices(y);
      float next[kTrellisStates];
#pragma unroll
      for (std::uint32_t state = 0; state < kTrellisStates; ++state) {
        const float one = costs[trellis_before(state, 0)] +
                          choices.distance[trellis_subset(state, 0)],
                    two = costs[trellis_before(state, 1)] +
                          choices.distance[trellis_subset(state, 1)];
        const bool other = two < one;
        next[state] = other ? two : one;
        word |= (other ? 1u : 0u) << (8 * i + static_cast<int>(state));
      }
#pragma unroll
      for (int state = 0; state < kTrellisStates; ++state) costs[state] = next[state];
    }
    decisions[first / 4][thread] = word;
  }
  std::uint32_t state = 0;
  float least = costs[0];
#pragma unroll
  for (int other = 1; other < kTrellisStates; ++other) {
    if (costs[other] < least) least = costs[other], state = static_cast<std::uint32_t>(other);
  }
  const float* slope = codec.slope + head * klt_padded(dim);
  float bound = 0.0f;
  for (int first = 0; first < dim; first += 4) {
    const std::uint32_t word = decisions[first / 4][thread];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t which = word >> (8 * i + static_cast<int>(state)) & 1u;
      const TrellisChoices choices(__int_as_float(place[32 * (first + i)]));
      const std::uint32_t subset = trellis_subset(state, which);
      const float whole = (subset & 2u) != 0 ? choices.point[2] : choices.point[0],
                  half = (subset & 2u) != 0 ? choices.point[3] : choices.point[1],
                  point = (subset & 1u) != 0 ? half : whole;
      bound = __fmaf_rn(slope[first + i], fabsf(point), bound);
      place[32 * (first + i)] = twice_of(point);
      state = trellis_before(state, which);
    }
  }
  work.bounds[head * 32 * groups + token] = largest <= codec.largest ? bound : kBeyond;
}

template <int kColumns>
void launch_forward(const Klt& codec, const Vectors& x, const KltWork& work, std::uint32_t* flags,
                    Stream stream) {
  const std::int64_t blocks = product_blocks(codec.dim, x.tokens, x.heads);
  constexpr int kHere = kProductThreads<kColumns>;
  switch (codec.points) {
    case Klt::z:
      KAKEYA_LAUNCH((forward_tile<kColumns, Klt::z>), blocks, kHere, stream, codec, x, work, flags);
      return;
    case Klt::e8:
      KAKEYA_LAUNCH((forward_tile<kColumns, Klt::e8>), blocks, kHere, stream, codec, x, work,
                    flags);
      return;
    case Klt::trellis:
      KAKEYA_LAUNCH((forward_tile<kColumns, Klt::trellis>), blocks, kHere, stream, codec, x, work,
                    flags);
  }
}

}  // namespace

void klt_forward(const Klt& codec, const Vectors& x, const KltWork& work, std::uint32_t* flags,
                 Stream stream) {
  if (x.tokens == 0) return;
  if (codec.whole_forward != nullptr) return klt_exact_forward(codec, x, work, flags, stream);
  if (klt_columns(codec.dim) == 64) return launch_forward<64>(codec, x, work, flags, stream);
  launch_forward<128>(codec, x, work, flags, stream);
}

void klt_backward(const Klt& codec, const KltWork& work, const Vectors& y, std::uint32_t* flags,
                  Stream stream) {
  if (y.tokens == 0) return;
  if (codec.whole_backward != nullptr) return klt_exact_backward(codec, work, y, flags, stream);
  const std::int64_t blocks = product_blocks(codec.dim, y.tokens, y.heads);
  if (klt_columns(codec.dim) == 64) {
    KAKEYA_LAUNCH((backward_tile<64>), blocks, kProductThreads<64>, stream, codec, work, y);
  } else {
    KAKEYA_LAUNCH((backward_tile<128>), blocks, kProductThreads<128>, stream, codec, work, y);
  }
}

void klt_paths(const Klt& codec, std::int64_t tokens, std::int64_t heads, const KltWork& work,
               Stream stream) {
  if (tokens == 0) return;
  const std::int64_t blocks = (klt_groups(tokens) * heads * 32 + kPathThreads - 1) / kPathThreads;
  if (codec.dim <= 128) {
    KAKEYA_LAUNCH((path_groups<128>), blocks, kPathThreads, stream, codec, tokens, heads, work);
  } else if (codec.dim <= 256) {
    KAKEYA_LAUNCH((path_groups<256>), blocks, kPathThreads, stream, codec, tokens, heads, work);
  } else {
    KAKEYA_LAUNCH((path_groups<kMostKltDim>), blocks, kPathThreads, stream, codec, tokens, heads,
                  work);
  }
}

}  // namespace kakeya::kernels
