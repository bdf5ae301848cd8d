// SPDX-License-Identifier: Apache-2.0
// q4_0, q5_0 and q8_0 with the key rotate: a Hadamard matrix mixes neighbouring coordinates, then 32
// of them share a scale.
//
// A tile is 4096 values of one head. A lane has a block of 32, and rotate / 32 neighbouring lanes
// have what is mixed together. Butterflies of distance 1 to 16 are in a lane, those of 32 on between
// lanes: the CPU's order (lattice/hadamard.h). Nothing is shared but by shuffles.
#include <cmath>

#include "kernels/rules.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kRotatedBlock = 32;

struct Turn {
  int lanes;   // that are mixed
  float unit;  // 1 / sqrt(rotate)
};

Turn turn_of(const RotatedBlocks& codec) {
  return {codec.rotate / kRotatedBlock,
          static_cast<float>(1.0 / std::sqrt(static_cast<double>(codec.rotate)))};
}

// The block of a lane: its place among those of the head, and its first scalar.
struct BlockSeat {
  std::int64_t block, scalar;
  bool valid;
};

__device__ __forceinline__ BlockSeat block_seat(const Vectors& x, const Tile& tile) {
  const int place = kRotatedBlock * static_cast<int>(threadIdx.x), row = place / x.dim;
  BlockSeat seat;
  seat.block = tile.first * x.dim / kRotatedBlock + static_cast<int>(threadIdx.x);
  seat.scalar = (tile.first + row) * x.token_stride + tile.head * x.head_stride + place % x.dim;
  seat.valid = row < tile.valid;
  return seat;
}

// v = H v.
__device__ __forceinline__ void turn(const Turn& how, float* v) {
#pragma unroll
  for (int half = 1; half < kRotatedBlock; half *= 2) {
#pragma unroll
    for (int i = 0; i < kRotatedBlock; ++i) {
      if ((i & half) != 0) continue;
      const float a = v[i], b = v[i + half];
      v[i] = a + b;
      v[i + half] = a - b;
    }
  }
  for (int half = 1; half < how.lanes; half *= 2) {
    const float sign = (static_cast<int>(threadIdx.x) & half) != 0 ? -1.0f : 1.0f;
#pragma unroll
    for (int i = 0; i < kRotatedBlock; ++i) {
      v[i] = __fmaf_rn(v[i], sign, __shfl_xor_sync(kAll, v[i], half));
    }
  }
#pragma unroll
  for (int i = 0; i < kRotatedBlock; ++i) v[i] *= how.unit;
}

__device__ __forceinline__ void scale_by_window(float* v, int window) {
  if (window == 0) return;
#pragma unroll
  for (int i = 0; i < kRotatedBlock; ++i) v[i] = times_window(v[i], window);
}

// The largest of the lanes that are mixed.
template <typename Number>
__device__ __forceinline__ Number highest_of_turn(const Turn& how, Number mine) {
  for (int half = 1; half < how.lanes; half *= 2) {
    const Number other = __shfl_xor_sync(kAll, mine, half);
    mine = other > mine ? other : mine;
  }
  return mine;
}

// A block between its values and its code; its whole window is `turned` and the scale's together.
struct TurnedBlock {
  GgmlRule::Scale scale;
  int turned;
  std::uint64_t field[kPieces];
};

// Loads a block, zeros where there is none or it is not finite, rotates and codes it.
template <int kBits>
__device__ __forceinline__ TurnedBlock code_block(const Turn& how, const Vectors& x,
                                                  const BlockSeat& seat, std::uint32_t* found) {
  constexpr Blocks kBlocks{Blocks::ggml, kBits, kRotatedBlock, 0};
  float v[kRotatedBlock];
  std::uint32_t largest = 0;
  if (seat.valid) {
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
      load8(x, seat.scalar + 8 * c, v + 8 * c);
      const std::uint32_t most = largest8(v + 8 * c);
      largest = most > largest ? most : largest;
    }
    if (largest >= 0x7f800000u) *found |= kNotFinite;
  }
  if (!seat.valid || largest >= 0x7f800000u) {
    largest = 0;
#pragma unroll
    for (int i = 0; i < kRotatedBlock; ++i) v[i] = 0.0f;
  }
  TurnedBlock made;
  made.turned = window_of(__uint_as_float(highest_of_turn(how, largest)));
  scale_by_window(v, -made.turned);
  turn(how, v);
  float most = v[0];
