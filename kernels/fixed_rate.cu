// SPDX-License-Identifier: Apache-2.0
// d4, e8 and tq: encode, decode and round trip, each in one pass over the vectors.
//
// A tile is 4096 values of one head: 64, 32, 16 or 8 vectors of 64, 128, 256 or 512. A thread has 32
// values of one vector, four pieces of eight neighbours that are dim / 4 apart, and dim / 32 lanes
// share a vector:
//
//   dim 128, vector of lanes 0-3     |l0 l1 l2 l3|l0 l1 l2 l3|l0 l1 l2 l3|l0 l1 l2 l3|
//                                      piece 0     piece 1     piece 2     piece 3
//
// Butterflies of distance 1, 2 and 4 are within a piece, those of 8 ... dim / 8 between lanes, the
// last two between pieces: the CPU's order (simd/tile.h). The squares of a vector are added in four
// interleaved parts, each from the first to the last: a thread adds a part, by way of shared memory.
// One thread then makes the scales of a vector. A piece becomes one field of bits, 512 fields a
// tile, which leave the block in pieces of 16 bytes.
#include <cmath>

#include "kakeya/codec/window.h"
#include "kernels/lattice_book.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kMostRows = 64;
// Four parts a vector of dim / 4 + 4 squares each; the four keep lanes on different banks.
constexpr int kSharedWords = 4 * kMostRows * (64 / 4 + 4) + 4;

struct Plan {
  Book book;
  int q;
  int lanes;     // that share a vector: dim / 32
  float unit;    // 1 / sqrt(dim)
  float square;  // 1 / dim
};

Plan plan_of(const FixedRate& codec, int dim) {
  Plan plan;
  plan.book = book_of(codec);
  plan.q = codec.q;
  plan.lanes = dim / 32;
  plan.unit = static_cast<float>(1.0 / std::sqrt(static_cast<double>(dim)));
  plan.square = 1.0f / static_cast<float>(dim);
  return plan;
}

// Where a thread's values are.
struct Seat {
  int lane;  // among those of its vector
  int row;   // of the tile
};

__device__ __forceinline__ Seat seat_of(int lanes) {
  const int thread = static_cast<int>(threadIdx.x);
  return {thread & (lanes - 1), thread / lanes};
}

/// What the threads of a tile tell each other, by vector.
struct Shared {
  alignas(16) std::uint32_t words[kSharedWords];
  float sum_of_squares[kMostRows], largest[kMostRows];
  float inverse_step[kMostRows], factor[kMostRows];
  int window[kMostRows];
};

// The Hadamard transform without its 1 / sqrt(dim). Products with 1 and -1 are exact.
__device__ __forceinline__ void sums(float (&v)[kPieces][8], int lanes, int lane) {
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
#pragma unroll
    for (int half = 1; half < 8; half *= 2) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        if ((i & half) != 0) continue;
        const float a = v[c][i], b = v[c][i + half];
        v[c][i] = a + b;
        v[c][i + half] = a - b;
      }
    }
  }
  for (int half = 1; half < lanes; half *= 2) {
    const float sign = (lane & half) != 0 ? -1.0f : 1.0f;
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        v[c][i] = __fmaf_rn(v[c][i], sign, __shfl_xor_sync(kAll, v[c][i], half));
      }
    }
  }
#pragma unroll
  for (int half = 1; half < kPieces; half *= 2) {
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
      if ((c & half) != 0) continue;
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const float a = v[c][i], b = v[c + half][i];
        v[c][i] = a + b;
        v[c + half][i] = a - b;
      }
    }
  }
}

// Loads the vectors and rotates them. What is not finite becomes a zero vector.
__device__ __forceinline__ void load_rotated(const Vectors& x, const Tile& tile, const Seat& seat,
                                             int lanes, float (&v)[kPieces][8], Shared& shared,
                                             std::uint32_t* flags) {
  std::uint32_t largest = 0;
  if (seat.row < tile.valid) {
    const std::int64_t at =
        (tile.first + seat.row) * x.token_stride + tile.head * x.head_stride + 8 * seat.lane;
#pragma unroll
    for (int c = 0; c < kPieces; ++c) load8(x, at + c * (x.dim / kPieces), v[c]);
#pragma unroll
    for (int c = 0; c < kPieces; ++c) largest = largest8(v[c], largest);
  } else {
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = 0.0f;
    }
  }
  for (int half = 1; half < lanes; half *= 2) {
    const std::uint32_t other = __shfl_xor_sync(kAll, largest, half);
    largest = other > largest ? other : largest;
  }
  int window = 0;
  if (largest >= 0x7f800000u) {
    atomicOr(flags + tile.head, kNotFinite);
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = 0.0f;
    }
  } else {
    window = window_of(__uint_as_float(largest));
    if (window != 0) {
      const float root = root_of_window(-window);
#pragma unroll
      for (int c = 0; c < kPieces; ++c) {
#pragma unroll
        for (int i = 0; i < 8; ++i) v[c][i] = v[c][i] * root * root;
      }
    }
  }
  if (seat.lane == 0) shared.window[seat.row] = window;
  sums(v, lanes, seat.lane);
}

