// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/class_rate.h"

#include <gtest/gtest.h>

#include <vector>

#include "entropy/points_for_test.h"
#include "kakeya/core/random.h"
#include "kakeya/entropy/point_coder.h"
#include "kakeya/lattice/quantise.h"

namespace kakeya {
namespace {

// What the coder charges for normal points is what the class that suits them best promises: to 0.03
// bit below 1 bit, where points of a normal source no longer follow the class's density, to 1 %
// above.
TEST(ClassRate, IsWhatNormalPointsCost) {
  constexpr std::size_t kDim = 32, kVectors = 4096;
  const Random random(3);
  std::vector<CoordinateShape> shapes;
  for (int k = -20; k < 24; ++k) shapes.push_back({quarter_octaves(k), 0, 0});
  for (const Lattice lattice : {Lattice::z, Lattice::d4, Lattice::e8}) {
    const auto model = std::make_shared<PointModel>(lattice, shapes);
    for (const int place : {-9, -4, 0, 6, 17}) {
      if (lattice == Lattice::d4 && place < 0) continue;  // its parity is an estimate
      const double deviation = quarter_octaves(place);
      std::vector<std::int32_t> twice(lane_values(kVectors, kDim));
      const auto block = static_cast<std::size_t>(block_length(lattice));
      for (std::size_t vector = 0; vector < kVectors; ++vector) {
        for (std::size_t start = 0; start < kDim; start += block) {
          float t[8], z[8];
          for (std::size_t i = 0; i < block; ++i) {
            t[i] = static_cast<float>(deviation * random.normal(vector * kDim + start + i));
          }
          quantise_block(lattice, t, 0.0f, z);
          for (std::size_t i = 0; i < block; ++i) {
            twice[vector / kLanes * kLanes * kDim + (start + i) * kLanes + vector % kLanes] =
                static_cast<std::int32_t>(2 * z[i]);
          }
        }
      }
      const auto classes = cheapest_classes(*model, twice, kVectors, kDim, true);
      const PointCoder coder(model, classes);
      const double charged = coder.model_bits(twice, kVectors) / (kVectors * kDim);
      EXPECT_NEAR(class_rate(lattice, model->models(classes[0])), charged, 0.03 + 0.01 * charged)
          << static_cast<int>(lattice) << " " << deviation;
    }
  }
}

TEST(ClassRate, IsWhatNearestPathsCost) {
  constexpr std::size_t kDim = 64, kVectors = 512;
  std::vector<CoordinateShape> shapes;
  for (int k = -20; k < 24; ++k) shapes.push_back({quarter_octaves(k), 0, 0});
  const auto model = std::make_shared<PointModel>(Lattice::trellis, shapes);
  for (const int place : {-14, -10, -8, -6, -4, 0, 6, 17}) {
    // At a quarter of a step paths turn from whole numbers alone to both kinds: the share of each
    // is an estimate there.
    const double estimate = place == -8 ? 0.09 : 0;
    const auto twice = test::normal_points(Lattice::trellis, kVectors,
                                           std::vector<double>(kDim, quarter_octaves(place)), 3);
    const auto classes = cheapest_classes(*model, twice, kVectors, kDim, true);
    const PointCoder coder(model, classes);
    const double charged = coder.model_bits(twice, kVectors) / (kVectors * kDim);
    EXPECT_NEAR(class_rate(Lattice::trellis, model->models(classes[0])), charged,
                0.04 + estimate + 0.01 * charged)
        << place << " " << static_cast<int>(classes[0]) - 20;
  }
}

}  // namespace
}  // namespace kakeya
