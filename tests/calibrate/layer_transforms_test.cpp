// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/layer_transforms.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/half.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using test::kCorrelation;
using test::kLayerAngle;
using test::kOneBack;
using test::kTwoBack;
using test::layer_deviation;

constexpr std::size_t kLayers = 5, kWidth = 32, kTokens = 20000;
// The errors of decoded layers that predictors are made for: of E8 with a step of 1/4.
constexpr double kNoise = 0.07168 / 16;

// made_profile() with transforms made from tokens that follow the known relation.
Profile build(MatrixFormat matrices) {
  Profile made = test::made_profile(8, kLayers);
  made.matrices = matrices;
  made.layer_transforms.clear();
  const auto u = test::made_coordinates(kLayers, kWidth, kTokens, 7);
  LayerMoments moments(kLayers, kWidth);
  WorkerPool pool(2);
  std::vector<LayerMoments::Tokens> layers(kLayers);
  for (std::size_t i = 0; i < u.size(); ++i) {
    layers[i / kWidth % kLayers].push_back(static_cast<float>(u[i]));
  }
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    std::vector<const LayerMoments::Tokens*> before;
    for (std::size_t back = 1; back <= std::min<std::size_t>(layer, 2); ++back) {
      before.push_back(&layers[layer - back]);
    }
    moments.add(layer, before, layers[layer], 0, 8, pool);
  }
  std::vector<std::size_t> steps;
  build_layer_transforms(moments, made, pool, [&](std::size_t n) { steps.push_back(n); });
  EXPECT_EQ(steps.size(), 3 * kLayers);
  EXPECT_EQ(steps.back(), 3 * kLayers);
  return made;
}

const Profile& built(MatrixFormat matrices) {
  static const Profile halves = build(MatrixFormat::fp16), bytes = build(MatrixFormat::int8);
  return matrices == MatrixFormat::fp16 ? halves : bytes;
}

class LayerTransforms : public ::testing::TestWithParam<MatrixFormat> {};
INSTANTIATE_TEST_SUITE_P(Formats, LayerTransforms,
                         ::testing::Values(MatrixFormat::fp16, MatrixFormat::int8),
                         [](const auto& of) {
                           return of.param == MatrixFormat::fp16 ? "fp16" : "int8";
                         });

// A matrix in the coordinates in which the relation is diagonal: Q^from M Q^-to.
std::vector<double> in_own_axes(const std::uint16_t* halves, double from, double to) {
  const auto rotate = [](const std::vector<double>& v, double angle) {
    std::vector<double> turned(kWidth);
    for (std::size_t j = 0; j < kWidth; ++j) {
      const std::size_t other = kWidth - 1 - j;
      turned[j] = std::cos(angle) * v[j] + (other < j ? 1 : -1) * std::sin(angle) * v[other];
    }
    return turned;
  };
  std::vector<double> rows(kWidth * kWidth), result(kWidth * kWidth);
  for (std::size_t j = 0; j < kWidth; ++j) {  // columns, turned by the transpose
    std::vector<double> column(kWidth);
    for (std::size_t i = 0; i < kWidth; ++i) column[i] = half_to_float(halves[i * kWidth + j]);
    column = rotate(column, -from * kLayerAngle);
    for (std::size_t i = 0; i < kWidth; ++i) rows[i * kWidth + j] = column[i];
  }
  for (std::size_t i = 0; i < kWidth; ++i) {
    const std::vector<double> row(rows.begin() + static_cast<std::ptrdiff_t>(i * kWidth),
                                  rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * kWidth));
    const std::vector<double> turned = rotate(row, -to * kLayerAngle);
    std::copy(turned.begin(), turned.end(),
              result.begin() + static_cast<std::ptrdiff_t>(i * kWidth));
  }
  return result;
}

// The best factors for one coordinate of variance s, its one or two forerunners known but for the
// noise.
std::vector<double> best_factors(std::size_t order, double s) {
  const double own = s + kNoise, near = kCorrelation * s,
               far = (kOneBack * kCorrelation + kTwoBack) * s;
  if (order == 1) return {near / own};
  const double determinant = own * own - near * near;
  return {(own * near - near * far) / determinant, (own * far - near * near) / determinant};
}

