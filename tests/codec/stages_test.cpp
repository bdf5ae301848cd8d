// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "codecs/vectors_for_test.h"
#include "kakeya/codec/scale_code.h"
#include "kakeya/codec/scaled.h"

namespace kakeya {
namespace {

using namespace test;

// Mean squared error of some channels, over their variance 1.
double error_of_quiet_channels(const std::string& spec, const std::vector<float>& x,
                               std::size_t dim, const std::vector<std::size_t>& loud) {
  const auto y = roundtrip(*make_codec(spec, {dim}), x);
  double error = 0.0;
  std::size_t values = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::find(loud.begin(), loud.end(), i % dim) != loud.end()) continue;
    error += (double{x[i]} - y[i]) * (double{x[i]} - y[i]);
    ++values;
  }
  return error / static_cast<double>(values);
}

// Keys with a static bias in four channels: at 4 bits the step follows the bias, and the other 124
// channels drown in its error unless the mean is taken off first.
TEST(Stages, CentringSavesTheChannelsBesideAStaticBias) {
  const std::size_t dim = 128, count = 2048;
  const std::vector<std::size_t> loud = {62, 63, 125, 127};
  auto x = normals(dim * count, 91);
  for (std::size_t row = 0; row < count; ++row) {
    x[row * dim + 62] += 300.0f;
    x[row * dim + 63] -= 341.0f;
    x[row * dim + 125] += 377.0f;
    x[row * dim + 127] -= 415.0f;
  }
  for (const std::string codec :
       {"ece8:bits=4", "ecd4:bits=4", "ecz:bits=4", "ece8:bits=4,per=head-page",
        "ece8:bits=4,rotate=hadamard", "ece8:bits=4,rotate=none"}) {
    EXPECT_LT(error_of_quiet_channels(codec + ",center=mean", x, dim, loud), 0.01) << codec;
    EXPECT_GT(error_of_quiet_channels(codec, x, dim, loud), 0.90) << codec;
  }
  // Fixed-rate codes at about the same bits: E8 q=10 has 4.6 bits a value.
  EXPECT_LT(error_of_quiet_channels("e8:q=10,center=mean", x, dim, loud), 0.01);
  EXPECT_GT(error_of_quiet_channels("e8:q=4", x, dim, loud), 0.90);
  // Taking the four out costs 23 bits each a vector, and helps as well.
  EXPECT_LT(error_of_quiet_channels("ece8:bits=4,outliers=4", x, dim, loud), 0.01);
}

// An unsigned Hadamard turns a mean shared by all channels into one large coordinate, which a
// maximum pays for; random signs before it do not.
TEST(Stages, SignsSpreadASharedMean) {
  const std::size_t dim = 128, count = 1024;
  auto x = normals(dim * count, 92);
  for (float& value : x) value += 1.0f;
  const double plain = rel_mse(x, roundtrip(*make_codec("tq:b=3", {dim}), x));
  const double with_signs = rel_mse(x, roundtrip(*make_codec("tq:b=3,rotate=signed", {dim}), x));
  EXPECT_GT(plain, 4 * with_signs);
  const auto one = roundtrip(*make_codec("tq:b=3,rotate=signed", {dim}), x),
             other = roundtrip(*make_codec("tq:b=3,rotate=signed,seed=1", {dim}), x);
  EXPECT_NE(one, other);
}

TEST(Stages, OutliersComeBackAsBinary16) {
  const std::size_t dim = 64, count = 20;
  auto x = normals(dim * count, 93);
  for (std::size_t row = 0; row < count; ++row) {
    x[row * dim + row] = 1000.0f + static_cast<float>(row);
    x[row * dim + 63] = -3e6f;
  }
  for (const std::string spec :
       {"ece8:bits=3,outliers=2", "e8:q=4,outliers=2,center=mean", "tq:b=3,outliers=2"}) {
    const auto y = roundtrip(*make_codec(spec, {dim}), x);
    for (std::size_t row = 0; row < count; ++row) {
      EXPECT_NEAR(y[row * dim + 63] / -3e6f, 1.0f, 0x1p-10f) << spec;
      if (spec.find("center") == std::string::npos) {
        EXPECT_NEAR(y[row * dim + row], x[row * dim + row], 40.0f) << spec;
      }
    }
  }
}

TEST(ScaleCode, RootsAndRounding) {
  const Random random(94);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random.bits(i));
    const float value = std::bit_cast<float>((bits % 0x7f000000u) + 0x00800000u);
    if (!(value < std::numeric_limits<float>::max())) continue;
    const double exact = 16.0 * std::log2(double{value});
    const int near = sixteenths_of_octave(value, false), up = sixteenths_of_octave(value, true);
    ASSERT_NEAR(near, exact, 0.5 + 1e-5);
    ASSERT_GE(up, exact - 1e-5);
    ASSERT_LT(up, exact + 1.0 + 1e-5);
    const ScaleCode code = encode_scale(ScaleFormat::log8, value, 0, true);
    const double decoded =
        std::ldexp(double{decode_scale(ScaleFormat::log8, code.code)}, 16 * code.window);
    ASSERT_GE(decoded * (1 + 1e-7), double{value});
    ASSERT_LT(decoded, double{value} * std::exp2(2.0 / 16) * (1 + 1e-6));
    const ScaleCode half = encode_scale(ScaleFormat::half, value, 0, false);
    const double again =
        std::ldexp(double{decode_scale(ScaleFormat::half, half.code)}, 16 * half.window);
    ASSERT_NEAR(again / double{value}, 1.0, 0x1p-11);
  }
  for (int sixteenths = -2000; sixteenths <= 2000; ++sixteenths) {
    const ScaleCode code = log8_code(sixteenths);
    const double decoded =
        16 * std::log2(double{decode_scale(ScaleFormat::log8, code.code)}) + 256 * code.window;
    ASSERT_NEAR(decoded, ((sixteenths % 256) + 256) % 256 == 128 ? sixteenths + 1 : sixteenths,
                1e-4);
  }
  EXPECT_EQ(encode_scale(ScaleFormat::log8, 0.0f, 3, true).code, 0);
  EXPECT_EQ(encode_scale(ScaleFormat::log8, 1.0f, 0, false).window, 0);
}

TEST(ScaleCode, OrdinaryScalesHaveNoWindow) {
  for (float value = 0x1p-7f; value < 0x1p7f; value *= 1.37f) {
    EXPECT_EQ(encode_scale(ScaleFormat::log8, value, 0, false).window, 0);
    EXPECT_EQ(encode_scale(ScaleFormat::half, value, 0, false).window, 0);
  }
}

}  // namespace
}  // namespace kakeya
