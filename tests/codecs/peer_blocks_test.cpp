// SPDX-License-Identifier: Apache-2.0
// Blocks of engines: what they decode to by hand, and on normal values against the same arithmetic
// in double, written here without frames, windows and bit fields.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "codecs/vectors_for_test.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

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

TEST(PeerBlocks, ErrOnNormalValuesAsTheEnginesDo) {
  expect_as(
      "q4_1", 32, [](auto x) { return range_block(x, 16); }, 6.12e-3);
  expect_as(
      "q5_1", 32, [](auto x) { return range_block(x, 32); }, 1.43e-3);
  expect_as("iq4_nl", 32, iq4_nl_block, 6.19e-3);
}

TEST(PeerBlocks, BitsAreThoseOfTheEngines) {
  for (const auto& [spec, bits] :
       {std::pair("q4_1", 5.0), std::pair("q5_1", 6.0), std::pair("iq4_nl", 4.5)}) {
    const auto codec = make(spec, 128);
    EXPECT_EQ(*codec->account().rates().nominal_bits_per_vector, bits * 128) << spec;
    const std::vector<float> x = normals(128 * 64, 92);
    const auto frame = encode(*codec, dense_rows(x.data(), 64, 128));
    std::size_t sections = 0;  // all but header and checksum
    for (const auto& [name, bytes] : frame_info(frame).sections)
      sections += name == "header" || name == "checksum" ? 0 : bytes;
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
  for (const char* spec : {"q4_1", "q5_1", "iq4_nl"}) {
    EXPECT_EQ(make(spec, 96)->dim(), 96u);
    for (const std::size_t dim : {0, 16, 48, 65568}) {
      EXPECT_THROW(make(spec, dim), InputError) << spec << " " << dim;
    }
    EXPECT_THROW(make(std::string(spec) + ":block=64", 64), SpecError);
  }
}

}  // namespace
}  // namespace kakeya
