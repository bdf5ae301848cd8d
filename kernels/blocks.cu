// SPDX-License-Identifier: Apache-2.0
// fp8, q4_0, q5_0 and q8_0, kivi's values: neighbouring coordinates of a vector share a scale.
//
// A tile is 4096 values of one head as it lies in the section "codes": a thread has four pieces of
// eight neighbours, the pieces of a warp lie side by side, and block / 8 lanes share a scale. The
// eight codes of a piece fill `bits` bytes. Codes of 8 and 4 bits leave as they are, others by way
// of shared memory.
#include "kakeya/codecs/peers/block_rules.h"
#include "kernels/warp.cuh"

namespace kakeya::kernels {
namespace {

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
    if (largest8(v, 0) >= 0x7f800000u) good = false, *found |= kNotFinite;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = good ? v[i] : 0.0f;
}

// Which of two numbers of a block comes first in it where both would do.
struct First {
  float value;
  // Takes the other's where it is better, or as good and of a lower lane.
  __device__ __forceinline__ void meet(float other, bool better, int lane_bit) {
    const bool other_is_lower = (static_cast<int>(threadIdx.x) & lane_bit) != 0;
    if (better || (other == value && other_is_lower)) value = other;
  }
};

__device__ __forceinline__ float lowest_of(const float* v, int block) {
  First low{v[0]};
#pragma unroll
  for (int i = 1; i < 8; ++i) low.value = v[i] < low.value ? v[i] : low.value;
  for (int bit = 1; bit < block / 8; bit *= 2) {
    const float other = __shfl_xor_sync(kAll, low.value, bit);
    low.meet(other, other < low.value, bit);
  }
  return low.value;
}

__device__ __forceinline__ float highest_of(const float* v, int block) {
  First high{v[0]};
#pragma unroll
  for (int i = 1; i < 8; ++i) high.value = v[i] > high.value ? v[i] : high.value;
  for (int bit = 1; bit < block / 8; bit *= 2) {
    const float other = __shfl_xor_sync(kAll, high.value, bit);
    high.meet(other, other > high.value, bit);
  }
  return high.value;
}

// The first of largest magnitude, with its sign.
__device__ __forceinline__ float most_of(const float* v, int block) {
  float most = v[0];
#pragma unroll
  for (int i = 1; i < 8; ++i) most = fabsf(v[i]) > fabsf(most) ? v[i] : most;
  for (int bit = 1; bit < block / 8; bit *= 2) {
    const float other = __shfl_xor_sync(kAll, most, bit);
    const bool lower = (static_cast<int>(threadIdx.x) & bit) != 0;
    const bool as_good = fabsf(other) == fabsf(most) && lower;
    if (fabsf(other) > fabsf(most) || as_good) most = other;
  }
  return most;
}

// a / b, correctly rounded; `inverse` is 1 / b, and neither is near the ends of float's exponents.
__device__ __forceinline__ float quotient(float a, float b, float inverse) {
  const float near = a * inverse;
  return __fmaf_rn(__fmaf_rn(-near, b, a), inverse, near);
}

__device__ __forceinline__ std::uint32_t two_e4m3(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  return __nv_cvt_float2_to_fp8x2(make_float2(low, high), __NV_SATFINITE, __NV_E4M3);
#else
  return float_to_e4m3(low) | static_cast<std::uint32_t>(float_to_e4m3(high)) << 8;
#endif
}

__device__ __forceinline__ void from_e4m3(std::uint32_t two, float* v) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  const __half2_raw halves =
      __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(two), __NV_E4M3);
  v[0] = half_value(halves.x);
  v[1] = half_value(halves.y);
#else
  v[0] = e4m3_to_float(static_cast<std::uint8_t>(two));
  v[1] = e4m3_to_float(static_cast<std::uint8_t>(two >> 8));
#endif
}

// A rule: what a block stores of its scale, its codes, and its values again.