#pragma unroll
  for (int i = 1; i < kRotatedBlock; ++i) most = fabsf(v[i]) > fabsf(most) ? v[i] : most;
  GgmlRule::Scale& scale = made.scale;
  scale = {0, 0, {}, 0.0f, most == 0.0f};
  if (!scale.empty) {
    scale.made = made.turned < 0 ? ggml_scale(kBits, most, lowest_window_in(made.turned))
                                 : GgmlRule::scale_of(kBits, most);
    scale.pattern = scale.made.half;
    scale.window = scale.made.window;
    scale.value = half_value(scale.pattern);
  }
#pragma unroll
  for (int c = 0; c < kPieces; ++c) made.field[c] = GgmlRule::codes(kBlocks, v + 8 * c, scale);
  return made;
}

// Values of a block whose whole window is `window`, in the scalars of y.
template <int kBits>
__device__ __forceinline__ void store_block(const Turn& how, const Vectors& y,
                                            const BlockSeat& seat, GgmlRule::Scale scale,
                                            int window, const std::uint64_t (&field)[kPieces]) {
  constexpr Blocks kBlocks{Blocks::ggml, kBits, kRotatedBlock, 0};
  const int highest = highest_of_turn(how, window);
  scale.window = window_below(window, highest);
  float v[kRotatedBlock];
  std::uint32_t none = 0;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) GgmlRule::values(kBlocks, field[c], scale, v + 8 * c, &none);
  turn(how, v);
  scale_by_window(v, highest);
  if (!seat.valid) return;
  // 128 times a binary16 is below 2^23, sums of 512 and their unit below 2^28.
  const float bound = highest > 0 ? 0x1.fffffep127f : 0x1p28f;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) store8(y, seat.scalar + 8 * c, v + 8 * c, bound);
}

// The codes of a block, 4 * kBits bytes, as words.
template <int kBits>
__device__ __forceinline__ void write_codes(const std::uint64_t (&field)[kPieces],
                                            std::uint8_t* to) {
  constexpr int kField = 8 * kBits;
  std::uint32_t word[kBits];
#pragma unroll
  for (int i = 0; i < kBits; ++i) {
    const int c = 32 * i / kField, shift = 32 * i % kField;
    std::uint64_t both = field[c] >> shift;
    if (shift + 32 > kField) both |= field[c + 1] << (kField - shift);
    word[i] = static_cast<std::uint32_t>(both);
  }
  if constexpr (kBits % 4 == 0) {
#pragma unroll
    for (int i = 0; i < kBits / 4; ++i) {
      reinterpret_cast<uint4*>(to)[i] =
          make_uint4(word[4 * i], word[4 * i + 1], word[4 * i + 2], word[4 * i + 3]);
    }
  } else {
#pragma unroll
    for (int i = 0; i < kBits; ++i) reinterpret_cast<std::uint32_t*>(to)[i] = word[i];
  }
}

template <int kBits>
__device__ __forceinline__ void read_codes(const std::uint8_t* from,
                                           std::uint64_t (&field)[kPieces]) {
  constexpr int kField = 8 * kBits;
  std::uint32_t word[kBits];
  if constexpr (kBits % 4 == 0) {
#pragma unroll
    for (int i = 0; i < kBits / 4; ++i) {
      const uint4 four = reinterpret_cast<const uint4*>(from)[i];
      word[4 * i] = four.x, word[4 * i + 1] = four.y;
      word[4 * i + 2] = four.z, word[4 * i + 3] = four.w;
    }
  } else {
#pragma unroll
    for (int i = 0; i < kBits; ++i) word[i] = reinterpret_cast<const std::uint32_t*>(from)[i];
  }
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    const int first = kField * c / 32, shift = kField * c % 32;
    std::uint64_t both = word[first];
    if (shift + kField > 32) both |= static_cast<std::uint64_t>(word[first + 1]) << 32;
    field[c] = both >> shift & ~std::uint64_t{0} >> (64 - kField);
  }
}

