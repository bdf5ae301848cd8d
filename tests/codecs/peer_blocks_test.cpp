// SPDX-License-Identifier: Apache-2.0
// Blocks of engines: what they decode to by hand, and on normal values against the same arithmetic
// in double, written here without frames, windows and bit fields.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "codecs/vectors_for_test.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

using namespace test;

double as_half(double value) { return half_to_float(float_to_half(static_cast<float>(value))); }

// The relative squared error over blocks of `size` of what `decode` makes of each.
using BlockOf = std::function<std::vector<double>(std::span<const float>)>;
double rel_mse_of_blocks(const std::vector<float>& x, std::size_t size, const BlockOf& decode) {
  double error = 0, energy = 0;
  for (std::size_t at = 0; at < x.size(); at += size) {
    const auto part = std::span(x).subspan(at, size);
    const auto y = decode(part);
    for (std::size_t i = 0; i < size; ++i) {
      error += (part[i] - y[i]) * (part[i] - y[i]);
      energy += double{part[i]} * part[i];
    }
  }
  return error / energy;
}

// What the codec makes of normal values, beside the arithmetic of `decode` and a figure that others
// measured of the engine's own code.
void expect_as(const std::string& spec, std::size_t size, const BlockOf& decode, double measured) {
  const std::size_t dim = 128;
  const auto x = normals(dim * 4096, 91);
  const double ours = rel_mse(x, roundtrip(*make(spec, dim), x));
  EXPECT_NEAR(ours / rel_mse_of_blocks(x, size, decode), 1.0, 1e-4) << spec;
  EXPECT_NEAR(ours / measured, 1.0, 0.02) << spec;
}

std::vector<double> range_block(std::span<const float> x, int levels) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  const double step = (double{*high} - *low) / (levels - 1);
  std::vector<double> y;
  for (const float value : x) {
    const double code = std::min(levels - 1.0, std::floor((double{value} - *low) / step + 0.5));
    y.push_back(code * as_half(step) + as_half(*low));
  }
  return y;
}

std::vector<double> iq4_nl_block(std::span<const float> x) {
  const int levels[] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
  double most = 0;
  for (const float value : x) most = std::fabs(value) > std::fabs(most) ? value : most;
  std::vector<double> y;
  double upper = 0, lower = 0;
  for (const float value : x) {
    const double wanted = value / (most / -127);
    const int level = *std::min_element(std::begin(levels), std::end(levels), [&](int a, int b) {
      return std::fabs(a - wanted) < std::fabs(b - wanted);
    });
    y.push_back(level);
    upper += std::pow(value, 3) * level;
    lower += std::pow(double{value} * level, 2);
  }
  for (double& value : y) value *= as_half(upper / lower);
  return y;
}

std::vector<double> int8_block(std::span<const float> x) {
  double most = 0;
  for (const float value : x) most = std::max(most, std::fabs(double{value}));
  std::vector<double> y;
  for (const float value : x) y.push_back(std::nearbyint(value / (most / 127)) * (most / 127));
  return y;
}

// E2M1 of x / step, times step.
double fp4(double x, double step) {
  double best = 0;
  for (const double level : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0}) {
    for (const double value : {level * step, -level * step}) {
      if (std::fabs(value - x) < std::fabs(best - x)) best = value;
    }
  }
  return best;
}

std::vector<double> fp4_block(std::span<const float> x, const std::function<double(double)>& step) {
  double most = 0;
  for (const float value : x) most = std::max(most, std::fabs(double{value}));
  std::vector<double> y;
  for (const float value : x) y.push_back(fp4(value, step(most)));
  return y;
}

double power_of_two_step(double most) { return std::exp2(std::floor(std::log2(most)) - 2); }

// g of normals(128 * 4096, 91), whose largest magnitude is this.
double two_level_step(double most) {
  static const double global = [] {
    double largest = 0;
    for (const float value : normals(128 * 4096, 91))
      largest = std::max(largest, std::fabs(double{value}));
    return largest / (6 * 448);
  }();
  return e4m3_to_float(float_to_e4m3(static_cast<float>(most / 6 / global))) * global;
}

