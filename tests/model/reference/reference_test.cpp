// SPDX-License-Identifier: Apache-2.0
// The published round trip of tensor operations: against its authors' outputs, and against our own
// codecs with the published rule. A coordinate on the border between two cells may fall on the
// other side, since a matrix product adds in an order of its own.
#include "kakeya/model/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "codecs/vectors_for_test.h"
#include "kakeya/core/error.h"
#include "kakeya/model/torch_library.h"
#include "support/reference_outputs.h"

namespace kakeya {
namespace {

using test::normals;
using test::rel_mse;

struct Published {
  std::string name;
  int levels;
  std::string spec;  // the codec with the same arithmetic
  std::string file;  // as the outputs beside the checkout are named
};
const std::vector<Published> kPublished = {{"e8", 4, "e8:q=4,rule=published", "e8_q4"},
                                           {"e8", 38, "e8:q=38,rule=published", "e8_q38"},
                                           {"e8", 152, "e8:q=152,rule=published", "e8_q152"},
                                           {"d4", 4, "d4:q=4,rule=published", "d4_q4"},
                                           {"d4", 38, "d4:q=38,rule=published", "d4_q38"},
                                           {"d4", 152, "d4:q=152,rule=published", "d4_q152"},
                                           {"tq", 1, "tq:b=2", "tq_b2"},
                                           {"tq", 7, "tq:b=4", "tq_b4"},
                                           {"tq", 127, "tq:b=8", "tq_b8"}};

std::vector<float> roundtrip(const ReferenceCodec& codec, const std::vector<float>& x,
                             std::size_t dim) {
  std::vector<float> y(x.size());
  codec.roundtrip(x.data(), x.size() / dim, y.data());
  return y;
}

// Coordinates that differ by more than 1e-4 of their vector's norm.
std::size_t differing(const std::vector<float>& x, const std::vector<float>& y,
                      const std::vector<float>& want, std::size_t dim) {
  std::size_t away = 0;
  for (std::size_t row = 0; row < x.size(); row += dim) {
    double squares = 0;
    for (std::size_t i = row; i < row + dim; ++i) squares += double{x[i]} * x[i];
    const double allowed = 1e-4 * std::sqrt(squares);
    for (std::size_t i = row; i < row + dim; ++i) {
      away += std::fabs(y[i] - want[i]) <= allowed ? 0u : 1u;  // a NaN differs
    }
  }
  return away;
}

TEST(Reference, AgreesWithTheCodecsOfThePublishedRule) {
  for (const std::size_t dim : {8u, 64u, 128u, 256u, 512u}) {
    auto x = normals(dim * 1000, 7 + dim, 0.3);
    for (std::size_t i = 0; i < 100 * dim; ++i) x[i] = x[i] * x[i] * x[i] * 40.0f;
    for (const Published& published : kPublished) {
      const auto y =
          roundtrip(*make_reference_codec(published.name, dim, published.levels), x, dim);
      const auto want = test::roundtrip(*make_codec(published.spec, {dim}), x);
      const std::string what = published.spec + " dim " + std::to_string(dim);
      EXPECT_NEAR(rel_mse(x, y) / rel_mse(x, want), 1.0, 0.002) << what;
      EXPECT_LE(differing(x, y, want, dim), x.size() / 200) << what;
    }
  }
}

TEST(Reference, AgreesWithThePublishedOutputs) {
  std::size_t compared = 0;
  for (const auto& folder : test::reference_folders()) {
    for (const std::size_t dim : {64u, 128u, 256u, 512u}) {
      const auto x = test::read_floats(folder / ("x_" + std::to_string(dim) + ".f32"));
      for (const Published& published : kPublished) {
        const auto want = test::read_floats(
            folder / ("y_" + std::to_string(dim) + "_" + published.file + ".f32"));
        if (want.empty()) continue;  // the repository has some of them
        ASSERT_EQ(want.size(), x.size());
        const auto y =
            roundtrip(*make_reference_codec(published.name, dim, published.levels), x, dim);
        const std::string what = published.spec + " dim " + std::to_string(dim);
        EXPECT_NEAR(rel_mse(x, y) / rel_mse(x, want), 1.0, 0.002) << what;
        // One block on the other side changes all of its vector: of 48 vectors, one may.
        EXPECT_LE(differing(x, y, want, dim), x.size() / 48) << what;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 4U);
}

// Rotated, each of these vectors has one coordinate that is not zero, an even number of steps: the
// sum of every block is even, and the half of the algorithm that moves coordinates is skipped. With
// an odd number it is not.
TEST(Reference, VectorsWhoseBlocksAreAllEven) {
  const std::size_t dim = 64;
  std::vector<float> x(dim * dim);
  for (std::size_t row = 0; row < dim; ++row) {
    for (std::size_t i = 0; i < dim; ++i) {
      x[row * dim + i] = __builtin_parityll(row & i) ? -0.125f : 0.125f;
    }
  }
  EXPECT_LT(rel_mse(x, roundtrip(*make_reference_codec("d4", dim, 38), x, dim)), 1e-12);
  EXPECT_LT(rel_mse(x, roundtrip(*make_reference_codec("e8", dim, 38), x, dim)), 1e-12);
  EXPECT_GT(rel_mse(x, roundtrip(*make_reference_codec("d4", dim, 3), x, dim)), 0.01);
}

TEST(Reference, ZeroVectorsAndNone) {
  for (const Published& published : kPublished) {
    const auto codec = make_reference_codec(published.name, 64, published.levels);
    const std::vector<float> zeros(3 * 64, 0.0f);
    EXPECT_EQ(roundtrip(*codec, zeros, 64), zeros) << published.spec;
    codec->roundtrip(nullptr, 0, nullptr);
  }
}

TEST(Reference, ThreadsChangeNothingThatCounts) {
  const std::size_t dim = 128;
  const auto x = normals(dim * 3000, 11);
  const auto codec = make_reference_codec("e8", dim, 38);
  const TorchLibrary& torch = torch_library("test");
  torch.set_threads(1);
  const auto one = roundtrip(*codec, x, dim);
  torch.set_threads(2);
  const auto two = roundtrip(*codec, x, dim);
  torch.set_threads(1);
  EXPECT_LE(differing(x, two, one, dim), x.size() / 1000);
  EXPECT_THROW(torch.set_threads(0), InputError);
}

TEST(Reference, RefusesWhatWasNeverPublished) {
  EXPECT_THROW(make_reference_codec("fp8", 64, 4), SpecError);
  EXPECT_THROW(make_reference_codec("e8", 64, 0), SpecError);
  EXPECT_THROW(make_reference_codec("e8", 96, 10), InputError);
  EXPECT_THROW(make_reference_codec("e8", 4, 10), InputError);
  EXPECT_THROW(make_reference_codec("d4", 0, 10), InputError);
}

TEST(Reference, SaysWhatItRunsOn) {
  EXPECT_TRUE(torch_library("test").name().starts_with("LibTorch "));
}

}  // namespace
}  // namespace kakeya
