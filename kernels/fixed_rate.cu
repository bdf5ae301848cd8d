// SPDX-License-Identifier: Apache-2.0
// d4, e8 and tq: encode, decode and round trip, each in one pass over the vectors. rotated.cuh says
// where a tile's values are. A piece of eight neighbours becomes one field of bits, 512 fields a
// tile, which leave the block in pieces of 16 bytes.
#include <type_traits>

#include "kernels/column_codes.cuh"
#include "kernels/nearest.cuh"

namespace kakeya::kernels {
namespace {

// What KV caches mostly hold, a kernel of its own each in which all of this is a constant: bf16
// vectors of 128 and the published codecs' widths.
__host__ __device__ constexpr FixedRate usual(int lattice) {
  return {static_cast<FixedRate::Kind>(lattice), lattice == FixedRate::z    ? 7
                                                 : lattice == FixedRate::d4 ? 38
                                                                            : 10};
}
bool is_usual(const FixedRate& codec, const Vectors& x) {
  return x.dim == 128 && x.type == Scalar::bf16 && codec.q == usual(codec.lattice).q;
}
constexpr int kUsualBlocks = 8;  // of threads a multiprocessor: 64 registers are enough
// Decoding waits for memory: more blocks, 40 registers a thread.
constexpr int kDecodingBlocks = 12;

template <int kLattice, bool kUsual>
__device__ __forceinline__ void fix(Plan& plan, Vectors& x) {
  if constexpr (kUsual) {
    constexpr Book book = book_of(usual(kLattice));
    plan.book = book;
    plan.q = book.bound;
    plan.lanes = 4;
    x.dim = 128;
    x.type = Scalar::bf16;
  }
}

// Loads, rotates and measures the tile. `v` has it afterwards; of usual ones shared memory does, for
// read_rotated() when the scales are known.
template <bool kUsual>
__device__ __forceinline__ void load(const Vectors& x, const Tile& tile, const Seat& seat,
                                     int lanes, float (&v)[kPieces][8], Shared& shared,
                                     std::uint32_t* flags) {
  if constexpr (kUsual) {
    load_columns(x, tile, seat, shared, flags);
    // The root of a number's square is the number.
    const int thread = static_cast<int>(threadIdx.x);
    if (thread < tile.rows) shared.largest[thread] = sqrt(shared.largest[thread]);
  } else {
    load_rotated(x, tile, seat, lanes, v, shared, flags);
    measure(v, seat, lanes, tile.rows, shared);
  }
}
template <int kLattice, bool kUsual>
__device__ __forceinline__ void read_rotated(Shared& shared, const Seat& seat,
                                             float (&v)[kPieces][8]) {
  if constexpr (kUsual && kLattice == FixedRate::e8) read_pieces(shared, seat, v);
  if constexpr (kUsual && kLattice != FixedRate::e8) read_columns(shared, seat, v);
}

template <int kLattice, int kWidth, bool kUsual>
__global__ void __launch_bounds__(kThreads, kUsual ? kUsualBlocks : 1)
    encode_tile(Plan plan, Vectors x, Sections out, std::uint32_t* flags) {
  fix<kLattice, kUsual>(plan, x);
  __shared__ Shared shared;
  const Tile tile = tile_of(x);
  const Seat seat = seat_of(plan.lanes);
  float v[kPieces][8];
  load<kUsual>(x, tile, seat, plan.lanes, v, shared, flags);

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
  __syncthreads();
  read_rotated<kLattice, kUsual>(shared, seat, v);
  const unsigned halves = quantise<kLattice, kUsual>(v, plan, seat.row, shared);
  const int bits = plan.book.field_bits;
  const std::int64_t row_bytes = plan.lanes * bits / 2;  // 4 lanes fields a vector
  std::uint8_t* codes = out.codes.data + tile.head * out.codes.stride + tile.first * row_bytes;
  if constexpr (kUsual) {
    return write_codes<kLattice, kWidth>(plan.book, v, halves, tile.valid, seat, codes, shared);
  }
  if (bits % 32 != 0) {
    __syncthreads();
    for (int i = thread; i < 16 * bits; i += kThreads) shared.words[i] = 0;
  }
  __syncthreads();
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    const int field = (kPieces * seat.row + c) * plan.lanes + seat.lane;
    put_bits(shared.words, field * bits, bits,
             number_of<kLattice, kWidth>(plan.book, v[c], (halves >> c & 1u) != 0));
  }
  __syncthreads();
  copy_bytes(codes, shared.words, tile.valid * row_bytes);
}

/// What a decoding block of usual vectors needs of Shared.
struct CodesShared {
  static constexpr int kRows = kTileValues / 128, kMostWords = kRows * 128 / 4;  // a byte a value
  alignas(16) std::uint32_t words[kMostWords + 4];
  float factor[kRows];
  int window[kRows];
};

// Brings the codes and scales of the tile that probably runs after this one into the L2 cache: of
// that many tiles an H200 has all at once. Tiles that are not full are left out.
constexpr unsigned kTilesAhead = 132 * kDecodingBlocks;
__device__ __forceinline__ void prefetch_codes(const Sections& in, const Vectors& y,
                                               std::int64_t row_bytes) {
  if (threadIdx.x >= 2) return;
  const Tile tile = tile_of(y, blockIdx.x + kTilesAhead);
  if (tile.valid < tile.rows) return;
  if (threadIdx.x == 0) {
    prefetch_bytes(in.codes.data + tile.head * in.codes.stride + tile.first * row_bytes,
                   tile.rows * static_cast<int>(row_bytes));
  } else {
    prefetch_bytes(in.scales.data + tile.head * in.scales.stride + tile.first * 4, tile.rows * 4);
  }
}

template <int kLattice, int kWidth, bool kUsual>
__global__ void __launch_bounds__(kThreads, kUsual ? kDecodingBlocks : 1)
    decode_tile(Plan plan, Sections in, Vectors y, std::uint32_t* flags) {
  fix<kLattice, kUsual>(plan, y);
  __shared__ std::conditional_t<kUsual, CodesShared, Shared> shared;
  const Tile tile = tile_of(y);
  const Seat seat = seat_of(plan.lanes);
  const int thread = static_cast<int>(threadIdx.x), bits = plan.book.field_bits;
  const std::int64_t row_bytes = plan.lanes * bits / 2;
  std::uint32_t found = 0;
  if constexpr (kUsual) prefetch_codes(in, y, row_bytes);
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
    using Field = typename Words<kWidth>::Field;
    const int place = (kPieces * seat.row + c) * plan.lanes + seat.lane;
    Field field = 0;
    if (seat.row < tile.valid) field = get_bits<Field>(shared.words, place * bits, bits);
    if (!points_of<kLattice, kWidth>(plan.book, field, v[c])) found |= kNoSuchPoint;
  }
  if (found != 0) atomicOr(flags + tile.head, found);
  store_rotated<Order::pieces>(plan, y, tile, seat, shared, v);
}