// Sums of squares and largest magnitudes of the tile's vectors, into `shared`.
__device__ __forceinline__ void measure(const float (&v)[kPieces][8], const Seat& seat, int lanes,
                                        int rows, Shared& shared) {
  const int quarter = 8 * lanes;  // dim / 4
  const int stride = quarter + 4;
  float* squares = reinterpret_cast<float*>(shared.words);
  float most = 0.0f;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      auto* to = reinterpret_cast<float2*>(squares + (4 * seat.row + k) * stride +
                                           c * (quarter / 4) + 2 * seat.lane);
      *to = make_float2(v[c][k], v[c][k + 4]);
      most = fmaxf(most, fmaxf(fabsf(v[c][k]), fabsf(v[c][k + 4])));
    }
  }
  for (int half = 1; half < lanes; half *= 2) {
    most = fmaxf(most, __shfl_xor_sync(kAll, most, half));
  }
  if (seat.lane == 0) shared.largest[seat.row] = most;
  __syncthreads();
  for (int part = static_cast<int>(threadIdx.x); part < 4 * rows; part += kThreads) {
    const auto* from = reinterpret_cast<const float4*>(squares + part * stride);
    float sum = 0.0f;
    for (int i = 0; i < quarter / 4; ++i) {
      const float4 four = from[i];
      sum = sum + four.x * four.x;
      sum = sum + four.y * four.y;
      sum = sum + four.z * four.z;
      sum = sum + four.w * four.w;
    }
    sum += __shfl_xor_sync(kAll, sum, 2);
    sum += __shfl_xor_sync(kAll, sum, 1);
    if (part % 4 == 0) shared.sum_of_squares[part / 4] = sum;
  }
  __syncthreads();
}

// The published scales of vector `row` (two_scales_tile() of simd/tile.h): two binary16 patterns, the
// norm in the low bits.
__device__ __forceinline__ std::uint32_t choose_scales(const Plan& plan, int row, Shared& shared) {
  const float largest = shared.largest[row] * plan.unit;
  std::uint32_t pair = 0;
  float inverse = 0.0f, factor = 0.0f;
  if (largest != 0.0f) {
    const double norm = sqrt(static_cast<double>(shared.sum_of_squares[row] * plan.square));
    pair = two_halves(static_cast<float>(norm), static_cast<float>(double{largest} / norm));
    const float maximum = half_value(pair >> 16), levels = static_cast<float>(plan.q);
    const double unit = plan.unit;
    factor = half_value(pair & 0xffffu) * (maximum / levels) * plan.unit;
    inverse = static_cast<float>(plan.q * unit / (maximum * norm));
  } else {
    shared.window[row] = 0;
  }
  shared.inverse_step[row] = inverse;
  shared.factor[row] = factor;
  return pair;
}

// The points of the box nearest to the vectors times their inverse steps, in the place of these:
// quantise_block() of lattice/quantise.h, but where it has a short way and a long one, the long one
// is kept for the few pieces that need it.
//
// A rotated vector's largest coordinate is at most a little beyond the box, so that all t are within
// q + 1/2 and rounding stays inside. `reach` bounds |t|.
__device__ __forceinline__ void nearest_z(float* v, float inverse_step, float reach, float bound) {
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = round_half_even(v[i] * inverse_step);
  if (!(reach < bound + 0.5f)) {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = fminf(fmaxf(v[i], -bound), bound);
  }
}

__device__ __forceinline__ void nearest_d4(float* v, float inverse_step, float reach, float bound) {
  float t[8], point[8], most = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) t[i] = v[i] * inverse_step;
  nearest_dn<4>(t, point);
  nearest_dn<4>(t + 4, point + 4);
