// SPDX-License-Identifier: Apache-2.0
// fp8, q4_0, q5_0 and q8_0, kivi's values: neighbouring coordinates of a vector share a scale.
//
// A tile is 4096 values of one head as it lies in the section "codes": a thread has four pieces of
// eight neighbours, the pieces of a warp lie side by side, and block / 8 lanes share a scale. The
// eight codes of a piece fill `bits` bytes. Codes of 8 and 4 bits leave as they are, others by way
// of shared memory.
#include "kernels/rules.cuh"

namespace kakeya::kernels {
namespace {

// A kernel of its own for each usual width of codes, bf16 vectors of 128 and the published block, in
// which all of these are constants; kBits = 0 takes what comes.
template <typename Rule, int kBits>
__device__ __forceinline__ void fix(Blocks& codec, Vectors& x) {
  if constexpr (kBits != 0) {
    codec = Blocks{Rule::kKind, kBits, Rule::kUsualBlock, 0};
    x.dim = 128;
    x.type = Scalar::bf16;
  }
}

// The piece of eight neighbours that a thread has in turn `c`.
struct Piece {
  int row, coordinate;  // of the tile, of its vector
  std::int64_t block;   // in its section, among those of the head
  bool leads;           // the first of its block
  bool valid;
};

__device__ __forceinline__ Piece piece_of(const Blocks& codec, const Vectors& x, const Tile& tile,
                                          int c) {
  const int place = 8 * (c * kThreads + static_cast<int>(threadIdx.x));
  Piece piece;
  piece.row = place / x.dim;
  piece.coordinate = place % x.dim;
  piece.block = (tile.first * x.dim + place) / codec.block;
  piece.leads = place % codec.block == 0;
  piece.valid = piece.row < tile.valid;
  return piece;
}

__device__ __forceinline__ std::int64_t scalar_of(const Vectors& x, const Tile& tile,
                                                  const Piece& piece) {
  return (tile.first + piece.row) * x.token_stride + tile.head * x.head_stride + piece.coordinate;
}

// Eight values; those of a piece with one that is not finite are 0.
__device__ __forceinline__ void load_piece(const Vectors& x, const Tile& tile, const Piece& piece,
                                           float* v, std::uint32_t* found) {
  bool good = piece.valid;
  if (good) {
    load8(x, scalar_of(x, tile, piece), v);
    if (largest8(v) >= 0x7f800000u) good = false, *found |= kNotFinite;
  }
  if (good) return;
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = 0.0f;
}

template <typename Rule, int kBits>
__global__ void __launch_bounds__(kThreads)
    encode_blocks(Blocks codec, Vectors x, Sections out, std::uint32_t* flags) {
  fix<Rule, kBits>(codec, x);
  alignas(16) __shared__ std::uint8_t staged[kPieces * kThreads * 8];
  const Tile tile = tile_of(x);
  const int thread = static_cast<int>(threadIdx.x);
  std::uint8_t* scales = out.scales.data + tile.head * out.scales.stride;
  std::uint8_t* codes = out.codes.data + tile.head * out.codes.stride;
  const std::int64_t begins = tile.first * x.dim / 8 * codec.bits;  // of the tile, in bytes
  std::uint32_t found = 0;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    const Piece piece = piece_of(codec, x, tile, c);
    float v[8];
    load_piece(x, tile, piece, v, &found);
    const typename Rule::Scale scale = Rule::choose(codec, v);
    const std::uint64_t field = Rule::codes(codec, v, scale);
    const int place = c * kThreads + thread;
    if (piece.valid && piece.leads) {
      const int bytes = Rule::scale_bytes(codec);
      std::uint8_t* to = scales + piece.block * bytes;
      if (bytes == 4) *reinterpret_cast<std::uint32_t*>(to) = scale.pattern;
      if (bytes == 2)
        *reinterpret_cast<std::uint16_t*>(to) = static_cast<std::uint16_t>(scale.pattern);
      if (bytes == 1) *to = static_cast<std::uint8_t>(scale.pattern);
      if (out.windows.data != nullptr) {
        out.windows.data[tile.head * out.windows.stride + piece.block] =
            static_cast<std::uint8_t>(scale.window);
      }
    }
    if (codec.bits == 8) {
      if (piece.valid) {
        reinterpret_cast<uint2*>(codes + begins)[place] =
            make_uint2(static_cast<std::uint32_t>(field), static_cast<std::uint32_t>(field >> 32));
      }
    } else if (codec.bits == 4) {
      if (piece.valid) {
        reinterpret_cast<std::uint32_t*>(codes + begins)[place] = static_cast<std::uint32_t>(field);
      }
    } else {
      for (int i = 0; i < codec.bits; ++i) {
        staged[place * codec.bits + i] = static_cast<std::uint8_t>(field >> (8 * i));
      }
    }
  }
  if (found != 0) atomicOr(flags + tile.head, found);
  if (codec.bits == 8 || codec.bits == 4) return;
  __syncthreads();
  copy_bytes(codes + begins, staged,
             static_cast<std::int64_t>(tile.valid) * x.dim / 8 * codec.bits);
}

template <typename Rule, int kBits>
__global__ void __launch_bounds__(kThreads)
    decode_blocks(Blocks codec, Sections in, Vectors y, std::uint32_t* flags) {
  fix<Rule, kBits>(codec, y);
  alignas(16) __shared__ std::uint8_t staged[kPieces * kThreads * 8];
  const Tile tile = tile_of(y);
  const int thread = static_cast<int>(threadIdx.x);
  const std::uint8_t* scales = in.scales.data + tile.head * in.scales.stride;
  const std::uint8_t* codes = in.codes.data + tile.head * in.codes.stride;
  const std::int64_t begins = tile.first * y.dim / 8 * codec.bits;
  const bool direct = codec.bits == 8 || codec.bits == 4;
  if (!direct) {
    copy_bytes(staged, codes + begins,
               static_cast<std::int64_t>(tile.valid) * y.dim / 8 * codec.bits);
    __syncthreads();
  }
  std::uint32_t found = 0;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    const Piece piece = piece_of(codec, y, tile, c);
    const int place = c * kThreads + thread;
    if (!piece.valid) continue;
    std::uint64_t field = 0;
    if (codec.bits == 8) {
      const uint2 both = reinterpret_cast<const uint2*>(codes + begins)[place];
      field = both.x | static_cast<std::uint64_t>(both.y) << 32;
    } else if (codec.bits == 4) {
      field = reinterpret_cast<const std::uint32_t*>(codes + begins)[place];
    } else {
      for (int i = 0; i < codec.bits; ++i) {
        field |= static_cast<std::uint64_t>(staged[place * codec.bits + i]) << (8 * i);
      }
    }
    const int bytes = Rule::scale_bytes(codec);
    const std::uint8_t* from = scales + piece.block * bytes;
    std::uint32_t pattern;
    if (bytes == 4) {
      pattern = *reinterpret_cast<const std::uint32_t*>(from);
    } else if (bytes == 2) {
      pattern = *reinterpret_cast<const std::uint16_t*>(from);
    } else {
      pattern = *from;
    }
    int window = 0;
    if (in.windows.data != nullptr) {
      window =
          static_cast<std::int8_t>(in.windows.data[tile.head * in.windows.stride + piece.block]);
      if (window < kLowestWindow || window > kHighestWindow) found |= kBadWindow, window = 0;
    }
    float v[8];
    const typename Rule::Scale scale = Rule::read(codec, pattern, window, &found);
    const float bound = Rule::values(codec, field, scale, v, &found);
    store8(y, scalar_of(y, tile, piece), v, bound);
  }
  if (found != 0) atomicOr(flags + tile.head, found);
}

