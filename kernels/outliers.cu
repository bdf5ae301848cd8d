// SPDX-License-Identifier: Apache-2.0
// The largest coordinates of each vector, which ece8, ecd4 and ecz with outliers=N keep beside it.
#include "kernels/entropy_coded.cuh"

namespace kakeya::kernels {
namespace {

// What the entries of a tile take: of dim 128 they are 32 * 64 of 23 bits, of others fewer.
constexpr int kEntryWords = 32 * 64 * 23 / 32;

__device__ __forceinline__ int entry_bits(const EntropyCoded& codec) {
  return codec.place_bits + 16;
}

__device__ __forceinline__ std::uint32_t magnitude_bits(float value) {
  return __float_as_uint(value) & 0x7fffffffu;
}

// A magnitude that `wanted` coordinates of a vector reach and fewer exceed: bit by bit from the
// highest, until exactly as many reach it. By all threads of a warp.
__device__ __forceinline__ std::uint32_t least_taken(const float (&v)[kPieces][8], bool is_there,
                                                     int wanted, int lanes) {
  std::uint32_t least = 0;
  bool found = !is_there;
  for (int bit = 30; bit >= 0; --bit) {
    const std::uint32_t higher = least | 1u << bit;
    int reach = 0;
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
#pragma unroll
      for (int i = 0; i < 8; ++i) reach += magnitude_bits(v[c][i]) >= higher ? 1 : 0;
    }
    for (int half = 1; half < lanes; half *= 2) reach += __shfl_xor_sync(kAll, reach, half);
    if (!found && reach >= wanted) {
      least = higher;
      found = reach == wanted;
    }
    if (__ballot_sync(kAll, !found) == 0) break;
  }
  return least;
}

// How many bits are set in each byte of a word, in that byte.
__device__ __forceinline__ std::uint32_t bits_of_bytes(std::uint32_t word) {
  word = word - (word >> 1 & 0x55555555u);
  word = (word & 0x33333333u) + (word >> 2 & 0x33333333u);
  return (word + (word >> 4)) & 0x0f0f0f0fu;
}

// Coordinates of a vector, each thread's in a word: bit 8 c + i is v[c][i].
struct Chosen {
  std::uint32_t mine;
  // By piece, in bytes: those of lanes below, and of all lanes, at most 128.
  std::uint32_t below, all;
};

// By all threads of a warp.
__device__ __forceinline__ Chosen chosen(std::uint32_t mine, const Seat& seat, int lanes) {
  Chosen made{mine, 0, bits_of_bytes(mine)};
  for (int half = 1; half < lanes; half *= 2) {
    const std::uint32_t others = __shfl_xor_sync(kAll, made.all, half);
    if ((seat.lane & half) != 0) made.below += others;
    made.all += others;
  }
  return made;
}

// Calls run(c, i, rank) for the thread's own; ranks are in the order of coordinates.
template <typename Run>
__device__ __forceinline__ void for_each_chosen(const Chosen& of, const Run& run) {
  int first = 0;  // rank of the piece
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    int rank = first + static_cast<int>(of.below >> (8 * c) & 0xffu);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if ((of.mine >> (8 * c + i) & 1u) != 0) run(c, i, rank++);
    }
    first += static_cast<int>(of.all >> (8 * c) & 0xffu);
  }
}

// The largest codec.outliers coordinates of a vector; of equal ones those that come first. By all
// threads of a warp.
__device__ __forceinline__ Chosen choose_outliers(const EntropyCoded& codec,
                                                  const float (&v)[kPieces][8], bool is_there,
                                                  const Seat& seat) {
  const int lanes = codec.dim / 32;
  const std::uint32_t least = least_taken(v, is_there, codec.outliers, lanes);
  std::uint32_t above = 0, equal = 0;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t magnitude = magnitude_bits(v[c][i]);
      above |= (magnitude > least ? 1u : 0u) << (8 * c + i);
      equal |= (magnitude == least ? 1u : 0u) << (8 * c + i);
    }
  }
  int room = codec.outliers;
  const std::uint32_t each = chosen(above, seat, lanes).all;  // at most 64 in all
  room -=
      static_cast<int>((each & 0xffu) + (each >> 8 & 0xffu) + (each >> 16 & 0xffu) + (each >> 24));
  std::uint32_t taken = above;
  for_each_chosen(chosen(equal, seat, lanes),
                  [&](int c, int i, int rank) { taken |= (rank < room ? 1u : 0u) << (8 * c + i); });
  return chosen(taken, seat, lanes);
}