#pragma unroll
  for (int i = 0; i < 8; ++i) most = fmaxf(most, fabsf(point[i]));
  if (!(reach < bound + 0.5f) || most > bound) {
    nearest_dn_in_box<4>(t, -bound, bound, point);
    nearest_dn_in_box<4>(t + 4, -bound, bound, point + 4);
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = point[i];
}

// Coordinate `lane % 8` of nearest_dn_in_box<8>() of the eight lanes' `y`.
__device__ __forceinline__ float nearest_d8_of_lanes(float y, float low, float high) {
  const int first = static_cast<int>(threadIdx.x) & 24, lane = static_cast<int>(threadIdx.x) & 7;
  const float rounded = round_half_even(y);
  const float above = rounded < low ? low : rounded;
  float point = above > high ? high : above;
  const float residue = y - point;
  const float outward = residue < 0.0f ? -1.0f : 1.0f;
  const float moved = point + outward;
  const float low_step = moved < low ? 1.0f : outward;
  const float step = moved > high ? -1.0f : low_step;
  const float gain = residue * step;
  float best = gain;
#pragma unroll
  for (int bit = 1; bit < 8; bit *= 2) best = fmaxf(best, __shfl_xor_sync(kAll, best, bit));
  const unsigned odd = __ballot_sync(kAll, (static_cast<int>(point) & 1) != 0) >> first & 0xffu;
  const unsigned bests = __ballot_sync(kAll, gain == best) >> first & 0xffu;
  const bool chosen = lane == __ffs(bests) - 1;
  return chosen && (__popc(odd) & 1) != 0 ? point + step : point;
}

// squared_distance8() of eight lanes.
__device__ __forceinline__ float distance_of_lanes(float a, float b) {
  const int first = static_cast<int>(threadIdx.x) & 24;
  const float square = (a - b) * (a - b);
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += __shfl_sync(kAll, square, first + i);
  return sum;
}

// nearest_e8_in_box() of 32 pieces at most, four at a time, eight lanes each: in and out of `t`.
__device__ __forceinline__ void nearest_e8_in_box_of_lanes(float* t, int pieces, float bound) {
  const int lane = static_cast<int>(threadIdx.x) & 31;
  for (int first = 0; first < pieces; first += 4) {
    float* place = t + 8 * first + lane;
    const float y = *place;
    const float integers = nearest_d8_of_lanes(y, -bound, bound);
    const float halves = nearest_d8_of_lanes(y - 0.5f, -bound, bound - 1.0f) + 0.5f;
    *place = distance_of_lanes(y, integers) <= distance_of_lanes(y, halves) ? integers : halves;
  }
}

// `spare` is shared memory for 32 pieces of this warp.
__device__ __forceinline__ void nearest_e8_of_lanes(float (&v)[kPieces][8], float inverse_step,
                                                    float reach, float bound, float* spare) {
  unsigned outside = 0;  // pieces whose nearest point is not in the box
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    float point[8], most = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; ++i) v[c][i] *= inverse_step;
    nearest_e8_by_residues(v[c], point);
#pragma unroll
    for (int i = 0; i < 8; ++i) most = fmaxf(most, fabsf(point[i]));
    bool inside = most <= bound;
    if (!(reach <= bound + 1.0f)) {
#pragma unroll
      for (int i = 0; i < 8; ++i) inside = inside && fabsf(v[c][i]) <= bound + 1.0f;
    }
    if (!inside) outside |= 1u << c;
#pragma unroll
    for (int i = 0; i < 8; ++i) v[c][i] = inside ? point[i] : v[c][i];
  }
  // In each turn every lane hands in one such piece, if it has one.
  const int lane = static_cast<int>(threadIdx.x) & 31;
  for (unsigned lanes; (lanes = __ballot_sync(kAll, outside != 0)) != 0;) {
    float* mine = spare + 8 * __popc(lanes & ((1u << lane) - 1));
    const int turn = __ffs(outside) - 1;
    if (outside != 0) {
#pragma unroll
      for (int c = 0; c < kPieces; ++c) {
        if (c != turn) continue;
#pragma unroll
        for (int i = 0; i < 8; ++i) mine[i] = v[c][i];
      }
    }
    __syncwarp();
    nearest_e8_in_box_of_lanes(spare, __popc(lanes), bound);
    __syncwarp();
    if (outside != 0) {
#pragma unroll
      for (int c = 0; c < kPieces; ++c) {
        if (c != turn) continue;
#pragma unroll
        for (int i = 0; i < 8; ++i) v[c][i] = mine[i];
      }
      outside &= outside - 1;
    }
    __syncwarp();
  }
}