template <typename Rule, int kBits>
__global__ void __launch_bounds__(kThreads)
    round_trip_blocks(Blocks codec, Vectors x, Vectors y, std::uint32_t* flags) {
  fix<Rule, kBits>(codec, x);
  fix<Rule, kBits>(codec, y);
  const Tile tile = tile_of(x);
  std::uint32_t found = 0;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    const Piece piece = piece_of(codec, x, tile, c);
    float v[8];
    load_piece(x, tile, piece, v, &found);
    const typename Rule::Scale scale = Rule::choose(codec, v);
    const std::uint64_t field = Rule::codes(codec, v, scale);
    const float bound = Rule::values(codec, field, scale, v, &found);
    if (piece.valid) store8(y, scalar_of(y, tile, piece), v, bound);
  }
  if (found != 0) atomicOr(flags + tile.head, found);
}

template <typename Chosen, int kChosenBits>
struct Case {
  using Rule = Chosen;
  static constexpr int kBits = kChosenBits;
};
template <typename Rule, int... kUsualBits, typename Run>
void with_bits(const Blocks& codec, bool usual, const Run& run) {
  usual = usual && codec.block == Rule::kUsualBlock && codec.scale == 0;
  const bool done =
      ((usual && codec.bits == kUsualBits && (run(Case<Rule, kUsualBits>{}), true)) || ...);
  if (!done) run(Case<Rule, 0>{});
}
template <typename Run>
void with_rule(const Blocks& codec, bool usual, const Run& run) {
  if (codec.kind == Blocks::fp8) return with_bits<Fp8Rule, 8>(codec, usual, run);
  if (codec.kind == Blocks::ggml) return with_bits<GgmlRule, 4, 5, 8>(codec, usual, run);
  with_bits<KiviRule, 2, 4>(codec, usual, run);
}
bool is_usual(const Vectors& x) { return x.dim == 128 && x.type == Scalar::bf16; }

}  // namespace

void encode(const Blocks& codec, const Vectors& x, const Sections& out, std::uint32_t* flags,
            Stream stream) {
  if (tiles_of(x) == 0) return;
  with_rule(codec, is_usual(x), [&](auto made) {
    using Made = decltype(made);
    KAKEYA_LAUNCH((encode_blocks<typename Made::Rule, Made::kBits>), tiles_of(x), kThreads, stream,
                  codec, x, out, flags);
  });
}

void decode(const Blocks& codec, const Sections& in, const Vectors& y, std::uint32_t* flags,
            Stream stream) {
  if (tiles_of(y) == 0) return;
  with_rule(codec, is_usual(y), [&](auto made) {
    using Made = decltype(made);
    KAKEYA_LAUNCH((decode_blocks<typename Made::Rule, Made::kBits>), tiles_of(y), kThreads, stream,
                  codec, in, y, flags);
  });
}

void round_trip(const Blocks& codec, const Vectors& x, const Vectors& y, std::uint32_t* flags,
                Stream stream) {
  if (tiles_of(x) == 0) return;
  with_rule(codec, is_usual(x) && is_usual(y), [&](auto made) {
    using Made = decltype(made);
    KAKEYA_LAUNCH((round_trip_blocks<typename Made::Rule, Made::kBits>), tiles_of(x), kThreads,
                  stream, codec, x, y, flags);
  });
}

}  // namespace kakeya::kernels
