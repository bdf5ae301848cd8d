// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "entropy/points_for_test.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace test;

double bits_with(const std::shared_ptr<const PointModel>& model,
                 const std::vector<std::uint8_t>& classes, std::span<const std::int32_t> twice,
                 std::size_t vectors) {
  return PointCoder(model, classes).model_bits(twice, vectors);
}

TEST(CheapestClasses, FindsTheDeviationOfEachCoordinate) {
  for (const Lattice lattice : kLattices) {
    const auto model = std::make_shared<PointModel>(lattice, class_grid(3.0));
    std::vector<double> deviations;
    for (std::size_t i = 0; i < 32; ++i)
      deviations.push_back(model->shape(26 + i / 8 * 4).deviation);
    const auto twice = normal_points(lattice, 2048, deviations, 21);
    const auto classes = cheapest_classes(*model, twice, 2048, 32, false);
    ASSERT_EQ(classes.size(), 32u);
    for (std::size_t i = 0; i < 32; ++i) {
      EXPECT_NEAR(model->shape(classes[i]).deviation / deviations[i], 1.0, 0.2) << i;
    }
  }
}

// For all coordinates together, against trying every class.
TEST(CheapestClasses, OneForAllIsTheBestOfAll) {
  for (const Lattice lattice : kLattices) {
    const auto model = std::make_shared<PointModel>(lattice, class_grid(1.0));
    for (const double deviation : {0.05, 0.4, 1.7, 9.0}) {
      const auto twice = normal_points(lattice, 500, std::vector<double>(16, deviation), 22);
      const auto chosen = cheapest_classes(*model, twice, 500, 16, true);
      EXPECT_EQ(chosen, std::vector<std::uint8_t>(16, chosen[0]));
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t index = 0; index < model->class_count(); ++index) {
        const std::vector<std::uint8_t> classes(16, static_cast<std::uint8_t>(index));
        least = std::min(least, bits_with(model, classes, twice, 500));
      }
      EXPECT_NEAR(bits_with(model, chosen, twice, 500), least, 1e-6 * least) << deviation;
    }
  }
}

// Half of the blocks wide and half narrow, and a coordinate that is one of two values.
TEST(CheapestClasses, FindsTheShape) {
  const auto model = std::make_shared<PointModel>(Lattice::z, class_grid(8.0));
  const Random random(23);
  std::vector<std::int32_t> twice(lane_values(4096, 2));
  for (std::size_t vector = 0; vector < 4096; ++vector) {
    const double wide = random.uniform(3 * vector) < 0.5 ? 13.0 : 3.0;
    const double sign = random.uniform(3 * vector + 1) < 0.5 ? 8.0 : -8.0;
    const double normal = random.normal(3 * vector + 2);
    twice[lane_value(vector, 0, 2)] = 2 * static_cast<std::int32_t>(std::lrint(wide * normal));
    twice[lane_value(vector, 1, 2)] =
        2 * static_cast<std::int32_t>(std::lrint(sign + 4.0 * normal));
  }
  const auto classes = cheapest_classes(*model, twice, 4096, 2, false);
  EXPECT_EQ(model->shape(classes[0]).spread, 0.85);
  EXPECT_EQ(model->shape(classes[1]).separation, 0.7);
}

// A few values beyond all bounds do not drag the class away from the others.
TEST(CheapestClasses, EscapesOutliers) {
  const auto model = std::make_shared<PointModel>(Lattice::z, class_grid(4.0));
  auto twice = normal_points(Lattice::z, 1024, std::vector<double>(4, 2.0), 24);
  for (std::size_t i = 0; i < 4; ++i) twice[lane_value(500, i, 4)] = 2 * 2000000;
  for (const std::uint8_t index : cheapest_classes(*model, twice, 1024, 4, false)) {
    EXPECT_NEAR(model->shape(index).deviation, 2.0, 0.5);
  }
}

TEST(CheapestClasses, TakesTheFirstOfEqualOnes) {
  const std::vector<CoordinateShape> same(5, CoordinateShape{2.0, 0, 0});
  for (const Lattice lattice : kLattices) {
    const PointModel model(lattice, same);
    const auto twice = normal_points(lattice, 64, std::vector<double>(8, 2.0), 25);
    EXPECT_EQ(cheapest_classes(model, twice, 64, 8, false), std::vector<std::uint8_t>(8, 0));
    const PointModel grid(lattice, class_grid(1.0));
    const std::vector<std::int32_t> zeros(lane_values(64, 8));
    EXPECT_EQ(cheapest_classes(grid, zeros, 64, 8, true), std::vector<std::uint8_t>(8, 0));
  }
}

TEST(CheapestClasses, BeyondTheGridTakesItsEnd) {
  for (const Lattice lattice : kLattices) {
    const PointModel model(lattice, {{0.5, 0, 0}, {1.0, 0, 0}, {2.0, 0, 0}});
    const auto wide = normal_points(lattice, 64, std::vector<double>(8, 50.0), 26);
    EXPECT_EQ(cheapest_classes(model, wide, 64, 8, false), std::vector<std::uint8_t>(8, 2));
    EXPECT_THROW(cheapest_classes(model, wide, 0, 8, false), InputError);
    EXPECT_THROW(cheapest_classes(model, wide, 65, 8, false), InputError);
  }
}

}  // namespace
}  // namespace kakeya
