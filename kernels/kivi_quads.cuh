// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "kernels/extremes.cuh"
#include "kernels/rules.cuh"

// kivi's keys as caches mostly hold them: bf16, groups of 32 tokens, codes of 2 or 4 bits. A thread has
// four neighbouring channels of all tokens of a group, so that no thread asks another; a warp reads
// 256 bytes of a token. What is rare reads its tokens again, one after the other.

namespace kakeya::kernels {
namespace {

constexpr int kGroup = 32, kQuad = 4;
constexpr int kQuadBlocks = 4;  // a multiprocessor: 128 registers, 64 of them the words of a group

/// Where a thread works. What a head has beyond its last whole group is `open`.
struct QuadPlace {
  std::int64_t head, group;
  int channel;
  int tokens;  // 0: nothing to do
  bool open;
};

__device__ __forceinline__ QuadPlace quad_place_of(const Vectors& x) {
  const unsigned quads = static_cast<unsigned>(x.dim) / kQuad, thread = threadIdx.x;
  const unsigned unit = blockIdx.x * (kThreads / quads) + thread / quads;
  const auto heads = static_cast<unsigned>(x.heads);
  QuadPlace place;
  place.group = unit / heads;
  place.head = unit % heads;
  place.channel = static_cast<int>(thread % quads) * kQuad;
  const std::int64_t left = x.tokens - place.group * kGroup;
  place.open = left < kGroup;
  place.tokens = left < 0 ? 0 : (place.open ? static_cast<int>(left) : kGroup);
  return place;
}

inline std::int64_t quad_blocks_of(const Vectors& x) {
  const std::int64_t units = (x.tokens + kGroup - 1) / kGroup * x.heads,
                     each = kThreads * kQuad / x.dim;
  return (units + each - 1) / each;
}

// Goes from token to token of a group.
template <typename Item>
struct Tokens {
  Item* at;
  std::int64_t bytes;  // from a token to the next
  __device__ __forceinline__ Item& next() {
    Item& item = *at;
    at = reinterpret_cast<Item*>(reinterpret_cast<std::uint8_t*>(at) + bytes);
    return item;
  }
};

// Four channels of each token.
__device__ __forceinline__ Tokens<uint2> quads_of(const Vectors& x, const QuadPlace& place) {
  return {reinterpret_cast<uint2*>(static_cast<std::uint16_t*>(x.data) +
                                   place.group * kGroup * x.token_stride +
                                   place.head * x.head_stride + place.channel),
          2 * x.token_stride};
}
__device__ __forceinline__ Tokens<uint2> open_quads_of(const Section& open, const QuadPlace& place,
                                                       int dim) {
  return {reinterpret_cast<uint2*>(open.data + place.head * open.stride + 2 * place.channel),
          2 * dim};
}
__device__ __forceinline__ float value_of(const uint2& quad, int i) {
  return value_of(Scalar::bf16, i < 2 ? quad.x : quad.y, i % 2 != 0);
}
__device__ __forceinline__ bool is_finite(const uint2& quad) {
  bool finite = true;
#pragma unroll
  for (int i = 0; i < kQuad; ++i) {
    finite = finite && (__float_as_uint(value_of(quad, i)) & 0x7fffffffu) < 0x7f800000u;
  }
  return finite;
}

// Tokens that fill no group, zeros where four channels are not finite.
__device__ __forceinline__ void copy_open(Tokens<uint2> from, Tokens<uint2> to, int tokens,
                                          std::uint32_t* found) {
  for (int token = 0; token < tokens; ++token) {
    const uint2 quad = from.next();
    const bool finite = is_finite(quad);
    if (!finite) *found |= kNotFinite;
    to.next() = finite ? quad : make_uint2(0, 0);
  }
}

/// The groups of four channels. Plain: none has a window, nor 0 for a scale.
struct QuadGroups {
  KiviGroup group[kQuad];
  bool plain;
};

__device__ __forceinline__ void find_plain(QuadGroups& groups) {
  groups.plain = true;
#pragma unroll
  for (int i = 0; i < kQuad; ++i) {
    groups.plain = groups.plain && groups.group[i].window == 0 && groups.group[i].scale != 0.0f;
  }
}

// Where the least or the largest is 0, the sign is that of the first zero.
__device__ __forceinline__ float first_zero_of(const Vectors& x, const QuadPlace& place, int i) {
  Tokens<uint2> quads = quads_of(x, place);
#pragma unroll 1
  for (int token = 0; token < kGroup; ++token) {
    const float value = value_of(quads.next(), i);
    if (value == 0.0f) return value;
  }
  return 0.0f;
}

// The tokens of a group and the groups of their channels; zeros where a channel has what is not
// finite.
template <int kBits>
__device__ __forceinline__ QuadGroups load_quads(const Vectors& x, const QuadPlace& place,
                                                 uint2 (&raw)[kGroup], std::uint32_t* found) {
  Tokens<uint2> quads = quads_of(x, place);
#pragma unroll
  for (int token = 0; token < kGroup; ++token) raw[token] = quads.next();
  Extremes e[2] = {{raw[0].x, raw[0].x}, {raw[0].y, raw[0].y}};
#pragma unroll
  for (int token = 1; token < kGroup; ++token) {
    widen(Scalar::bf16, e[0], {raw[token].x, raw[token].x});
    widen(Scalar::bf16, e[1], {raw[token].y, raw[token].y});
  }
  if (!is_finite(uint2{e[0].low, e[1].low}) || !is_finite(uint2{e[0].high, e[1].high})) {
    *found |= kNotFinite;
    e[0] = e[1] = {0, 0};
#pragma unroll
    for (int token = 0; token < kGroup; ++token) raw[token] = make_uint2(0, 0);
  }
  QuadGroups groups;
#pragma unroll
  for (int i = 0; i < kQuad; ++i) {
    float low = value_of(uint2{e[0].low, e[1].low}, i),
          high = value_of(uint2{e[0].high, e[1].high}, i);
    if (low == 0.0f || high == 0.0f) {
      const float zero = first_zero_of(x, place, i);
      low = low == 0.0f ? zero : low;
      high = high == 0.0f ? zero : high;
    }
    groups.group[i] = KiviRule::group_of(kBits, low, high);
  }
  find_plain(groups);
  return groups;
}

// The codes of four values, the first in the low bits.
template <int kBits>
__device__ __forceinline__ std::uint32_t codes_of(const uint2& quad, const QuadGroups& groups,
                                                  const float (&inverse)[kQuad]) {
  const float levels = static_cast<float>((1 << kBits) - 1);
  std::uint32_t codes = 0;
#pragma unroll
  for (int i = 0; i < kQuad; ++i) {
    const KiviGroup& group = groups.group[i];
    const float level = quotient(value_of(quad, i) - group.zero, group.scale, inverse[i]);
    const float inside = fminf(fmaxf(level, 0.0f), levels);
    codes += (__float_as_uint(inside + kShift) - kShiftPattern) << (kBits * i);
  }
  return codes;
}
template <int kBits>
__device__ __forceinline__ std::uint32_t rare_codes_of(const uint2& quad,
                                                       const QuadGroups& groups) {
  std::uint32_t codes = 0;
#pragma unroll
  for (int i = 0; i < kQuad; ++i) {
    const int code =
        kivi_code(value_of(quad, i), groups.group[i], static_cast<float>((1 << kBits) - 1));
    codes |= static_cast<std::uint32_t>(code) << (kBits * i);
  }
  return codes;
}

// The values of four codes; a value with a window stays within bf16.
template <int kBits>
__device__ __forceinline__ uint2 values_of(std::uint32_t codes, const QuadGroups& groups) {
  float v[kQuad];
#pragma unroll
  for (int i = 0; i < kQuad; ++i) {
    const KiviGroup& group = groups.group[i];
    const int code = static_cast<int>(codes >> (kBits * i)) & ((1 << kBits) - 1);
    v[i] = group.zero + float_of_code(code) * group.scale;
  }
  if (!groups.plain) {
#pragma unroll
    for (int i = 0; i < kQuad; ++i) {
      v[i] = fminf(fmaxf(times_window(v[i], groups.group[i].window), -0x1.fep127f), 0x1.fep127f);
    }
  }
  return make_uint2(two_bfloat16(v[0], v[1]), two_bfloat16(v[2], v[3]));
}

// Four codes of each token.
template <int kBits>
using QuadCodes = std::conditional_t<kBits == 4, std::uint16_t, std::uint8_t>;
template <int kBits>
__device__ __forceinline__ Tokens<QuadCodes<kBits>> codes_at(const Section& codes,
                                                             const QuadPlace& place, int dim) {
  const int bytes = dim * kBits / 8;
  return {
      reinterpret_cast<QuadCodes<kBits>*>(codes.data + place.head * codes.stride +
                                          place.group * kGroup * bytes + place.channel * kBits / 8),
      bytes};
}

// Calls each(codes of four channels, their groups) for the tokens of a group, one after the other.
template <int kBits, typename Each>
__device__ __forceinline__ QuadGroups code_quads(const Vectors& x, const QuadPlace& place,
                                                 std::uint32_t* found, const Each& each) {
  uint2 raw[kGroup];
  const QuadGroups groups = load_quads<kBits>(x, place, raw, found);
  if (groups.plain) {
    float inverse[kQuad];
#pragma unroll
    for (int i = 0; i < kQuad; ++i) inverse[i] = __frcp_rn(groups.group[i].scale);
#pragma unroll
    for (int token = 0; token < kGroup; ++token) {
      each(codes_of<kBits>(raw[token], groups, inverse), groups);
    }
  } else {
    const bool zeros = (*found & kNotFinite) != 0;
    Tokens<uint2> quads = quads_of(x, place);
#pragma unroll 1
    for (int token = 0; token < kGroup; ++token) {
      const uint2 quad = quads.next();
      each(rare_codes_of<kBits>(zeros ? make_uint2(0, 0) : quad, groups), groups);
    }
  }
  return groups;
}

template <int kBits>
__global__ void __launch_bounds__(kThreads, kQuadBlocks)
    encode_quads(Vectors x, Sections out, std::uint32_t* flags) {
  const QuadPlace place = quad_place_of(x);
  std::uint32_t found = 0;
  if (place.open) {
    copy_open(quads_of(x, place), open_quads_of(out.open, place, x.dim), place.tokens, &found);
  } else {
    Tokens<QuadCodes<kBits>> codes = codes_at<kBits>(out.codes, place, x.dim);
    const QuadGroups groups =
        code_quads<kBits>(x, place, &found, [&](std::uint32_t four, const QuadGroups&) {
          codes.next() = static_cast<QuadCodes<kBits>>(four);
        });
    const std::int64_t at = place.group * x.dim + place.channel;
    std::uint32_t pair[kQuad], windows = 0;
#pragma unroll
    for (int i = 0; i < kQuad; ++i) {
      const KiviGroup& group = groups.group[i];
      pair[i] = group.zero_half | static_cast<std::uint32_t>(group.scale_half) << 16;
      windows |= (static_cast<std::uint32_t>(group.window) & 0xffu) << (8 * i);
    }
    *reinterpret_cast<uint4*>(out.scales.data + place.head * out.scales.stride + 4 * at) =
        make_uint4(pair[0], pair[1], pair[2], pair[3]);
    *reinterpret_cast<std::uint32_t*>(out.windows.data + place.head * out.windows.stride + at) =
        windows;
  }
  if (found != 0) atomicOr(flags + place.head, found);
}

template <int kBits>
__global__ void __launch_bounds__(kThreads)
    decode_quads(Sections in, Vectors y, std::uint32_t* flags) {
  const QuadPlace place = quad_place_of(y);
  std::uint32_t found = 0;
  if (place.open) {
    Tokens<uint2> open = open_quads_of(in.open, place, y.dim), quads = quads_of(y, place);
    for (int token = 0; token < place.tokens; ++token) {
      uint2 quad = open.next();
      std::uint32_t* words[2] = {&quad.x, &quad.y};
#pragma unroll
      for (int i = 0; i < kQuad; ++i) {
        const std::uint32_t mask = i % 2 == 0 ? 0x7f80u : 0x7f800000u;
        if ((*words[i / 2] & mask) == mask) {
          found |= kBadOpen;
          *words[i / 2] &= i % 2 == 0 ? 0xffff0000u : 0xffffu;
        }
      }
      quads.next() = quad;
    }
  } else {
    const std::int64_t at = place.group * y.dim + place.channel;
    const uint4 pairs =
        *reinterpret_cast<const uint4*>(in.scales.data + place.head * in.scales.stride + 4 * at);
    std::uint32_t windows = 0;
    if (in.windows.data != nullptr) {
      windows = *reinterpret_cast<const std::uint32_t*>(in.windows.data +
                                                        place.head * in.windows.stride + at);
    }
    Tokens<QuadCodes<kBits>> codes = codes_at<kBits>(in.codes, place, y.dim);
    QuadCodes<kBits> four[kGroup];
#pragma unroll
    for (int token = 0; token < kGroup; ++token) four[token] = codes.next();
    QuadGroups groups;
    const std::uint32_t pair[kQuad] = {pairs.x, pairs.y, pairs.z, pairs.w};
#pragma unroll
    for (int i = 0; i < kQuad; ++i) {
      int window = static_cast<std::int8_t>(windows >> (8 * i));
      if (window < kLowestWindow || window > kHighestWindow) found |= kBadWindow, window = 0;
      groups.group[i] = KiviRule::read({}, pair[i], window, &found).group;
    }
    find_plain(groups);
    Tokens<uint2> quads = quads_of(y, place);
#pragma unroll
    for (int token = 0; token < kGroup; ++token) {
      quads.next() = values_of<kBits>(four[token], groups);
    }
  }
  if (found != 0) atomicOr(flags + place.head, found);
}

template <int kBits>
__global__ void __launch_bounds__(kThreads, kQuadBlocks)
    round_trip_quads(Vectors x, Vectors y, std::uint32_t* flags) {
  const QuadPlace place = quad_place_of(x);
  std::uint32_t found = 0;
  if (place.open) {
    copy_open(quads_of(x, place), quads_of(y, place), place.tokens, &found);
  } else {
    Tokens<uint2> quads = quads_of(y, place);
    code_quads<kBits>(x, place, &found, [&](std::uint32_t four, const QuadGroups& groups) {
      quads.next() = values_of<kBits>(four, groups);
    });
  }
  if (found != 0) atomicOr(flags + place.head, found);
}

}  // namespace
}  // namespace kakeya::kernels