TEST_P(LayerTransforms, PredictorsAreThoseOfTheRelation) {
  for (const std::size_t order : {1u, 2u}) {
    for (std::size_t layer = order; layer < kLayers; ++layer) {
      const LayerTransform& made = built(GetParam()).layer_transforms[order][layer];
      ASSERT_EQ(made.predictor.size(), order * kWidth * kWidth);
      for (std::size_t back = 1; back <= order; ++back) {
        const auto own = in_own_axes(made.predictor.data() + (back - 1) * kWidth * kWidth,
                                     static_cast<double>(layer - back), static_cast<double>(layer));
        for (std::size_t i = 0; i < kWidth; ++i) {
          const double s = std::pow(layer_deviation(i, kWidth), 2);
          for (std::size_t j = 0; j < kWidth; ++j) {
            const double expected = i == j ? best_factors(order, s)[back - 1] : 0;
            // What coordinate i, of deviation 1, adds to coordinate j in deviations of it.
            const double weight = layer_deviation(i, kWidth) / layer_deviation(j, kWidth);
            ASSERT_NEAR(own[i * kWidth + j] * weight, expected * weight, 0.04)
                << "order " << order << " layer " << layer << " back " << back << ": " << i << " "
                << j;
          }
        }
      }
    }
  }
}

TEST_P(LayerTransforms, RotationsAreOrthogonal) {
  for (std::size_t order = 0; order <= 2; ++order) {
    for (std::size_t layer = order; layer < kLayers; ++layer) {
      const auto& rotation = built(GetParam()).layer_transforms[order][layer].rotation;
      ASSERT_EQ(rotation.size(), kWidth * kWidth);
      for (std::size_t a = 0; a < kWidth; ++a) {
        for (std::size_t b = 0; b < kWidth; ++b) {
          double sum = 0;
          for (std::size_t i = 0; i < kWidth; ++i) {
            sum += double{half_to_float(rotation[i * kWidth + a])} *
                   half_to_float(rotation[i * kWidth + b]);
          }
          ASSERT_NEAR(sum, a == b ? 1 : 0, 2e-3);
        }
      }
      const LayerTransform& made = built(GetParam()).layer_transforms[order][layer];
      const bool bytes = GetParam() == MatrixFormat::int8;
      EXPECT_EQ(made.stored_rotation.empty(), !bytes);
      EXPECT_EQ(made.stored_predictor.empty(), !bytes || order == 0);
    }
  }
}

// Variance of coordinate j of v at nominal rate `rate`: what is left of it, and what the errors of
// the layers before add.
double variance_of(std::size_t order, std::size_t j, double rate) {
  const double s = std::pow(layer_deviation(j, kWidth), 2);
  const double error = std::min(s, 0.07168 * std::exp2(-2 * rate));
  if (order == 0) return s;
  const auto factors = best_factors(order, s);
  const double near = kCorrelation * s, far = (kOneBack * kCorrelation + kTwoBack) * s;
  if (order == 1) {
    return s - 2 * factors[0] * near + factors[0] * factors[0] * (s + error);
  }
  return s - 2 * factors[0] * near - 2 * factors[1] * far + 2 * factors[0] * factors[1] * near +
         (factors[0] * factors[0] + factors[1] * factors[1]) * (s + error);
}

TEST_P(LayerTransforms, ClassesFollowWhatIsLeftAtEachRate) {
  for (std::size_t order = 0; order <= 2; ++order) {
    for (std::size_t layer = order; layer < kLayers; ++layer) {
      const auto& classes = built(GetParam()).layer_transforms[order][layer].classes;
      ASSERT_EQ(classes.size(), std::size(kLayerRates) * kWidth);
      for (std::size_t rate = 0; rate < std::size(kLayerRates); ++rate) {
        double difference = 0, compared = 0;
        for (std::size_t j = 0; j < kWidth; ++j) {
          const int which = classes[rate * kWidth + j] % kDeviations;
          const double there = 0.5 * std::log2(variance_of(order, j, kLayerRates[rate]));
          const double octaves = std::log2(deviation_of_class(which)) - there;
          const bool quiet = there + kLayerRates[rate] < -1;  // below half a step: nearly always 0
          if (quiet && kLayerRates[rate] < 1) continue;
          EXPECT_LT(octaves, 0.6) << order << " " << layer << " " << kLayerRates[rate] << " " << j;
          if (quiet) continue;
          EXPECT_GT(octaves, -0.6) << order << " " << layer << " " << kLayerRates[rate] << " " << j;
          difference += octaves;
          ++compared;
        }
        if (kLayerRates[rate] < 1) continue;  // at 0 and below nearly all are
        EXPECT_GE(compared, kLayerRates[rate] < 2 ? 1 : 8);
        EXPECT_NEAR(difference / compared, 0, 0.1)
            << order << " " << layer << " " << kLayerRates[rate];
      }
    }
  }
}

