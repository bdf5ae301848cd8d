// SPDX-License-Identifier: Apache-2.0
// ece8, ecd4 and ecz: vectors to points and back, a scale a vector. rotated.cuh says where a tile's
// values are and in which order they are added up.
#include "kakeya/codec/scale_rules.h"
#include "kakeya/lattice/quantise.h"
#include "kernels/entropy_coded.h"
#include "kernels/rotated.cuh"

namespace kakeya::kernels {
namespace {

constexpr float kAnyMagnitude = 0x1p127f;  // of what store8() writes

__device__ __forceinline__ ScaleFormat scale_format(const EntropyCoded& codec) {
  return codec.halves ? ScaleFormat::half : ScaleFormat::log8;
}

// 1 / sqrt(dim), which sums lack.
__device__ __forceinline__ float unit_of(const EntropyCoded& codec) {
  return static_cast<float>(1.0 / sqrt(static_cast<double>(codec.dim)));
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
  const std::int64_t at = (tile.first + seat.row) * x.token_stride + tile.head * x.head_stride;
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

// As Stages::forward(): less their means, times 2^(-16 window), signs, sums of the Hadamard transform;
// then what is measured of them.
__device__ __forceinline__ void load_stepped(const EntropyCoded& codec, const Vectors& x,
                                             const Tile& tile, const Seat& seat,
                                             const EntropyCodedWork& work, float (&v)[kPieces][8],
                                             Shared& shared, std::uint32_t* flags) {
  const int lanes = codec.dim / 32;
  std::uint32_t largest = 0;
  load_finite(codec, x, tile, seat, v, largest, flags);
  if (codec.centres) {
    const float* negative = work.means + (2 * tile.head + 1) * codec.dim;
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
      float mean[8];
      load_eight(negative + coordinate_at(codec, seat, c), mean);
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = v[c][i] + mean[i];
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

// The scale of vector `row` of the tile, and in `shared` what it is multiplied with now, what decoded
// sums are, and the scale's window.
__device__ __forceinline__ ScaleCode choose_step(const EntropyCoded& codec, int row,
                                                 Shared& shared) {
  float squares = shared.sum_of_squares[row], largest = shared.largest[row];
  const float unit = codec.rotates ? unit_of(codec) : 1.0f;
  if (codec.rotates) {
    squares = squares * (1.0f / static_cast<float>(codec.dim));
    largest = largest * unit;
  }
  shared.inverse_step[row] = shared.factor[row] = 0.0f;
  const int window = shared.window[row];
  shared.window[row] = 0;
  if (largest == 0.0f) return {};
  const auto mean_square =
      static_cast<float>(static_cast<double>(squares) / static_cast<double>(codec.dim));
  const ScaleFormat format = scale_format(codec);
  const ScaleCode code = encode_scale(format, sqrtf(mean_square), window, false);
  const double scale = decode_scale(format, code.code);
  const InverseStep step = inverse_step(scale * codec.factor, code.window - window, largest, unit);
  shared.inverse_step[row] = step.inverse;
  shared.factor[row] = decoded_step(scale, codec.factor, codec.reconstruct) * unit;
  shared.window[row] = code.window;
  return code;
}

// The points nearest to the vectors in steps, in their place.
template <PageLattice kLattice>
__device__ __forceinline__ void nearest_points(float (&v)[kPieces][8], float inverse) {
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    float t[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) t[i] = v[c][i] * inverse;
    if constexpr (kLattice == PageLattice::e8) {
      nearest_e8_by_residues(t, v[c]);
    } else if constexpr (kLattice == PageLattice::d4) {
      nearest_dn<4>(t, v[c]);
      nearest_dn<4>(t + 4, v[c] + 4);
    } else {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = round_half_even(t[i]);
    }
  }
}

// Where twice coordinate 0 of the thread's vector is; coordinate i is 32 i behind.
__device__ __forceinline__ std::int32_t* place_of(const EntropyCoded& codec, const Tile& tile,
                                                  const Seat& seat, const EntropyCodedWork& work) {
  const std::int64_t token = tile.first + seat.row;
  return work.points + tile.head * work.stride + token / 32 * 32 * codec.dim + token % 32;
}

template <PageLattice kLattice>
__global__ void __launch_bounds__(kThreads)
    points_of_tile(EntropyCoded codec, Vectors x, EntropyCodedSections out, EntropyCodedWork work,
                   std::uint32_t* flags) {
  __shared__ Shared shared;
  const Tile tile = tile_of(x);
  const Seat seat = seat_of(codec.dim / 32);
  float v[kPieces][8];
  load_stepped(codec, x, tile, seat, work, v, shared, flags);
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < tile.rows) {
    const ScaleCode code = choose_step(codec, thread, shared);
    if (thread < tile.valid) {
      const std::int64_t row = tile.first + thread;
      std::uint8_t* scales = out.scales.data + tile.head * out.scales.stride;
      if (codec.halves) {
        reinterpret_cast<std::uint16_t*>(scales)[row] = code.code;
      } else {
        scales[row] = static_cast<std::uint8_t>(code.code);
      }
      out.windows.data[tile.head * out.windows.stride + row] =
          static_cast<std::uint8_t>(code.window);
    }
  }
  __syncthreads();
  nearest_points<kLattice>(v, shared.inverse_step[seat.row]);
  if (seat.row >= tile.valid) return;
  std::int32_t* to = place_of(codec, tile, seat, work);
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      to[32 * (coordinate_at(codec, seat, c) + i)] = twice_of(v[c][i]);
    }
  }
}

// As Stages::backward(), by shared.factor and shared.window.
__device__ __forceinline__ void store_stepped(const EntropyCoded& codec,
                                              const EntropyCodedWork& work, const Vectors& y,
                                              const Tile& tile, const Seat& seat,
                                              const Shared& shared, float (&v)[kPieces][8]) {
  if (codec.rotates) sums(v, codec.dim / 32, seat.lane);
  if (seat.row >= tile.valid) return;
  const float factor = shared.factor[seat.row];
  const int window = shared.window[seat.row];
  const std::int64_t to = (tile.first + seat.row) * y.token_stride + tile.head * y.head_stride;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    const int first = coordinate_at(codec, seat, c);
    if (codec.signs != nullptr) {
      float sign[8];
      load_eight(codec.signs + first, sign);
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = v[c][i] * sign[i];
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) v[c][i] = v[c][i] * factor;
    if (window != 0) {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = times_window(v[c][i], window);
    }
    if (codec.centres) {
      float mean[8];
      load_eight(work.means + 2 * tile.head * codec.dim + first, mean);
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = v[c][i] + mean[i];
    }
    store8(y, to + first, v[c], kAnyMagnitude);
  }
}

