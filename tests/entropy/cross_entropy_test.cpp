// SPDX-License-Identifier: Apache-2.0
// The models against quantised normal numbers: rates of E8 measured by an independent simulation
// of 2e6 blocks, of Z by the closed form.
#include <gtest/gtest.h>

#include <limits>

#include "entropy/points_for_test.h"
#include "kakeya/entropy/density.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kDim = 64, kVectors = 16384;  // 131072 blocks of E8

struct Rates {
  double entropy, model, written;  // bits a coordinate
};

Rates rates_of(Lattice lattice, double nominal_bits) {
  const double deviation = nominal_deviation(lattice, nominal_bits);
  const auto model = std::make_shared<PointModel>(lattice, class_grid(deviation));
  const PointCoder coder(model, std::vector<std::uint8_t>(kDim, kNominalClass));
  const auto twice = normal_points(lattice, kVectors, std::vector<double>(kDim, deviation), 11);
  PointEntropy entropy(lattice);
  entropy.add(twice, kVectors, kDim);
  constexpr double kValues = kVectors * kDim;
  return {entropy.total_bits() / kValues, coder.model_bits(twice, kVectors) / kValues,
          bits_of(encode_page(coder, twice, kVectors)) / kValues};
}

// The entropy of a normal number rounded to whole steps.
double entropy_of_rounded(double deviation) {
  double bits = 0.0;
  for (int z = -400; z <= 400; ++z) {
    const double scale = deviation * std::numbers::sqrt2;
    const double p = 0.5 * (std::erf((z + 0.5) / scale) - std::erf((z - 0.5) / scale));
    if (p > 1e-300) bits -= p * std::log2(p);
  }
  return bits;
}

TEST(CrossEntropy, OfE8) {
  struct Row {
    double nominal, rate;
  };
  for (const Row& row : {Row{1, 1.2007}, Row{1.5, 1.6042}, Row{2, 2.0531}, Row{3, 3.0142},
                         Row{4, 4.0036}, Row{6, 6.0003}}) {
    const Rates rates = rates_of(Lattice::e8, row.nominal);
    EXPECT_NEAR(rates.entropy, row.rate, 0.003) << row.nominal;
    EXPECT_GT(rates.model - rates.entropy, -0.0001) << row.nominal;
    EXPECT_LT(rates.model - rates.entropy, row.nominal < 5 ? 0.0025 : 0.005) << row.nominal;
    EXPECT_NEAR(rates.written, rates.model, 0.0002) << row.nominal;
  }
}

TEST(CrossEntropy, OfD4AndZ) {
  for (const Lattice lattice : {Lattice::d4, Lattice::z}) {
    for (const double nominal : {1.0, 2.0, 4.0, 6.0}) {
      const Rates rates = rates_of(lattice, nominal);
      EXPECT_GT(rates.model - rates.entropy, -0.0001) << nominal;
      EXPECT_LT(rates.model - rates.entropy, nominal < 5 ? 0.0035 : 0.005) << nominal;
      EXPECT_NEAR(rates.written, rates.model, 0.0002) << nominal;
      if (lattice == Lattice::z) {
        const double exact = entropy_of_rounded(nominal_deviation(lattice, nominal));
        EXPECT_NEAR(rates.entropy, exact, 0.003) << nominal;
      } else {
        EXPECT_GT(rates.entropy, nominal) << nominal;
        EXPECT_LT(rates.entropy, nominal + 0.25) << nominal;
      }
    }
  }
}

TEST(PointEntropy, CountsEveryContextByItself) {
  PointEntropy entropy(Lattice::e8);
  std::vector<std::int32_t> twice(lane_values(2, 8));
  // (1, 1, 0, ...) and (1/2, ...): the coset takes a bit, and given the coset all is known but
  // which of the seven free integers are 1: 2 in 7.
  twice[0] = twice[kLanes] = 2;
  for (std::size_t i = 0; i < 8; ++i) twice[i * kLanes + 1] = 1;
  entropy.add(twice, 2, 8);
  const double p = 2.0 / 7;
  EXPECT_NEAR(entropy.total_bits(), 2 - 7 * (p * std::log2(p) + (1 - p) * std::log2(1 - p)), 1e-12);
  entropy.add(twice, 1, 8);
  EXPECT_GT(entropy.total_bits(), 8.0);
}

TEST(ExpMinus, IsExact) {
  for (double t = 0.0; t < 690.0; t += 0.37) {
    EXPECT_NEAR(exp_minus(t) / std::exp(-t), 1.0, 5e-16) << t;
  }
  EXPECT_EQ(exp_minus(0.0), 1.0);
  EXPECT_EQ(exp_minus(700.0), 0.0);
  EXPECT_EQ(exp_minus(std::numeric_limits<double>::infinity()), 0.0);
}

}  // namespace
}  // namespace kakeya
