// SPDX-License-Identifier: Apache-2.0
// fp8, q4_0, q5_0 and q8_0, kivi's values: neighbouring coordinates of a vector share a scale.
//
// A thread that encodes has a run of 32 values, four pieces of eight (runs.cuh): the usual block, or
// half of it, so that a scale is made once, or twice. Codes leave by way of shared memory in pieces of
// 16 bytes. Who decodes needs no other value of a block, and has pieces that lie side by side.
#include "kernels/rules.cuh"
#include "kernels/runs.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kBlocks = 10;  // of threads a multiprocessor: 48 registers are enough for the usual

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

// A block has block / 32 lanes, and where it is shorter than a run a lane has some; `blocks` counts
// in the section "scales" of a head.
struct Place {
  std::int64_t blocks;  // before the run's first
  int lanes;            // that share a block
  bool leads, valid;
};

__device__ __forceinline__ Place place_of(const Blocks& codec, const Vectors& x, const Tile& tile) {
  const int run = static_cast<int>(threadIdx.x);
  Place place;
  place.blocks = (tile.first * x.dim + kRun * run) / codec.block;
  place.lanes = codec.block > kRun ? codec.block / kRun : 1;
  place.leads = run % place.lanes == 0;
  place.valid = kRun * run / x.dim < tile.valid;
  return place;
}

// Whether pieces a and b of a run are of one block.
__device__ __forceinline__ bool together(const Blocks& codec, int a, int b) {
  return 8 * a / codec.block == 8 * b / codec.block;
}

// The first value of piece c's block that is `size` in magnitude. What a lane finds is 1 or -1, or 0
// where it has none.
__device__ __forceinline__ float first_of(const Blocks& codec, const Place& place, const Run& run,
                                          int c, float size) {
  float sign = 0.0f;
  if (size >= 0.0f) {
#pragma unroll
    for (int k = kPieces - 1; k >= 0; --k) {
#pragma unroll
      for (int i = 7; i >= 0; --i) {
        const bool here = together(codec, c, k) && fabsf(run.v[k][i]) == size;
        sign = here ? copysignf(1.0f, run.v[k][i]) : sign;
      }
    }
  }
  for (int bit = 1; bit < place.lanes; bit *= 2) {
    const float other = __shfl_xor_sync(kAll, sign, bit);
    const bool other_is_lower = (static_cast<int>(threadIdx.x) & bit) != 0;
    if (other != 0.0f && (other_is_lower || sign == 0.0f)) sign = other;
  }
  return copysignf(size, sign);
}

// The run of a lane; the extremes of a block's first piece become those of the block.
__device__ __forceinline__ void load_blocks(const Blocks& codec, const Vectors& x, const Tile& tile,
                                            const Place& place, Exchange& exchange, Run& run) {
  load_run(x, tile, exchange, run);
#pragma unroll
  for (int width = 1; width < kPieces; width *= 2) {
    if (8 * width >= codec.block) break;
#pragma unroll
    for (int c = 0; c < kPieces; c += 2 * width) widen(x.type, run.e[c], run.e[c + width]);
  }
  for (int bit = 1; bit < place.lanes; bit *= 2) {
    widen(x.type, run.e[0],
          {__shfl_xor_sync(kAll, run.e[0].low, bit), __shfl_xor_sync(kAll, run.e[0].high, bit)});
  }
}

// The scale of the block that begins with piece c. A block with a number that is not finite becomes
// zeros.
template <typename Rule>
__device__ __forceinline__ typename Rule::Scale scale_of(const Blocks& codec, Scalar type,
                                                         const Place& place, Run& run, int c,
                                                         std::uint32_t* found) {
  float low = lowest_of(type, run.e[c]), high = highest_of(type, run.e[c]);
  const float infinity = __uint_as_float(0x7f800000u);
  if (!(low > -infinity && high < infinity)) {
    *found |= kNotFinite;
    low = high = 0.0f;
#pragma unroll
    for (int k = 0; k < kPieces; ++k) {
#pragma unroll
      for (int i = 0; i < 8; ++i) run.v[k][i] = together(codec, c, k) ? 0.0f : run.v[k][i];
    }
  }
  const float first = Rule::kOrdered ? first_of(codec, place, run, c, Rule::tied(low, high)) : 0.0f;
  return Rule::choose(codec, low, high, first);
}