__global__ void __launch_bounds__(kThreads)
    outliers_of_tile(EntropyCoded codec, Vectors x, EntropyCodedSections out, EntropyCodedWork work,
                     std::uint32_t* flags) {
  __shared__ std::uint32_t entries[kEntryWords];
  const int thread = static_cast<int>(threadIdx.x), width = entry_bits(codec);
  for (int i = thread; i < kEntryWords; i += kThreads) entries[i] = 0;
  const Tile tile = counted_tile_of(x);
  if (tile.valid <= 0) return;
  const Seat seat = seat_of(codec.dim / 32);
  const bool is_there = seat.row < tile.valid;
  float v[kPieces][8];
  std::uint32_t largest = 0;
  load_centred(codec, x, tile, seat, work, v, largest, flags);
  const Chosen taken = choose_outliers(codec, v, is_there, seat);
  const int window = window_of(__uint_as_float(largest));
  __syncthreads();
  if (is_there) {
    const std::int64_t token = tile.first + seat.row;
    *taken_of(codec, x, tile, seat, work) = taken.mine;
    if (seat.lane == 0) {
      out.outlier_windows.data[tile.head * out.outlier_windows.stride + token] =
          static_cast<std::uint8_t>(window);
    }
    for_each_chosen(taken, [&](int c, int i, int rank) {
      const std::uint64_t place = static_cast<std::uint64_t>(coordinate_at(codec, seat, c) + i),
                          half = float_to_half(times_window(v[c][i], -window));
      put_bits(entries, (seat.row * codec.outliers + rank) * width, width,
               place | half << codec.place_bits);
    });
  }
  __syncthreads();
  // A tile has a multiple of 8 vectors: its first entry begins a byte.
  const std::int64_t vector_bits = static_cast<std::int64_t>(codec.outliers) * width;
  std::uint8_t* to =
      out.outliers.data + tile.head * out.outliers.stride + tile.first * vector_bits / 8;
  const int bytes = static_cast<int>((tile.valid * vector_bits + 7) / 8);
  for (int i = thread; i < bytes; i += kThreads) {
    to[i] = static_cast<std::uint8_t>(entries[i / 4] >> (8 * (i % 4)));
  }
}

// The entry at bit `at` of a section: at most 25 bits, so that they are in four bytes, of which it
// reads those alone that the entry has.
__device__ __forceinline__ std::uint32_t read_entry(const std::uint8_t* section, std::int64_t at,
                                                    int width) {
  const std::uint8_t* from = section + at / 8;
  const int shift = static_cast<int>(at % 8);
  std::uint32_t word = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (8 * i < shift + width) word |= static_cast<std::uint32_t>(from[i]) << (8 * i);
  }
  return word >> shift & ((1u << width) - 1);
}

constexpr int kPutThreads = 256;

// A thread a vector, as Stages::read_outliers() and backward().
__global__ void __launch_bounds__(kPutThreads)
    put_entries(EntropyCoded codec, EntropyCodedSections in, EntropyCodedWork work, bool but_kept,
                Vectors y, std::uint32_t* flags) {
  const std::int64_t number = static_cast<std::int64_t>(blockIdx.x) * kPutThreads + threadIdx.x,
                     head = number / y.tokens, token = number - head * y.tokens;
  if (head >= y.heads) return;
  const std::int64_t tokens = tokens_of_head(y, head);
  if (token >= tokens) return;
  const int width = entry_bits(codec);
  const std::int64_t vector_bits = static_cast<std::int64_t>(codec.outliers) * width;
  const std::uint8_t* section = in.outliers.data + head * in.outliers.stride;
  std::uint32_t found = 0;
  if (token == tokens - 1) {  // bits behind the last entry
    const std::int64_t end = tokens * vector_bits;
    if (end % 8 != 0 && section[end / 8] >> (end % 8) != 0) found |= kBadOutlier;
  }
  int window =
      static_cast<std::int8_t>(in.outlier_windows.data[head * in.outlier_windows.stride + token]);
  if (window < kLowestWindow || window > kHighestWindow) found |= kBadWindow, window = 0;
  const bool skipped =
      but_kept && (work.kept[head * klt_groups(y.tokens) + token / 32] >> (token % 32) & 1u) != 0;
  const std::int64_t to = token * y.token_stride + begin_of_head(y, head);
  const float* means = means_of(codec, work, head);
  int least = 0;  // place that is still to come
  for (int k = 0; k < codec.outliers && !skipped; ++k) {
    const std::uint32_t entry = read_entry(section, token * vector_bits + k * width, width),
                        half = entry >> codec.place_bits;
    const int place = static_cast<int>(entry & ((1u << codec.place_bits) - 1));
    if (place < least || place >= codec.dim || (half & 0x7fffu) >= 0x7c00u) {
      found |= kBadOutlier;
      continue;
    }
    least = place + 1;
    float value = times_window(half_value(half), window);
    if (codec.centres) value = value + means[place];
    store_scalar(y, to + place, value);
  }
  if (found != 0) atomicOr(flags + head, found);
}

}  // namespace

void take_outliers(const EntropyCoded& codec, const Vectors& x, const EntropyCodedSections& out,
                   const EntropyCodedWork& work, std::uint32_t* flags, Stream stream) {
  if (tiles_of(x) == 0) return;
  KAKEYA_LAUNCH(outliers_of_tile, tiles_of(x), kThreads, stream, codec, x, out, work, flags);
}

void put_outliers(const EntropyCoded& codec, const EntropyCodedSections& in,
                  const EntropyCodedWork& work, bool but_kept, const Vectors& y,
                  std::uint32_t* flags, Stream stream) {
  const std::int64_t vectors = y.tokens * y.heads;
  if (vectors == 0) return;
  KAKEYA_LAUNCH(put_entries, (vectors + kPutThreads - 1) / kPutThreads, kPutThreads, stream, codec,
                in, work, but_kept, y, flags);
}

}  // namespace kakeya::kernels
