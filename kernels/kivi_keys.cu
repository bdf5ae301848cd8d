// SPDX-License-Identifier: Apache-2.0
// kivi's keys: a zero and a scale for each channel of a group of tokens.
//
// A block of threads has one group of one head. A thread has eight channels of neighbouring tokens:
// first it looks for their least and largest, then, when the groups are known, it reads them again,
// from the cache, and codes them. One more block a head writes the tokens that fill no group. The
// usual keys have kernels of their own (kivi_quads.cuh).
#include "kakeya/codecs/peers/block_rules.h"
#include "kernels/kivi_quads.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kKeyThreads = 256;
constexpr int kMostDim = 512;

/// The groups of the channels.
struct Groups {
  alignas(16) float zero[kMostDim], scale[kMostDim];
  alignas(16) int window[kMostDim];
};
struct Shared {
  float lowest[kKeyThreads * 8], highest[kKeyThreads * 8];
  Groups groups;
};

/// Those of a thread's eight channels. Plain: none has a window, nor 0 for a scale.
struct Eight {
  float zero[8], scale[8], inverse[8];
  int window[8];
  bool plain;
};
__device__ __forceinline__ Eight eight_of(const Groups& groups, int channel) {
  Eight eight;
  eight.plain = true;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    eight.zero[i] = groups.zero[channel + i];
    eight.scale[i] = groups.scale[channel + i];
    eight.window[i] = groups.window[channel + i];
    eight.inverse[i] = __frcp_rn(eight.scale[i]);
    eight.plain = eight.plain && eight.window[i] == 0 && eight.scale[i] != 0.0f;
  }
  return eight;
}
__device__ __forceinline__ void keep(const KiviGroup& group, Groups& groups, int channel) {
  groups.zero[channel] = group.zero;
  groups.scale[channel] = group.scale;
  groups.window[channel] = group.window;
}

// Where a block of threads and a thread work.
struct Place {
  std::int64_t head, group, first;  // the first token of the group
  int tokens;                       // of the group, or of what is left open
  bool open;
  int channel;     // the first of the thread's eight
  int begin, end;  // its tokens of the group
};

__device__ __forceinline__ Place place_of(const KiviKeys& codec, const Vectors& x) {
  const auto heads = static_cast<unsigned>(x.heads);
  const int thread = static_cast<int>(threadIdx.x), pieces = x.dim / 8;
  Place place;
  place.group = blockIdx.x / heads;
  place.head = blockIdx.x % heads;
  place.first = place.group * codec.group;
  const std::int64_t left = x.tokens - place.first;
  place.open = left < codec.group;
  place.tokens = place.open ? static_cast<int>(left) : codec.group;
  place.channel = thread % pieces * 8;
  const int parts = kKeyThreads / pieces, each = (place.tokens + parts - 1) / parts;
  place.begin = thread / pieces * each;
  place.end = place.begin + each < place.tokens ? place.begin + each : place.tokens;
  return place;
}

__device__ __forceinline__ std::int64_t scalar_of(const Vectors& x, const Place& place, int token) {
  return (place.first + token) * x.token_stride + place.head * x.head_stride + place.channel;
}

// Eight values of a token, 0 where one of them is not finite.
__device__ __forceinline__ void load_keys(const Vectors& x, const Place& place, int token, float* v,
                                          std::uint32_t* found) {
  load8(x, scalar_of(x, place, token), v);
  if (largest8(v) < 0x7f800000u) return;
  *found |= kNotFinite;
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = 0.0f;
}

// Finds the groups, and writes them where there is an `out`. Of equal numbers, 0 and -0, the one of the first token stays, as on the CPU.
__device__ __forceinline__ void find_groups(const KiviKeys& codec, const Vectors& x,
                                            const Place& place, Shared& shared, const Sections* out,
                                            std::uint32_t* found) {
  float low[8], high[8];
  for (int token = place.begin; token < place.end; ++token) {
    float v[8];
    load_keys(x, place, token, v, found);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      low[i] = token == place.begin || v[i] < low[i] ? v[i] : low[i];
      high[i] = token == place.begin || v[i] > high[i] ? v[i] : high[i];
    }
  }
  const int part = static_cast<int>(threadIdx.x) / (x.dim / 8);
  if (place.begin < place.end) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      shared.lowest[part * x.dim + place.channel + i] = low[i];
      shared.highest[part * x.dim + place.channel + i] = high[i];
    }
  }
  __syncthreads();
  const int parts = kKeyThreads / (x.dim / 8), each = (place.tokens + parts - 1) / parts;
  const int used = (place.tokens + each - 1) / each;
  for (int i = static_cast<int>(threadIdx.x); i < x.dim; i += kKeyThreads) {
    float least = shared.lowest[i], most = shared.highest[i];
    for (int k = 1; k < used; ++k) {
      const float l = shared.lowest[k * x.dim + i], h = shared.highest[k * x.dim + i];
      least = l < least ? l : least;
      most = h > most ? h : most;
    }
    const KiviGroup group = kivi_group_of(codec.bits, least, most);
    keep(group, shared.groups, i);
    if (out == nullptr) continue;
    const std::int64_t at = place.group * x.dim + i;
    reinterpret_cast<std::uint32_t*>(out->scales.data + place.head * out->scales.stride)[at] =
        group.zero_half | static_cast<std::uint32_t>(group.scale_half) << 16;
    out->windows.data[place.head * out->windows.stride + at] =
        static_cast<std::uint8_t>(group.window);
  }
  __syncthreads();
}