// The scale of a vector from its section, into `shared`. What is wrong is flagged, and 0.
__device__ __forceinline__ std::uint32_t read_step(const EntropyCoded& codec,
                                                   const EntropyCodedSections& in, const Tile& tile,
                                                   int row, Shared& shared) {
  const std::int64_t vector = tile.first + row;
  const std::uint8_t* scales = in.scales.data + tile.head * in.scales.stride;
  std::uint16_t code =
      codec.halves ? reinterpret_cast<const std::uint16_t*>(scales)[vector] : scales[vector];
  std::uint32_t found = 0;
  if (!is_scale_code(scale_format(codec), code)) found = kBadScale, code = 0;
  int window = static_cast<std::int8_t>(in.windows.data[tile.head * in.windows.stride + vector]);
  if (window < kLowestWindow || window > kHighestWindow) found |= kBadWindow, window = 0;
  const float step =
      decoded_step(decode_scale(scale_format(codec), code), codec.factor, codec.reconstruct);
  shared.factor[row] = codec.rotates ? step * unit_of(codec) : step;
  shared.window[row] = window;
  return found;
}

__global__ void __launch_bounds__(kThreads)
    vectors_of_tile(EntropyCoded codec, EntropyCodedSections in, EntropyCodedWork work, Vectors y,
                    std::uint32_t* flags) {
  __shared__ Shared shared;
  const Tile tile = tile_of(y);
  const Seat seat = seat_of(codec.dim / 32);
  const int thread = static_cast<int>(threadIdx.x);
  std::uint32_t found = 0;
  if (thread < tile.valid) found = read_step(codec, in, tile, thread, shared);
  if (found != 0) atomicOr(flags + tile.head, found);
  float v[kPieces][8];
  const std::int32_t* from = place_of(codec, tile, seat, work);
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      v[c][i] = 0.0f;
      if (seat.row < tile.valid) {
        const std::int32_t twice = from[32 * (coordinate_at(codec, seat, c) + i)];
        v[c][i] = coordinate_of(static_cast<std::uint32_t>(twice));
      }
    }
  }
  __syncthreads();
  store_stepped(codec, work, y, tile, seat, shared, v);
}

template <PageLattice kLattice>
__global__ void __launch_bounds__(kThreads)
    there_and_back(EntropyCoded codec, Vectors x, EntropyCodedWork work, Vectors y,
                   std::uint32_t* flags) {
  __shared__ Shared shared;
  const Tile tile = tile_of(x);
  const Seat seat = seat_of(codec.dim / 32);
  float v[kPieces][8];
  load_stepped(codec, x, tile, seat, work, v, shared, flags);
  if (static_cast<int>(threadIdx.x) < tile.rows) {
    choose_step(codec, static_cast<int>(threadIdx.x), shared);
  }
  __syncthreads();
  nearest_points<kLattice>(v, shared.inverse_step[seat.row]);
  store_stepped(codec, work, y, tile, seat, shared, v);
}

// Calls run(lattice) with the constant that a kernel is made for.
template <PageLattice kLattice>
struct LatticeConstant {
  static constexpr PageLattice value = kLattice;
};
template <typename Run>
void with_blocks_of(PageLattice lattice, const Run& run) {
  if (lattice == PageLattice::z) return run(LatticeConstant<PageLattice::z>());
  if (lattice == PageLattice::d4) return run(LatticeConstant<PageLattice::d4>());
  run(LatticeConstant<PageLattice::e8>());
}

}  // namespace

void find_points(const EntropyCoded& codec, const Vectors& x, const EntropyCodedSections& out,
                 const EntropyCodedWork& work, std::uint32_t* flags, Stream stream) {
  if (tiles_of(x) == 0) return;
  with_blocks_of(codec.lattice, [&](auto lattice) {
    KAKEYA_LAUNCH((points_of_tile<decltype(lattice)::value>), tiles_of(x), kThreads, stream, codec,
                  x, out, work, flags);
  });
}

void restore_vectors(const EntropyCoded& codec, const EntropyCodedSections& in,
                     const EntropyCodedWork& work, const Vectors& y, std::uint32_t* flags,
                     Stream stream) {
  if (tiles_of(y) == 0) return;
  KAKEYA_LAUNCH(vectors_of_tile, tiles_of(y), kThreads, stream, codec, in, work, y, flags);
}

void round_trip(const EntropyCoded& codec, const Vectors& x, const EntropyCodedWork& work,
                const Vectors& y, std::uint32_t* flags, Stream stream) {
  if (tiles_of(x) == 0) return;
  with_blocks_of(codec.lattice, [&](auto lattice) {
    KAKEYA_LAUNCH((there_and_back<decltype(lattice)::value>), tiles_of(x), kThreads, stream, codec,
                  x, work, y, flags);
  });
}

}  // namespace kakeya::kernels