struct Fp8Rule {
  struct Scale {
    std::uint32_t pattern;
    int window;
    float value;
  };
  static __device__ __forceinline__ int scale_bytes(const Blocks& codec) {
    return fp8_scale_bytes(static_cast<Fp8Scale>(codec.scale));
  }
  static __device__ __forceinline__ Scale choose(const Blocks& codec, const float* v) {
    std::uint32_t largest = largest8(v, 0);
    for (int bit = 1; bit < codec.block / 8; bit *= 2) {
      const std::uint32_t other = __shfl_xor_sync(kAll, largest, bit);
      largest = other > largest ? other : largest;
    }
    const BlockScale made = fp8_scale(static_cast<Fp8Scale>(codec.scale), __uint_as_float(largest));
    return {made.pattern, made.window, made.value};
  }
  static __device__ __forceinline__ std::uint64_t codes(const Blocks&, const float* v,
                                                        const Scale& scale) {
    const bool plain = scale.value > 0x1p-80f && scale.value < 0x1p80f;
    const float inverse = __frcp_rn(scale.value);
    float level[8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
      level[i] = copysignf(quotient(fabsf(v[i]), scale.value, inverse), v[i]);
    if (!plain) {
#pragma unroll
      for (int i = 0; i < 8; ++i) level[i] = v[i] / scale.value;
    }
    const std::uint32_t low = two_e4m3(level[0], level[1]) | two_e4m3(level[2], level[3]) << 16;
    const std::uint32_t high = two_e4m3(level[4], level[5]) | two_e4m3(level[6], level[7]) << 16;
    return low | static_cast<std::uint64_t>(high) << 32;
  }
  static __device__ __forceinline__ Scale read(const Blocks& codec, std::uint32_t pattern,
                                               int window, std::uint32_t* found) {
    float value = fp8_scale_value(static_cast<Fp8Scale>(codec.scale), pattern, window);
    if (!(value > 0.0f && value < __uint_as_float(0x7f800000u))) *found |= kBadScale, value = 0.0f;
    return {pattern, window, value};
  }
  static __device__ __forceinline__ float values(const Blocks&, std::uint64_t codes,
                                                 const Scale& scale, float* v,
                                                 std::uint32_t* found) {
    const auto low = static_cast<std::uint32_t>(codes),
               high = static_cast<std::uint32_t>(codes >> 32);
    // A byte of 0x7f in either: adding 1 carries into its sign.
    const std::uint32_t nan =
        (((low & 0x7f7f7f7fu) + 0x01010101u) | ((high & 0x7f7f7f7fu) + 0x01010101u)) & 0x80808080u;
    if (nan != 0) *found |= kNoSuchPoint;
    from_e4m3(low & 0xffffu, v);
    from_e4m3(low >> 16, v + 2);
    from_e4m3(high & 0xffffu, v + 4);
    from_e4m3(high >> 16, v + 6);
    const float most = 0x1.fffffep127f;
    if (nan != 0) {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[i] = fabsf(v[i]) <= 448.0f ? v[i] : 0.0f;
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = v[i] * scale.value;
    if (scale.value > 0x1p118f) {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[i] = fminf(fmaxf(v[i], -most), most);
    }
    return 448.0f * scale.value;
  }
};

// Eight codes of `bits` bits, the first in the low ones.
template <typename Code>
__device__ __forceinline__ std::uint64_t join8(int bits, const Code& code) {
  std::uint64_t field = 0;
#pragma unroll
  for (int i = 7; i >= 0; --i) field = field << bits | static_cast<std::uint64_t>(code(i));
  return field;
}
__device__ __forceinline__ int code_at(std::uint64_t field, int bits, int i) {
  return static_cast<int>(field >> (bits * i)) & ((1 << bits) - 1);
}

struct GgmlRule {
  struct Scale {
    std::uint32_t pattern;
    int window;
    GgmlScale made;
    float value;
    bool empty;
  };
  static __device__ __forceinline__ int scale_bytes(const Blocks&) { return 2; }
  static __device__ __forceinline__ Scale choose(const Blocks& codec, const float* v) {
    const float most = most_of(v, codec.block);
    Scale scale{0, 0, {}, 0.0f, most == 0.0f};
    if (scale.empty) return scale;
    scale.made = ggml_scale(codec.bits, most);
    scale.pattern = scale.made.half;
    scale.window = scale.made.window;
    scale.value = half_value(scale.pattern);
    return scale;
  }
  static __device__ __forceinline__ std::uint64_t codes(const Blocks& codec, const float* v,
                                                        const Scale& scale) {
    const int middle = 1 << (codec.bits - 1);
    return join8(codec.bits, [&](int i) {
      return scale.empty ? middle : ggml_code(codec.bits, v[i], scale.made);
    });
  }
  static __device__ __forceinline__ Scale read(const Blocks&, std::uint32_t pattern, int window,
                                               std::uint32_t* found) {
    if ((pattern & 0x7fffu) >= 0x7c00u) *found |= kBadScale, pattern = 0;
    return {pattern, window, {}, half_value(pattern), false};
  }
  static __device__ __forceinline__ float values(const Blocks& codec, std::uint64_t codes,
                                                 const Scale& scale, float* v, std::uint32_t*) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      v[i] = ggml_value(codec.bits, code_at(codes, codec.bits, i), scale.value, scale.window);
    }
    return scale.window != 0 ? 0x1p127f : 128.0f * fabsf(scale.value);
  }
};