__device__ __forceinline__ std::uint64_t codes_of(const KiviKeys& codec, const float* v,
                                                  const Eight& eight) {
  const float levels = static_cast<float>((1 << codec.bits) - 1);
  int code[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const float level = quotient(v[i] - eight.zero[i], eight.scale[i], eight.inverse[i]);
    const float inside = fminf(fmaxf(level, 0.0f), levels);
    code[i] = __float_as_int(inside + kShift) - static_cast<int>(kShiftPattern);
  }
  if (!eight.plain) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const KiviGroup group = {0, 0, eight.window[i], eight.zero[i], eight.scale[i]};
      code[i] = kivi_code(v[i], group, levels);
    }
  }
  std::uint64_t field = 0;
#pragma unroll
  for (int i = 7; i >= 0; --i) field = field << codec.bits | static_cast<std::uint64_t>(code[i]);
  return field;
}

// The values of eight codes; returns what bounds their magnitudes.
__device__ __forceinline__ float values_of(const KiviKeys& codec, std::uint64_t field,
                                           const Eight& eight, float* v) {
  float bound = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int code = static_cast<int>(field >> (codec.bits * i)) & ((1 << codec.bits) - 1);
    v[i] = eight.zero[i] + float_of_code(code) * eight.scale[i];
    if (!eight.plain) v[i] = times_window(v[i], eight.window[i]);
    bound = fmaxf(bound, fabsf(v[i]));
  }
  return bound;
}

// Bytes of the codes of a token.
__device__ __forceinline__ int token_bytes(const KiviKeys& codec, int dim) {
  return dim / 8 * codec.bits;
}

__global__ void __launch_bounds__(kKeyThreads)
    encode_keys(KiviKeys codec, Vectors x, Sections out, std::uint32_t* flags) {
  __shared__ Shared shared;
  const Place place = place_of(codec, x);
  std::uint32_t found = 0;
  if (place.open) {
    auto* open = reinterpret_cast<std::uint16_t*>(out.open.data + place.head * out.open.stride);
    for (int token = place.begin; token < place.end; ++token) {
      float v[8];
      load_keys(x, place, token, v, &found);
      for (int i = 0; i < 8; ++i) {
        open[token * x.dim + place.channel + i] = float_to_finite_bfloat16(v[i]);
      }
    }
  } else {
    find_groups(codec, x, place, shared, &out, &found);
    const Eight eight = eight_of(shared.groups, place.channel);
    std::uint8_t* codes = out.codes.data + place.head * out.codes.stride +
                          place.first * token_bytes(codec, x.dim) + place.channel / 8 * codec.bits;
    for (int token = place.begin; token < place.end; ++token) {
      float v[8];
      load_keys(x, place, token, v, &found);
      const std::uint64_t field = codes_of(codec, v, eight);
      std::uint8_t* to = codes + token * token_bytes(codec, x.dim);
      if (codec.bits == 4) {
        *reinterpret_cast<std::uint32_t*>(to) = static_cast<std::uint32_t>(field);
      } else if (codec.bits == 2) {
        *reinterpret_cast<std::uint16_t*>(to) = static_cast<std::uint16_t>(field);
      } else {
        for (int i = 0; i < codec.bits; ++i) to[i] = static_cast<std::uint8_t>(field >> (8 * i));
      }
    }
  }
  if (found != 0) atomicOr(flags + place.head, found);
}

__device__ __forceinline__ void decode_open(const Place& place, const Sections& in,
                                            const Vectors& y, std::uint32_t* found) {
  const auto* open =
      reinterpret_cast<const std::uint16_t*>(in.open.data + place.head * in.open.stride);
  for (int token = place.begin; token < place.end; ++token) {
    float v[8];
    for (int i = 0; i < 8; ++i) {
      std::uint16_t pattern = open[token * y.dim + place.channel + i];
      if ((pattern & 0x7fffu) >= 0x7f80u) *found |= kBadOpen, pattern = 0;
      v[i] = bfloat16_to_float(pattern);
    }
    store8(y, scalar_of(y, place, token), v, 0x1p127f);
  }
}

