// SPDX-License-Identifier: Apache-2.0
#pragma once

// A tile of vectors of ece8, ecd4 and ecz before its points are found, and their steps. rotated.cuh says
// where a tile's values are and in which order they are added up.

#include "kakeya/codec/scale_rules.h"
#include "kernels/entropy_coded.h"
#include "kernels/heads.cuh"
#include "kernels/rotated.cuh"

namespace kakeya::kernels {
namespace {

constexpr float kAnyMagnitude = 0x1p127f;  // of what store8() writes

__device__ __forceinline__ ScaleFormat scale_format(const EntropyCoded& codec) {
  return codec.halves ? ScaleFormat::half : ScaleFormat::log8;
}

// The coordinate of v[piece][0].
__device__ __forceinline__ int coordinate_at(const EntropyCoded& codec, const Seat& seat,
                                             int piece) {
  return piece * (codec.dim / kPieces) + 8 * seat.lane;
}

__device__ __forceinline__ void load_eight(const float* from, float* v) {
  const auto* fours = reinterpret_cast<const float4*>(from);
  const float4 low = __ldg(fours), high = __ldg(fours + 1);
  v[0] = low.x, v[1] = low.y, v[2] = low.z, v[3] = low.w;
  v[4] = high.x, v[5] = high.y, v[6] = high.z, v[7] = high.w;
}

// The largest magnitude of a vector as a bit pattern, NaN above all.
__device__ __forceinline__ std::uint32_t largest_of_vector(const float (&v)[kPieces][8],
                                                           int lanes) {
  std::uint32_t largest = 0;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    const std::uint32_t here = largest8(v[c]);
    largest = here > largest ? here : largest;
  }
  for (int half = 1; half < lanes; half *= 2) {
    const std::uint32_t other = __shfl_xor_sync(kAll, largest, half);
    largest = other > largest ? other : largest;
  }
  return largest;
}

// Vectors of the tile, 0 where there is none, and where one is not finite: that is flagged.
__device__ __forceinline__ void load_finite(const EntropyCoded& codec, const Vectors& x,
                                            const Tile& tile, const Seat& seat,
                                            float (&v)[kPieces][8], std::uint32_t& largest,
                                            std::uint32_t* flags) {
  const bool is_there = seat.row < tile.valid;
  const std::int64_t at = (tile.first + seat.row) * x.token_stride + begin_of_head(x, tile.head);
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[c][i] = 0.0f;
    if (is_there) load8(x, at + coordinate_at(codec, seat, c), v[c]);
  }
  largest = largest_of_vector(v, codec.dim / 32);
  if (largest < 0x7f800000u) return;
  atomicOr(flags + tile.head, static_cast<std::uint32_t>(kNotFinite));
  largest = 0;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[c][i] = 0.0f;
  }
}

// The means of a head; behind them minus them.
__device__ __forceinline__ const float* means_of(const EntropyCoded& codec,
                                                 const EntropyCodedWork& work, std::int64_t head) {
  const std::int64_t of =
      work.sharing == 1 ? head : static_cast<unsigned>(head) / static_cast<unsigned>(work.sharing);
  return work.means + 2 * of * codec.dim;
}

__device__ __forceinline__ StepFactors factors_of(const EntropyCoded& codec,
                                                  const EntropyCodedWork& work, std::int64_t head) {
  return work.steps == nullptr ? codec.factors : codec.steps[work.steps[head]];
}

// load_finite(), less the means.
__device__ __forceinline__ void load_centred(const EntropyCoded& codec, const Vectors& x,
                                             const Tile& tile, const Seat& seat,
                                             const EntropyCodedWork& work, float (&v)[kPieces][8],
                                             std::uint32_t& largest, std::uint32_t* flags) {
  load_finite(codec, x, tile, seat, v, largest, flags);
  if (!codec.centres) return;
  const float* negative = means_of(codec, work, tile.head) + codec.dim;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    float mean[8];
    load_eight(negative + coordinate_at(codec, seat, c), mean);
#pragma unroll
    for (int i = 0; i < 8; ++i) v[c][i] = v[c][i] + mean[i];
  }
  largest = largest_of_vector(v, codec.dim / 32);
}

// Where it is said which of the thread's coordinates are outliers.
__device__ __forceinline__ std::uint32_t* taken_of(const EntropyCoded& codec, const Vectors& x,
                                                   const Tile& tile, const Seat& seat,
                                                   const EntropyCodedWork& work) {
  const std::int64_t vector = tile.head * x.tokens + tile.first + seat.row;
  return work.taken + vector * (codec.dim / 32) + seat.lane;
}

