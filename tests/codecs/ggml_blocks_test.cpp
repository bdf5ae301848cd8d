// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "codecs/vectors_for_test.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

using namespace test;

double rel_mse(const std::vector<float>& x, const std::vector<float>& y) {
  double error = 0, energy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error += std::pow(double{x[i]} - y[i], 2);
    energy += std::pow(double{x[i]}, 2);
  }
  return error / energy;
}

// On normal values: what others measured of ggml's own code.
TEST(GgmlBlocks, ErrOnNormalValuesAsGgmlDoes) {
  const std::size_t dim = 128;
  const auto x = normals(dim * 4096, 91);
  for (const auto& [spec, expected] :
       {std::pair("q4_0", 7.37e-3), std::pair("q5_0", 1.82e-3), std::pair("q8_0", 2.86e-5)}) {
    const auto codec = make(spec, dim);
    EXPECT_NEAR(rel_mse(x, roundtrip(*codec, x)) / expected, 1.0, 0.01) << spec;
    EXPECT_EQ(*codec->account().rates().nominal_bits_per_vector, spec[1] == '4'   ? 4.5 * dim
                                                                 : spec[1] == '5' ? 5.5 * dim
                                                                                  : 8.5 * dim);
  }
}

// One block by hand: the largest magnitude is -4, so q4_0 has d = 0.5 and 4 is beyond its grid.
TEST(GgmlBlocks, ABlockByHand) {
  std::vector<float> x(32, 0.0f);
  x[0] = -4.0f, x[1] = 3.9f, x[2] = 0.26f, x[3] = -0.24f, x[4] = 1.0f;
  const auto y = roundtrip(*make("q4_0", 32), x);
  EXPECT_EQ(y[0], -4.0f);
  EXPECT_EQ(y[1], 3.5f);
  EXPECT_EQ(y[2], 0.5f);
  EXPECT_EQ(y[3], 0.0f);
  EXPECT_EQ(y[4], 1.0f);
  const auto z = roundtrip(*make("q8_0", 32), x);
  const float d = half_to_float(float_to_half(4.0f / 127.0f));
  EXPECT_EQ(z[0], -127 * d);
  EXPECT_EQ(z[1], 124 * d);
}

TEST(GgmlBlocks, DimsAreMultiplesOfABlock) {
  for (const char* spec : {"q4_0", "q5_0", "q8_0"}) {
    EXPECT_EQ(make(spec, 96)->dim(), 96u);
    for (const std::size_t dim : {0, 16, 48, 65568}) {
      EXPECT_THROW(make(spec, dim), InputError) << dim;
    }
    EXPECT_THROW(make(std::string(spec) + ":block=64", 64), SpecError);
  }
}

}  // namespace
}  // namespace kakeya