// Where the packed fields of a tile end at the latest, 88 bits each, and spare memory begins.
constexpr int kSpareWords = kPieces * kThreads * 88 / 32;
static_assert(kSpareWords + kThreads * 8 <= kSharedWords);

template <int kLattice>
__device__ __forceinline__ void quantise(float (&v)[kPieces][8], const Plan& plan, int row,
                                         Shared& shared) {
  const float inverse_step = shared.inverse_step[row], bound = static_cast<float>(plan.q);
  const float reach = shared.largest[row] * inverse_step;
  if constexpr (kLattice == FixedRate::e8) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    float* spare = reinterpret_cast<float*>(shared.words) + kSpareWords + warp * 32 * 8;
    nearest_e8_of_lanes(v, inverse_step, reach, bound, spare);
  } else {
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
      if constexpr (kLattice == FixedRate::z) {
        nearest_z(v[c], inverse_step, reach, bound);
      } else {
        nearest_d4(v[c], inverse_step, reach, bound);
      }
    }
  }
}

template <int kLattice, bool kWide>
__global__ void __launch_bounds__(kThreads)
    encode_tile(Plan plan, Vectors x, Sections out, std::uint32_t* flags) {
  __shared__ Shared shared;
  const Tile tile = tile_of(x);
  const Seat seat = seat_of(plan.lanes);
  float v[kPieces][8];
  load_rotated(x, tile, seat, plan.lanes, v, shared, flags);
  measure(v, seat, plan.lanes, tile.rows, shared);

  const int thread = static_cast<int>(threadIdx.x);
  if (thread < tile.rows) {
    const std::uint32_t pair = choose_scales(plan, thread, shared);
    if (thread < tile.valid) {
      const std::int64_t row = tile.first + thread;
      reinterpret_cast<std::uint32_t*>(out.scales.data + tile.head * out.scales.stride)[row] = pair;
      out.windows.data[tile.head * out.windows.stride + row] =
          static_cast<std::uint8_t>(shared.window[thread]);
    }
  }
  const int bits = plan.book.field_bits;
  for (int i = thread; i < 16 * bits; i += kThreads) shared.words[i] = 0;
  __syncthreads();

  quantise<kLattice>(v, plan, seat.row, shared);
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    const int field = (kPieces * seat.row + c) * plan.lanes + seat.lane;
    put_bits(shared.words, field * bits, bits, number_of<kLattice, kWide>(plan.book, v[c]));
  }
  __syncthreads();
  const std::int64_t row_bytes = plan.lanes * bits / 2;  // 4 lanes fields a vector
  copy_bytes(out.codes.data + tile.head * out.codes.stride + tile.first * row_bytes, shared.words,
             tile.valid * row_bytes);
}

// Vectors from points: their sums times `factor`, +0 where one of the two is 0, times 2^(16 window).
__device__ __forceinline__ void store_rotated(const Plan& plan, const Vectors& y, const Tile& tile,
                                              const Seat& seat, const Shared& shared,
                                              float (&v)[kPieces][8]) {
  sums(v, plan.lanes, seat.lane);
  if (seat.row >= tile.valid) return;
  const float factor = shared.factor[seat.row];
  const int window = shared.window[seat.row];
  // Nothing underflows: a factor is 0 or at least 2^-65.
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[c][i] = __fmaf_rn(v[c][i], factor, 0.0f);
  }
  float bound = factor * static_cast<float>(plan.q * y.dim);
  if (window != 0) {
    bound = 0x1p127f;
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[c][i] = times_window(v[c][i], window);
    }
  }
  const std::int64_t at =
      (tile.first + seat.row) * y.token_stride + tile.head * y.head_stride + 8 * seat.lane;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) store8(y, at + c * (y.dim / kPieces), v[c], bound);
}

