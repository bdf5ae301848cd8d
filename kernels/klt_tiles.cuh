// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "kernels/klt.h"
#include "kernels/klt_nearest.cuh"
#include "kernels/product.cuh"

// What products of klt read and what becomes of them. `Left` brings the vectors (multiply()), `Out` has
// the products of a thread, eight vectors by eight columns.

namespace kakeya::kernels {
namespace {

/// Numbers in the order of points: coordinate c of token t of head h is at data + h * stride + t / 32
/// * 32 * dim + 32 * c + t % 32.
template <typename Number>
struct Lanes {
  Number* data;
  std::int64_t stride;
  int dim;

  __device__ __forceinline__ Number* place(std::int64_t head, std::int64_t token, int c) const {
    return data + head * stride + token / 32 * 32 * dim + std::int64_t{32} * c + token % 32;
  }
};

/// Vectors of a view less their means.
struct CentredFrom {
  Vectors x;
  const float* negative_mean;  // [heads][klt_padded(dim)]
  std::uint32_t* flags;
  std::int64_t flag_stride;  // from head to head
};
template <int kColumns>
struct CentredVectors {
  using From = CentredFrom;
  const From& from;
  std::int64_t head, first, tokens, place;  // place: of token 0
  float* negative_mean;                     // in shared memory
  std::uint32_t found = 0;
  static constexpr int kEach = kKltSteps * kProductRows / 8 / kProductThreads<kColumns>;
  Raw8 raw[kEach];

  __device__ __forceinline__ CentredVectors(const From& of, const Product& product,
                                            const ProductTile& tile)
      : from(of),
        head(tile.head),
        first(tile.first),
        tokens(product.tokens_of(tile.head)),
        place(begin_of_head(of.x, tile.head)) {
    __shared__ float means[kMostKltDim];
    negative_mean = means;
    const float* all = of.negative_mean + tile.plan * klt_padded(product.dim);
    for (int i = static_cast<int>(threadIdx.x); i < product.dim; i += kProductThreads<kColumns>) {
      means[i] = all[i];
    }
  }
  __device__ __forceinline__ void begin() const { __syncthreads(); }
  // A thread has one vector, 8 coordinates at a time.
  __device__ __forceinline__ int row() const {
    return static_cast<int>(threadIdx.x) % kProductRows;
  }
  __device__ __forceinline__ int piece(int p) const {
    constexpr int kApart = kProductThreads<kColumns> / kProductRows;
    return static_cast<int>(threadIdx.x) / kProductRows + p * kApart;
  }
  __device__ __forceinline__ bool is_there(int i, int p) const {
    return first + row() < tokens && i + 8 * piece(p) < from.x.dim;
  }
  __device__ __forceinline__ void fetch(int i) {
    const Vectors& x = from.x;
#pragma unroll
    for (int p = 0; p < kEach; ++p) {
      if (is_there(i, p)) {
        raw[p] = fetch8(x, (first + row()) * x.token_stride + place + i + 8 * piece(p));
      }
    }
  }
  __device__ __forceinline__ void keep(int i, float (*left)[kProductRows]) {
#pragma unroll
    for (int p = 0; p < kEach; ++p) {
      float v[8] = {};
      if (is_there(i, p)) {
        values8(from.x.type, raw[p], v);
        if (largest8(v) >= 0x7f800000u) found = kNotFinite;
#pragma unroll
        for (int c = 0; c < 8; ++c) v[c] = v[c] + negative_mean[i + 8 * piece(p) + c];
      }
#pragma unroll
      for (int c = 0; c < 8; ++c) left[8 * piece(p) + c][row()] = v[c];
    }
  }
  __device__ __forceinline__ void finish() const {
    if (found != 0) atomicOr(from.flags + head * from.flag_stride, found);
  }
};

/// Points as the CPU multiplies them, where Number is std::int32_t: twice each coordinate; or floats as
/// they are.
template <int kColumns, typename Number>
struct LaneRows {
  using From = Lanes<const Number>;
  const Number* numbers;  // coordinate 0 of this thread's first vector
  std::int64_t left_tokens;
  int dim;
  static constexpr int kEach = kKltSteps * kProductRows / 4 / kProductThreads<kColumns>;
  uint4 raw[kEach];