TEST(PeerBlocks, ErrOnNormalValuesAsTheEnginesDo) {
  expect_as(
      "q4_1", 32, [](auto x) { return range_block(x, 16); }, 6.12e-3);
  expect_as(
      "q5_1", 32, [](auto x) { return range_block(x, 32); }, 1.43e-3);
  expect_as("iq4_nl", 32, iq4_nl_block, 6.19e-3);
  expect_as("int8", 128, int8_block, 4.18e-5);
  expect_as(
      "mxfp4", 32, [](auto x) { return fp4_block(x, power_of_two_step); }, 1.32e-2);
  expect_as(
      "mxfp4:block=16", 16, [](auto x) { return fp4_block(x, power_of_two_step); }, 1.39e-2);
  expect_as(
      "nvfp4", 16, [](auto x) { return fp4_block(x, two_level_step); }, 9.06e-3);
}

// A block has 16 steps between its ends: on normal values as what others measured of asymmetric
// integers of 4 bits over 128, as the rotation changes nothing of such.
TEST(PeerBlocks, RotatedIntegersOfFourBits) {
  const auto x = normals(128 * 4096, 91);
  EXPECT_NEAR(rel_mse(x, roundtrip(*make("int4", 128), x)) / 9.93e-3, 1.0, 0.03);
  // An outlier channel, which the rotation spreads.
  auto outlier = x;
  for (std::size_t i = 5; i < outlier.size(); i += 128) outlier[i] = 30.0f;
  EXPECT_LT(rel_mse(outlier, roundtrip(*make("int4", 128), outlier)), 1.0e-2);
  EXPECT_NE(roundtrip(*make("int4:seed=1", 128), x), roundtrip(*make("int4", 128), x));
}

// The zero point in the lowest bits of the scale: y from -3 to 12 in whole numbers, as H is its own
// inverse, and signs by whether a coordinate of one vector comes back with the other's codes.
TEST(PeerBlocks, Int4ByHand) {
  const auto codec = make("int4", 16);
  std::vector<float> y(16);
  for (std::size_t i = 0; i < 16; ++i) y[i] = static_cast<float>(i) - 3.0f;
  // x = D H y, with H of 16 coordinates and the signs of seed 0.
  std::vector<float> x(16, 0.0f);
  const Random random(0);
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t k = 0; k < 16; ++k)
      x[i] += (__builtin_popcount(static_cast<unsigned>(i & k)) % 2 == 0 ? 0.25f : -0.25f) * y[k];
    if ((random.bits(i) & 1u) != 0) x[i] = -x[i];
  }
  const auto frame = encode(*codec, dense_rows<const float>(x.data(), 1, 16));
  const FrameInfo info = frame_info(frame);
  std::uint32_t scale;
  std::memcpy(&scale, frame.data() + info.sections[0].second, 4);
  EXPECT_EQ(scale & 15u, 3u);
  EXPECT_EQ(float_of(scale & ~15u), 1.0f);
  std::uint64_t codes;
  std::memcpy(&codes, frame.data() + info.sections[0].second + 4, 8);
  EXPECT_EQ(codes, 0xfedcba9876543210u);
  const auto decoded = decode(*codec, frame, 1);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(decoded[i], x[i], 1e-5f);
}

TEST(PeerBlocks, Int8ByHand) {
  std::vector<float> x = {-127.0f, 1.0f, 0.5f, 1.5f, 126.4f, 0.0f, -0.6f, 3.0f};
  const std::vector<float> expected = {-127.0f, 1.0f, 0.0f, 2.0f, 126.0f, 0.0f, -1.0f, 3.0f};
  EXPECT_EQ(roundtrip(*make("int8", 8), x), expected);
}

// Ties go to the even code, and 7.9 is cut to 6: the scale is 2^(2 - 2).
TEST(PeerBlocks, Mxfp4ByHand) {
  std::vector<float> x(32, 0.0f), expected(32, 0.0f);
  const std::pair<float, float> pairs[] = {
      {7.9f, 6.0f}, {-0.25f, 0.0f}, {0.75f, 1.0f}, {1.25f, 1.0f}, {-1.75f, -2.0f},
      {2.5f, 2.0f}, {3.5f, 4.0f},   {5.0f, 4.0f},  {5.1f, 6.0f},  {0.3f, 0.5f}};
  for (std::size_t i = 0; i < std::size(pairs); ++i) std::tie(x[i], expected[i]) = pairs[i];
  const auto codec = make("mxfp4", 32);
  EXPECT_EQ(roundtrip(*codec, x), expected);
  const auto frame = encode(*codec, dense_rows<const float>(x.data(), 1, 32));
  EXPECT_EQ(frame[frame_info(frame).sections[0].second], std::byte{127});
}