template <int kLattice, bool kWide>
__global__ void __launch_bounds__(kThreads)
    decode_tile(Plan plan, Sections in, Vectors y, std::uint32_t* flags) {
  __shared__ Shared shared;
  const Tile tile = tile_of(y);
  const Seat seat = seat_of(plan.lanes);
  const int thread = static_cast<int>(threadIdx.x), bits = plan.book.field_bits;
  const std::int64_t row_bytes = plan.lanes * bits / 2;
  std::uint32_t found = 0;
  copy_bytes(shared.words, in.codes.data + tile.head * in.codes.stride + tile.first * row_bytes,
             tile.valid * row_bytes);
  if (thread < tile.valid) {
    const std::int64_t row = tile.first + thread;
    std::uint32_t pair =
        reinterpret_cast<const std::uint32_t*>(in.scales.data + tile.head * in.scales.stride)[row];
    if ((pair & 0xffffu) >= 0x7c00u || pair >> 16 >= 0x7c00u) found = kBadScale, pair = 0;
    int window = 0;
    if (in.windows.data != nullptr) {
      window = static_cast<std::int8_t>(in.windows.data[tile.head * in.windows.stride + row]);
      if (window < kLowestWindow || window > kHighestWindow) found |= kBadWindow, window = 0;
    }
    const float step =
        half_value(pair & 0xffffu) * (half_value(pair >> 16) / static_cast<float>(plan.q));
    shared.factor[thread] = step * plan.unit;
    shared.window[thread] = window;
  }
  __syncthreads();

  float v[kPieces][8];
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    using Field = typename Words<kWide>::Field;
    const int place = (kPieces * seat.row + c) * plan.lanes + seat.lane;
    Field field = 0;
    if (seat.row < tile.valid) field = get_bits<Field>(shared.words, place * bits, bits);
    if (!points_of<kLattice, kWide>(plan.book, field, v[c])) found |= kNoSuchPoint;
  }
  if (found != 0) atomicOr(flags + tile.head, found);
  store_rotated(plan, y, tile, seat, shared, v);
}

template <int kLattice>
__global__ void __launch_bounds__(kThreads)
    round_trip_tile(Plan plan, Vectors x, Vectors y, std::uint32_t* flags) {
  __shared__ Shared shared;
  const Tile tile = tile_of(x);
  const Seat seat = seat_of(plan.lanes);
  float v[kPieces][8];
  load_rotated(x, tile, seat, plan.lanes, v, shared, flags);
  measure(v, seat, plan.lanes, tile.rows, shared);
  if (static_cast<int>(threadIdx.x) < tile.rows) {
    choose_scales(plan, static_cast<int>(threadIdx.x), shared);
  }
  __syncthreads();
  quantise<kLattice>(v, plan, seat.row, shared);
  store_rotated(plan, y, tile, seat, shared, v);
}

// Calls run(integral constant of the lattice, whether fields are wide).
template <int kValue>
struct Constant {
  static constexpr int value = kValue;
};
template <typename Run>
void with_lattice(const FixedRate& codec, const Run& run) {
  if (codec.lattice == FixedRate::z) return run(Constant<FixedRate::z>{}, Constant<0>{});
  if (codec.lattice == FixedRate::d4) {
    return is_wide(codec) ? run(Constant<FixedRate::d4>{}, Constant<1>{})
                          : run(Constant<FixedRate::d4>{}, Constant<0>{});
  }
  return is_wide(codec) ? run(Constant<FixedRate::e8>{}, Constant<1>{})
                        : run(Constant<FixedRate::e8>{}, Constant<0>{});
}

}  // namespace

void encode(const FixedRate& codec, const Vectors& x, const Sections& out, std::uint32_t* flags,
            Stream stream) {
  if (tiles_of(x) == 0) return;
  with_lattice(codec, [&](auto lattice, auto wide) {
    constexpr int kLattice = decltype(lattice)::value;
    constexpr bool kWide = decltype(wide)::value != 0;
    KAKEYA_LAUNCH((encode_tile<kLattice, kWide>), tiles_of(x), kThreads, stream,
                  plan_of(codec, x.dim), x, out, flags);
  });
}

void decode(const FixedRate& codec, const Sections& in, const Vectors& y, std::uint32_t* flags,
            Stream stream) {
  if (tiles_of(y) == 0) return;
  with_lattice(codec, [&](auto lattice, auto wide) {
    constexpr int kLattice = decltype(lattice)::value;
    constexpr bool kWide = decltype(wide)::value != 0;
    KAKEYA_LAUNCH((decode_tile<kLattice, kWide>), tiles_of(y), kThreads, stream,
                  plan_of(codec, y.dim), in, y, flags);
  });
}

void round_trip(const FixedRate& codec, const Vectors& x, const Vectors& y, std::uint32_t* flags,
                Stream stream) {
  if (tiles_of(x) == 0) return;
  with_lattice(codec, [&](auto lattice, auto) {
    KAKEYA_LAUNCH((round_trip_tile<decltype(lattice)::value>), tiles_of(x), kThreads, stream,
                  plan_of(codec, x.dim), x, y, flags);
  });
}

}  // namespace kakeya::kernels
