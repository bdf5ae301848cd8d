// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/codecs/peers/block_rules.h"
#include "kernels/warp.cuh"

// What fp8, q4_0 and its like, and kivi's values do with a block of coordinates.

namespace kakeya::kernels {
namespace {

__device__ __forceinline__ std::uint32_t two_e4m3(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  return __nv_cvt_float2_to_fp8x2(make_float2(low, high), __NV_SATFINITE, __NV_E4M3);
#else
  return float_to_e4m3(low) | static_cast<std::uint32_t>(float_to_e4m3(high)) << 8;
#endif
}

/// Two codes, the first in the low bits, as binary16, which has their values exactly.
__device__ __forceinline__ std::uint32_t halves_of_e4m3(std::uint32_t two) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  std::uint32_t halves;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(static_cast<unsigned short>(two)));
  return halves;
#else
  return two_halves(e4m3_to_float(static_cast<std::uint8_t>(two)),
                    e4m3_to_float(static_cast<std::uint8_t>(two >> 8)));
#endif
}

__device__ __forceinline__ void from_e4m3(std::uint32_t two, float* v) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  const std::uint32_t halves = halves_of_e4m3(two);
  v[0] = half_value(halves & 0xffffu);
  v[1] = half_value(halves >> 16);
#else
  v[0] = e4m3_to_float(static_cast<std::uint8_t>(two));
  v[1] = e4m3_to_float(static_cast<std::uint8_t>(two >> 8));
#endif
}

/// In each byte of four codes 0x80 where it is NaN: adding 1 carries into its sign.
__device__ __forceinline__ std::uint32_t nan_codes(std::uint32_t codes) {
  return ((codes & 0x7f7f7f7fu) + 0x01010101u) & 0x80808080u;
}

__device__ __forceinline__ std::uint32_t read_scale(int bytes, const std::uint8_t* from) {
  if (bytes == 4) return *reinterpret_cast<const std::uint32_t*>(from);
  if (bytes == 2) return *reinterpret_cast<const std::uint16_t*>(from);
  return *from;
}

// A rule: what a block of values from `low` to `high` stores of its scale, eight codes, and their
// values again. Where the order of equal magnitudes matters, tied() is that magnitude, otherwise -1;
// choose() then gets the first such value of the block.

struct Fp8Rule {
  static constexpr Blocks::Kind kKind = Blocks::fp8;
  static constexpr int kUsualBlock = 64;
  static constexpr bool kOrdered = false;
  struct Scale {
    std::uint32_t pattern;
    int window;
    float value;
  };
  static __device__ __forceinline__ int scale_bytes(const Blocks& codec) {
    return fp8_scale_bytes(static_cast<Fp8Scale>(codec.scale));
  }
  static __device__ __forceinline__ float tied(float, float) { return -1.0f; }
  static __device__ __forceinline__ Scale choose(const Blocks& codec, float low, float high,
                                                 float) {
    const BlockScale made = fp8_scale(static_cast<Fp8Scale>(codec.scale), fmaxf(-low, high));
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
    const std::uint32_t nan = nan_codes(low) | nan_codes(high);
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

// Eight codes of `bits` bits, the first in the low ones. code(i) is `base` more than the code; sums
// may wrap.
template <typename Code>
__device__ __forceinline__ std::uint64_t join8(int bits, std::uint32_t base, const Code& code) {
  std::uint32_t four[2];
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    four[k] = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      four[k] += (static_cast<std::uint32_t>(code(4 * k + i)) - base) << (bits * i);
    }
  }
  return four[0] | static_cast<std::uint64_t>(four[1]) << (4 * bits);
}
__device__ __forceinline__ int code_at(std::uint64_t field, int bits, int i) {
  return static_cast<int>(field >> (bits * i)) & ((1 << bits) - 1);
}

