// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/weights/dequantize.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/model/weights/ggml_type.h"

namespace kakeya {
namespace {

using Bytes = const std::uint8_t*;

std::uint16_t load16(Bytes at) {
  return static_cast<std::uint16_t>(at[0] | (static_cast<unsigned>(at[1]) << 8));
}
std::uint32_t load32(Bytes at) {
  return load16(at) | (static_cast<std::uint32_t>(load16(at + 2)) << 16);
}
float load_half(Bytes at) { return half_to_float(load16(at)); }
int low(std::uint8_t byte) { return byte & 0x0f; }
int high(std::uint8_t byte) { return byte >> 4; }

void block_f32(Bytes in, float* out) { std::memcpy(out, in, sizeof(float)); }
void block_f16(Bytes in, float* out) { *out = load_half(in); }
void block_bf16(Bytes in, float* out) { *out = bfloat16_to_float(load16(in)); }

// Types of 32 values: the low nibbles are values 0-15, the high nibbles values 16-31.
//   Q8_0  [d f16][32 x int8]
//   Q4_0  [d f16][16 nibble pairs]             d * (nibble - 8)
//   Q4_1  [d f16][m f16][16 nibble pairs]      d * nibble + m
//   Q5_0  [d f16][32 fifth bits][16 pairs]     d * (five bits - 16)
//   Q5_1  [d f16][m f16][32 fifth bits][16 pairs]
void block_q8_0(Bytes in, float* out) {
  const float d = load_half(in);
  for (int i = 0; i < 32; ++i) {
    out[i] = static_cast<float>(static_cast<std::int8_t>(in[2 + i])) * d;
  }
}

void block_q4_0(Bytes in, float* out) {
  const float d = load_half(in);
  for (int i = 0; i < 16; ++i) {
    out[i] = static_cast<float>(low(in[2 + i]) - 8) * d;
    out[i + 16] = static_cast<float>(high(in[2 + i]) - 8) * d;
  }
}

void block_q4_1(Bytes in, float* out) {
  const float d = load_half(in), m = load_half(in + 2);
  for (int i = 0; i < 16; ++i) {
    out[i] = static_cast<float>(low(in[4 + i])) * d + m;
    out[i + 16] = static_cast<float>(high(in[4 + i])) * d + m;
  }
}

int fifth(std::uint32_t bits, int value) { return static_cast<int>((bits >> value) & 1u) << 4; }

void block_q5_0(Bytes in, float* out) {
  const float d = load_half(in);
  const std::uint32_t bits = load32(in + 2);
  for (int i = 0; i < 16; ++i) {
    out[i] = static_cast<float>((low(in[6 + i]) | fifth(bits, i)) - 16) * d;
    out[i + 16] = static_cast<float>((high(in[6 + i]) | fifth(bits, i + 16)) - 16) * d;
  }
}

void block_q5_1(Bytes in, float* out) {
  const float d = load_half(in), m = load_half(in + 2);
  const std::uint32_t bits = load32(in + 4);
  for (int i = 0; i < 16; ++i) {
    out[i] = static_cast<float>(low(in[8 + i]) | fifth(bits, i)) * d + m;
    out[i + 16] = static_cast<float>(high(in[8 + i]) | fifth(bits, i + 16)) * d + m;
  }
}

// The K types hold 256 values in eight groups of 32, each with a six-bit scale and a six-bit
// minimum in 12 bytes:
//   bytes 0-3   scale of groups 0-3 (low 6 bits), bits 4-5 of the scales of groups 4-7 (high 2)
//   bytes 4-7   minimum of groups 0-3 (low 6 bits), bits 4-5 of the minima of groups 4-7 (high 2)
//   bytes 8-11  bits 0-3 of the scale (low nibble) and of the minimum (high nibble) of groups 4-7
struct ScaleAndMinimum {
  float scale, minimum;
};
ScaleAndMinimum k_scale(Bytes packed, int group, float d, float d_minimum) {
  int scale, minimum;
  if (group < 4) {
    scale = packed[group] & 63;
    minimum = packed[group + 4] & 63;
  } else {
    scale = low(packed[group + 4]) | ((packed[group - 4] >> 6) << 4);
    minimum = high(packed[group + 4]) | ((packed[group] >> 6) << 4);
  }
  return {d * static_cast<float>(scale), d_minimum * static_cast<float>(minimum)};
}

// Q4_K  [d f16][dmin f16][12 bytes of scales][128 nibble pairs]
//       groups 2p and 2p + 1 are the low and the high nibbles of bytes 32p .. 32p + 31
void block_q4_k(Bytes in, float* out) {
  const float d = load_half(in), d_minimum = load_half(in + 2);
  for (int group = 0; group < 8; ++group) {
    const auto [scale, minimum] = k_scale(in + 4, group, d, d_minimum);
    const Bytes pairs = in + 16 + 32 * (group / 2);
    for (int i = 0; i < 32; ++i) {
      const int nibble = group % 2 == 0 ? low(pairs[i]) : high(pairs[i]);
      out[32 * group + i] = scale * static_cast<float>(nibble) - minimum;
    }
  }
}

// Q5_K  [d f16][dmin f16][12 bytes of scales][32 bytes of fifth bits][128 nibble pairs]
//       bit g of byte i of the fifth bits is for value i of group g
void block_q5_k(Bytes in, float* out) {
  const float d = load_half(in), d_minimum = load_half(in + 2);
  for (int group = 0; group < 8; ++group) {
    const auto [scale, minimum] = k_scale(in + 4, group, d, d_minimum);
    const Bytes fifths = in + 16, pairs = in + 48 + 32 * (group / 2);
    for (int i = 0; i < 32; ++i) {
      const int nibble = group % 2 == 0 ? low(pairs[i]) : high(pairs[i]);
      const int five = nibble | (((fifths[i] >> group) & 1) << 4);
      out[32 * group + i] = scale * static_cast<float>(five) - minimum;
    }
  }
}

// Q6_K  [128 x low nibbles][64 x high bit pairs][16 x int8 scales][d f16]
//       two halves of 128 values; value 32 g + i of a half has
//       its low bits   in byte i + 32 (g % 2): the low nibble for g < 2, else the high one
//       its high bits  in byte i, from bit 2g on
void block_q6_k(Bytes in, float* out) {
  const float d = load_half(in + 208);
  for (int half = 0; half < 2; ++half) {
    const Bytes nibbles = in + 64 * half, pairs = in + 128 + 32 * half,
                scales = in + 192 + 8 * half;
    for (int g = 0; g < 4; ++g) {
      for (int i = 0; i < 32; ++i) {
        const std::uint8_t byte = nibbles[i + 32 * (g % 2)];
        const int six = (g < 2 ? low(byte) : high(byte)) | (((pairs[i] >> (2 * g)) & 3) << 4);
        const auto scale = static_cast<float>(static_cast<std::int8_t>(scales[2 * g + i / 16]));
        out[128 * half + 32 * g + i] = d * scale * static_cast<float>(six - 32);
      }
    }
  }
}

struct Dequantizer {
  std::uint32_t type;
  void (*block)(Bytes in, float* out);
};
constexpr Dequantizer kDequantizers[] = {
    {0, block_f32},   {1, block_f16},   {2, block_q4_0},  {3, block_q4_1},
    {6, block_q5_0},  {7, block_q5_1},  {8, block_q8_0},  {12, block_q4_k},
    {13, block_q5_k}, {14, block_q6_k}, {30, block_bf16},
};

const Dequantizer* find(std::uint32_t type) {
  const auto found = std::find_if(std::begin(kDequantizers), std::end(kDequantizers),
                                  [&](const Dequantizer& each) { return each.type == type; });
  return found == std::end(kDequantizers) ? nullptr : &*found;
}

}  // namespace

void dequantize(std::uint32_t type, std::span<const std::byte> stored, std::span<float> out) {
  const GgmlLayout* layout = ggml_layout(type);
  const Dequantizer* dequantizer = find(type);
  if (layout == nullptr || dequantizer == nullptr) {
    throw InputError("ggml type " + (layout != nullptr ? layout->name : std::to_string(type)) +
                     " cannot be read, expected F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, "
                     "Q4_K, Q5_K or Q6_K");
  }
  const std::size_t blocks = out.size() / layout->values;
  if (out.size() % layout->values != 0 || stored.size() != blocks * layout->bytes) {
    throw InputError(std::to_string(stored.size()) + " bytes of " + layout->name + " given for " +
                     std::to_string(out.size()) + " values");
  }
  const auto* in = reinterpret_cast<Bytes>(stored.data());
  for (std::size_t i = 0; i < blocks; ++i) {
    dequantizer->block(in + i * layout->bytes, out.data() + i * layout->values);
  }
}

}  // namespace kakeya
