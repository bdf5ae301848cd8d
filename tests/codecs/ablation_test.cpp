// SPDX-License-Identifier: Apache-2.0
// The codecs of the published ablation: their bits, their arithmetic, and what each change costs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "codecs/vectors_for_test.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/lattice/dn.h"
#include "kakeya/lattice/hadamard.h"

namespace kakeya {
namespace {

using namespace test;

std::string ablation(const std::string& change, int q = 38) {
  return "d4:q=" + std::to_string(q) + ",rule=published" +
         (change.empty() ? "" : ",ablate=" + change);
}

// Bits of scales and indices, as they are written, of a vector of 128.
double written_bits(const Codec& codec) {
  const std::size_t count = 64;
  const auto x = normals(128 * count, 71);
  double bytes = 0;
  for (const auto& [name, length] :
       frame_info(encode(codec, dense_rows(x.data(), count, 128))).sections) {
    if (name == "scales" || name == "indices") bytes += static_cast<double>(length);
  }
  return 8 * bytes / static_cast<double>(count);
}

// 832 nominal bits for all of them; written are 816 to 1328.
TEST(Ablation, ChargedExactAndWrittenBits) {
  const double d4 = std::log2(17576521.0), clamped = std::log2(19332729.0);
  struct Row {
    const char* change;
    double exact, written;
  };
  const Row rows[] = {{"", 32 * d4 + 32, 832},
                      {"no-unit-norm", 32 * d4 + 16, 816},
                      {"no-hadamard", 32 * d4 + 32, 832},
                      {"no-per-vec-qmax,max=0.4", 32 * clamped + 16, 816},
                      {"per-block-qmax", 32 * d4 + 16 + 32 * 16, 1328},
                      {"scalar-quantise", 128 * std::log2(77.0) + 32, 864}};
  for (const Row& row : rows) {
    const auto codec = make_codec(ablation(row.change), {128});
    EXPECT_EQ(codec->account().rates().nominal_bits_per_vector, 832) << row.change;
    EXPECT_NEAR(*codec->account().rates().codebook_bits_per_vector, row.exact, 1e-9) << row.change;
    EXPECT_EQ(written_bits(*codec), row.written) << row.change;
  }
}

void rotate_by_product(std::vector<float>& y) {
  const std::vector<float> before = y;
  hadamard_as_product(before.data(), y.data(), y.size());
}

float maximum_of(std::span<const float> y) {
  float maximum = std::numeric_limits<float>::epsilon();
  for (const float v : y) maximum = std::max(maximum, std::fabs(v));
  return half_to_float(float_to_half(maximum));
}

// The published arithmetic, written down once more, straight from its description.
std::vector<float> published(std::span<const float> x, int q, const std::string& change,
                             float maximum) {
  std::vector<float> y(x.begin(), x.end());
  const float norm = static_cast<float>(std::sqrt([&] {
    double squares = 0.0;
    for (const float v : x) squares += double{v} * v;
    return squares;
  }()));
  const bool normalises = change != "no-unit-norm", rotates = change != "no-hadamard";
  for (float& v : y) v /= normalises ? norm : 1.0f;
  if (rotates) rotate_by_product(y);
  const float top = static_cast<float>(q);
  const float of_all = change.starts_with("no-per-vec") ? maximum : maximum_of(y);
  for (std::size_t i = 0; i < y.size(); i += 4) {
    const std::span<float> block(y.data() + i, 4);
    const float step = (change == "per-block-qmax" ? maximum_of(block) : of_all) / top;
    float t[4], z[4];
    for (std::size_t k = 0; k < 4; ++k) t[k] = block[k] / step;
    nearest_dn<4>(t, z);
    for (std::size_t k = 0; k < 4; ++k) {
      if (change == "scalar-quantise") z[k] = std::nearbyint(t[k]);
      block[k] = std::clamp(z[k], -top, top) * step;
    }
  }
  if (rotates) hadamard(y.data(), y.size());
  for (float& v : y) v *= normalises ? half_to_float(float_to_half(norm)) : 1.0f;
  return y;
}

TEST(Ablation, FramesHoldExactlyWhatTheArithmeticGives) {
  const std::size_t dim = 128, count = 200;
  auto x = normals(dim * count, 72);
  for (std::size_t i = 0; i < 50 * dim; ++i) x[i] = x[i] * x[i] * x[i];
  for (const std::string change : {"", "no-unit-norm", "no-hadamard", "no-per-vec-qmax,max=0.25",
                                   "per-block-qmax", "scalar-quantise"}) {
    for (const int q : {1, 10, 38, 1023}) {
      const auto y = roundtrip(*make_codec(ablation(change, q), {dim}), x);
      for (std::size_t row = 0; row < count; ++row) {
        const auto want = published(std::span(x).subspan(row * dim, dim), q, change, 0.25f);
        ASSERT_TRUE(std::equal(want.begin(), want.end(),
                               y.begin() + static_cast<std::ptrdiff_t>(row * dim)))
            << change << " q " << q << " row " << row;
      }
    }
  }
}

double over_whole(const std::string& change, const std::vector<float>& x) {
  const auto error = [&](const std::string& spec) {
    return rel_mse(x, roundtrip(*make_codec(spec, {128}), x));
  };
  return error(ablation(change)) / error(ablation(""));
}

// Normal values: a norm is worth nothing, a rotation neither; the integers' cells are (1/12) /
// (13/120) = 0.769 as bad, at a bit a block more; one maximum for all is as much worse as the
// largest of all maxima squared is above the mean of their squares.
TEST(Ablation, WhatEachChangeIsWorthOnNormalValues) {
  const auto x = normals(128 * 4096, 73);
  EXPECT_NEAR(over_whole("no-unit-norm", x), 1.0, 1e-3);
  EXPECT_NEAR(over_whole("no-hadamard", x), 1.0, 0.02);
  EXPECT_NEAR(over_whole("scalar-quantise", x), 10.0 / 13, 0.01);
  double largest = 0.0, squares = 0.0;
  for (std::size_t row = 0; row < 4096; ++row) {
    std::vector<float> y(x.begin() + static_cast<std::ptrdiff_t>(row * 128),
                         x.begin() + static_cast<std::ptrdiff_t>(row * 128 + 128));
    double norm = 0.0;
    for (const float v : y) norm += double{v} * v;
    rotate_by_product(y);
    const double maximum = maximum_of(y) / std::sqrt(norm);
    largest = std::max(largest, maximum);
    squares += maximum * maximum / 4096;
  }
  const std::string one = "no-per-vec-qmax,max=" + std::to_string(largest);
  EXPECT_NEAR(over_whole(one, x) / (largest * largest / squares), 1.0, 0.02);
  EXPECT_GT(over_whole("no-per-vec-qmax,max=0.2", x), 2.0) << "clamping costs nothing";
}

// Keys with two large channels, as the layer has that the published MSE are of: the rotation makes
// all coordinates about equal, so that a maximum a block is worth little, and without it the two
// set the step for all. Published: 0.67 and 41 times the whole codec's.
TEST(Ablation, WhatEachChangeIsWorthOnOutlierChannels) {
  auto x = normals(128 * 2048, 74, 0.1);
  for (std::size_t row = 0; row < 2048; ++row) {
    x[row * 128 + 17] += 10.0f;
    x[row * 128 + 90] += 8.0f;
  }
  EXPECT_NEAR(over_whole("no-hadamard", x), 27.0, 1.0);
  EXPECT_NEAR(over_whole("per-block-qmax", x), 0.71, 0.02);
  EXPECT_NEAR(over_whole("scalar-quantise", x), 10.0 / 13, 0.02);
}

TEST(Ablation, KeysThatDoNotFitTogetherAreRefused) {
  const auto refusal = [](const std::string& spec) -> std::string {
    try {
      make_codec(spec, {128});
    } catch (const SpecError& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_EQ(refusal("d4:q=38,rule=published,ablate=no-per-vec-qmax"),
            "d4: no max given: expected ablate=no-per-vec-qmax,max=M, M in [0.01, 1] the one "
            "maximum of all rotated unit vectors");
  EXPECT_EQ(refusal("d4:q=38,rule=published,ablate=no-per-vec-qmax,max=2"),
            "d4: max=2: expected a number in [0.01, 1]");
  EXPECT_EQ(refusal("d4:q=38,rule=published,max=0.5"),
            "d4: key max changes nothing beside the other keys");
  EXPECT_EQ(refusal("d4:q=38,ablate=no-hadamard"),
            "d4: key ablate changes nothing beside the other keys");
  EXPECT_EQ(
      refusal("d4:q=38,rule=published,ablate=hadamard"),
      "d4: ablate=hadamard: expected one of none, no-unit-norm, no-hadamard, no-per-vec-qmax, "
      "per-block-qmax, scalar-quantise");
  EXPECT_NE(refusal("e8:q=10,rule=published,ablate=no-hadamard").find("unknown key 'ablate'"),
            std::string::npos);
  EXPECT_EQ(make_codec("d4:ablate=none,rule=published,q=38", {128})->spec(),
            "d4:q=38,rule=published");
}

}  // namespace
}  // namespace kakeya
