// SPDX-License-Identifier: Apache-2.0
// d4, e8 and tq: encode, decode and round trip, each in one pass over the vectors. rotated.cuh says
// where a tile's values are. A piece of eight neighbours becomes one field of bits, 512 fields a
// tile, which leave the block in pieces of 16 bytes. Usual vectors are encoded and decoded by
// fixed_rate_rows.cu.
#include "kernels/fixed_rate_rows.h"
#include "kernels/nearest.cuh"

namespace kakeya::kernels {
namespace {

template <int kLattice, int kWidth>
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
  __syncthreads();
  const unsigned halves = quantise<kLattice>(v, plan, seat.row, shared);
  const int bits = plan.book.field_bits;
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
  const std::int64_t row_bytes = plan.lanes * bits / 2;  // 4 lanes fields a vector
  copy_bytes(out.codes.data + tile.head * out.codes.stride + tile.first * row_bytes, shared.words,
             tile.valid * row_bytes);
}

template <int kLattice, int kWidth>
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
    using Field = typename Words<kWidth>::Field;
    const int place = (kPieces * seat.row + c) * plan.lanes + seat.lane;
    Field field = 0;
    if (seat.row < tile.valid) field = get_bits<Field>(shared.words, place * bits, bits);
    if (!points_of<kLattice, kWidth>(plan.book, field, v[c])) found |= kNoSuchPoint;
  }
  if (found != 0) atomicOr(flags + tile.head, found);
  store_rotated(plan, y, tile, seat, shared, v);
}

// Of the published rates' bf16 vectors of 128 all of what says what they are is a constant.
constexpr FixedRate published_rate(int lattice) {
  return {static_cast<FixedRate::Kind>(lattice), lattice == FixedRate::d4 ? 38 : 10};
}
constexpr int kPublishedBlocks = 8;  // of threads a multiprocessor: 64 registers are enough

template <int kLattice, bool kPublished>
__global__ void __launch_bounds__(kThreads, kPublished ? kPublishedBlocks : 1)
    round_trip_tile(Plan plan, Vectors x, Vectors y, std::uint32_t* flags) {
  if constexpr (kPublished) {
    constexpr Book book = book_of(published_rate(kLattice));
    plan.book = book;
    plan.q = book.bound;
    plan.lanes = 4;
    x.dim = y.dim = 128;
    x.type = y.type = Scalar::bf16;
  }
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
  const unsigned halves = quantise<kLattice>(v, plan, seat.row, shared);
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    const float half = (halves >> c & 1u) != 0 ? 0.5f : 0.0f;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      v[c][i] -= kShift;
      if constexpr (kLattice == FixedRate::e8) v[c][i] += half;
    }
  }
  store_rotated(plan, y, tile, seat, shared, v);
}

// Calls run(constants of the lattice and of the width of its numbers).
template <int kValue>
struct Constant {
  static constexpr int value = kValue;
};
template <int kLattice, typename Run>
void with_width(const FixedRate& codec, const Run& run) {
  const Constant<kLattice> lattice;
  if constexpr (kLattice != FixedRate::z) {
    if (width_of(codec) == kWide) return run(lattice, Constant<kWide>{});
    if (width_of(codec) == kNarrow) return run(lattice, Constant<kNarrow>{});
  }
  run(lattice, Constant<kSmall>{});
}
template <typename Run>
void with_lattice(const FixedRate& codec, const Run& run) {
  if (codec.lattice == FixedRate::z) return with_width<FixedRate::z>(codec, run);
  if (codec.lattice == FixedRate::d4) return with_width<FixedRate::d4>(codec, run);
  with_width<FixedRate::e8>(codec, run);
}

}  // namespace

void encode(const FixedRate& codec, const Vectors& x, const Sections& out, std::uint32_t* flags,
            Stream stream) {
  if (tiles_of(x) == 0) return;
  if (is_usual(codec, x)) return encode_usual(codec, x, out, flags, stream);
  with_lattice(codec, [&](auto lattice, auto width) {
    constexpr int kLattice = decltype(lattice)::value, kWidth = decltype(width)::value;
    KAKEYA_LAUNCH((encode_tile<kLattice, kWidth>), tiles_of(x), kThreads, stream,
                  plan_of(codec, x.dim), x, out, flags);
  });
}

void decode(const FixedRate& codec, const Sections& in, const Vectors& y, std::uint32_t* flags,
            Stream stream) {
  if (tiles_of(y) == 0) return;
  if (is_usual(codec, y)) return decode_usual(codec, in, y, flags, stream);
  with_lattice(codec, [&](auto lattice, auto width) {
    constexpr int kLattice = decltype(lattice)::value, kWidth = decltype(width)::value;
    KAKEYA_LAUNCH((decode_tile<kLattice, kWidth>), tiles_of(y), kThreads, stream,
                  plan_of(codec, y.dim), in, y, flags);
  });
}

void round_trip(const FixedRate& codec, const Vectors& x, const Vectors& y, std::uint32_t* flags,
                Stream stream) {
  if (tiles_of(x) == 0) return;
  const bool usual = is_usual(codec, x) && is_usual(codec, y);
  if (usual && codec.lattice == FixedRate::z) return round_trip_usual_z(codec, x, y, flags, stream);
  with_lattice(codec, [&](auto lattice, auto) {
    constexpr int kLattice = decltype(lattice)::value;
    if constexpr (kLattice != FixedRate::z) {
      if (usual && x.dim == 128 && codec.q == published_rate(kLattice).q) {
        KAKEYA_LAUNCH((round_trip_tile<kLattice, true>), tiles_of(x), kThreads, stream,
                      plan_of(codec, x.dim), x, y, flags);
        return;
      }
    }
    KAKEYA_LAUNCH((round_trip_tile<kLattice, false>), tiles_of(x), kThreads, stream,
                  plan_of(codec, x.dim), x, y, flags);
  });
}

}  // namespace kakeya::kernels