// Two layers together cost what they cost one after the other: what both have in common is in the
// rotation instead of a predictor.
TEST(LayerTransformsOfGroups, DeviationsAreThoseOfTheRelation) {
  constexpr std::size_t kSix = 6, kPair = 2 * kWidth;
  Profile made = test::made_profile(8, kSix);
  made.layer_group = 2;
  made.layer_shaping = kLayerShaping;
  const auto u = test::made_coordinates(kSix, kWidth, kTokens, 9);
  LayerMoments moments(kSix / 2, kPair, 1);
  WorkerPool pool(2);
  std::vector<LayerMoments::Tokens> groups(kSix / 2);
  for (std::size_t i = 0; i < u.size(); ++i) {
    groups[i / kPair % (kSix / 2)].push_back(static_cast<float>(u[i]));
  }
  for (std::size_t group = 0; group < groups.size(); ++group) {
    std::vector<const LayerMoments::Tokens*> before;
    if (group > 0) before.push_back(&groups[group - 1]);
    moments.add(group, before, groups[group], 0, 8, pool);
  }
  build_layer_transforms(moments, made, pool, [](std::size_t) {});
  EXPECT_NO_THROW(check_profile(made, "p"));
  ASSERT_EQ(made.layer_transforms.size(), 2u);
  double variances = 0;
  for (std::size_t j = 0; j < kWidth; ++j) {
    variances += std::log2(layer_deviation(j, kWidth)) / static_cast<double>(kWidth);
  }
  for (std::size_t order = 0; order <= 1; ++order) {
    for (std::size_t group = order; group < 3; ++group) {
      const LayerTransform& transform = made.layer_transforms[order][group];
      ASSERT_EQ(transform.predictor.size(), order * kPair * kPair);
      double octaves = 0;
      for (const std::int8_t deviation : transform.deviations) {
        octaves += deviation / 4.0 / static_cast<double>(kPair);
      }
      const double left =
          order == 0 ? std::log2(test::kResidual[1]) / 4 : std::log2(test::kResidual[2]) / 2;
      // The errors of what is predicted from leave a little more.
      EXPECT_NEAR(octaves, variances + left + (order == 0 ? 0 : 0.17), 0.05) << order << group;
      // Sorted, and classes follow them where a step is fine.
      for (std::size_t j = 1; j < kPair; ++j) {
        EXPECT_LE(transform.deviations[j], transform.deviations[j - 1]);
        const int place = transform.classes[6 * kPair + j] % kDeviations - 32;
        EXPECT_NEAR(place, transform.deviations[j], 2) << order << " " << group << " " << j;
      }
    }
  }
}

TEST(LayerTransformsOfFewLayers, FewerOrdersWhereFewerAreAskedFor) {
  Profile made = test::made_profile(8, 2);
  made.layer_transforms.clear();
  const auto u = test::made_coordinates(2, kWidth, 500, 8);
  WorkerPool pool(1);
  LayerMoments::Tokens first, second;
  for (std::size_t i = 0; i < u.size(); ++i) {
    (i / kWidth % 2 == 0 ? first : second).push_back(static_cast<float>(u[i]));
  }
  // Two are more than a model of two layers has any for.
  for (const int most_order : {0, 2}) {
    LayerMoments moments(2, kWidth, most_order);
    moments.add(0, {}, first, 0, 1, pool);
    if (most_order == 0) moments.add(1, {}, second, 0, 1, pool);
    if (most_order != 0) moments.add(1, {&first}, second, 0, 1, pool);
    build_layer_transforms(moments, made, pool, [](std::size_t) {});
    EXPECT_EQ(made.layer_transforms.size(), static_cast<std::size_t>(most_order) + 1);
    EXPECT_NO_THROW(check_profile(made, "p"));
  }
}

TEST(LayerTransformsOfFewLayers, OctavesAreTheAllocationAtNominalRateZero) {
  Profile profile = test::made_profile(16);
  for (const auto& [steps, offset] : {std::pair(Tier::cold, 1.0), std::pair(Tier::hot, 0.5)}) {
    profile.layer_steps = steps;
    const auto octaves = octaves_of_layers(profile);
    EXPECT_EQ(octaves.size(), 4u);
    EXPECT_NEAR(octaves[0], -offset - 2.0470955851806, 1e-12);
    EXPECT_NEAR(octaves[1], offset - 2.0470955851806, 1e-12);
  }
}

}  // namespace
}  // namespace kakeya
