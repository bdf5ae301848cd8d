// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/weights/dequantize.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/model/weights/ggml_type.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;
using Block = std::vector<std::uint8_t>;

std::vector<float> values_of(std::uint32_t type, const Block& block) {
  const GgmlLayout& layout = *ggml_layout(type);
  std::vector<float> out(block.size() / layout.bytes * layout.values, std::nanf(""));
  dequantize(type, std::as_bytes(std::span(block)), out);
  return out;
}

void put_half(Block& block, std::size_t at, float value) {
  const std::uint16_t half = float_to_half(value);
  block[at] = static_cast<std::uint8_t>(half & 0xff);
  block[at + 1] = static_cast<std::uint8_t>(half >> 8);
}

// A block of 32 whose value i is code i * 5 % 16 (or % 32), as the types of 32 values hold it.
int code(int i, int codes) { return i * 5 % codes; }
void put_nibbles(Block& block, std::size_t at, int codes) {
  for (int i = 0; i < 16; ++i) {
    block[at + static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>((code(i, codes) & 15) + 16 * (code(i + 16, codes) & 15));
  }
}
void put_fifth_bits(Block& block, std::size_t at) {
  for (int i = 0; i < 32; ++i) {
    if (code(i, 32) >= 16)
      block[at + static_cast<std::size_t>(i / 8)] |= static_cast<std::uint8_t>(1 << (i % 8));
  }
}

TEST(Dequantize, PlainTypesAreExact) {
  const std::vector<float> given = {1.5f, -0.0f, 3.0e-5f, 448.0f};
  Block f32(16), f16(8), bf16(8);
  std::memcpy(f32.data(), given.data(), 16);
  for (std::size_t i = 0; i < 4; ++i) {
    put_half(f16, 2 * i, given[i]);
    const std::uint16_t pattern = float_to_bfloat16(given[i]);
    std::memcpy(bf16.data() + 2 * i, &pattern, 2);
  }
  EXPECT_EQ(values_of(0, f32), given);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(values_of(1, f16)[i], half_to_float(float_to_half(given[i])));
    EXPECT_EQ(values_of(30, bf16)[i], bfloat16_to_float(float_to_bfloat16(given[i])));
  }
}

TEST(Dequantize, TypesOf32ValuesByHand) {
  Block q8(34), q4_0(18), q4_1(20), q5_0(22), q5_1(24);
  put_half(q8, 0, 0.5f);
  for (int i = 0; i < 32; ++i)
    q8[static_cast<std::size_t>(2 + i)] = static_cast<std::uint8_t>(i * 8 - 128);
  put_half(q4_0, 0, -0.25f);
  put_nibbles(q4_0, 2, 16);
  put_half(q4_1, 0, 2.0f);
  put_half(q4_1, 2, -3.0f);
  put_nibbles(q4_1, 4, 16);
  put_half(q5_0, 0, 0.125f);
  put_fifth_bits(q5_0, 2);
  put_nibbles(q5_0, 6, 32);
  put_half(q5_1, 0, 4.0f);
  put_half(q5_1, 2, 0.5f);
  put_fifth_bits(q5_1, 4);
  put_nibbles(q5_1, 8, 32);
  for (int i = 0; i < 32; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto four = static_cast<float>(code(i, 16)), five = static_cast<float>(code(i, 32));
    EXPECT_EQ(values_of(8, q8)[at], 0.5f * static_cast<float>(i * 8 - 128)) << i;
    EXPECT_EQ(values_of(2, q4_0)[at], -0.25f * (four - 8)) << i;
    EXPECT_EQ(values_of(3, q4_1)[at], 2.0f * four - 3.0f) << i;
    EXPECT_EQ(values_of(6, q5_0)[at], 0.125f * (five - 16)) << i;
    EXPECT_EQ(values_of(7, q5_1)[at], 4.0f * five + 0.5f) << i;
  }
}

// Scales 7 g + 3 and minima 60 - 7 g of the eight groups, packed as ggml packs them.
int group_scale(int group) { return 7 * group + 3; }
int group_minimum(int group) { return 60 - 7 * group; }
void put_group_scales(Block& block, std::size_t at) {
  const auto byte = [&](int i) -> std::uint8_t& { return block[at + static_cast<std::size_t>(i)]; };
  for (int g = 0; g < 4; ++g) {
    byte(g) = static_cast<std::uint8_t>(group_scale(g) | ((group_scale(g + 4) >> 4) << 6));
    byte(g + 4) = static_cast<std::uint8_t>(group_minimum(g) | ((group_minimum(g + 4) >> 4) << 6));
    byte(g + 8) =
        static_cast<std::uint8_t>((group_scale(g + 4) & 15) | ((group_minimum(g + 4) & 15) << 4));
  }
}