struct GgmlRule {
  static constexpr Blocks::Kind kKind = Blocks::ggml;
  static constexpr int kUsualBlock = 32;
  static constexpr bool kOrdered = true;
  struct Scale {
    std::uint32_t pattern;
    int window;
    GgmlScale made;
    float value;
    bool empty;
  };
  static __device__ __forceinline__ int scale_bytes(const Blocks&) { return 2; }
  // ggml_scale(), short where no window is needed for sure.
  static __device__ __forceinline__ GgmlScale scale_of(int bits, float most) {
    const float size = fabsf(most);
    if (!(size >= 0x1p-6f && size < 0x1p13f)) return ggml_scale(bits, most);
    const float scale = bits == 8 ? quotient(size, 127.0f, 1.0f / 127.0f)
                                  : most * (-1.0f / static_cast<float>(1 << (bits - 1)));
    GgmlScale made;
    made.half = static_cast<std::uint16_t>(two_halves(scale, 0.0f));
    made.inverse = __frcp_rn(scale);
    return made;
  }
  // Four codes of q8_0, ggml_code() of levels without a window. The half that is added to a magnitude
  // is the lowest bit of a number near 2^22, the whole part the seven bits above it.
  static __device__ __forceinline__ std::uint32_t four_of_q8(const float* level) {
    std::uint32_t near[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      near[i] = __float_as_uint(__fadd_rz(fabsf(level[i]), 0x1p22f + 0.5f));
    const std::uint32_t whole =
        permute(permute(near[0], near[1], 0x40), permute(near[2], near[3], 0x40), 0x5410) >> 1 &
        0x7f7f7f7fu;
    // Bytes of ones where a level is negative: there 128 - whole is ~whole + 129.
    const std::uint32_t minus =
        permute(permute(__float_as_uint(level[0]), __float_as_uint(level[1]), 0xfb),
                permute(__float_as_uint(level[2]), __float_as_uint(level[3]), 0xfb), 0x5410);
    return (whole ^ minus ^ 0x80808080u) + (minus & 0x01010101u);
  }
  static __device__ __forceinline__ float tied(float low, float high) {
    return high == -low ? high : -1.0f;
  }
  static __device__ __forceinline__ Scale choose(const Blocks& codec, float low, float high,
                                                 float first) {
    const float larger = high > -low ? high : low, most = high == -low ? first : larger;
    Scale scale{0, 0, {}, 0.0f, most == 0.0f};
    if (scale.empty) return scale;
    scale.made = scale_of(codec.bits, most);
    scale.pattern = scale.made.half;
    scale.window = scale.made.window;
    scale.value = half_value(scale.pattern);
    return scale;
  }
  static __device__ __forceinline__ std::uint64_t codes(const Blocks& codec, const float* v,
                                                        const Scale& scale) {
    const int middle = 1 << (codec.bits - 1);
    if (scale.empty) return join8(codec.bits, 0, [&](int) { return middle; });
    if (scale.window != 0) {
      return join8(codec.bits, 0, [&](int i) { return ggml_code(codec.bits, v[i], scale.made); });
    }
    float level[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) level[i] = v[i] * scale.made.inverse;
    if (codec.bits == 8) {
      return four_of_q8(level) | static_cast<std::uint64_t>(four_of_q8(level + 4)) << 32;
    }
    const std::uint32_t most = kWholePattern + 2 * static_cast<std::uint32_t>(middle) - 1;
    return join8(codec.bits, kWholePattern, [&](int i) {
      const std::uint32_t code = pattern_of_whole(level[i] + (static_cast<float>(middle) + 0.5f));
      return code < most ? code : most;
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
      const int middle = 1 << (codec.bits - 1);
      const float level = float_of_code(code_at(codes, codec.bits, i)) - static_cast<float>(middle);
      v[i] = level * scale.value;
    }
    if (scale.window != 0) {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[i] = times_window(v[i], scale.window);
    }
    return scale.window != 0 ? 0x1.fffffep127f : 128.0f * fabsf(scale.value);
  }
};

struct KiviRule {
  static constexpr Blocks::Kind kKind = Blocks::kivi;
  static constexpr int kUsualBlock = 32;
  static constexpr bool kOrdered = true;
  struct Scale {
    std::uint32_t pattern;
    int window;
    KiviGroup group;
  };
  static __device__ __forceinline__ int scale_bytes(const Blocks&) { return 4; }
  static __device__ __forceinline__ KiviGroup of_patterns(std::uint32_t pair, int window) {
    return {static_cast<std::uint16_t>(pair), static_cast<std::uint16_t>(pair >> 16), window,
            half_value(pair & 0xffffu), half_value(pair >> 16)};
  }
  // kivi_group_of(), short where no window is needed for sure.
  static __device__ __forceinline__ KiviGroup group_of(int bits, float low, float high) {
    const float largest = fmaxf(fabsf(low), fabsf(high));
    if (!(largest >= 0x1p-5f && largest < 0x1p14f)) return kivi_group_of(bits, low, high);
    const float levels = static_cast<float>((1 << bits) - 1);
    return of_patterns(two_halves(low, (high - low) / levels), 0);
  }
  static __device__ __forceinline__ float tied(float low, float high) {
    return low == 0.0f || high == 0.0f ? 0.0f : -1.0f;
  }
  static __device__ __forceinline__ Scale choose(const Blocks& codec, float low, float high,
                                                 float first) {
    low = low == 0.0f ? first : low;
    high = high == 0.0f ? first : high;
    const KiviGroup group = group_of(codec.bits, low, high);
    return {group.zero_half | static_cast<std::uint32_t>(group.scale_half) << 16, group.window,
            group};
  }
  static __device__ __forceinline__ std::uint64_t codes(const Blocks& codec, const float* v,
                                                        const Scale& scale) {
    const float levels = static_cast<float>((1 << codec.bits) - 1);
    const KiviGroup& group = scale.group;
    if (group.window != 0 || group.scale == 0.0f) {
      return join8(codec.bits, 0, [&](int i) { return kivi_code(v[i], scale.group, levels); });
    }
    const float inverse = __frcp_rn(group.scale);
    return join8(codec.bits, kShiftPattern, [&](int i) {
      const float level = quotient(v[i] - group.zero, group.scale, inverse);
      const float inside = fminf(fmaxf(level, 0.0f), levels);
      return __float_as_uint(inside + kShift);
    });
  }
  static __device__ __forceinline__ Scale read(const Blocks&, std::uint32_t pattern, int window,
                                               std::uint32_t* found) {
    if ((pattern & 0x7fffu) >= 0x7c00u || pattern >> 16 >= 0x7c00u)
      *found |= kBadScale, pattern = 0;
    return {pattern, window, of_patterns(pattern, window)};
  }
  static __device__ __forceinline__ float values(const Blocks& codec, std::uint64_t codes,
                                                 const Scale& scale, float* v, std::uint32_t*) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      v[i] = scale.group.zero + float_of_code(code_at(codes, codec.bits, i)) * scale.group.scale;
    }
    const KiviGroup& group = scale.group;
    if (group.window != 0) {
#pragma unroll
      for (int i = 0; i < 8; ++i) v[i] = times_window(v[i], group.window);
    }
    return group.window != 0 ? 0x1.fffffep127f : fabsf(group.zero) + 256.0f * group.scale;
  }
};

}  // namespace
}  // namespace kakeya::kernels