template <int kBits>
__global__ void __launch_bounds__(kThreads)
    encode_rotated_blocks(Turn how, Vectors x, Sections out, std::uint32_t* flags) {
  const Tile tile = tile_of(x);
  const BlockSeat seat = block_seat(x, tile);
  std::uint32_t found = 0;
  const TurnedBlock made = code_block<kBits>(how, x, seat, &found);
  if (found != 0) atomicOr(flags + tile.head, found);
  if (!seat.valid) return;
  auto* scales = reinterpret_cast<std::uint16_t*>(out.scales.data + tile.head * out.scales.stride);
  scales[seat.block] = static_cast<std::uint16_t>(made.scale.pattern);
  out.windows.data[tile.head * out.windows.stride + seat.block] =
      static_cast<std::uint8_t>(made.scale.window + made.turned);
  write_codes<kBits>(made.field, out.codes.data + tile.head * out.codes.stride +
                                     seat.block * (kRotatedBlock / 8 * kBits));
}

template <int kBits>
__global__ void __launch_bounds__(kThreads)
    decode_rotated_blocks(Turn how, Sections in, Vectors y, std::uint32_t* flags) {
  constexpr Blocks kBlocks{Blocks::ggml, kBits, kRotatedBlock, 0};
  const Tile tile = tile_of(y);
  const BlockSeat seat = block_seat(y, tile);
  std::uint32_t pattern = 0, found = 0;
  int window = 0;
  std::uint64_t field[kPieces] = {};
  if (seat.valid) {
    read_codes<kBits>(
        in.codes.data + tile.head * in.codes.stride + seat.block * (kRotatedBlock / 8 * kBits),
        field);
    pattern = reinterpret_cast<const std::uint16_t*>(in.scales.data +
                                                     tile.head * in.scales.stride)[seat.block];
    if (in.windows.data != nullptr) {
      window =
          static_cast<std::int8_t>(in.windows.data[tile.head * in.windows.stride + seat.block]);
      if (window < kLowestWindow || window > kHighestWindow) found |= kBadWindow, window = 0;
    }
  }
  const GgmlRule::Scale scale = GgmlRule::read(kBlocks, pattern, window, &found);
  store_block<kBits>(how, y, seat, scale, window, field);
  if (found != 0) atomicOr(flags + tile.head, found);
}

template <int kBits>
__global__ void __launch_bounds__(kThreads)
    round_trip_rotated_blocks(Turn how, Vectors x, Vectors y, std::uint32_t* flags) {
  const Tile tile = tile_of(x);
  BlockSeat seat = block_seat(x, tile);
  std::uint32_t found = 0;
  const TurnedBlock made = code_block<kBits>(how, x, seat, &found);
  seat = block_seat(y, tile);
  store_block<kBits>(how, y, seat, made.scale, made.scale.window + made.turned, made.field);
  if (found != 0) atomicOr(flags + tile.head, found);
}

}  // namespace

void encode(const RotatedBlocks& codec, const Vectors& x, const Sections& out, std::uint32_t* flags,
            Stream stream) {
  if (tiles_of(x) == 0) return;
  const auto kernel = codec.bits == 4   ? encode_rotated_blocks<4>
                      : codec.bits == 5 ? encode_rotated_blocks<5>
                                        : encode_rotated_blocks<8>;
  const Turn how = turn_of(codec);
  KAKEYA_LAUNCH(kernel, tiles_of(x), kThreads, stream, how, x, out, flags);
}

void decode(const RotatedBlocks& codec, const Sections& in, const Vectors& y, std::uint32_t* flags,
            Stream stream) {
  if (tiles_of(y) == 0) return;
  const auto kernel = codec.bits == 4   ? decode_rotated_blocks<4>
                      : codec.bits == 5 ? decode_rotated_blocks<5>
                                        : decode_rotated_blocks<8>;
  const Turn how = turn_of(codec);
  KAKEYA_LAUNCH(kernel, tiles_of(y), kThreads, stream, how, in, y, flags);
}

void round_trip(const RotatedBlocks& codec, const Vectors& x, const Vectors& y,
                std::uint32_t* flags, Stream stream) {
  if (tiles_of(x) == 0) return;
  const auto kernel = codec.bits == 4   ? round_trip_rotated_blocks<4>
                      : codec.bits == 5 ? round_trip_rotated_blocks<5>
                                        : round_trip_rotated_blocks<8>;
  const Turn how = turn_of(codec);
  KAKEYA_LAUNCH(kernel, tiles_of(x), kThreads, stream, how, x, y, flags);
}

}  // namespace kakeya::kernels