// The codes of a run in shared memory: 4 * bits bytes.
__device__ __forceinline__ void put_codes(int bits, const std::uint64_t (&field)[kPieces],
                                          std::uint8_t* to) {
  if (bits == 8 || bits == 4) {
    std::uint32_t word[8];
#pragma unroll
    for (int c = 0; c < kPieces; ++c) {
      word[c * bits / 4] = static_cast<std::uint32_t>(field[c]);
      if (bits == 8) word[2 * c + 1] = static_cast<std::uint32_t>(field[c] >> 32);
    }
    auto* pieces = reinterpret_cast<uint4*>(to);
    pieces[0] = make_uint4(word[0], word[1], word[2], word[3]);
    if (bits == 8) pieces[1] = make_uint4(word[4], word[5], word[6], word[7]);
    return;
  }
  for (int c = 0; c < kPieces; ++c) {
    for (int i = 0; i < bits; ++i) {
      to[c * bits + i] = static_cast<std::uint8_t>(field[c] >> (8 * i));
    }
  }
}

__device__ __forceinline__ void write_scale(int bytes, std::uint32_t pattern, std::uint8_t* to) {
  if (bytes == 4) *reinterpret_cast<std::uint32_t*>(to) = pattern;
  if (bytes == 2) *reinterpret_cast<std::uint16_t*>(to) = static_cast<std::uint16_t>(pattern);
  if (bytes == 1) *to = static_cast<std::uint8_t>(pattern);
}

template <typename Rule, int kBits>
__global__ void __launch_bounds__(kThreads, kBits == 0 ? 1 : kBlocks)
    encode_blocks(Blocks codec, Vectors x, Sections out, std::uint32_t* flags) {
  fix<Rule, kBits>(codec, x);
  __shared__ Exchange exchange;
  const Tile tile = tile_of(x);
  const Place place = place_of(codec, x, tile);
  Run run;
  load_blocks(codec, x, tile, place, exchange, run);
  std::uint32_t found = 0;
  std::uint64_t field[kPieces];
  typename Rule::Scale scale;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    if (c == 0 || !together(codec, c - 1, c)) {
      scale = scale_of<Rule>(codec, x.type, place, run, c, &found);
      const std::int64_t at = place.blocks + 8 * c / codec.block;
      if (place.valid && place.leads) {
        const int bytes = Rule::scale_bytes(codec);
        write_scale(bytes, scale.pattern,
                    out.scales.data + tile.head * out.scales.stride + at * bytes);
        if (out.windows.data != nullptr) {
          out.windows.data[tile.head * out.windows.stride + at] =
              static_cast<std::uint8_t>(scale.window);
        }
      }
    }
    field[c] = Rule::codes(codec, run.v[c], scale);
  }
  if (found != 0) atomicOr(flags + tile.head, found);
  auto* codes = reinterpret_cast<std::uint8_t*>(exchange.pieces);
  const int row_bytes = x.dim / 8 * codec.bits;
  __syncthreads();
  put_codes(codec.bits, field, codes + 4 * codec.bits * static_cast<int>(threadIdx.x));
  __syncthreads();
  copy_bytes(out.codes.data + tile.head * out.codes.stride + tile.first * row_bytes, codes,
             tile.valid * row_bytes);
}

// What a thread decodes in turn `c`: a piece of eight neighbours, side by side with those of its warp.
struct Piece {
  int row, coordinate;  // of the tile, of its vector
  std::int64_t block;   // in its section, among those of the head
  bool valid;
};

__device__ __forceinline__ Piece piece_of(const Blocks& codec, const Vectors& x, const Tile& tile,
                                          int c) {
  const int place = 8 * (c * kThreads + static_cast<int>(threadIdx.x));
  Piece piece;
  piece.row = place / x.dim;
  piece.coordinate = place % x.dim;
  piece.block = (tile.first * x.dim + place) / codec.block;
  piece.valid = piece.row < tile.valid;
  return piece;
}

__device__ __forceinline__ std::int64_t scalar_of(const Vectors& x, const Tile& tile,
                                                  const Piece& piece) {
  return (tile.first + piece.row) * x.token_stride + tile.head * x.head_stride + piece.coordinate;
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
    const std::uint32_t pattern = read_scale(bytes, from);
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
__global__ void __launch_bounds__(kThreads, kBits == 0 ? 1 : kBlocks)
    round_trip_blocks(Blocks codec, Vectors x, Vectors y, std::uint32_t* flags) {
  fix<Rule, kBits>(codec, x);
  fix<Rule, kBits>(codec, y);
  __shared__ Exchange exchange;
  const Tile tile = tile_of(x);
  const Place place = place_of(codec, x, tile);
  Run run;
  load_blocks(codec, x, tile, place, exchange, run);
  std::uint32_t found = 0;
  float bound[kPieces];
  typename Rule::Scale scale;
#pragma unroll
  for (int c = 0; c < kPieces; ++c) {
    if (c == 0 || !together(codec, c - 1, c)) {
      scale = scale_of<Rule>(codec, x.type, place, run, c, &found);
    }
    const std::uint64_t field = Rule::codes(codec, run.v[c], scale);
    bound[c] = Rule::values(codec, field, scale, run.v[c], &found);
  }
  if (found != 0) atomicOr(flags + tile.head, found);
  store_run(y, tile, exchange, run.v, bound);
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
