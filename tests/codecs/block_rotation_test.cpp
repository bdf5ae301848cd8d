// SPDX-License-Identifier: Apache-2.0
// The key `rotate` of llama.cpp's blocks: what it decodes to beside dense arithmetic in double, at
// every magnitude, and what it refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "codecs/vectors_for_test.h"
#include "kakeya/codec/error_bounds.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

using namespace test;

const std::string kNames[] = {"q4_0", "q5_0", "q8_0", "q4_1", "q5_1", "iq4_nl"};

std::string rotated(const std::string& name, std::size_t length) {
  return name + ":rotate=" + std::to_string(length);
}

// H x by the definition of the matrix.
std::vector<double> product(std::span<const double> x, std::size_t length) {
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t first = i / length * length;
    for (std::size_t k = 0; k < length; ++k) {
      const bool minus = __builtin_popcountll((i - first) & k) % 2 != 0;
      y[i] += minus ? -x[first + k] : x[first + k];
    }
    y[i] /= std::sqrt(static_cast<double>(length));
  }
  return y;
}

// A vector that the rotation makes `wanted`, whose blocks q4_0 has without an error but for that of
// its binary16.
TEST(BlockRotation, CodesWhatTheMatrixMakesOfAVector) {
  for (const std::size_t length : {32, 64, 128, 256}) {
    const std::size_t dim = 256;
    std::vector<double> wanted(dim);
    for (std::size_t i = 0; i < dim; ++i) {
      const double step = 0.25 * static_cast<double>(i / 32 + 1);
      wanted[i] = step * (i % 32 == 0 ? -8.0 : static_cast<double>(i * 7 % 16) - 8.0);
    }
    std::vector<float> x;
    for (const double value : product(wanted, length)) x.push_back(static_cast<float>(value));
    const auto plain = make("q4_0", dim);
    const auto codec = make(rotated("q4_0", length), dim);
    EXPECT_EQ(codec->spec(), rotated("q4_0", length));
    const auto frame = encode(*codec, dense_rows<const float>(x.data(), 1, dim));
    const std::vector<float> blocks(wanted.begin(), wanted.end());
    const auto expected = encode(*plain, dense_rows<const float>(blocks.data(), 1, dim));
    const FrameInfo info = frame_info(frame);
    const std::size_t sections = info.sections[1].second + info.sections[2].second;
    EXPECT_TRUE(std::equal(frame.end() - 4 - static_cast<std::ptrdiff_t>(sections), frame.end() - 4,
                           expected.end() - 4 - static_cast<std::ptrdiff_t>(sections)))
        << length;
    const auto y = decode(*codec, frame, 1);
    for (std::size_t i = 0; i < dim; ++i) EXPECT_NEAR(y[i], x[i], 1e-5) << length << ", " << i;
  }
}

// On normal values nothing changes; an outlier channel, which takes most of a block's grid, is spread.
TEST(BlockRotation, ErrsLessOnOutlierChannels) {
  const std::size_t dim = 128;
  const auto x = normals(dim * 2048, 91);
  auto outlier = x;
  for (std::size_t i = 5; i < outlier.size(); i += dim) outlier[i] = 20.0f;
  for (const std::string& name : kNames) {
    const double plain = rel_mse(x, roundtrip(*make(name, dim), x));
    for (const std::size_t length : {32, 64, 128}) {
      const auto codec = make(rotated(name, length), dim);
      EXPECT_NEAR(rel_mse(x, roundtrip(*codec, x)) / plain, 1.0, 0.02) << codec->spec();
      EXPECT_LT(rel_mse(outlier, roundtrip(*codec, outlier)), 1.3 * plain) << codec->spec();
    }
    EXPECT_EQ(*make(rotated(name, 64), dim)->account().rates().nominal_bits_per_vector,
              *make(name, dim)->account().rates().nominal_bits_per_vector);
  }
}

// Vectors of every power of two: sums of large ones would be infinite, products of small ones 0.
TEST(BlockRotation, LosesNothingAtAnyMagnitude) {
  const std::size_t dim = 1024;
  const float largest = std::numeric_limits<float>::max();
  for (const std::string& name : kNames) {
    for (const std::size_t length : {32, 128, 1024}) {
      const auto codec = make(rotated(name, length), dim);
      const Spec spec = Spec::parse(codec->spec());
      const ErrorBound bound = find_descriptor(spec)->error_bound;
      ASSERT_TRUE(bound.per_value);
      for (int exponent = -149; exponent <= 128; exponent += 3) {
        auto x = normals(3 * dim, 7);
        std::fill_n(x.begin() + dim, 2 * dim, 0.0f);
        x[dim + 77] = -1.0f;  // one coordinate alone, and all alike
        std::fill_n(x.begin() + 2 * dim, dim, 1.0f);
        for (float& value : x) value = std::clamp(std::ldexp(value, exponent), -largest, largest);
        const auto y = roundtrip(*codec, x);
        for (std::size_t row = 0; row < 3; ++row) {
          const auto one = std::span(x).subspan(row * dim, dim);
          const double most = bound.of(spec, one, norm_of(one), {dim});
          double squares = 0;
          for (std::size_t i = 0; i < dim; ++i) {
            ASSERT_TRUE(std::isfinite(y[row * dim + i]));
            const double off = std::fabs(double{y[row * dim + i]} - one[i]);
            ASSERT_LE(off, most) << codec->spec() << ", 2^" << exponent << ", row " << row;
            squares += off * off;
          }
          // iq4_nl has no level for zero; a coordinate is rounded to whole 2^-149.
          EXPECT_LE(std::sqrt(squares), 0.5 * norm_of(one) + std::sqrt(double{dim}) * 0x1p-150)
              << codec->spec() << ", 2^" << exponent << ", row " << row;
        }
      }
    }
  }
}