struct KiviRule {
  struct Scale {
    std::uint32_t pattern;
    int window;
    KiviGroup group;
  };
  static __device__ __forceinline__ int scale_bytes(const Blocks&) { return 4; }
  static __device__ __forceinline__ Scale choose(const Blocks& codec, const float* v) {
    const float low = lowest_of(v, codec.block), high = highest_of(v, codec.block);
    const KiviGroup group = kivi_group_of(codec.bits, low, high);
    return {group.zero_half | static_cast<std::uint32_t>(group.scale_half) << 16, group.window,
            group};
  }
  static __device__ __forceinline__ std::uint64_t codes(const Blocks& codec, const float* v,
                                                        const Scale& scale) {
    const float levels = static_cast<float>((1 << codec.bits) - 1);
    return join8(codec.bits, [&](int i) { return kivi_code(v[i], scale.group, levels); });
  }
  static __device__ __forceinline__ Scale read(const Blocks&, std::uint32_t pattern, int window,
                                               std::uint32_t* found) {
    if ((pattern & 0x7fffu) >= 0x7c00u || pattern >> 16 >= 0x7c00u)
      *found |= kBadScale, pattern = 0;
    const auto zero = static_cast<std::uint16_t>(pattern);
    return {pattern, window, kivi_group(zero, static_cast<std::uint16_t>(pattern >> 16), window)};
  }
  static __device__ __forceinline__ float values(const Blocks& codec, std::uint64_t codes,
                                                 const Scale& scale, float* v, std::uint32_t*) {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = kivi_value(code_at(codes, codec.bits, i), scale.group);
    const KiviGroup& group = scale.group;
    return group.window != 0 ? 0x1p127f : fabsf(group.zero) + 256.0f * group.scale;
  }
};

template <typename Rule>
__global__ void __launch_bounds__(kThreads)
    encode_blocks(Blocks codec, Vectors x, Sections out, std::uint32_t* flags) {
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

template <typename Rule>
__global__ void __launch_bounds__(kThreads)
    decode_blocks(Blocks codec, Sections in, Vectors y, std::uint32_t* flags) {
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

template <typename Rule>
__global__ void __launch_bounds__(kThreads)
    round_trip_blocks(Blocks codec, Vectors x, Vectors y, std::uint32_t* flags) {
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

template <typename Rule>
struct Chosen {
  using type = Rule;
};
template <typename Run>
void with_rule(const Blocks& codec, const Run& run) {
  if (codec.kind == Blocks::fp8) return run(Chosen<Fp8Rule>{});
  if (codec.kind == Blocks::ggml) return run(Chosen<GgmlRule>{});
  return run(Chosen<KiviRule>{});
}

}  // namespace

void encode(const Blocks& codec, const Vectors& x, const Sections& out, std::uint32_t* flags,
            Stream stream) {
  if (tiles_of(x) == 0) return;
  with_rule(codec, [&](auto rule) {
    using Rule = typename decltype(rule)::type;
    KAKEYA_LAUNCH((encode_blocks<Rule>), tiles_of(x), kThreads, stream, codec, x, out, flags);
  });
}

void decode(const Blocks& codec, const Sections& in, const Vectors& y, std::uint32_t* flags,
            Stream stream) {
  if (tiles_of(y) == 0) return;
  with_rule(codec, [&](auto rule) {
    using Rule = typename decltype(rule)::type;
    KAKEYA_LAUNCH((decode_blocks<Rule>), tiles_of(y), kThreads, stream, codec, in, y, flags);
  });
}

void round_trip(const Blocks& codec, const Vectors& x, const Vectors& y, std::uint32_t* flags,
                Stream stream) {
  if (tiles_of(x) == 0) return;
  with_rule(codec, [&](auto rule) {
    using Rule = typename decltype(rule)::type;
    KAKEYA_LAUNCH((round_trip_blocks<Rule>), tiles_of(x), kThreads, stream, codec, x, y, flags);
  });
}

}  // namespace kakeya::kernels
