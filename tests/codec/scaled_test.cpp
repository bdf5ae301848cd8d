// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/scaled.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <thread>

#include "codecs/vectors_for_test.h"
#include "kakeya/codec/vectors.h"

namespace kakeya {
namespace {

using namespace test;

std::size_t section(std::span<const std::byte> frame, std::string_view name) {
  for (const auto& [section, bytes] : frame_info(frame).sections) {
    if (section == name) return bytes;
  }
  ADD_FAILURE() << "no section " << name;
  return 0;
}

TEST(Windows, BringEveryMagnitudeIntoRange) {
  for (int exponent = -149; exponent <= 127; ++exponent) {
    const float value = std::ldexp(1.0f, exponent),
                top = std::nextafter(std::ldexp(2.0f, exponent), 0.0f);
    const int window = window_of(value);
    EXPECT_EQ(window == 0, exponent >= -14 && exponent < 10) << exponent;
    EXPECT_EQ(window_of(exponent < -126 ? value : top), window);
    if (window != 0) {
      EXPECT_GE(times_window(value, -window), 0x1p-14f) << exponent;
      EXPECT_LT(times_window(value, -window), 4.0f) << exponent;
    }
    EXPECT_EQ(times_window(times_window(value, -window), window), value);
  }
  EXPECT_EQ(window_of(0.0f), 0);
  EXPECT_EQ(times_window(3.9f, 8), std::numeric_limits<float>::max());
  EXPECT_EQ(times_window(-3.9f, 8), std::numeric_limits<float>::lowest());
}

// Scaling a vector by a power of two scales what is decoded, at every magnitude a float has
// (subnormals lose bits at the end).
TEST(Windows, RelativeErrorDoesNotDependOnTheMagnitude) {
  const std::size_t dim = 64;
  for (const std::string spec :
       {"e8:q=38", "d4:q=38,rule=published", "tq:b=6", "fp8", "fp8:scale=fp16"}) {
    const auto codec = make_codec(spec, {dim});
    const auto x = normals(dim * 20, 51);
    const double ordinary = rel_mse(x, roundtrip(*codec, x));
    for (int exponent = -110; exponent <= 124; exponent += 9) {
      auto scaled = x;
      for (float& v : scaled) v = std::ldexp(v, exponent);
      // A subnormal binary16 scale, rounded up, moves the values along E4M3's uneven grid.
      const double band = spec == "fp8:scale=fp16" ? 0.2 : 0.05;
      EXPECT_NEAR(rel_mse(scaled, roundtrip(*codec, scaled)) / ordinary, 1.0, band)
          << spec << " 2^" << exponent;
    }
  }
}

TEST(Windows, OrdinaryDataHasNone) {
  const std::size_t dim = 64, count = 50;
  for (const double sigma : {1e-3, 0.3, 1.0, 100.0}) {
    const auto x = normals(dim * count, 52, sigma);
    const auto rows = dense_rows(x.data(), count, dim);
    for (const std::string spec : {"e8:q=10", "tq:b=4", "fp8:scale=fp16"}) {
      EXPECT_EQ(section(encode(*make_codec(spec, {dim}), rows), "windows"), 0u)
          << spec << " " << sigma;
    }
  }
  auto x = normals(dim * count, 53);
  x[17 * dim] = 1e6f;
  const auto rows = dense_rows<const float>(x.data(), count, dim);
  EXPECT_EQ(section(encode(*make_codec("e8:q=10", {dim}), rows), "windows"), count);
}

// Norms just above and below the ends of binary16 are as good as others.
TEST(Windows, NormsAroundTheEndsOfBinary16) {
  const std::size_t dim = 8;
  const auto codec = make_codec("e8:q=100", {dim});
  for (const float scale :
       {2e4f, 2.31e4f, 2.32e4f, 65504.0f, 70000.0f, 1e-7f, 5e-6f, 6.1e-5f, 6.2e-5f}) {
    const std::vector<float> x(dim, scale);
    for (const float value : roundtrip(*codec, x)) EXPECT_NEAR(value / scale, 1.0f, 2e-3f) << scale;
  }
}

TEST(Codecs, EncodeFromManyThreads) {
  const std::size_t dim = 64, count = 200;
  const auto x = normals(dim * count, 54);
  for (const std::string& spec : specs_of_build()) {
    const auto codec = make(spec, dim);
    const auto rows = dense_rows(x.data(), count, dim);
    const auto want = encode(*codec, rows);
    std::vector<std::vector<std::byte>> got(4);
    std::vector<std::thread> threads;
    for (auto& frame : got) threads.emplace_back([&] { frame = encode(*codec, rows); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& frame : got) EXPECT_EQ(frame, want) << spec;
  }
}

}  // namespace
}  // namespace kakeya
