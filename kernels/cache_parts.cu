// SPDX-License-Identifier: Apache-2.0
// What a cache does beside coding: bf16 as it is stored (identity), copies between scalars, and how
// far decoded vectors are from the originals whose place they take.
#include "kernels/warp.cuh"

namespace kakeya::kernels {
namespace {

constexpr float kMostBf16 = 0x1.fep127f;

// The eight neighbours that a thread has: its place is theirs among all eights of x.
struct Neighbours {
  std::int64_t token, head;
  int coordinate;
  bool valid;
};

__device__ __forceinline__ Neighbours neighbours_of(const Vectors& x) {
  const std::int64_t place =
      static_cast<std::int64_t>(blockIdx.x) * kThreads + static_cast<std::int64_t>(threadIdx.x);
  const std::int64_t pieces = x.dim / 8, vector = place / pieces;
  Neighbours here;
  here.coordinate = static_cast<int>(8 * (place - vector * pieces));
  here.token = vector / x.heads;
  here.head = vector - here.token * x.heads;
  here.valid = here.token < x.tokens;
  return here;
}

__device__ __forceinline__ std::int64_t place_in(const Vectors& x, const Neighbours& here) {
  return here.token * x.token_stride + here.head * x.head_stride + here.coordinate;
}

std::int64_t blocks_of(const Vectors& x) {
  return (x.tokens * x.heads * (x.dim / 8) + kThreads - 1) / kThreads;
}

// A section of bf16 as vectors, one head's tokens after another.
Vectors stored_vectors(const Section& section, const Vectors& like) {
  return {section.data, Scalar::bf16, like.tokens,       like.heads,
          like.dim,     like.dim,     section.stride / 2};
}

__device__ __forceinline__ float finite_bf16(float value) {
  return bfloat16_to_float(float_to_finite_bfloat16(value));
}

// y = x rounded to finite bf16; a vector's part that is not finite becomes zeros and a flag.
__global__ void __launch_bounds__(kThreads)
    store_plain(Vectors x, Vectors y, std::uint32_t flag, std::uint32_t* flags) {
  const Neighbours here = neighbours_of(x);
  if (!here.valid) return;
  float v[8];
  load8(x, place_in(x, here), v);
  const bool good = largest8(v) < 0x7f800000u;
  if (!good) atomicOr(flags + here.head, flag);
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = good ? finite_bf16(v[i]) : 0.0f;
  store8(y, place_in(y, here), v, kMostBf16);
}

// One scalar, to nearest; beyond the largest infinity, and NaN stays NaN.
__device__ __forceinline__ void store_one(const Vectors& y, std::int64_t at, float value) {
  if (y.type == Scalar::fp32) {
    static_cast<float*>(y.data)[at] = value;
  } else {
    static_cast<std::uint16_t*>(y.data)[at] =
        y.type == Scalar::bf16 ? float_to_bfloat16(value) : float_to_half(value);
  }
}

__global__ void __launch_bounds__(kThreads) convert_part(Vectors x, Vectors y, bool through_bf16) {
  const Neighbours here = neighbours_of(x);
  if (!here.valid) return;
  float v[8];
  load8(x, place_in(x, here), v);
  const std::int64_t to = place_in(y, here);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    store_one(y, to + i, through_bf16 ? bfloat16_to_float(float_to_bfloat16(v[i])) : v[i]);
  }
}

// Row t of x to row places[t] of y, or t without places, rounded to finite bf16; what is not finite becomes zeros and a flag.
__global__ void __launch_bounds__(kThreads)
    scatter_rows(Vectors x, Vectors y, const std::int32_t* places, std::uint32_t* flag) {
  Neighbours here = neighbours_of(x);
  if (!here.valid) return;
  const std::int64_t place = places == nullptr ? here.token : places[here.token];
  if (place < 0 || place >= y.tokens) return;
  float v[8];
  load8(x, place_in(x, here), v);
  const bool good = largest8(v) < 0x7f800000u;
  if (!good) atomicOr(flag, static_cast<std::uint32_t>(kNotFinite));
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = good ? finite_bf16(v[i]) : 0.0f;
  here.token = place;
  store8(y, place_in(y, here), v, kMostBf16);
}

// A thread a vector: its sums have an order.
__global__ void __launch_bounds__(kThreads)
    compare_vectors(Vectors x, Vectors decoded, VectorSums* sums) {
  const std::int64_t vector =
      static_cast<std::int64_t>(blockIdx.x) * kThreads + static_cast<std::int64_t>(threadIdx.x);
  const std::int64_t token = vector / x.heads, head = vector - token * x.heads;
  if (token >= x.tokens) return;
  RunningSums running;
  const std::int64_t from = token * x.token_stride + head * x.head_stride,
                     back = token * decoded.token_stride + head * decoded.head_stride;
#pragma unroll 4
  for (int at = 0; at < x.dim; at += 8) {
    float v[8], w[8];
    load8(x, from + at, v);
    load8(decoded, back + at, w);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      running.add(i % 4, v[i], w[i]);
      w[i] = finite_bf16(w[i]);
    }
    store8(x, from + at, w, kMostBf16);
  }
  sums[head * x.tokens + token] = running.total();
}

}  // namespace

void encode(const Plain&, const Vectors& x, const Sections& out, std::uint32_t* flags,
            Stream stream) {
  if (blocks_of(x) == 0) return;
  KAKEYA_LAUNCH(store_plain, blocks_of(x), kThreads, stream, x, stored_vectors(out.codes, x),
                static_cast<std::uint32_t>(kNotFinite), flags);
}

void decode(const Plain&, const Sections& in, const Vectors& y, std::uint32_t* flags,
            Stream stream) {
  if (blocks_of(y) == 0) return;
  KAKEYA_LAUNCH(store_plain, blocks_of(y), kThreads, stream, stored_vectors(in.codes, y), y,
                static_cast<std::uint32_t>(kNoSuchPoint), flags);
}

void round_trip(const Plain&, const Vectors& x, const Vectors& y, std::uint32_t* flags,
                Stream stream) {
  if (blocks_of(x) == 0) return;
  KAKEYA_LAUNCH(store_plain, blocks_of(x), kThreads, stream, x, y,
                static_cast<std::uint32_t>(kNotFinite), flags);
}

void convert(const Vectors& x, const Vectors& y, bool through_bf16, Stream stream) {
  if (blocks_of(x) == 0) return;
  KAKEYA_LAUNCH(convert_part, blocks_of(x), kThreads, stream, x, y, through_bf16);
}

void scatter(const Vectors& x, const Vectors& y, const std::int32_t* places, std::uint32_t* flag,
             Stream stream) {
  if (blocks_of(x) == 0) return;
  KAKEYA_LAUNCH(scatter_rows, blocks_of(x), kThreads, stream, x, y, places, flag);
}

void compare_and_replace(const Vectors& x, const Vectors& decoded, VectorSums* sums,
                         Stream stream) {
  if (x.tokens == 0) return;
  const std::int64_t blocks = (x.tokens * x.heads + kThreads - 1) / kThreads;
  KAKEYA_LAUNCH(compare_vectors, blocks, kThreads, stream, x, decoded, sums);
}

}  // namespace kakeya::kernels