TEST(Dequantize, KTypesByHand) {
  Block q4(144), q5(176), q6(210);
  for (Block* block : {&q4, &q5}) {
    put_half(*block, 0, 0.5f);
    put_half(*block, 2, 0.25f);
    put_group_scales(*block, 4);
  }
  const auto five = [](int i) { return (i * 7 + i / 32) % 32; };
  const auto six = [](int i) { return (i * 11 + i / 64) % 64; };
  const auto sixth_scale = [](int i) { return i / 16 * 9 - 70; };
  for (int i = 0; i < 256; ++i) {
    const int group = i / 32, shift = group % 2 == 0 ? 0 : 4;
    const auto pair = static_cast<std::size_t>(32 * (group / 2) + i % 32);
    q4[16 + pair] |= static_cast<std::uint8_t>((five(i) & 15) << shift);
    q5[48 + pair] |= static_cast<std::uint8_t>((five(i) & 15) << shift);
    q5[static_cast<std::size_t>(16 + i % 32)] |= static_cast<std::uint8_t>((five(i) >> 4) << group);
    const int half = i / 128, quarter = i % 128 / 32;
    q6[static_cast<std::size_t>(64 * half + 32 * (quarter % 2) + i % 32)] |=
        static_cast<std::uint8_t>((six(i) & 15) << (quarter < 2 ? 0 : 4));
    q6[static_cast<std::size_t>(128 + 32 * half + i % 32)] |=
        static_cast<std::uint8_t>((six(i) >> 4) << (2 * quarter));
    q6[static_cast<std::size_t>(192 + i / 16)] = static_cast<std::uint8_t>(sixth_scale(i));
  }
  put_half(q6, 208, 0.125f);
  for (int i = 0; i < 256; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto scale = 0.5f * static_cast<float>(group_scale(i / 32));
    const auto minimum = 0.25f * static_cast<float>(group_minimum(i / 32));
    EXPECT_EQ(values_of(12, q4)[at], scale * static_cast<float>(five(i) & 15) - minimum) << i;
    EXPECT_EQ(values_of(13, q5)[at], scale * static_cast<float>(five(i)) - minimum) << i;
    EXPECT_EQ(values_of(14, q6)[at],
              0.125f * static_cast<float>(sixth_scale(i)) * static_cast<float>(six(i) - 32))
        << i;
  }
}

// Two blocks of bytes from a generator, as the Python package gguf 0.19.0 reads them: six of the
// values, and a weighted sum of all.
struct Golden {
  const char* name;
  std::uint32_t type;
  std::array<float, 6> values;
  double weighted_sum;
};
constexpr Golden kGolden[] = {
    {"Q8_0",
     8,
     {-3.37695312f, 3.63671875f, -0.22265625f, -4.3046875f, 0.1484375f, 1.6328125f},
     -151.77734375},
    {"Q4_0",
     2,
     {-0.185546875f, 0.1484375f, -0.037109375f, -0.111328125f, 0.0f, -0.4453125f},
     17.255859375},
    {"Q4_1",
     3,
     {-1.328125f, -1.10546875f, -1.06835938f, -1.1796875f, 2.87890625f, 2.65625f},
     152.619140625},
    {"Q5_0",
     6,
     {0.0f, 0.185546875f, -0.1484375f, -0.51953125f, 0.51953125f, 0.81640625f},
     0.51953125},
    {"Q5_1",
     7,
     {-1.1796875f, -0.994140625f, -0.5859375f, -0.734375f, 2.43359375f, 0.94921875f},
     98.587890625},
    {"Q4_K",
     12,
     {30.46875f, 42.046875f, 37.6210938f, 116.640625f, -148.835938f, -182.921875f},
     -79794.2421875},
    {"Q5_K",
     13,
     {119.259766f, 142.638672f, 109.189453f, 113.023438f, -109.125f, -72.578125f},
     -15360.349609375},
    {"Q6_K",
     14,
     {-75.8515625f, -62.3066406f, 69.46875f, 2.59765625f, -124.6875f, 38.296875f},
     21201.884765625},
};

TEST(Dequantize, AgreesWithThePythonPackage) {
  for (std::size_t i = 0; i < std::size(kGolden); ++i) {
    const Golden& golden = kGolden[i];
    const GgmlLayout& layout = *ggml_layout(golden.type);
    ASSERT_STREQ(layout.name, golden.name);
    Block bytes;
    for (std::uint64_t block = 0; block < 2; ++block) {
      Block one;
      std::uint64_t state = 100 * i + block + 1;
      for (std::uint32_t b = 0; b < layout.bytes; ++b) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        one.push_back(static_cast<std::uint8_t>(state >> 56));
      }
      const float sign = block == 0 ? 1.0f : -2.0f;
      const bool two =
          golden.type == 3 || golden.type == 7 || golden.type == 12 || golden.type == 13;
      put_half(one, golden.type == 14 ? 208 : 0, 0.0371f * sign);
      if (two) put_half(one, 2, -1.625f * sign);
      bytes.insert(bytes.end(), one.begin(), one.end());
    }
    const std::vector<float> got = values_of(golden.type, bytes);
    const std::size_t n = got.size();
    const std::size_t picked[] = {0, 1, n / 4 + 3, n / 2 - 1, n / 2 + 17, n - 1};
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_FLOAT_EQ(got[picked[k]], golden.values[k]) << golden.name << " " << picked[k];
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k)
      sum += static_cast<double>(got[k]) * static_cast<double>(3 * k % 7 + 1);
    EXPECT_NEAR(sum, golden.weighted_sum, 1e-6 * std::abs(golden.weighted_sum)) << golden.name;
  }
}

TEST(Dequantize, RefusesOtherTypesAndLengths) {
  std::vector<float> out(256);
  const std::vector<std::byte> bytes(84);
  EXPECT_NE(message_of<InputError>([&] { dequantize(10, bytes, out); }).find("Q2_K"),
            std::string::npos);
  EXPECT_NE(message_of<InputError>([&] { dequantize(4711, bytes, out); }).find("4711"),
            std::string::npos);
  EXPECT_NE(message_of<InputError>([&] { dequantize(8, bytes, out); }).find("84 bytes"),
            std::string::npos);
  std::vector<float> odd(33);
  EXPECT_FALSE(
      message_of<InputError>([&] { dequantize(8, std::vector<std::byte>(34), odd); }).empty());
}

}  // namespace
}  // namespace kakeya