  __device__ __forceinline__ LaneRows(const From& from, const Product& product,
                                      const ProductTile& tile)
      : numbers(from.place(tile.head, tile.first + row(), 0)),
        left_tokens(product.tokens - tile.first),
        dim(product.dim) {}
  __device__ __forceinline__ void begin() const {}
  // A thread has four neighbouring vectors of a coordinate at a time.
  __device__ __forceinline__ int row() const {
    return static_cast<int>(threadIdx.x) % (kProductRows / 4) * 4;
  }
  __device__ __forceinline__ int step(int p) const {
    constexpr int kApart = kProductThreads<kColumns> / (kProductRows / 4);
    return static_cast<int>(threadIdx.x) / (kProductRows / 4) + p * kApart;
  }
  __device__ __forceinline__ void fetch(int i) {
#pragma unroll
    for (int p = 0; p < kEach; ++p) {
      raw[p] = make_uint4(0, 0, 0, 0);
      if (row() < left_tokens && i + step(p) < dim) {
        raw[p] = *reinterpret_cast<const uint4*>(numbers + 32 * (i + step(p)));
      }
    }
  }
  __device__ __forceinline__ void keep(int, float (*left)[kProductRows]) {
#pragma unroll
    for (int p = 0; p < kEach; ++p) {
      const std::uint32_t word[4] = {raw[p].x, raw[p].y, raw[p].z, raw[p].w};
      float v[4];
#pragma unroll
      for (int r = 0; r < 4; ++r) v[r] = value_of(word[r]);
      *reinterpret_cast<float4*>(&left[step(p)][row()]) = make_float4(v[0], v[1], v[2], v[3]);
    }
  }
  __device__ __forceinline__ void finish() const {}

 private:
  __device__ __forceinline__ static float value_of(std::uint32_t word) {
    return std::is_same_v<Number, float> ? __uint_as_float(word) : coordinate_of(word);
  }
};

/// A thread's piece of the products.
struct ProductPlace {
  std::int64_t head, token;  // the first of eight
  std::int64_t plan;         // of the head
  int column;                // likewise
  int slot;                  // ProductSeat::slot
};

/// Eight neighbouring tokens of a coordinate.
template <typename Number>
__device__ __forceinline__ void store_lanes(Number* to, const std::uint32_t (&word)[8]) {
  auto* pieces = reinterpret_cast<uint4*>(to);
  pieces[0] = make_uint4(word[0], word[1], word[2], word[3]);
  pieces[1] = make_uint4(word[4], word[5], word[6], word[7]);
}

/// The nearest points, and bounds of what they cost.
template <int kPoints>
struct NearestPoints {
  struct To {
    Lanes<std::int32_t> points;
    const float* slope;  // [heads][klt_padded(dim)]
    float* bounds;       // [columns / 64][heads][32 groups]
    float largest;
  };
  __device__ __forceinline__ static void put(const To& to, const Product& product,
                                             const ProductPlace& at, float (&y)[8][8]) {
    const std::int64_t room = 32 * klt_groups(product.tokens);
    float slope[8], bound[8];
    std::int32_t twice[8][8];
    const float* slopes = to.slope + at.plan * klt_padded(product.dim) + at.column;
#pragma unroll
    for (int c = 0; c < 8; ++c) slope[c] = slopes[c];
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      float most = 0.0f;
#pragma unroll
      for (int c = 0; c < 8; ++c) most = largest_or_nan(most, y[r][c]);
      bound[r] = nearest<kPoints>(y[r], slope, twice[r]);
      if (!(most <= to.largest)) bound[r] = kBeyond;
    }
    if (at.token < room && at.column < product.dim) {
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        std::uint32_t word[8];
#pragma unroll
        for (int r = 0; r < 8; ++r) word[r] = static_cast<std::uint32_t>(twice[r][c]);
        store_lanes(to.points.place(at.head, at.token, at.column + c), word);
      }
    }
#pragma unroll
    for (int r = 0; r < 8; ++r) {
#pragma unroll
      for (int lanes = 1; lanes < 8; lanes *= 2) {
        bound[r] += __shfl_xor_sync(kAll, bound[r], lanes);
      }
    }
    if (at.slot % 8 == 0 && at.token < room) {
      const std::int64_t part = at.column / 64;
      auto* bounds =
          reinterpret_cast<float4*>(to.bounds + (part * product.heads + at.head) * room + at.token);
      bounds[0] = make_float4(bound[0], bound[1], bound[2], bound[3]);
      bounds[1] = make_float4(bound[4], bound[5], bound[6], bound[7]);
    }
  }
};

