// SPDX-License-Identifier: Apache-2.0
// d4:q=38, e8:q=10 and tq:b=4 of bf16 vectors of 128: encode, decode and round trip, a vector a lane.
// fixed_rate.cu has all others.
#include "kernels/row_pieces.cuh"
#include "kernels/row_points.cuh"

namespace kakeya::kernels {
namespace {

// Warps of a multiprocessor: 168 registers a thread where it encodes, 96 where it decodes.
constexpr int kEncodingWarps = 12, kDecodingWarps = 20;

// Brings coordinates of a row that may be beyond the box into it. Returns their step, then 1.
__device__ __forceinline__ float clamp_row(float (&v)[kRowDim], float step, float reach,
                                           float bound) {
  if (reach < bound + 0.5f) return step;
#pragma unroll
  for (int i = 0; i < kRowDim; ++i) v[i] = fminf(fmaxf(v[i] * step, -bound), bound);
  return 1.0f;
}

template <int kLattice>
__global__ void __launch_bounds__(32, kEncodingWarps)
    encode_rows(Plan plan, Vectors x, Sections out, std::uint32_t* flags) {
  fix<kLattice>(plan);
  x.dim = kRowDim;
  __shared__ RowSpace<kLattice> space;
  const Tile tile = tile_of(x);
  const int lane = static_cast<int>(threadIdx.x);
  load_rows(x, tile, space.rows);
  float v[kRowDim];
  const RowFacts facts = rotate_row(space.rows.pieces[lane], v, flags + tile.head);
  const TwoScales scales = two_scales_of(plan, facts.sum_of_squares, facts.largest);
  if (lane < tile.valid) {
    const std::int64_t at = tile.first + lane;
    reinterpret_cast<std::uint32_t*>(out.scales.data + tile.head * out.scales.stride)[at] =
        scales.pair;
    out.windows.data[tile.head * out.windows.stride + at] =
        static_cast<std::uint8_t>(scales.factor != 0.0f ? facts.window : 0);
  }

  const float bound = static_cast<float>(plan.q), reach = facts.largest * scales.inverse_step;
  RowWriter<kLattice> writer{space.bits.words, lane};
  if constexpr (kLattice == FixedRate::z) {
    __syncwarp();
    const float step = clamp_row(v, scales.inverse_step, reach, bound);
    for_each_index<kRowPieces>([&](auto index) {
      constexpr int c = decltype(index)::value;
      nearest_z(v + 8 * c, step, bound, bound);
      writer.template put<c>(number_of<kLattice, kSmall>(plan.book, v + 8 * c, false));
    });
  } else {
    __shared__ Outside outside;
    if (lane == 0) outside.count = 0;
    put_values(space, v);
    nearest_points<kLattice>(space, outside, scales.inverse_step, reach, bound,
                             [&](float* place, const float* point, bool half) {
                               *reinterpret_cast<std::uint64_t*>(place) =
                                   number_of<kLattice, kSmall>(plan.book, point, half);
                             });
    std::uint64_t numbers[kRowPieces];
#pragma unroll
    for (int c = 0; c < kRowPieces; ++c) {
      numbers[c] = *reinterpret_cast<const std::uint64_t*>(space.values[lane] + 8 * c);
    }
    __syncwarp();
    for_each_index<kRowPieces>([&](auto index) {
      constexpr int c = decltype(index)::value;
      writer.template put<c>(numbers[c]);
    });
  }
  __syncwarp();
  constexpr int row_bytes = Usual<kLattice>::row_bytes;
  std::uint8_t* const to = out.codes.data + tile.head * out.codes.stride + tile.first * row_bytes;
  const auto* from = reinterpret_cast<const uint4*>(space.bits.words);
  if (kLattice == FixedRate::z || tile.valid == kRowsOfWarp) {
#pragma unroll
    for (int i = 0; i < row_bytes * kRowsOfWarp / 16; i += 32) {
      if (16 * (i + lane) < row_bytes * tile.valid) {
        reinterpret_cast<uint4*>(to)[i + lane] = from[place_of_bits<kLattice>(i + lane)];
      }
    }
  } else {
    copy_bytes(to, from, tile.valid * row_bytes);
  }
}

template <int kLattice>
__global__ void __launch_bounds__(32, kDecodingWarps)
    decode_rows(Plan plan, Sections in, Vectors y, std::uint32_t* flags) {
  fix<kLattice>(plan);
  y.dim = kRowDim;
  __shared__ Rows rows;  // and before that the codes
  const Tile tile = tile_of(y);
  const int lane = static_cast<int>(threadIdx.x);
  constexpr int row_bytes = Usual<kLattice>::row_bytes;
  const std::uint8_t* const from =
      in.codes.data + tile.head * in.codes.stride + tile.first * row_bytes;
  auto* const words = reinterpret_cast<uint4*>(&rows);
  if (kLattice == FixedRate::z || tile.valid == kRowsOfWarp) {
#pragma unroll
    for (int i = 0; i < row_bytes * kRowsOfWarp / 16; i += 32) {
      if (16 * (i + lane) < row_bytes * tile.valid) {
        copy_16(words + place_of_bits<kLattice>(i + lane),
                reinterpret_cast<const uint4*>(from) + i + lane);
      }
    }
  } else {
    copy_bytes(words, from, tile.valid * row_bytes);
  }
  std::uint32_t found = 0, pair = 0;
  int window = 0;
  if (lane < tile.valid) {
    const std::int64_t at = tile.first + lane;
    pair =
        reinterpret_cast<const std::uint32_t*>(in.scales.data + tile.head * in.scales.stride)[at];
    if (in.windows.data != nullptr) {
      window = static_cast<std::int8_t>(in.windows.data[tile.head * in.windows.stride + at]);
    }
  }
  finish_copies();

  TwoHalves pairs[kRowPairs];
  const RowReader<kLattice> reader{reinterpret_cast<const std::uint32_t*>(words), lane};
  for_each_index<kRowPieces / 2>([&](auto index) {
    constexpr int c = decltype(index)::value;
    if (!pairs_of_fields<kLattice>(plan.book, reader.template field<c>(),
                                   reader.template field<c + kRowPieces / 2>(), pairs + 8 * c)) {
      found = kNoSuchPoint;
    }
  });
  if ((pair & 0xffffu) >= 0x7c00u || pair >> 16 >= 0x7c00u) found |= kBadScale, pair = 0;
  if (window < kLowestWindow || window > kHighestWindow) found |= kBadWindow, window = 0;
  if (lane < tile.valid && found != 0) atomicOr(flags + tile.head, found);
  const float step =
      half_value(pair & 0xffffu) * (half_value(pair >> 16) / static_cast<float>(plan.q));
  sums_of_pairs<kLattice>(pairs);
  store_pairs<kLattice>(y, tile, rows, pairs, step * plan.unit, window);
}

__global__ void __launch_bounds__(32, kEncodingWarps)
    round_trip_rows_z(Plan plan, Vectors x, Vectors y, std::uint32_t* flags) {
  constexpr int kLattice = FixedRate::z;
  fix<kLattice>(plan);
  x.dim = y.dim = kRowDim;
  __shared__ Rows rows;
  const Tile tile = tile_of(x);
  load_rows(x, tile, rows);
  float v[kRowDim];
  const RowFacts facts = rotate_row(rows.pieces[threadIdx.x], v, flags + tile.head);
  const TwoScales scales = two_scales_of(plan, facts.sum_of_squares, facts.largest);
  const float bound = static_cast<float>(plan.q), reach = facts.largest * scales.inverse_step;
  const float step = clamp_row(v, scales.inverse_step, reach, bound);
#pragma unroll
  for (int c = 0; c < kRowPieces; ++c) nearest_z(v + 8 * c, step, bound, bound);
  constexpr std::uint32_t kLess = Usual<kLattice>::book.bound * 0x10001u - kShiftPattern;
  TwoHalves pairs[kRowPairs];
#pragma unroll
  for (int i = 0; i < kRowPairs; ++i) {
    pairs[i].bits = pair_of(__float_as_uint(v[i]), __float_as_uint(v[i + kRowPairs])) + kLess;
  }
  sums_of_pairs<kLattice>(pairs);
  store_pairs<kLattice>(y, tile, rows, pairs, scales.factor,
                        scales.factor != 0.0f ? facts.window : 0);
}

// Calls run(constant of the lattice).
template <typename Run>
void with_usual(const FixedRate& codec, const Run& run) {
  if (codec.lattice == FixedRate::z) return run(Index<FixedRate::z>{});
  if (codec.lattice == FixedRate::d4) return run(Index<FixedRate::d4>{});
  run(Index<FixedRate::e8>{});
}

}  // namespace

void encode_usual(const FixedRate& codec, const Vectors& x, const Sections& out,
                  std::uint32_t* flags, Stream stream) {
  with_usual(codec, [&](auto lattice) {
    KAKEYA_LAUNCH((encode_rows<decltype(lattice)::value>), tiles_of(x), 32, stream,
                  plan_of(codec, x.dim), x, out, flags);
  });
}

void decode_usual(const FixedRate& codec, const Sections& in, const Vectors& y,
                  std::uint32_t* flags, Stream stream) {
  with_usual(codec, [&](auto lattice) {
    KAKEYA_LAUNCH((decode_rows<decltype(lattice)::value>), tiles_of(y), 32, stream,
                  plan_of(codec, y.dim), in, y, flags);
  });
}

void round_trip_usual_z(const Vectors& x, const Vectors& y, std::uint32_t* flags, Stream stream) {
  KAKEYA_LAUNCH(round_trip_rows_z, tiles_of(x), 32, stream,
                plan_of(usual_rate(FixedRate::z), x.dim), x, y, flags);
}

}  // namespace kakeya::kernels