template <int kLattice, bool kUsual>
__global__ void __launch_bounds__(kThreads, kUsual ? kUsualBlocks : 1)
    round_trip_tile(Plan plan, Vectors x, Vectors y, std::uint32_t* flags) {
  fix<kLattice, kUsual>(plan, x);
  fix<kLattice, kUsual>(plan, y);
  __shared__ Shared shared;
  const Tile tile = tile_of(x);
  const Seat seat = seat_of(plan.lanes);
  float v[kPieces][8];
  load<kUsual>(x, tile, seat, plan.lanes, v, shared, flags);
  if (static_cast<int>(threadIdx.x) < tile.rows) {
    choose_scales(plan, static_cast<int>(threadIdx.x), shared);
  }
  __syncthreads();
  read_rotated<kLattice, kUsual>(shared, seat, v);
  const unsigned halves = quantise<kLattice, kUsual>(v, plan, seat.row, shared);
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    const float half = (halves >> c & 1u) != 0 ? 0.5f : 0.0f;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      v[c][i] -= kShift;
      if constexpr (kLattice == FixedRate::e8) v[c][i] += half;
    }
  }
  constexpr Order order = !kUsual                     ? Order::pieces
                          : kLattice == FixedRate::e8 ? Order::halves
                                                      : Order::columns;
  store_rotated<order>(plan, y, tile, seat, shared, v);
}

// Calls run(constants of the lattice, the width of its numbers, whether it is the usual case).
template <int kValue>
struct Constant {
  static constexpr int value = kValue;
};
template <int kLattice, typename Run>
void with_width(const FixedRate& codec, bool usual, const Run& run) {
  const Constant<kLattice> lattice;
  if (usual) return run(lattice, Constant<kSmall>{}, Constant<1>{});
  if constexpr (kLattice != FixedRate::z) {
    if (width_of(codec) == kWide) return run(lattice, Constant<kWide>{}, Constant<0>{});
    if (width_of(codec) == kNarrow) return run(lattice, Constant<kNarrow>{}, Constant<0>{});
  }
  run(lattice, Constant<kSmall>{}, Constant<0>{});
}
template <typename Run>
void with_lattice(const FixedRate& codec, bool usual, const Run& run) {
  if (codec.lattice == FixedRate::z) return with_width<FixedRate::z>(codec, usual, run);
  if (codec.lattice == FixedRate::d4) return with_width<FixedRate::d4>(codec, usual, run);
  with_width<FixedRate::e8>(codec, usual, run);
}

}  // namespace

void encode(const FixedRate& codec, const Vectors& x, const Sections& out, std::uint32_t* flags,
            Stream stream) {
  if (tiles_of(x) == 0) return;
  with_lattice(codec, is_usual(codec, x), [&](auto lattice, auto width, auto usual) {
    constexpr int kLattice = decltype(lattice)::value, kWidth = decltype(width)::value;
    constexpr bool kUsual = decltype(usual)::value != 0;
    KAKEYA_LAUNCH((encode_tile<kLattice, kWidth, kUsual>), tiles_of(x), kThreads, stream,
                  plan_of(codec, x.dim), x, out, flags);
  });
}

void decode(const FixedRate& codec, const Sections& in, const Vectors& y, std::uint32_t* flags,
            Stream stream) {
  if (tiles_of(y) == 0) return;
  with_lattice(codec, is_usual(codec, y), [&](auto lattice, auto width, auto usual) {
    constexpr int kLattice = decltype(lattice)::value, kWidth = decltype(width)::value;
    constexpr bool kUsual = decltype(usual)::value != 0;
    KAKEYA_LAUNCH((decode_tile<kLattice, kWidth, kUsual>), tiles_of(y), kThreads, stream,
                  plan_of(codec, y.dim), in, y, flags);
  });
}

void round_trip(const FixedRate& codec, const Vectors& x, const Vectors& y, std::uint32_t* flags,
                Stream stream) {
  if (tiles_of(x) == 0) return;
  const bool usual_case = is_usual(codec, x) && is_usual(codec, y);
  with_lattice(codec, usual_case, [&](auto lattice, auto, auto usual) {
    constexpr int kLattice = decltype(lattice)::value;
    constexpr bool kUsual = decltype(usual)::value != 0;
    KAKEYA_LAUNCH((round_trip_tile<kLattice, kUsual>), tiles_of(x), kThreads, stream,
                  plan_of(codec, x.dim), x, y, flags);
  });
}

}  // namespace kakeya::kernels