/// The products themselves and, unless `with` is null, sign times what stands there in `with`.
struct LaneSums {
  struct To {
    Lanes<float> sums;
    const float* with;  // as sums.data, which it may be
    float sign;
  };
  __device__ __forceinline__ static void put(const To& to, const Product& product,
                                             const ProductPlace& at, float (&y)[8][8]) {
    if (at.token >= 32 * klt_groups(product.tokens) || at.column >= product.dim) return;
#pragma unroll
    for (int c = 0; c < 8; ++c) {
      float* place = to.sums.place(at.head, at.token, at.column + c);
      if (to.with != nullptr) {
        const auto* with = reinterpret_cast<const float4*>(to.with + (place - to.sums.data));
        const float4 low = with[0], high = with[1];
        const float v[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
        for (int r = 0; r < 8; ++r) y[r][c] = y[r][c] + to.sign * v[r];
      }
      std::uint32_t word[8];
#pragma unroll
      for (int r = 0; r < 8; ++r) word[r] = __float_as_uint(y[r][c]);
      store_lanes(place, word);
    }
  }
};

/// Vectors of a view, those that are not kept, when the means are added. `kFinite`: they are finite.
template <bool kFinite>
struct ToVectors {
  struct To {
    Vectors y;
    const float* mean;          // [heads][klt_padded(dim)]
    const std::uint32_t* kept;  // KltWork::kept
    std::int64_t kept_stride;   // from head to head
    std::uint32_t* flags;       // of all heads; null where kFinite
  };
  __device__ __forceinline__ static void put(const To& to, const Product& product,
                                             const ProductPlace& at, float (&x)[8][8]) {
    const std::int64_t tokens = product.tokens_of(at.head);
    if (at.column >= product.dim || at.token >= tokens) return;
    const float* means = to.mean + at.plan * klt_padded(product.dim) + at.column;
    float mean[8];
#pragma unroll
    for (int c = 0; c < 8; ++c) mean[c] = means[c];
    const std::uint32_t kept = to.kept[at.head * to.kept_stride + at.token / 32] >> (at.token % 32);
    const Vectors& y = to.y;
    const std::int64_t begin = begin_of_head(y, at.head);
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      const std::int64_t token = at.token + r;
      if (token >= tokens) return;
      if ((kept >> r & 1u) != 0) continue;
#pragma unroll
      for (int c = 0; c < 8; ++c) x[r][c] = x[r][c] + mean[c];
      if constexpr (!kFinite) {
        if (largest8(x[r]) >= 0x7f800000u) {
          atomicOr(to.flags, static_cast<std::uint32_t>(kNotInRange));
#pragma unroll
          for (int c = 0; c < 8; ++c) x[r][c] = 0.0f;
        }
      }
      store8(y, token * y.token_stride + begin + at.column, x[r], kBeyond);
    }
  }
};

template <int kColumns, typename Left, typename Out>
__global__ void __launch_bounds__(kProductThreads<kColumns>, 512 / kColumns)
    product_tiles(Product product, typename Left::From from, typename Out::To to) {
  __shared__ ProductShared<kColumns> shared;
  const ProductTile tile = product_tile(product);
  if (product.counts != nullptr && tile.first >= product.counts[tile.head]) return;
  const ProductSeat<kColumns> seat;
  Left left(from, product, tile);
  float sum[8][8];
  multiply(left, product, tile, seat, shared, sum);
  left.finish();
  Out::put(to, product,
           {tile.head, tile.first + seat.row, tile.plan, kColumns * tile.tile + seat.column(),
            seat.slot},
           sum);
}

/// Multiplies what Left<columns> brings `from` and gives it `to` Out.
template <template <int> typename Left, typename Out, typename From>
void launch_product(const Product& product, const From& from, const typename Out::To& to,
                    Stream stream) {
  const std::int64_t blocks = product_blocks(product);
  if (klt_columns(product.dim) == 64) {
    KAKEYA_LAUNCH((product_tiles<64, Left<64>, Out>), blocks, kProductThreads<64>, stream, product,
                  from, to);
  } else {
    KAKEYA_LAUNCH((product_tiles<128, Left<128>, Out>), blocks, kProductThreads<128>, stream,
                  product, from, to);
  }
}

template <int kColumns>
using PointRows = LaneRows<kColumns, std::int32_t>;
template <int kColumns>
using FloatRows = LaneRows<kColumns, float>;

}  // namespace
}  // namespace kakeya::kernels