__global__ void __launch_bounds__(kKeyThreads)
    decode_keys(KiviKeys codec, Sections in, Vectors y, std::uint32_t* flags) {
  __shared__ Groups groups;
  const Place place = place_of(codec, y);
  std::uint32_t found = 0;
  if (place.open) {
    decode_open(place, in, y, &found);
  } else {
    const std::int64_t first = place.group * y.dim;
    for (int i = static_cast<int>(threadIdx.x); i < y.dim; i += kKeyThreads) {
      std::uint32_t pattern = reinterpret_cast<const std::uint32_t*>(
          in.scales.data + place.head * in.scales.stride)[first + i];
      if ((pattern & 0x7fffu) >= 0x7c00u || pattern >> 16 >= 0x7c00u)
        found |= kBadScale, pattern = 0;
      int window = 0;
      if (in.windows.data != nullptr) {
        window =
            static_cast<std::int8_t>(in.windows.data[place.head * in.windows.stride + first + i]);
        if (window < kLowestWindow || window > kHighestWindow) found |= kBadWindow, window = 0;
      }
      groups.zero[i] = half_value(pattern & 0xffffu);
      groups.scale[i] = half_value(pattern >> 16);
      groups.window[i] = window;
    }
    __syncthreads();
    const Eight eight = eight_of(groups, place.channel);
    const std::uint8_t* codes = in.codes.data + place.head * in.codes.stride +
                                place.first * token_bytes(codec, y.dim) +
                                place.channel / 8 * codec.bits;
    for (int token = place.begin; token < place.end; ++token) {
      const std::uint8_t* from = codes + token * token_bytes(codec, y.dim);
      std::uint64_t field = 0;
      if (codec.bits == 4) {
        field = *reinterpret_cast<const std::uint32_t*>(from);
      } else if (codec.bits == 2) {
        field = *reinterpret_cast<const std::uint16_t*>(from);
      } else {
        for (int i = 0; i < codec.bits; ++i)
          field |= static_cast<std::uint64_t>(from[i]) << (8 * i);
      }
      float v[8];
      const float bound = values_of(codec, field, eight, v);
      store8(y, scalar_of(y, place, token), v, bound);
    }
  }
  if (found != 0) atomicOr(flags + place.head, found);
}

__global__ void __launch_bounds__(kKeyThreads)
    round_trip_keys(KiviKeys codec, Vectors x, Vectors y, std::uint32_t* flags) {
  __shared__ Shared shared;
  const Place place = place_of(codec, x);
  std::uint32_t found = 0;
  Eight eight{};
  if (!place.open) {
    find_groups(codec, x, place, shared, nullptr, &found);
    eight = eight_of(shared.groups, place.channel);
  }
  for (int token = place.begin; token < place.end; ++token) {
    float v[8];
    load_keys(x, place, token, v, &found);
    float bound = 0x1p127f;
    if (place.open) {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[i] = bfloat16_to_float(float_to_finite_bfloat16(v[i]));
    } else {
      bound = values_of(codec, codes_of(codec, v, eight), eight, v);
    }
    store8(y, scalar_of(y, place, token), v, bound);
  }
  if (found != 0) atomicOr(flags + place.head, found);
}

// What kivi_quads.cuh takes.
bool is_usual(const KiviKeys& codec, const Vectors& x) {
  return x.type == Scalar::bf16 && codec.group == kGroup && (codec.bits == 2 || codec.bits == 4);
}
template <typename Run>
void with_bits(const KiviKeys& codec, const Run& run) {
  if (codec.bits == 2) return run(std::integral_constant<int, 2>{});
  run(std::integral_constant<int, 4>{});
}

std::int64_t blocks_of(const KiviKeys& codec, const Vectors& x) {
  return (x.tokens + codec.group - 1) / codec.group * x.heads;
}

}  // namespace

void encode(const KiviKeys& codec, const Vectors& x, const Sections& out, std::uint32_t* flags,
            Stream stream) {
  if (blocks_of(codec, x) == 0) return;
  if (is_usual(codec, x)) {
    with_bits(codec, [&](auto bits) {
      KAKEYA_LAUNCH((encode_quads<decltype(bits)::value>), quad_blocks_of(x), kThreads, stream, x,
                    out, flags);
    });
    return;
  }
  KAKEYA_LAUNCH((encode_keys), blocks_of(codec, x), kKeyThreads, stream, codec, x, out, flags);
}

void decode(const KiviKeys& codec, const Sections& in, const Vectors& y, std::uint32_t* flags,
            Stream stream) {
  if (blocks_of(codec, y) == 0) return;
  if (is_usual(codec, y)) {
    with_bits(codec, [&](auto bits) {
      KAKEYA_LAUNCH((decode_quads<decltype(bits)::value>), quad_blocks_of(y), kThreads, stream, in,
                    y, flags);
    });
    return;
  }
  KAKEYA_LAUNCH((decode_keys), blocks_of(codec, y), kKeyThreads, stream, codec, in, y, flags);
}

void round_trip(const KiviKeys& codec, const Vectors& x, const Vectors& y, std::uint32_t* flags,
                Stream stream) {
  if (blocks_of(codec, x) == 0) return;
  if (is_usual(codec, x) && y.type == Scalar::bf16) {
    with_bits(codec, [&](auto bits) {
      KAKEYA_LAUNCH((round_trip_quads<decltype(bits)::value>), quad_blocks_of(x), kThreads, stream,
                    x, y, flags);
    });
    return;
  }
  KAKEYA_LAUNCH((round_trip_keys), blocks_of(codec, x), kKeyThreads, stream, codec, x, y, flags);
}

}  // namespace kakeya::kernels
