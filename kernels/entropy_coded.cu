// SPDX-License-Identifier: Apache-2.0
// ece8, ecd4 and ecz: vectors to points and back.
#include <type_traits>

#include "kakeya/lattice/quantise.h"
#include "kernels/entropy_coded.cuh"

namespace kakeya::kernels {
namespace {

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

// Vector `row` of the tile is kept beside the code.
__device__ __forceinline__ void keep_vector(const Vectors& x, const Tile& tile, int row,
                                            const EntropyCodedWork& work) {
  const std::int64_t vector = tile.first + row;
  atomicOr(work.kept + tile.head * klt_groups(x.tokens) + vector / 32, 1u << (vector % 32));
}

// A vector whose scale is shared may be.
template <PageLattice kLattice, bool kShares, bool kTakes>
__global__ void __launch_bounds__(kThreads)
    points_of_tile(EntropyCoded codec, Vectors x, EntropyCodedSections out, EntropyCodedWork work,
                   std::uint32_t* flags) {
  __shared__ Shared shared;
  const Tile tile = counted_tile_of(x);
  if (tile.valid <= 0) return;
  const Seat seat = seat_of(codec.dim / 32);
  float v[kPieces][8];
  load_stepped<kTakes>(codec, x, tile, seat, work, v, shared, flags);
  const StepFactors factors = factors_of(codec, work, tile.head);
  const int row = static_cast<int>(threadIdx.x);
  if (row < tile.valid) {
    if (!kShares) {
      write_scale(codec, out, tile.head, tile.first + row,
                  choose_step(codec, factors, row, shared));
    } else if (follow_step(codec, factors, out, tile, row, shared)) {
      keep_vector(x, tile, row, work);
    }
  }
  __syncthreads();
  if (seat.row >= tile.valid) return;
  nearest_points<kLattice>(v, shared.inverse_step[seat.row]);
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
  const std::int64_t to = (tile.first + seat.row) * y.token_stride + begin_of_head(y, tile.head);
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
      load_eight(means_of(codec, work, tile.head) + first, mean);
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = v[c][i] + mean[i];
    }
    store8(y, to + first, v[c], kAnyMagnitude);
  }
}

__global__ void __launch_bounds__(kThreads)
    vectors_of_tile(EntropyCoded codec, EntropyCodedSections in, EntropyCodedWork work, Vectors y,
                    std::uint32_t* flags) {
  __shared__ Shared shared;
  const Tile tile = counted_tile_of(y);
  if (tile.valid <= 0) return;
  const Seat seat = seat_of(codec.dim / 32);
  const int thread = static_cast<int>(threadIdx.x);
  std::uint32_t found = 0;
  if (thread < tile.valid) {
    ScaleCode code;
    if (codec.scales != ScaleOf::frame) {
      code = read_scale(codec, in, tile.head, tile.first + thread, found);
    }
    const StepFactors factors = factors_of(codec, work, tile.head);
    const float step =
        decoded_step(scale_of_code(codec, code), factors.factor, factors.reconstruct);
    shared.factor[thread] = step * codec.unit;
    shared.window[thread] = code.window;
  }
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

// What is kept beside the code comes back as it is; what is not finite as 0.
__device__ __forceinline__ void copy_vector(const EntropyCoded& codec, const Vectors& x,
                                            const Vectors& y, const Tile& tile, const Seat& seat) {
  const std::int64_t token = tile.first + seat.row;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    const int first = coordinate_at(codec, seat, c);
    float v[8];
    load8(x, token * x.token_stride + begin_of_head(x, tile.head) + first, v);
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = fabsf(v[i]) <= 0x1.fffffep127f ? v[i] : 0.0f;
    store8(y, token * y.token_stride + begin_of_head(y, tile.head) + first, v, kAnyMagnitude);
  }
}

template <PageLattice kLattice, bool kShares, bool kTakes>
__global__ void __launch_bounds__(kThreads)
    there_and_back(EntropyCoded codec, Vectors x, EntropyCodedSections in, EntropyCodedWork work,
                   Vectors y, std::uint32_t* flags) {
  __shared__ Shared shared;
  __shared__ bool kept[kMostRows];
  const Tile tile = counted_tile_of(x);
  if (tile.valid <= 0) return;
  const Seat seat = seat_of(codec.dim / 32);
  float v[kPieces][8];
  load_stepped<kTakes>(codec, x, tile, seat, work, v, shared, flags);
  const StepFactors factors = factors_of(codec, work, tile.head);
  const int row = static_cast<int>(threadIdx.x);
  if (row < tile.valid) {
    if (kShares) {
      kept[row] = follow_step(codec, factors, in, tile, row, shared);
      if (kTakes && kept[row]) keep_vector(x, tile, row, work);  // for put_outliers()
    } else {
      choose_step(codec, factors, row, shared);
    }
  }
  __syncthreads();
  nearest_points<kLattice>(v, seat.row < tile.valid ? shared.inverse_step[seat.row] : 0.0f);
  Tile stored = tile;
  if (kShares && seat.row < tile.valid && kept[seat.row]) {
    copy_vector(codec, x, y, tile, seat);
    stored.valid = 0;  // of this thread's vector
  }
  store_stepped(codec, work, y, stored, seat, shared, v);
}

// Calls run(lattice, shares, takes) with the constants that a kernel is made for.
template <typename Run>
void with_blocks_of(const EntropyCoded& codec, const Run& run) {
  const auto with = [&](auto lattice) {
    const auto of = [&](auto shares) {
      if (codec.outliers == 0) return run(lattice, shares, std::false_type());
      run(lattice, shares, std::true_type());
    };
    if (codec.scales == ScaleOf::vector) return of(std::false_type());
    of(std::true_type());
  };
  if (codec.lattice == PageLattice::z) {
    with(std::integral_constant<PageLattice, PageLattice::z>());
  } else if (codec.lattice == PageLattice::d4) {
    with(std::integral_constant<PageLattice, PageLattice::d4>());
  } else {
    with(std::integral_constant<PageLattice, PageLattice::e8>());
  }
}

}  // namespace

void find_points(const EntropyCoded& codec, const Vectors& x, const EntropyCodedSections& out,
                 const EntropyCodedWork& work, std::uint32_t* flags, Stream stream) {
  if (tiles_of(x) == 0) return;
  with_blocks_of(codec, [&](auto lattice, auto shares, auto takes) {
    KAKEYA_LAUNCH(
        (points_of_tile<decltype(lattice)::value, decltype(shares)::value, decltype(takes)::value>),
        tiles_of(x), kThreads, stream, codec, x, out, work, flags);
  });
}

void restore_vectors(const EntropyCoded& codec, const EntropyCodedSections& in,
                     const EntropyCodedWork& work, const Vectors& y, std::uint32_t* flags,
                     Stream stream) {
  if (tiles_of(y) == 0) return;
  KAKEYA_LAUNCH(vectors_of_tile, tiles_of(y), kThreads, stream, codec, in, work, y, flags);
}

void round_trip(const EntropyCoded& codec, const Vectors& x, const EntropyCodedSections& in,
                const EntropyCodedWork& work, const Vectors& y, std::uint32_t* flags,
                Stream stream) {
  if (tiles_of(x) == 0) return;
  with_blocks_of(codec, [&](auto lattice, auto shares, auto takes) {
    KAKEYA_LAUNCH(
        (there_and_back<decltype(lattice)::value, decltype(shares)::value, decltype(takes)::value>),
        tiles_of(x), kThreads, stream, codec, x, in, work, y, flags);
  });
}

}  // namespace kakeya::kernels