// As Stages::forward(): less their means, and outliers where it takes them, times 2^(-16 window), signs, sums
// of the Hadamard transform; then what is measured of them.
template <bool kTakes>
__device__ __forceinline__ void load_stepped(const EntropyCoded& codec, const Vectors& x,
                                             const Tile& tile, const Seat& seat,
                                             const EntropyCodedWork& work, float (&v)[kPieces][8],
                                             Shared& shared, std::uint32_t* flags) {
  const int lanes = codec.dim / 32;
  std::uint32_t largest = 0;
  load_centred(codec, x, tile, seat, work, v, largest, flags);
  if constexpr (kTakes) {
    const std::uint32_t taken = seat.row < tile.valid ? *taken_of(codec, x, tile, seat, work) : 0;
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = (taken >> (8 * c + i) & 1u) != 0 ? 0.0f : v[c][i];
    }
    largest = largest_of_vector(v, lanes);
  }
  const int window = window_of(__uint_as_float(largest));
  if (window != 0) {
    const float root = root_of_window(-window);
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = v[c][i] * root * root;
    }
  }
  if (seat.lane == 0) shared.window[seat.row] = window;
  if (codec.signs != nullptr) {
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
      float sign[8];
      load_eight(codec.signs + coordinate_at(codec, seat, c), sign);
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = v[c][i] * sign[i];
    }
  }
  if (codec.rotates) sums(v, lanes, seat.lane);
  measure(v, seat, lanes, tile.rows, shared);
}

// What `shared` knows of vector `row` of the tile once it is measured.
struct Measured {
  float largest, root_mean_square;  // of the rotated vector, times 2^(-16 window)
  int window;
};
__device__ __forceinline__ Measured measured(const EntropyCoded& codec, int row,
                                             const Shared& shared) {
  float squares = shared.sum_of_squares[row], largest = shared.largest[row];
  if (codec.rotates) {
    squares = squares * (1.0f / static_cast<float>(codec.dim));
    largest = largest * codec.unit;
  }
  const auto mean_square =
      static_cast<float>(static_cast<double>(squares) / static_cast<double>(codec.dim));
  return {largest, sqrtf(mean_square), shared.window[row]};
}

// The scale of vector `vector` of a head from its sections. What is wrong is flagged, and 0.
__device__ __forceinline__ ScaleCode read_scale(const EntropyCoded& codec,
                                                const EntropyCodedSections& in, std::int64_t head,
                                                std::int64_t vector, std::uint32_t& found) {
  const std::int64_t item =
      codec.scales == ScaleOf::vector ? vector : shared_scale(vector, codec.page);
  const std::uint8_t* scales = in.scales.data + head * in.scales.stride;
  ScaleCode code;
  code.code = codec.halves ? reinterpret_cast<const std::uint16_t*>(scales)[item] : scales[item];
  if (!is_scale_code(scale_format(codec), code.code)) found |= kBadScale, code.code = 0;
  code.window = static_cast<std::int8_t>(in.windows.data[head * in.windows.stride + item]);
  if (code.window < kLowestWindow || code.window > kHighestWindow) {
    found |= kBadWindow;
    code.window = 0;
  }
  return code;
}
__device__ __forceinline__ void write_scale(const EntropyCoded& codec,
                                            const EntropyCodedSections& out, std::int64_t head,
                                            std::int64_t item, const ScaleCode& code) {
  std::uint8_t* scales = out.scales.data + head * out.scales.stride;
  if (codec.halves) {
    reinterpret_cast<std::uint16_t*>(scales)[item] = code.code;
  } else {
    scales[item] = static_cast<std::uint8_t>(code.code);
  }
  out.windows.data[head * out.windows.stride + item] = static_cast<std::uint8_t>(code.window);
}

// Without a scale a step is the factor.
__device__ __forceinline__ double scale_of_code(const EntropyCoded& codec, const ScaleCode& code) {
  return codec.scales == ScaleOf::frame ? 1.0 : decode_scale(scale_format(codec), code.code);
}

// Into `shared` what vector `row` is multiplied with now, what decoded sums are, and the scale's window.
// True where a coordinate is too many steps: it is multiplied with 0.
__device__ __forceinline__ bool set_step(const EntropyCoded& codec, const StepFactors& factors,
                                         const Measured& of, int row, const ScaleCode& code,
                                         Shared& shared) {
  const double scale = scale_of_code(codec, code);
  shared.factor[row] = decoded_step(scale, factors.factor, factors.reconstruct) * codec.unit;
  shared.window[row] = code.window;
  shared.inverse_step[row] = 0.0f;
  if (of.largest == 0.0f) return false;
  const InverseStep step =
      inverse_step(scale * factors.factor, code.window - of.window, of.largest, codec.unit);
  shared.inverse_step[row] = step.inverse;
  return step.beyond;
}

// The scale of vector `row` of the tile, and what follows. `beyond` as set_step() says.
__device__ __forceinline__ ScaleCode choose_step(const EntropyCoded& codec,
                                                 const StepFactors& factors, int row,
                                                 Shared& shared) {
  const Measured of = measured(codec, row, shared);
  ScaleCode code;
  if (of.largest != 0.0f) {
    code = encode_scale(scale_format(codec), of.root_mean_square, of.window, false);
  }
  set_step(codec, factors, of, row, code, shared);
  return code;
}
__device__ __forceinline__ bool follow_step(const EntropyCoded& codec, const StepFactors& factors,
                                            const EntropyCodedSections& in, const Tile& tile,
                                            int row, Shared& shared) {
  ScaleCode code;
  std::uint32_t found = 0;  // of what kernels have written
  if (codec.scales == ScaleOf::page)
    code = read_scale(codec, in, tile.head, tile.first + row, found);
  return set_step(codec, factors, measured(codec, row, shared), row, code, shared);
}

}  // namespace
}  // namespace kakeya::kernels
