// SPDX-License-Identifier: Apache-2.0
// tq:b=4, d4 and e8 as kUsualRates has them, of bf16 vectors of 64, 128 or 256: encode and decode, and
// of tq the round trip, a vector a lane, one of 256 two lanes. fixed_rate.cu has all others.
#include <iterator>

#include "kernels/row_pieces.cuh"
#include "kernels/row_points.cuh"

namespace kakeya::kernels {
namespace {

// Warps of a multiprocessor: 168 registers a thread where it encodes, 96 where it decodes; of 64 96
// and 72.
constexpr int encoding_warps(int dim) { return dim == 64 ? 20 : 12; }
constexpr int decoding_warps(int dim) { return dim == 64 ? 28 : 20; }

// Brings coordinates of a row that may be beyond the box into it. Returns their step, then 1.
template <int kCount>
__device__ __forceinline__ float clamp_row(float (&v)[kCount], float step, float reach,
                                           float bound) {
  if (reach < bound + 0.5f) return step;
#pragma unroll
  for (int i = 0; i < kCount; ++i) v[i] = fminf(fmaxf(v[i] * step, -bound), bound);
  return 1.0f;
}

template <typename U>
__global__ void __launch_bounds__(32, encoding_warps(U::kDim))
    encode_rows(Plan plan, Vectors x, Sections out, std::uint32_t* flags) {
  fix<U>(plan);
  x.dim = U::kDim;
  __shared__ RowSpace<U> space;
  const Tile tile = rows_of_warp<U::kDim>(x);
  const int lane = static_cast<int>(threadIdx.x);
  load_rows(x, tile, space.rows);
  float v[U::kPart];
  const RowFacts facts = rotate_row(space.rows, v);
  if (facts.window == kNotFiniteRow) atomicOr(flags + tile.head, kNotFinite);
  const TwoScales scales = two_scales_of(plan, facts.sum_of_squares, facts.largest);
  const int row = lane / U::kLanes;
  if (row < tile.valid && lane % U::kLanes == 0) {
    const std::int64_t at = tile.first + row;
    reinterpret_cast<std::uint32_t*>(out.scales.data + tile.head * out.scales.stride)[at] =
        scales.pair;
    out.windows.data[tile.head * out.windows.stride + at] =
        static_cast<std::uint8_t>(scales.factor != 0.0f ? facts.window : 0);
  }

  const float bound = static_cast<float>(plan.q), reach = facts.largest * scales.inverse_step;
  RowWriter<U> writer{space.bits.words, lane};
  if constexpr (U::kLattice == FixedRate::z) {
    __syncwarp();
    const float step = clamp_row(v, scales.inverse_step, reach, bound);
    put_codes(v, step, bound, writer);
  } else {
    __shared__ Outside<U> outside;
    if (lane == 0) outside.count = 0;
    put_values(space, v);
    nearest_points<U>(space, outside, scales.inverse_step, reach, bound,
                      [&](float* place, const float* point, bool half) {
                        *reinterpret_cast<std::uint64_t*>(place) =
                            number_of<U::kLattice, kSmall>(plan.book, point, half);
                      });
    const float* const mine = place_of_piece(space, U::kPieces * lane);
    std::uint64_t numbers[U::kPieces];
#pragma unroll
    for (int c = 0; c < U::kPieces; ++c) {
      numbers[c] = *reinterpret_cast<const std::uint64_t*>(mine + 8 * c);
    }
    __syncwarp();
    for_each_index<U::kPieces>([&](auto index) {
      constexpr int c = decltype(index)::value;
      writer.template put<c>(numbers[c]);
    });
  }
  writer.finish();
  __syncwarp();
  constexpr int row_bytes = U::row_bytes;
  std::uint8_t* const to = out.codes.data + tile.head * out.codes.stride + tile.first * row_bytes;
  const auto* from = reinterpret_cast<const uint4*>(space.bits.words);
  if (U::kLattice == FixedRate::z || is_whole<U::kDim>(tile)) {
#pragma unroll
    for (int i = 0; i < U::part_bytes * kPartsOfWarp / 16; i += 32) {
      if (16 * (i + lane) < row_bytes * tile.valid) {
        reinterpret_cast<uint4*>(to)[i + lane] = from[place_of_bits<U>(i + lane)];
      }
    }
  } else {
    copy_bytes(to, from, tile.valid * row_bytes);
  }
}

template <typename U>
__global__ void __launch_bounds__(32, decoding_warps(U::kDim))
    decode_rows(Plan plan, Sections in, Vectors y, std::uint32_t* flags) {
  fix<U>(plan);
  y.dim = U::kDim;
  __shared__ Rows<U::kDim> rows;  // and before that the codes
  const Tile tile = rows_of_warp<U::kDim>(y);
  const int lane = static_cast<int>(threadIdx.x);
  constexpr int row_bytes = U::row_bytes;
  static_assert(sizeof(RowBits<U>) <= sizeof(rows));
  const std::uint8_t* const from =
      in.codes.data + tile.head * in.codes.stride + tile.first * row_bytes;
  auto* const words = reinterpret_cast<uint4*>(&rows);
  if (U::kLattice == FixedRate::z || is_whole<U::kDim>(tile)) {
#pragma unroll
    for (int i = 0; i < U::part_bytes * kPartsOfWarp / 16; i += 32) {
      if (16 * (i + lane) < row_bytes * tile.valid) {
        copy_16(words + place_of_bits<U>(i + lane),
                reinterpret_cast<const uint4*>(from) + i + lane);
      }
    }
  } else {
    copy_bytes(words, from, tile.valid * row_bytes);
  }
  std::uint32_t found = 0, pair = 0;
  int window = 0;
  const int row = lane / U::kLanes;
  if (row < tile.valid) {
    const std::int64_t at = tile.first + row;
    pair =
        reinterpret_cast<const std::uint32_t*>(in.scales.data + tile.head * in.scales.stride)[at];
    if (in.windows.data != nullptr) {
      window = static_cast<std::int8_t>(in.windows.data[tile.head * in.windows.stride + at]);
    }
  }
  finish_copies();

  TwoHalves pairs[PairSums<U>::kPairs];
  const RowReader<U> reader{reinterpret_cast<const std::uint32_t*>(words), lane};
  for_each_index<U::kPieces / 2>([&](auto index) {
    constexpr int c = decltype(index)::value;
    if (!pairs_of_fields<U::kLattice>(plan.book, reader.template field<c>(),
                                      reader.template field<c + U::kPieces / 2>(), pairs + 8 * c)) {
      found = kNoSuchPoint;
    }
  });
  if ((pair & 0xffffu) >= 0x7c00u || pair >> 16 >= 0x7c00u) found |= kBadScale, pair = 0;
  if (window < kLowestWindow || window > kHighestWindow) found |= kBadWindow, window = 0;
  if (row < tile.valid && found != 0) atomicOr(flags + tile.head, found);
  const float step =
      half_value(pair & 0xffffu) * (half_value(pair >> 16) / static_cast<float>(plan.q));
  std::uint32_t lanes = 1;
  if constexpr (U::kLanes == 2) lanes = sums_of_parts<U>(pairs);
  sums_of_pairs<U>(pairs, lanes);
  store_pairs<U>(y, tile, rows, pairs, step * plan.unit, window);
}

template <typename U>
__global__ void __launch_bounds__(32, encoding_warps(U::kDim))
    round_trip_rows_z(Plan plan, Vectors x, Vectors y, std::uint32_t* flags) {
  fix<U>(plan);
  x.dim = y.dim = U::kDim;
  __shared__ Rows<U::kDim> rows;
  const Tile tile = rows_of_warp<U::kDim>(x);
  load_rows(x, tile, rows);
  float v[U::kPart];
  const RowFacts facts = rotate_row(rows, v);
  if (facts.window == kNotFiniteRow) atomicOr(flags + tile.head, kNotFinite);
  const TwoScales scales = two_scales_of(plan, facts.sum_of_squares, facts.largest);
  const float bound = static_cast<float>(plan.q), reach = facts.largest * scales.inverse_step;
  const float step = clamp_row(v, scales.inverse_step, reach, bound);
#pragma unroll
  for (int c = 0; c < U::kPieces; ++c) nearest_z(v + 8 * c, step, bound, bound);
  constexpr std::uint32_t kLess = U::book.bound * 0x10001u - kShiftPattern;
  TwoHalves pairs[PairSums<U>::kPairs];
#pragma unroll
  for (int i = 0; i < PairSums<U>::kPairs; ++i) {
    pairs[i].bits =
        pair_of(__float_as_uint(v[i]), __float_as_uint(v[i + PairSums<U>::kPairs])) + kLess;
  }
  sums_of_pairs<U>(pairs, 1);
  const int window = scales.factor != 0.0f ? facts.window : 0;
  if constexpr (U::kLanes == 1) {
    store_pairs<U>(y, tile, rows, pairs, scales.factor, window);
  } else {
    // A lane has every other coordinate here: after their butterflies with those 128 away it takes the
    // lower or the upper half of what both lanes have.
    const std::uint32_t taken = (threadIdx.x & 1u) != 0 ? 0x3276u : 0x5410u;
#pragma unroll
    for (int i = 0; i < PairSums<U>::kPairs; ++i) {
      const std::uint32_t mine = sum_and_difference(pairs[i]).bits;
      pairs[i].bits = permute(mine, __shfl_xor_sync(kAll, mine, 1), taken);
    }
    store_pairs<U, true>(y, tile, rows, pairs, scales.factor, window);
  }
}

// Calls run(what the kernel is for).
template <int kRate = 0, typename Run>
void with_usual(const FixedRate& codec, int dim, const Run& run) {
  constexpr FixedRate kUsual = kUsualRates[kRate];
  if (codec.lattice == kUsual.lattice && codec.q == kUsual.q) {
    if (dim == 64) return run(Usual<kRate, 64>{});
    if (dim == 128) return run(Usual<kRate, 128>{});
    return run(Usual<kRate, 256>{});
  }
  if constexpr (kRate + 1 < std::size(kUsualRates)) with_usual<kRate + 1>(codec, dim, run);
}

}  // namespace

void encode_usual(const FixedRate& codec, const Vectors& x, const Sections& out,
                  std::uint32_t* flags, Stream stream) {
  with_usual(codec, x.dim, [&](auto usual) {
    KAKEYA_LAUNCH(encode_rows<decltype(usual)>, warps_of<decltype(usual)::kDim>(x), 32, stream,
                  plan_of(codec, x.dim), x, out, flags);
  });
}

void decode_usual(const FixedRate& codec, const Sections& in, const Vectors& y,
                  std::uint32_t* flags, Stream stream) {
  with_usual(codec, y.dim, [&](auto usual) {
    KAKEYA_LAUNCH(decode_rows<decltype(usual)>, warps_of<decltype(usual)::kDim>(y), 32, stream,
                  plan_of(codec, y.dim), in, y, flags);
  });
}

void round_trip_usual_z(const FixedRate& codec, const Vectors& x, const Vectors& y,
                        std::uint32_t* flags, Stream stream) {
  with_usual(codec, x.dim, [&](auto usual) {
    if constexpr (decltype(usual)::kLattice == FixedRate::z) {
      KAKEYA_LAUNCH(round_trip_rows_z<decltype(usual)>, warps_of<decltype(usual)::kDim>(x), 32,
                    stream, plan_of(codec, x.dim), x, y, flags);
    }
  });
}

}  // namespace kakeya::kernels