// Of 1 + e and 1 - e the rotated vector has 8 in its first block and 8 e in its second: a window of
// its own, in which decoding does not lose it.
TEST(BlockRotation, BlocksOfOneRotationHaveWindowsOfTheirOwn) {
  const std::size_t dim = 64;
  const float e = 0x1p-20f;
  std::vector<float> x(dim);
  for (std::size_t i = 0; i < dim; ++i) x[i] = i < dim / 2 ? 1 + e : 1 - e;
  for (const std::string& name : kNames) {
    const auto codec = make(rotated(name, dim), dim);
    const auto frame = encode(*codec, dense_rows<const float>(x.data(), 1, dim));
    const FrameInfo info = frame_info(frame);
    ASSERT_EQ(info.sections[3].first, "windows");
    ASSERT_EQ(info.sections[3].second, 2u) << codec->spec();
    EXPECT_EQ(static_cast<std::int8_t>(frame[frame.size() - 6]), 0) << codec->spec();
    EXPECT_LT(static_cast<std::int8_t>(frame[frame.size() - 5]), 0) << codec->spec();
    if (name == "iq4_nl") continue;  // it has no level for the zeros beside them
    const auto y = decode(*codec, frame, 1);
    EXPECT_NEAR(y[0], 1.0f, 1e-3f) << codec->spec();
    EXPECT_NEAR((y[0] - y[dim - 1]) / (2 * e), 1.0f, 0.1f) << codec->spec();
  }
}

// The smallest number of all, in a rotation that makes it an eighth of that.
TEST(BlockRotation, TheSmallestNumbersComeBack) {
  const std::size_t dim = 64;
  for (const std::string& name : kNames) {
    std::vector<float> x(dim, 0.0f);
    x[3] = 0x1p-149f;
    EXPECT_EQ(roundtrip(*make(rotated(name, dim), dim), x)[3], x[3]) << name;
    std::fill(x.begin(), x.end(), 0x1p-149f);
    EXPECT_EQ(roundtrip(*make(rotated(name, dim), dim), x)[3], x[3]) << name;
  }
}

// Whatever the windows of a forged frame say, values are finite, or it is refused.
TEST(BlockRotation, ForgedWindowsDecodeToFiniteValues) {
  const std::size_t dim = 64;
  const auto x = normals(dim, 8, 1e-20);
  for (const std::string& name : kNames) {
    const auto codec = make(rotated(name, dim), dim);
    const auto frame = encode(*codec, dense_rows<const float>(x.data(), 1, dim));
    for (int first = -10; first <= 9; ++first) {
      for (const int second : {-9, 0, 8}) {
        auto bad = frame;
        std::fill_n(bad.end() - 6 -
                        static_cast<std::ptrdiff_t>(frame_info(frame).sections[2].second +
                                                    frame_info(frame).sections[1].second),
                    frame_info(frame).sections[1].second / 2, std::byte{0x7b});
        bad[bad.size() - 6] = static_cast<std::byte>(first);
        bad[bad.size() - 5] = static_cast<std::byte>(second);
        seal(bad);
        if (first < -9 || first > 8) {
          EXPECT_THROW(decode(*codec, bad, 1), CorruptStream);
          continue;
        }
        for (const float value : decode(*codec, bad, 1)) ASSERT_TRUE(std::isfinite(value));
      }
    }
  }
}

TEST(BlockRotation, LengthsArePowersOfTwoThatDivideDim) {
  for (const std::string& name : kNames) {
    EXPECT_EQ(make(name + ":rotate=0", 96)->spec(), name);
    EXPECT_EQ(make(rotated(name, 32), 96)->spec(), rotated(name, 32));
    EXPECT_EQ(make(rotated(name, 64), 576)->dim(), 576u);
    EXPECT_THROW(make(rotated(name, 64), 96), InputError);
    EXPECT_THROW(make(rotated(name, 128), 64), InputError);
    for (const int length : {1, 16, 48, 96, 2048}) {
      EXPECT_THROW(make(rotated(name, static_cast<std::size_t>(length)), 4096), SpecError)
          << length;
    }
  }
  EXPECT_THROW(make("fp8:rotate=64", 64), SpecError);
}

}  // namespace
}  // namespace kakeya
