// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/pareto.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

TEST(Pareto, FrontOfASmallCase) {
  const std::vector<OperatingPoint> points = {{4, 0.02},  {3, 0.1}, {5, 0.03},
                                              {6, 0.001}, {3, 0.2}, {7, 0.001}};
  EXPECT_EQ(pareto_front(points), (std::vector<std::size_t>{1, 0, 3}));
  EXPECT_TRUE(pareto_front({}).empty());
}

TEST(Pareto, EqualPointsAreAllOnIt) {
  const std::vector<OperatingPoint> points = {{4, 0.02}, {4, 0.02}};
  EXPECT_EQ(pareto_front(points).size(), 2u);
}

TEST(Pareto, FrontFallsAndCoversEveryPoint) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<OperatingPoint> points(300);
  for (OperatingPoint& point : points) point = {uniform(random), uniform(random)};
  const std::vector<std::size_t> front = pareto_front(points);
  for (std::size_t i = 1; i < front.size(); ++i) {
    EXPECT_LT(points[front[i - 1]].rate, points[front[i]].rate);
    EXPECT_GT(points[front[i - 1]].loss, points[front[i]].loss);
  }
  for (const OperatingPoint& point : points) {
    bool covered = false;
    for (std::size_t i : front)
      covered |= points[i].rate <= point.rate && points[i].loss <= point.loss;
    EXPECT_TRUE(covered);
  }
}

TEST(Pareto, StandingAsksTheSamples) {
  const std::vector<OperatingPoint> points = {{4, 0.02}, {4.5, 0.021}, {4.5, 0.09}, {5, 0.02}};
  const auto separated = [&](std::size_t a, std::size_t b) {
    return points[b].loss - points[a].loss > 0.01;
  };
  const std::vector<Standing> standing = pareto_standing(points, separated);
  EXPECT_EQ(standing[0], Standing::front);
  EXPECT_EQ(standing[1], Standing::unresolved);
  EXPECT_EQ(standing[2], Standing::dominated);
  EXPECT_EQ(standing[3],
            Standing::unresolved);  // costs more, loses the same: not surely worse in loss
}

TEST(Pareto, RefusesNaN) {
  const std::vector<OperatingPoint> points = {{4, std::nan("")}};
  EXPECT_THROW(pareto_front(points), InputError);
  EXPECT_THROW(pareto_standing(points, [](std::size_t, std::size_t) { return true; }), InputError);
}

}  // namespace
}  // namespace kakeya