// 2688 = 6 * 448 makes g 1: the first block has scale 448, the second 3 / 6 = 0.5.
TEST(PeerBlocks, Nvfp4ByHand) {
  std::vector<float> x(32, 0.0f);
  x[0] = 2688.0f, x[1] = -448.0f, x[2] = 100.0f;
  x[16] = 3.0f, x[17] = 0.26f, x[18] = -1.0f, x[19] = 0.7f;
  const auto y = roundtrip(*make("nvfp4", 32), x);
  EXPECT_EQ(y[0], 2688.0f);
  EXPECT_EQ(y[1], -448.0f);
  EXPECT_EQ(y[2], 0.0f);
  EXPECT_EQ(y[16], 3.0f);
  EXPECT_EQ(y[17], 0.25f);
  EXPECT_EQ(y[18], -1.0f);
  EXPECT_EQ(y[19], 0.75f);
}

// DeepSeek-V4's cache: 448 coordinates in E4M3 under powers of two, 64 in bf16.
TEST(PeerBlocks, TheTailOfFp8StaysBf16) {
  const std::size_t dim = 512, tail = 64, count = 20;
  const auto x = normals(dim * count, 92);
  const auto codec = make("fp8:scale=e8m0,tail=64", dim);
  const auto y = roundtrip(*codec, x);
  std::vector<float> front, back;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % dim < dim - tail) {
      front.push_back(x[i]);
      back.push_back(y[i]);
    } else {
      EXPECT_EQ(y[i], bfloat16_to_float(float_to_bfloat16(x[i])));
    }
  }
  EXPECT_EQ(back, roundtrip(*make("fp8:scale=e8m0", 64), front));  // a block is a vector
  EXPECT_EQ(codec->account().rates().nominal_bits_per_vector, 8.0 * 448 + 16 * 7 + 16 * 64);
  EXPECT_EQ(make("fp8:tail=0", dim)->spec(), "fp8");
  EXPECT_THROW(make("fp8:tail=32", dim), InputError);   // 480 is no multiple of 64
  EXPECT_THROW(make("fp8:tail=512", dim), InputError);  // nothing would be coded
  EXPECT_NO_THROW(make("fp8:block=32,tail=32", dim));
}

// Where a tail leaves fewer than 64 the block need not be given; where it is, frames say it as they did.
TEST(PeerBlocks, ATailOfFp8NeedsNoBlockWhereFewAreCoded) {
  const auto x = normals(32 * 20, 93);
  for (const auto& [tail, block] : {std::pair{16, 16}, {8, 8}, {24, 8}, {4, 4}, {31, 1}}) {
    const std::string bare = "fp8:tail=" + std::to_string(tail),
                      given =
                          "fp8:block=" + std::to_string(block) + ",tail=" + std::to_string(tail);
    EXPECT_EQ(make(bare, 32)->spec(), bare);
    EXPECT_EQ(make(given, 32)->spec(), given);
    EXPECT_EQ(roundtrip(*make(bare, 32), x), roundtrip(*make(given, 32), x)) << bare;
  }
  EXPECT_NO_THROW(make("fp8:tail=32", 64));
  EXPECT_NO_THROW(make("fp8:tail=96", 128));
  EXPECT_EQ(make("fp8:block=32", 32)->spec(), "fp8");
  EXPECT_THROW(make("fp8:block=32,tail=8", 32), InputError);  // given, and 24 is no multiple
  EXPECT_THROW(make("fp8:tail=32", 32), InputError);
}

TEST(PeerBlocks, FourOverSixErrsNoMore) {
  const auto x = normals(128 * 4096, 91);
  const double plain = rel_mse(x, roundtrip(*make("nvfp4", 128), x)),
               chosen = rel_mse(x, roundtrip(*make("nvfp4:scale=4over6", 128), x));
  EXPECT_LT(chosen, 0.95 * plain);
}

TEST(PeerBlocks, DamagedScalesAreRefused) {
  const auto x = normals(32 * 2, 93);
  for (const auto& [spec, byte] :
       {std::pair("mxfp4", 0xff), std::pair("nvfp4", 0x7f), std::pair("nvfp4", 0x80),
        std::pair("int8", 0xff), std::pair("int4", 0xff), std::pair("q4_1", 0xff),
        std::pair("iq4_nl", 0xff)}) {
    const auto codec = make(spec, 32);
    auto frame = encode(*codec, dense_rows<const float>(x.data(), 2, 32));
    const std::size_t at = frame_info(frame).sections[0].second;
    for (std::size_t i = 0; i < 4; ++i) frame[at + i] = static_cast<std::byte>(byte);
    seal(frame);
    EXPECT_THROW(decode(*codec, frame, 2), CorruptStream) << spec;
  }
}

TEST(PeerBlocks, BitsAreThoseOfTheEngines) {
  for (const auto& [spec, bits] :
       {std::pair("q4_1", 5.0), std::pair("q5_1", 6.0), std::pair("iq4_nl", 4.5),
        std::pair("int8", 8.25), std::pair("int4", 4.25), std::pair("mxfp4", 4.25),
        std::pair("mxfp4:block=16", 4.5), std::pair("nvfp4", 4.5)}) {
    const auto codec = make(spec, 128);
    EXPECT_EQ(*codec->account().rates().nominal_bits_per_vector, bits * 128) << spec;
    const std::vector<float> x = normals(128 * 64, 92);
    const auto frame = encode(*codec, dense_rows(x.data(), 64, 128));
    std::size_t sections = 0;  // all but what there is once a frame
    for (const auto& [name, bytes] : frame_info(frame).sections)
      sections += name == "header" || name == "checksum" || name == "frame" ? 0 : bytes;
    EXPECT_EQ(8.0 * static_cast<double>(sections), bits * 128 * 64) << spec;
  }
}

// From -2 to 1.75 in steps of 0.25: q4_1 has them all. q5_1 has d = 3.75 / 31.
TEST(PeerBlocks, RangesByHand) {
  std::vector<float> x(32, 0.0f);
  for (int i = 0; i < 16; ++i)
    x[static_cast<std::size_t>(i)] = -2.0f + 0.25f * static_cast<float>(i);
  x[20] = 0.1f;    // 8.4 steps above -2
  x[21] = 0.125f;  // half a step is rounded up
  auto y = roundtrip(*make("q4_1", 32), x);
  EXPECT_TRUE(std::equal(x.begin(), x.begin() + 16, y.begin()));
  EXPECT_EQ(y[20], 0.0f);
  EXPECT_EQ(y[21], 0.25f);
  y = roundtrip(*make("q5_1", 32), x);
  const float step = half_to_float(float_to_half(3.75f / 31.0f));
  EXPECT_EQ(y[0], -2.0f);
  EXPECT_EQ(y[1], -2.0f + 2.0f * step);
  EXPECT_EQ(y[15], -2.0f + 31.0f * step);
}

// The largest magnitude is -12.7, so d0 = 0.1, and the levels that these values have are exact: d
// stays. 0 has no level; the nearest is 1.
TEST(PeerBlocks, UnevenLevelsByHand) {
  std::vector<float> x(32, 0.0f);
  x[0] = -12.7f, x[1] = 11.3f, x[2] = -1.0f, x[3] = 0.1f, x[4] = 8.9f, x[5] = 2.0f;
  const auto y = roundtrip(*make("iq4_nl", 32), x);
  const float d = y[3];
  EXPECT_NEAR(d, 0.1f, 2e-4f);
  EXPECT_EQ(y[0], -127 * d);
  EXPECT_EQ(y[1], 113 * d);
  EXPECT_EQ(y[2], -10 * d);
  EXPECT_EQ(y[4], 89 * d);
  EXPECT_EQ(y[5], 25 * d);
  EXPECT_EQ(y[6], d);
}

TEST(PeerBlocks, DimsAreMultiplesOfABlock) {
  for (const char* spec : {"q4_1", "q5_1", "iq4_nl", "mxfp4"}) {
    EXPECT_EQ(make(spec, 96)->dim(), 96u);
    for (const std::size_t dim : {0, 16, 48, 65568}) {
      EXPECT_THROW(make(spec, dim), InputError) << spec << " " << dim;
    }
    EXPECT_THROW(make(std::string(spec) + ":block=64", 64), SpecError);
  }
  EXPECT_EQ(make("nvfp4", 80)->dim(), 80u);
  EXPECT_THROW(make("nvfp4", 40), InputError);
  EXPECT_EQ(make("int8", 5)->dim(), 5u);
  EXPECT_THROW(make("int8", 65537), InputError);
  EXPECT_THROW(make("int4", 96), InputError);
}

}  // namespace
}  // namespace kakeya
